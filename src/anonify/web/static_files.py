"""Style and scripts: read once, compressed once, and kept by browsers as long as they are these."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from .packing import takes_gzip

__all__ = ["FILES", "Files"]

_TYPES: Final = {".css": "text/css", ".js": "text/javascript", ".mjs": "text/javascript", ".svg": "image/svg+xml"}
"""What is compressed, and its type: a machine's own table of types may lack or bend them."""

_FOREVER: Final = "public, max-age=31536000, immutable"
_ASK: Final = "no-cache"


@dataclass(frozen=True, slots=True)
class _File:
    """A file's bytes, as they are and with gzip (None where that gains nothing)."""

    body: bytes
    packed: bytes | None
    media_type: str
    tag: str

    @classmethod
    def of(cls, path: Path) -> _File:
        body = path.read_bytes()
        known = _TYPES.get(path.suffix)
        media_type = known or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
        packed = gzip.compress(body, 9, mtime=0) if known else None
        return cls(body, packed, media_type, hashlib.sha256(body).hexdigest()[:32])


class Files:
    """An ASGI application over the files of a folder, to be mounted.

    Nothing is compressed while somebody waits, and no request touches the disk. What is compressed is public and the
    same for everybody, so that its length tells nothing (no secret stands beside a caller's text).

    Every file has two addresses. Below `version`, which changes with any of the files, browsers keep it without asking
    again, and all that one page loads is of one release. At its plain address they ask each time (ETag).
    """

    def __init__(self, folder: Path) -> None:
        paths = sorted(path for path in folder.rglob("*") if path.is_file())
        self._files = {path.relative_to(folder).as_posix(): _File.of(path) for path in paths}
        whole = hashlib.sha256()
        for name, file in self._files.items():
            whole.update(f"{name} {file.tag}\n".encode())
        self.version: Final = f"v-{whole.hexdigest()[:16]}"

    def text(self, name: str) -> str:
        """The text of a file.  Raises :class:`KeyError` where there is none of this name."""
        return self._files[name].body.decode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] not in ("GET", "HEAD"):
            raise HTTPException(405, headers={"Allow": "GET, HEAD"})
        version, _, name = scope["path"].removeprefix(scope.get("root_path", "")).lstrip("/").partition("/")
        if not version.startswith("v-"):
            version, name = "", f"{version}/{name}" if name else version
        file = self._files.get(name)
        if file is None:
            raise HTTPException(404)
        # Another release's version is answered too, from these files, and not kept: it is asked for during an update.
        cache = _FOREVER if version == self.version else _ASK
        await _answer(file, Headers(scope=scope), cache)(scope, receive, send)


def _answer(file: _File, asked: Headers, cache: str) -> Response:
    packed = file.packed if takes_gzip(asked.get("accept-encoding", "")) else None
    headers = {"ETag": f'"{file.tag}{"-gzip" if packed else ""}"', "Cache-Control": cache}
    if file.packed is not None:
        headers["Vary"] = "Accept-Encoding"
    if _known(asked.get("if-none-match", ""), file.tag):
        return Response(status_code=304, headers=headers)
    if packed is not None:
        headers["Content-Encoding"] = "gzip"
    return Response(file.body if packed is None else packed, headers=headers, media_type=file.media_type)


def _known(tags: str, tag: str) -> bool:
    """Whether `If-None-Match` names the file in either form (weak comparison, RFC 9110 §13.1.2)."""
    named = {one.strip().removeprefix("W/").strip('"') for one in tags.split(",")}
    return "*" in named or tag in named or f"{tag}-gzip" in named


FILES: Final = Files(Path(__file__).with_name("static"))
"""What this package serves."""
