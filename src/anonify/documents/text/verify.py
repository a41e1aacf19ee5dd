"""Reading a redacted text back."""

from __future__ import annotations

import codecs
from collections import Counter
from collections.abc import Iterator

from anonify.documents.format import Piece, StructureCheck
from anonify.documents.matching import Matcher
from anonify.documents.plan import RedactionPlan
from anonify.sandbox.source import Source, iter_chunks

from .coding import Coding
from .detect import detect
from .stream import Sweep, decoded_pieces

__all__ = ["check_structure", "independent_reader", "own_reader", "plain_encoding", "strange_pieces"]


def own_reader(source: Source, plan: RedactionPlan) -> Iterator[Piece]:
    """The text as this format decodes it, and values in other encodings."""
    coding = detect(source)
    sweep = Sweep(plan.sweep, coding, plan.marker)
    for offset, text in decoded_pieces(source, coding, sweep.reach):
        yield Piece(f"text#{offset}", text)
    yield from strange_pieces(source, sweep)


def strange_pieces(source: Source, sweep: Sweep) -> Iterator[Piece]:
    """Values that stand in the bytes in an encoding that is not the file's."""
    before, base = b"", 0
    for chunk in iter_chunks(source):
        data = before + chunk
        for match in sweep.strangers.find(data):
            yield Piece(f"bytes#{base + match.start}", sweep.values[match.value].value)
        before = data[-4 * sweep.strangers.longest :] if sweep.strangers.longest else b""
        base += len(data) - len(before)


def independent_reader(source: Source, plan: RedactionPlan) -> Iterator[Piece]:
    """The text as the standard library decodes it."""
    name = plain_encoding(source)
    reach = Matcher(plan.values).reach
    decoder = codecs.getincrementaldecoder(name)("replace")
    held, number = "", 0
    for chunk in iter_chunks(source):
        held += decoder.decode(chunk)
        if len(held) > 4 * reach + 4096:
            number += 1
            end = _space_before(held, len(held))
            yield Piece(f"stretch {number}", held[:end])
            held = held[_space_before(held, end - reach) :]
    yield Piece("last stretch", held + decoder.decode(b"", True))


def _space_before(text: str, end: int) -> int:
    window = text[max(0, end - 4096) : end]
    for place in range(len(window), 0, -1):
        if window[place - 1].isspace():
            return end - len(window) + place
    return end


def plain_encoding(source: Source) -> str:
    """A codec's name: by mark, as UTF-8 when all of it is, by zero bytes, else the detected code page."""
    head = source.read(0, 200_000)
    for mark, name in ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe\0\0", "utf-32"), (b"\0\0\xfe\xff", "utf-32")):
        if head.startswith(mark):
            return name
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "utf-16"
    if head.count(0) * 5 > len(head):
        if head.count(0) * 5 > 3 * len(head):
            return "utf-32-le" if head[:1] != b"\0" else "utf-32-be"
        return "utf-16-le" if head[1::2].count(0) > head[::2].count(0) else "utf-16-be"
    guess = detect(source)
    if guess.unit > 1:
        return guess.name
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for chunk in iter_chunks(source):
            decoder.decode(chunk)
        decoder.decode(b"", True)
    except UnicodeDecodeError:
        return guess.name  # which code page it is, no reader can know better
    return "utf-8"


def check_structure(source: Source, artifact: Source, plan: RedactionPlan) -> Iterator[StructureCheck]:  # noqa: ARG001  # the contract
    """The same byte order mark and the same line ends."""
    before, after = detect(source), detect(artifact)
    yield StructureCheck("same-mark", before.mark == after.mark)
    yield StructureCheck("same-line-ends", _line_ends(source, before) == _line_ends(artifact, before))


def _line_ends(source: Source, coding: Coding) -> Counter[str]:
    counts: Counter[str] = Counter()
    rest = b""
    for chunk in iter_chunks(source, len(coding.mark)):
        data = rest + chunk
        if coding.unit == 1:  # no character of these encodings holds the bytes of a line end
            counts.update({"\r": data.count(b"\r"), "\n": data.count(b"\n")})
            continue
        decoded = coding.decode(data, final=False)
        rest = data[decoded.used :]
        counts.update({"\r": decoded.text.count("\r"), "\n": decoded.text.count("\n")})
    return counts
