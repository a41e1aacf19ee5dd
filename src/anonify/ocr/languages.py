"""Which languages can be read: where Tesseract's data lies on this machine.

English comes with the package; German and Japanese are extras of it; others come with the system's Tesseract or are
put beside the English file.  A process in the sandbox sees the installation and the system's folders only, so no other
folder counts.
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
import sys
from collections.abc import Iterator, Sequence
from importlib import metadata
from pathlib import Path
from typing import Final

from anonify.errors import Code, FatalError

__all__ = ["available", "check_languages", "data_of", "exchanged", "folders", "missing", "osd_folder"]

_SUFFIX: Final = ".traineddata"
_NAME: Final = re.compile(r"[A-Za-z]\w*(?:/[A-Za-z]\w*)?", re.ASCII)
"""A language as Tesseract names it, `deu` or `script/Latin`; nothing that leads out of a folder."""

_NO_LANGUAGES: Final = frozenset({"osd", "equ"})
"""Data files that hold no language."""

_SYSTEM: Final = (
    "/usr/share/tessdata", "/usr/share/tesseract/tessdata", "/usr/local/share/tessdata", "/opt/homebrew/share/tessdata",
)  # fmt: skip

_SEEN: Final = ("/usr", "/lib", "/nix/store")
"""What a sandboxed process sees besides the installation, on Linux."""


def folders() -> tuple[Path, ...]:
    """Folders that may hold language data, the first to be believed first."""
    own = [Path(prefix) / "share" / "tessdata" for prefix in (sys.prefix, sys.base_prefix)]
    named = [Path(value) for value in [os.environ.get("TESSDATA_PREFIX")] if value and _seen(Path(value))]
    named += [folder / "tessdata" for folder in named]
    debian = sorted(Path("/usr/share/tesseract-ocr").glob("*/tessdata"), reverse=True)
    every = [*own, *named, *debian, *(Path(folder) for folder in _SYSTEM if _seen(Path(folder)))]
    return tuple(folder for folder in dict.fromkeys(every) if folder.is_dir())


def available() -> dict[str, Path]:
    """The folder of every language that can be read, by Tesseract's name."""
    found: dict[str, Path] = {}
    for folder in folders():
        for file in sorted(folder.rglob("*" + _SUFFIX)):
            name = file.relative_to(folder).as_posix().removesuffix(_SUFFIX)
            if name not in _NO_LANGUAGES and _NAME.fullmatch(name):
                found.setdefault(name, folder)
    return found


def missing(languages: Sequence[str]) -> tuple[str, ...]:
    """Those of `languages` without data on this machine."""
    found = available()
    return tuple(language for language in languages if language not in found)


def check_languages(languages: Sequence[str]) -> None:
    """Refuse `languages` that cannot all be read.

    Raises:
        FatalError: `configuration`; `missing` counts those without data, 0 when none was named.
    """
    absent = missing(languages)
    if absent or not languages:
        raise FatalError(Code.CONFIGURATION, missing=len(absent))


def data_of(languages: Sequence[str]) -> tuple[str, str]:
    """Data path and language string with which Tesseract loads `languages` as one engine.

    One folder for all is taken where there is one; else every language is named with its own, from the root.

    Raises:
        FatalError: `configuration`, as :func:`check_languages`.
    """
    check_languages(languages)
    for folder in folders():
        if all((folder / f"{language}{_SUFFIX}").is_file() for language in languages):
            return str(folder), "+".join(languages)
    found = available()
    paths = [f"{found[language].as_posix().lstrip('/')}/{language}" for language in languages]
    if any("+" in path for path in paths):  # it parts languages
        raise FatalError(Code.CONFIGURATION)
    return "/", "+".join(paths)


def osd_folder() -> Path | None:
    """The folder with the data that tells which way up a page is."""
    return next((folder for folder in folders() if (folder / f"osd{_SUFFIX}").is_file()), None)


def exchanged() -> tuple[str, ...]:
    """Languages whose file is not the one its installed package brought.

    The fast and the slow package of a language write the same file, and the one installed last wins without a word.
    """
    return tuple(sorted({name for name, path, wanted in _packaged() if _digest(path) != wanted}))


def _packaged() -> Iterator[tuple[str, Path, str]]:
    for package in metadata.distributions():
        if not (package.metadata["Name"] or "").replace("-", ".").replace("_", ".").startswith("tessdata"):
            continue
        for file in package.files or ():
            if file.name.endswith(_SUFFIX) and file.hash is not None and file.hash.mode == "sha256":
                yield file.name.removesuffix(_SUFFIX), Path(str(file.locate())), file.hash.value


def _digest(path: Path) -> str:
    """As the `RECORD` of a wheel writes it."""
    try:
        digest = hashlib.sha256(path.read_bytes()).digest()
    except OSError:
        return ""
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode("ascii")


def _seen(folder: Path) -> bool:
    """Whether a sandboxed process can read `folder`."""
    if sys.platform != "linux":
        return True
    path = folder.resolve()
    return any(path.is_relative_to(root) for root in (*_SEEN, sys.prefix, sys.base_prefix))
