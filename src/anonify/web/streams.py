"""Bytes in and out: uploads, ranges, verified downloads, and events."""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import AsyncIterator, Iterator
from typing import Final
from urllib.parse import quote

from anyio import fail_after, from_thread
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from anonify.errors import Code, Transient
from anonify.sandbox.source import Source, iter_chunks

from .problems import Problem

__all__ = ["disposition", "parse_range", "pull", "source_response", "verified", "verified_response"]

_PLAIN: Final = re.compile(r"[^A-Za-z0-9._ ()+-]")

SANDBOX_CSP: Final = "default-src 'none'; sandbox"


def disposition(filename: str) -> str:
    """`Content-Disposition: attachment` for a name in any script (RFC 6266, RFC 8187)."""
    name = "".join(char for char in filename if char >= " " and char not in '/\\"\x7f').strip(". ") or "document"
    plain = _PLAIN.sub("_", name)
    encoded = quote(name.encode("utf-8", "replace"), safe="!#$&+-.^_`|~")
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{encoded}"


IDLE_SECONDS: Final = 60.0
"""How long an upload may stand still."""

SLOWEST: Final = 1_024
"""Bytes a second an upload must keep up, on the whole: each holds a thread, and there are few."""


def pull(request: Request, *, idle: float = IDLE_SECONDS, slowest: int = SLOWEST) -> Iterator[bytes]:
    """The request's body for a worker thread, piece by piece; raises when the client goes away.

    Args:
        idle: seconds the body may stand still.
        slowest: bytes a second it must keep up, counted from the first `idle` seconds on.

    Raises:
        Problem: `upload-too-slow`.
    """
    stream: AsyncIterator[bytes] = request.stream().__aiter__()

    async def piece(seconds: float) -> bytes | None:
        with fail_after(seconds):
            return await anext(stream, None)

    began, received = time.monotonic(), 0
    while True:
        left = began + idle + received / slowest - time.monotonic()
        try:
            data = from_thread.run(piece, max(0.0, min(idle, left)))
        except TimeoutError:
            raise Problem("upload-too-slow", headers={"Connection": "close"}) from None
        if data is None:
            return
        received += len(data)
        if data:
            yield data


def parse_range(header: str | None, size: int) -> tuple[int, int] | None:
    """The half-open range a `Range` header asks for (RFC 9110 §14); None when it asks for all or for several.

    Raises:
        Problem: `range`, when nothing of it exists.
    """
    match = re.fullmatch(r"bytes=(\d{0,18})-(\d{0,18})", (header or "").replace(" ", ""))
    if match is None or not any(match.groups()):
        return None
    first, last = match.groups()
    if first:
        start, end = int(first), min(size, int(last) + 1) if last else size
        if last and int(last) < int(first):
            return None
    else:
        start, end = max(0, size - int(last)), size
    if start >= size or start >= end:
        raise Problem("range", headers={"Content-Range": f"bytes */{size}"}, size=size)
    return start, end


def source_response(source: Source, filename: str, media_type: str, sha256: str | None, header: str | None) -> Response:
    """The original bytes, whole or one range, as an attachment no browser will run."""
    headers = {
        "Accept-Ranges": "bytes",
        "Content-Disposition": disposition(filename),
        "Content-Security-Policy": SANDBOX_CSP,
        "Cache-Control": "no-store",
    }
    if sha256:
        headers["ETag"] = f'"{sha256}"'
    wanted = parse_range(header, source.size)
    start, end = wanted or (0, source.size)
    headers["Content-Length"] = str(end - start)
    if wanted is not None:
        headers["Content-Range"] = f"bytes {start}-{end - 1}/{source.size}"
    body = iter_chunks(source, start, end)
    return StreamingResponse(body, 206 if wanted else 200, headers, media_type=media_type)


def verified(source: Source, sha256: str) -> Iterator[bytes]:
    """The bytes of `source`, hashed as they pass; the last piece is held back until the hash matches.

    Raises:
        Transient: `storage`: the receiver is left without the end, so the file does not look complete.
    """
    digest = hashlib.sha256()
    held: bytes | None = None
    for piece in iter_chunks(source):
        digest.update(piece)
        if held is not None:
            yield held
        held = piece
    if digest.hexdigest() != sha256:
        raise Transient(Code.STORAGE)
    yield held or b""


def verified_response(source: Source, sha256: str, filename: str, media_type: str) -> Response:
    """A download of :func:`verified` bytes.  A file of one piece is checked before its headers are sent."""
    pieces = verified(source, sha256)
    first = next(pieces)

    def body() -> Iterator[bytes]:
        yield first
        yield from pieces

    headers = {
        "Content-Length": str(source.size),
        "Content-Disposition": disposition(filename),
        "Content-Security-Policy": SANDBOX_CSP,
        "Cache-Control": "no-store",
        "ETag": f'"{sha256}"',
    }
    return StreamingResponse(body(), 200, headers, media_type=media_type)
