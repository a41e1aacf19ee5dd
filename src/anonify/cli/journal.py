"""What a kept state remembers about a run, so that an interrupted one goes on where it was.

One JSON line an event in `journal.jsonl`: a document was taken in, or a file is finished.  Lines hold paths, counts
and checksums; what was wished for only as a keyed hash.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import hmac
import json
import os
import threading
from collections.abc import Mapping
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from anonify.closing import Closing
from anonify.local.wanted import Result, Wanted

from .inputs import Job

__all__ = ["Journal", "StateInUse"]


class StateInUse(Exception):
    """Another process works on this state."""


class Journal(Closing):
    """The journal of one state folder.  Thread-safe.

    Args:
        folder: the state folder.

    Raises:
        StateInUse: another process has it open.
    """

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._lock = threading.Lock()
        self._held = os.open(folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(self._held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._held)
            raise StateInUse from None
        self._secret = _secret(folder / "journal.key")
        path = folder / "journal.jsonl"
        self._documents: dict[str, str] = {}
        self._results: dict[str, dict[str, Any]] = {}
        for line in _lines(path):
            if "document" in line:
                self._documents[line["key"]] = line["document"]
            elif "result" in line:
                self._results[line["key"]] = line["result"]
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        if path.stat().st_size:
            os.write(self._file, b"\n")  # ends a line that a crash has cut

    def key(self, job: Job, wanted: Wanted) -> str:
        """Names this file in this version with these wishes and this output."""
        status = job.source.stat()
        parts = [
            os.fsencode(os.path.realpath(job.source)),
            os.fsencode(os.path.abspath(job.output)),
            *(os.fsencode(os.path.abspath(place)) if place else b"" for place in (job.report, job.vault)),
            str((status.st_size, status.st_mtime_ns)).encode(),
            *(repr(_plain(getattr(wanted, field.name))).encode("utf-8", "surrogatepass") for field in fields(wanted)),
        ]
        return hmac.new(self._secret, b"\0".join(parts), hashlib.sha256).hexdigest()

    def document(self, key: str) -> str | None:
        """The document an interrupted run had taken in for this file."""
        return self._documents.get(key)

    def finished(self, key: str) -> Result | None:
        """The result of this file, when its output is still what it was."""
        stored = self._results.get(key)
        if stored is None:
            return None
        try:
            result = _restored(stored)
        except (TypeError, KeyError):  # written by another version
            return None
        whole = result.output and _sha256(Path(result.output)) == result.checksum
        beside = (place for place in (result.report, result.vault) if place is not None)
        return result if whole and all(map(os.path.exists, beside)) else None

    def unfinished(self) -> frozenset[str]:
        """The documents of files that are not finished."""
        return frozenset(document for key, document in self._documents.items() if key not in self._results)

    def admitted(self, key: str, document_id: str) -> None:
        """Remember that a document was taken in."""
        self._append({"key": key, "document": document_id})

    def done(self, key: str, result: Result) -> None:
        """Remember that a file is finished."""
        self._append({"key": key, "result": asdict(result)})

    def _append(self, line: dict[str, Any]) -> None:
        data = json.dumps(line).encode("ascii") + b"\n"
        with self._lock:
            os.write(self._file, data)
            os.fsync(self._file)

    def close(self) -> None:
        """Give the state free."""
        os.close(self._file)
        os.close(self._held)


def _restored(stored: dict[str, Any]) -> Result:
    children = tuple(_restored(child) for child in stored["children"])
    return Result(**{**stored, "degraded": tuple(stored["degraded"]), "children": children})


def _plain(item: Any) -> Any:
    if isinstance(item, Mapping):
        return sorted(item.items())
    return sorted(item) if isinstance(item, frozenset) else item


def _secret(path: Path) -> bytes:
    with contextlib.suppress(FileNotFoundError):
        kept = path.read_bytes()
        if len(kept) == 32:
            return kept
    secret = os.urandom(32)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(secret)
        file.flush()
        os.fsync(file.fileno())
    return secret


def _lines(path: Path) -> list[dict[str, Any]]:
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        return []
    lines = []
    for line in raw.splitlines():
        with contextlib.suppress(ValueError):
            parsed = json.loads(line)
            if isinstance(parsed, dict) and "key" in parsed:
                lines.append(parsed)
    return lines


def _sha256(path: Path) -> str | None:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None
