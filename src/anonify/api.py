"""The Python API.  No server needed: documents go through the same pipeline, in this process.

    import anonify

    result = anonify.redact_file("letter.docx", "letter-redacted.docx", values=["Ada Example"])
    assert result.status == "ready"

The first call opens an embedded state in a private temporary folder and a pool of sandbox processes; later calls share
them, and they are gone when the interpreter exits (or after :func:`close`).
"""

from __future__ import annotations

import atexit
import os
import threading
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from anonify.local.opened import NormalizedDocument, open_document
from anonify.local.restored import RestoreResult, restore_path
from anonify.local.session import Session
from anonify.local.wanted import Result, Wanted, chosen_methods

if TYPE_CHECKING:
    from anonify.detection import Detection

__all__ = ["NormalizedDocument", "RestoreResult", "Result", "close", "detect", "open", "redact_file", "restore_file"]


class _Shared:
    """The one session of this process, opened when it is first needed."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._session: Session | None = None
        self._pid = 0

    def session(self) -> Session:
        with self._lock:
            if self._session is None or self._pid != os.getpid():  # a forked child must not use its parent's
                self._session, self._pid = Session(), os.getpid()
                atexit.register(self.close)
            return self._session

    def close(self) -> None:
        with self._lock:
            session, self._session = self._session, None
            if session is not None and self._pid == os.getpid():
                session.close()


_shared = _Shared()


def detect(text: str, preset: str | None = None) -> list[Detection]:
    """What looks sensitive in a text.

    Args:
        text: the text.
        preset: id of a preset; None looks for everything.

    Returns:
        Suggestions in order of place; offsets are code points of `text`.

    Raises:
        KeyError: there is no such preset.
    """
    from anonify.detection import DEFAULT_PRESET, detect_text

    return detect_text(text, preset=preset or DEFAULT_PRESET)


def redact_file(
    path: str | os.PathLike[str],
    out: str | os.PathLike[str],
    *,
    values: Iterable[str] = (),
    patterns: Iterable[str] = (),
    keep: Iterable[str] = (),
    accept: Literal["none", "high", "all"] = "none",
    categories: Sequence[str] = (),
    preset: str | None = None,
    keep_metadata: bool = False,
    labels: bool = False,
    report: str | os.PathLike[str] | None = None,
    method: Literal["mask", "pseudonymize", "tokenize", "encrypt"] = "mask",
    methods: Mapping[str, str] | None = None,
    vault: str | os.PathLike[str] | None = None,
) -> Result:
    """Remove values from a file and verify the result before it is written.

    What goes wrong with the document does not raise: `status` is then `failed`, `error_code` says why, and nothing is
    written.

    Args:
        path: the file; it is only read.
        out: where the redacted file goes; it appears whole or not at all, and replaces what is there.
        values: texts to remove wherever they stand.
        patterns: RE2 patterns; what they match is removed.
        keep: texts of which nothing is suggested; `values` and `patterns` win over them.
        accept: which suggestions to accept besides: `none`, `high` (certain: confidence 0.85 and more) or `all`.
        categories: accept only suggestions of these categories.
        preset: id of a preset; None looks for everything.
        keep_metadata: leave author, title and the like where they hold no removed value.
        labels: write `[PERSON]` and the like instead of `[REDACTED]`.
        report: where the report (JSON: counts and checks, no content) goes.
        method: what values become (docs/methods.md); categories that may not become that are masked.  The same value
            has the same surrogate in every file until :func:`close`.
        methods: methods of single categories, which may have them.
        vault: where the vault goes, when a method makes one; without it such values are lost as the masked ones are.
            Only its owner may read the file, and it appears whole or not at all.

    Raises:
        ValueError: a result is the input or another result, a pattern does not compile, or a value, preset,
            category or method cannot be used.
        OSError: `out` cannot be written.
    """
    source, output = Path(path), Path(out)
    written, kept = (None if place is None else Path(place) for place in (report, vault))
    _check_places(source, output, written, kept)
    chosen = chosen_methods(method, methods or {})
    wanted = Wanted(
        values=tuple(dict.fromkeys(value.strip() for value in values if value.strip())),
        patterns=tuple(patterns),
        keep=tuple(dict.fromkeys(value.strip() for value in keep if value.strip())),
        accept=accept,
        categories=frozenset(categories),
        preset=preset or "everything",
        keep_metadata=keep_metadata,
        labels=labels,
        methods=chosen,
        together=bool(chosen),
    )
    wanted.check()
    return _shared.session().redact(source, output, wanted, report=written, vault=kept)


def _check_places(source: Path, *places: Path | None) -> None:
    """Refuse to write over `source`, or twice in one place."""
    real = [os.path.realpath(place) for place in places if place is not None]
    if any(os.path.exists(place) and source.exists() and source.samefile(place) for place in real):
        raise ValueError("an original is never overwritten")
    if len(set(real)) < len(real):
        raise ValueError("two results cannot have one path")


def restore_file(
    path: str | os.PathLike[str], vault: str | os.PathLike[str], out: str | os.PathLike[str]
) -> RestoreResult:
    """Put tokenized and encrypted values back into a redacted file, with its vault.

    What goes wrong with file or vault does not raise: `status` is then `failed`, `error_code` says why, and nothing is
    written.  PDF files and pictures cannot be restored.

    Args:
        path: the redacted file, which may have been edited since; it is only read.
        vault: its vault; it is only read.
        out: where the restored file goes; it appears whole or not at all, and replaces what is there.

    Raises:
        ValueError: `out` is the file or the vault.
        OSError: `out` cannot be written.
    """
    source, key, output = Path(path), Path(vault), Path(out)
    for given in (source, key):
        _check_places(given, output)
    return restore_path(_shared.session().pool, source, key, output)


def open(path: str | os.PathLike[str]) -> NormalizedDocument:  # noqa: A001  # anonify.open, as gzip.open
    """A file's pages, sheets and facts, read in the sandbox; pages are loaded when they are asked for.

    Raises:
        FatalError: why it cannot be read, as a code of docs/failures.md.
    """
    session = _shared.session()
    return open_document(session.pool, Path(path), session.services.ocr, session.services.settings.cpu_concurrency)


def close() -> None:
    """Give back what earlier calls share.  The next call opens it again."""
    _shared.close()
