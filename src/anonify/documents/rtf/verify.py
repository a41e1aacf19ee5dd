"""Reading a redacted RTF file back."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Sequence
from typing import Final

from striprtf.striprtf import rtf_to_text

from anonify.documents.format import Piece, StructureCheck
from anonify.documents.plan import RedactionPlan
from anonify.sandbox.source import Source

from .blobs import contents, readings
from .extract import load, parsed
from .flows import GAP, STRUCTURE, Group, Rtf
from .reading import read, read_otherwise
from .words import METADATA

__all__ = ["check_structure", "independent_reader", "own_reader"]


def own_reader(source: Source, plan: RedactionPlan) -> Iterator[Piece]:
    """Every destination's text, as readers with and without Unicode see it, and what pictures and objects hold."""
    data = load(source)
    rtf = read(data)
    for reading in (rtf, read_otherwise(data)):
        for number, flow in enumerate(() if reading is None else reading.flows):
            for text, _owners in flow.views():
                yield Piece(f"destination {number}", text)
    for number, blob in enumerate(rtf.blobs):
        for raw in contents(data, blob):
            for text in readings(raw, plan.values):
                yield Piece(f"bytes {number}", text)


# The other reader: a pass of regular expressions that knows no destinations, and striprtf.

_PART: Final = re.compile(
    r"\\u(-?\d{1,6}) ?|\\'([0-9a-fA-F]{2})|\\([a-zA-Z]+)(-?\d+)? ?|\\([\\{}])|\\[\s\S]|([{}\r\n\0]+)|([^\\{}\r\n\0]+)"
)
_NARROW: Final = re.compile(rb"[\t\n\r -~\xa0\xad\xc2]{4,}")
_BROAD: Final = re.compile(rb"(?:[\t\n\r -~\xa0\xad]\0){4,}")
_STRIPPED: Final = 4 << 20
_PAGE: Final = re.compile(rb"\\ansicpg(\d{1,5})")
_PARTING: Final = frozenset(("par", "line", "cell", "row", "tab", "page", "sect", "column", "nestcell", "nestrow"))
_DIGITS: Final = re.compile(rb"(?:[0-9a-fA-F]{2}[\s]*){24,}")


def independent_reader(source: Source, plan: RedactionPlan) -> Iterator[Piece]:
    """All text of the file without knowing what it is for, and the text that striprtf finds."""
    data = source.read(0, source.size)
    if not data.lstrip(b"\xef\xbb\xbf \t\r\n\0").startswith(b"{\\rtf"):
        raise ValueError("not RTF")
    words = _DIGITS.sub(b" ", data).decode("latin-1")  # digits of a picture are no number that somebody wrote
    for page in dict.fromkeys((_named_page(data), "cp1252")):
        yield Piece(f"plain pass, {page}", "".join(_plain(words, page, skip=False)))
        yield Piece(f"plain pass without fallback, {page}", "".join(_plain(words, page, skip=True)))
    try:  # it is slow on long lines, and what it would find in a large file the other passes find
        found = rtf_to_text(words, encoding="cp1252", errors="replace") if len(words) <= _STRIPPED else ""  # type: ignore[no-untyped-call]  # it has no types
        yield Piece("striprtf", str(found))
    except (ValueError, LookupError, OverflowError, TypeError, IndexError, AttributeError):
        yield Piece("striprtf", "")  # it reads less than programs do; the other passes have read everything
    for number, match in enumerate(_DIGITS.finditer(data)):
        digits = re.sub(rb"\s", b"", match[0])
        for shifted in (digits, digits[1:]):
            raw = bytes.fromhex(shifted[: len(shifted) // 2 * 2].decode("ascii"))
            for text in _noise(raw, plan):
                yield Piece(f"digits {number}", text)


def _noise(raw: bytes, plan: RedactionPlan) -> Iterator[str]:
    """Bytes as texts.  Noise is slow to compare: of ASCII values only what is ASCII is looked at."""
    if all(value.isascii() for value in plan.values):
        yield " / ".join(match.decode("latin-1") for match in _NARROW.findall(raw))
        yield " / ".join(match[::2].decode("latin-1") for match in _BROAD.findall(raw))
        return
    for codec in ("latin-1", "utf-8", "utf-16-le", "utf-16-be"):
        yield raw.decode(codec, "replace")


def _named_page(data: bytes) -> str:
    match = _PAGE.search(data, 0, 4_096)
    name = f"cp{int(match[1])}" if match else "cp1252"
    try:
        codecs.lookup(name)
    except LookupError:
        return "cp1252"
    return name


def _plain(latin: str, page: str, *, skip: bool) -> Iterator[str]:
    """The file's characters in order, markup left out; with `skip` without what stands for a `\\u` before it."""
    pass_over, raw = 0, bytearray()
    units: list[int] = []
    for match in _PART.finditer(latin):
        if match[2] is None and raw:
            yield raw.decode(page, "replace")
            raw.clear()
        if match[1] is None and units:
            yield _sixteen(units)
            units = []
        if match[1] is not None:
            units.append(int(match[1]) & 0xFFFF)
            pass_over = 1
            continue
        if match[2] is not None and not (skip and pass_over):
            raw.append(int(match[2], 16))
        elif match[2] is None:
            yield _written(match, page, skip and pass_over > 0)
        pass_over = 0
    yield raw.decode(page, "replace") + _sixteen(units)


def _sixteen(units: list[int]) -> str:
    return b"".join(unit.to_bytes(2, "little") for unit in units).decode("utf-16-le", "replace")


def _written(match: re.Match[str], page: str, first_gone: bool) -> str:
    if match[3] is not None:
        return "\n" if match[3] in _PARTING else ""
    if match[5] is not None:
        return match[5]
    text = (match[7] or "")[1 if first_gone else 0 :]
    return text if text.isascii() else text.encode("latin-1").decode(page, "replace")


def check_structure(source: Source, artifact: Source, plan: RedactionPlan) -> Iterator[StructureCheck]:
    """The same paragraphs, cells and pages, as many pictures and objects, what went with metadata left out."""
    before, after = parsed(source), parsed(artifact)
    gone = [] if plan.keep_metadata else [group for group in before.groups if group.name.encode() in METADATA]
    yield StructureCheck("same-paragraphs", _parting(before, gone) == _parting(after, ()))
    yield StructureCheck("same-pictures", _pictures(before, gone) == _pictures(after, ()))


def _parting(rtf: Rtf, gone: Sequence[Group]) -> list[str]:
    return [
        character
        for flow in rtf.flows
        if flow.section
        for character, kind, start in zip(flow.characters, flow.kinds, flow.starts, strict=True)
        if kind & 3 == STRUCTURE and character != GAP and not _inside(start, gone)
    ]


def _pictures(rtf: Rtf, gone: Sequence[Group]) -> int:
    return sum(blob.name in ("pict", "objdata") and not _inside(blob.start, gone) for blob in rtf.blobs)


def _inside(place: int, gone: Sequence[Group]) -> bool:
    return any(group.start <= place < group.end for group in gone)
