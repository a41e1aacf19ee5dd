"""The reading of a package that shares the redactor's scanner: every text it would search, as pieces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from anonify.documents.format import Piece
from anonify.documents.matching import Matcher
from anonify.documents.plan import RedactionPlan, SweepValue
from anonify.errors import Code, FatalError
from anonify.sandbox.source import BytesSource, Source

from . import xml
from .classify import MAX_NESTING, Kind, classify, decode_loosely
from .inner import has_markup, without_markup
from .nested import read_nested
from .package import MAX_PART, Package
from .part import sweep_part
from .pictures import metafile_text, notes, unpacked_metafile
from .sweep import SEPARATOR, Cut, Sweeper, is_spoken, percent_decoded, xstring
from .zip import Archive, Entry

__all__ = ["own_reader", "read_package", "read_text"]

_BATCH = 1 << 18


class _Gatherer(Sweeper):
    """Takes the texts a sweeper would search and keeps them."""

    def __init__(self) -> None:
        super().__init__(())
        self.batches: list[str] = []
        self._texts: list[str] = []
        self._size = 0

    @property
    def active(self) -> bool:
        return True

    def text(self, text: str, cut: Cut) -> None:  # noqa: ARG002  # nothing is cut here
        self._texts.append(text)
        self._size += len(text) + 1
        if "%" in text:
            self._texts.append(percent_decoded(text)[0])
        if "_x" in text:
            self._texts.append(xstring(text))
        if is_spoken(text):
            self._texts.append(text.replace("_", " "))
        if has_markup(text):
            self._texts.append(without_markup(text)[0])
        if self._size > _BATCH:
            self.flush()

    def possible(self, text: str) -> bool:  # noqa: ARG002  # every text is wanted
        return True

    def flush(self) -> None:
        if self._texts:
            self.batches.append(SEPARATOR.join(self._texts))
        self._texts, self._size = [], 0


def own_reader(artifact: Source, plan: RedactionPlan) -> Iterator[Piece]:
    """Every text of the artifact by the scanner the redactor uses.

    Raises:
        FatalError: a part that must be readable is not.
    """
    return read_package(artifact, plan.sweep)


def read_package(
    source: Source,
    values: Sequence[SweepValue],
    prefix: str = "",
    depth: int = 0,
    leave: frozenset[str] = frozenset(),
) -> Iterator[Piece]:
    """Every text of every part, packages inside included.

    Args:
        values: what bytes nobody can read as text are searched for.
        prefix: begins every place.
        depth: how many packages this one is inside of.
        leave: names, case folded, of parts somebody else reads.

    Raises:
        FatalError: a part that must be readable is not.
    """
    package = Package(Archive(source))
    names = SEPARATOR.join(entry.name for entry in package.archive.entries)
    yield Piece(prefix + "names", names)
    bytes_of = Sweeper(values)
    for entry in package.archive.entries:
        if not entry.is_folder and entry.name.lstrip("/").casefold() not in leave:
            yield from _read(package, entry, values, forms=bytes_of, prefix=prefix, depth=depth)


def read_text(text: str, place: str) -> Iterator[Piece]:
    """Every text of one XML part.

    Raises:
        FatalError: `malformed` or `too-complex`.
    """
    gatherer = _Gatherer()
    sweep_part(text, gatherer, {})
    for batch in gatherer.batches:
        yield Piece(place, batch)


def _read(
    package: Package, entry: Entry, values: Sequence[SweepValue], *, forms: Sweeper, prefix: str, depth: int
) -> Iterator[Piece]:
    place = prefix + entry.name
    kind = classify(package, entry)
    if entry.size > MAX_PART:
        yield from _windows(package, entry, values, forms, place)
        return
    data = package.archive.read(entry, MAX_PART)
    if kind is Kind.PACKAGE:
        if depth < MAX_NESTING:
            try:
                yield from read_package(BytesSource(data), values, place + "!", depth + 1)
            except FatalError:
                yield from _bytes(data, values, place)
    elif kind in (Kind.MARKUP, Kind.HTML):
        yield from _markup(data, place, lenient=kind is Kind.HTML)
    elif kind is Kind.PLAIN:
        text = decode_loosely(data)[0]
        yield Piece(place, text)
        if has_markup(text):
            yield Piece(place, without_markup(text)[0])
    else:
        yield from _other(data, values, forms, place)


def _other(data: bytes, values: Sequence[SweepValue], forms: Sweeper, place: str) -> Iterator[Piece]:
    """A paper inside by its own format's reader, anything else as bytes and what is drawn and noted in them."""
    if b"%PDF-" in data[:1024]:
        pieces = read_nested(data, RedactionPlan(sweep=tuple(values)), "own")
        if pieces is not None:
            for piece in pieces:
                yield Piece(f"{place}!{piece.place}", piece.text)
            return
    data = unpacked_metafile(data)
    drawn = metafile_text(data)
    if drawn:
        yield Piece(place, " ".join(drawn) + SEPARATOR + "".join(drawn))
    for said in (data, notes(data)):
        if forms.holds(said):
            yield from _bytes(said, values, place)


def _markup(data: bytes, place: str, *, lenient: bool) -> Iterator[Piece]:
    gatherer = _Gatherer()
    if not lenient:
        try:
            sweep_part(xml.decode(data)[0], gatherer, {})
        except FatalError as error:
            if error.code is not Code.MALFORMED and b"<!DOCTYPE" not in data:
                raise
            lenient, gatherer = True, _Gatherer()
    if lenient:
        sweep_part(decode_loosely(data)[0], gatherer, {}, markup="html")
    for batch in gatherer.batches:
        yield Piece(place, batch)


def _windows(
    package: Package, entry: Entry, values: Sequence[SweepValue], forms: Sweeper, place: str
) -> Iterator[Piece]:
    window = b""
    for chunk in package.archive.stream(entry):
        window = window[-4096:] + chunk
        if forms.holds(window):
            yield from _bytes(window, values, place)


def _bytes(data: bytes, values: Sequence[SweepValue], place: str) -> Iterator[Piece]:
    """One piece for each value the bytes hold, so that the gate counts it."""
    for value in values:
        if Sweeper([value]).holds(data) and Matcher([value.value]).found(value.value):
            yield Piece(place, value.value)
