"""A file and every document inside it, one at a time, without a database."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from anonify.closing import Closing
from anonify.errors import Code, FatalError
from anonify.local.opened import recognised

if TYPE_CHECKING:
    from anonify.documents import ExpandOptions
    from anonify.sandbox import Source, TaskRunner

__all__ = ["Inner", "inside"]

SEAM: Final = "!"
"""Stands between a file's name and the address of a part in it; addresses hold none."""


@dataclass(frozen=True, slots=True)
class Inner(Closing):
    """One document inside a file.

    Attributes:
        place: where, from the file inwards: `!msg-7!0.2`.
        name: what it is called there.
        kind: its format, or nothing when it cannot be read.
        source: its bytes; closed by :meth:`close`.  None when it cannot be read.
        code: why it cannot be read.
    """

    place: str
    name: str
    kind: str = ""
    source: Source | None = None
    code: str = ""

    def close(self) -> None:
        """Lose the bytes."""
        closing = getattr(self.source, "close", None)
        if closing is not None:
            closing()


def inside(pool: TaskRunner, source: Source, kind: str, options: ExpandOptions, place: str = "") -> Iterator[Inner]:
    """The documents inside `source`, each before those inside it; kinds that nobody can read are passed over.

    Whoever takes one closes it.  Fails as the expansion of a document does.

    Raises:
        FatalError: `too-complex` beyond a limit; what the format raised.
    """
    from anonify.documents import DEPTH, by_kind
    from anonify.documents.tasks import EXPAND, ExpandArgs

    form = by_kind(kind)
    if form.expand is None:
        return
    if place.count(SEAM) >= DEPTH:
        if form.container:
            raise FatalError(Code.TOO_COMPLEX)
        return
    # Only here: they bring the whole engine, which takes longer to load than most files to be read.
    from anonify.runs.expanding import groups, unpacked
    from anonify.storage import Spool

    listed = pool.run(EXPAND, ExpandArgs(kind, options), sources={"source": source}).children
    for part in listed:
        if part.skipped:
            yield Inner(f"{place}{SEAM}{part.path}", part.name, code=part.skipped)
    for group in groups([part for part in listed if not part.skipped]):
        with Spool() as together:
            for part, content in unpacked(pool, kind, source, group, together):
                yield from _one(pool, part.name, content, options, f"{place}{SEAM}{part.path}")


def _one(pool: TaskRunner, name: str, content: Source, options: ExpandOptions, place: str) -> Iterator[Inner]:
    from anonify.sandbox import iter_chunks
    from anonify.storage import Spool

    try:
        kind = recognised(pool, content, name)
    except FatalError as error:
        if error.code is not Code.UNSUPPORTED_TYPE:
            yield Inner(place, name, code=error.code.value)
        return
    own = Spool()
    for chunk in iter_chunks(content):
        own.write(chunk)
    own.finish()
    yield Inner(place, name, kind, own)
    try:
        yield from inside(pool, content, kind, options, place)
    except FatalError as error:
        yield Inner(place, name, kind, code=error.code.value)
