"""`anonify verify`: the gate alone, on any file."""

from __future__ import annotations

from pathlib import Path
from typing import Final, Literal

from anonify.documents import RedactionPlan, SweepValue, by_kind
from anonify.documents.tasks import EXTRACT, SNIFF, ExtractArgs, SniffArgs
from anonify.errors import FAILURES, AnonifyError
from anonify.export import read_artifact, sweepable
from anonify.local.files import FileSource
from anonify.sandbox import Pool, Source

from .console import FAILED, REFUSED, USAGE, emit, say
from .inputs import show
from .pools import open_pool

__all__ = ["verify_file"]

READERS: Final[tuple[Literal["own", "independent"], ...]] = ("own", "independent")


class _Nowhere:
    """Takes a model nobody needs."""

    def write(self, data: bytes, /) -> None:
        """Let go of it."""


def _pictures(pool: Pool, kind: str, source: Source) -> int:
    """Pages whose pictures may show more; a container has no pages."""
    if by_kind(kind).container:
        return 0
    model = _Nowhere()
    read = pool.run(EXTRACT, ExtractArgs(kind), sources={"source": source}, sinks={"model": model})
    return len(read.extraction.pictures)


def verify_file(path: Path, values: tuple[str, ...], *, as_json: bool) -> int:
    """Search `path` for `values` with both readers of its format; returns the exit status.

    They read text.  Pages whose pictures may show more are counted and told.
    """
    if path.is_dir():
        say("Give one file to verify, not a folder.")
        return USAGE
    searched = tuple(value for value in values if sweepable(value))
    if not searched:
        say("None of the values can be searched for: each has fewer than 4 characters.")
        return USAGE
    plan = RedactionPlan(sweep=tuple(SweepValue(value, "") for value in searched), keep_metadata=True)
    found: dict[int, int] = {}
    pieces = pictures = 0
    kind: str | None = None
    code: str | None = None
    try:
        with open_pool() as (pool, _slots), FileSource(path) as source:
            name = path.name.encode("utf-8", "replace").decode("utf-8")
            kind = pool.run(SNIFF, SniffArgs(name), sources={"source": source}).kind
            for reader in READERS:
                seen = read_artifact(pool, kind, source=source, artifact=source, plan=plan, reader=reader)
                pieces += seen.pieces
                if not seen.opened:
                    code = "malformed"
                for finding in seen.survivors:
                    found[finding.value] = max(found.get(finding.value, 0), finding.count)
            pictures = _pictures(pool, kind, source)
    except AnonifyError as error:
        code = error.code.value
    status = REFUSED if found else FAILED if code is not None else 0
    if as_json:
        emit(
            {
                "input": str(path),
                "kind": kind,
                "status": {0: "absent", FAILED: "failed", REFUSED: "found"}[status],
                "errorCode": code,
                "values": len(searched),
                "tooShort": len(values) - len(searched),
                "found": len(found),
                "occurrences": sum(found.values()),
                "readers": list(READERS) if kind else [],
                "pieces": pieces,
                "unreadPictures": pictures,
            }
        )
        return status
    if len(values) > len(searched):
        say(f"{len(values) - len(searched)} values are too short to be searched for (fewer than 4 characters).")
    if found:
        say(f"{show(path)}: {len(found)} of {len(searched)} values found, {sum(found.values())} occurrences.")
    elif code is not None:
        sentence = next(failure.sentence for one, failure in FAILURES.items() if one.value == code)
        say(f"{show(path)}: {code}: {sentence}")
    else:
        say(f"{show(path)}: none of {len(searched)} values found by 2 readers ({kind}).")
        if pictures:
            say(f"{pictures} of its pages hold pictures, which this command does not read: `anonify detect` does.")
    return status
