"""What stands in a text in a code of its own: links, base64, escapes of scripts and style sheets, references again."""

from __future__ import annotations

import base64
import binascii
import itertools
import re
from collections.abc import Iterator
from typing import Final

from anonify.errors import Code, FatalError

from .references import Reference, references
from .strands import Context, Packed, Run, Strand
from .weaving import derived

__all__ = ["Budget", "cascaded", "layers", "packed", "percent", "scripted"]

_PERCENT: Final = re.compile(r"(?:%[0-9a-fA-F]{2})+")
_QUERY_SPACE: Final = re.compile(r"(?<=\w)\+(?=\w)")
_CSS: Final = re.compile(r"\\(?:([0-9a-fA-F]{1,6})(?:\r\n|[ \n\r\t\f])?|(\r\n|[\n\r\f])|([^\n\r\f0-9a-fA-F]))|/\*\*/")
_SCRIPT: Final = re.compile(
    r"\\(?:x([0-9a-fA-F]{2})|((?:u[0-9a-fA-F]{4})(?:\\u[0-9a-fA-F]{4})*)|u\{([0-9a-fA-F]{1,6})\}|([0-7]{1,3})|(\r\n|[\s\S]))"
    r"|([\"'`])[ \t\r\n]{0,64}\+[ \t\r\n]{0,64}\6"
)
_LETTERS: Final = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "\n": "", "\r\n": ""}
_BASE64: Final = re.compile(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{8,}+={0,2}(?![A-Za-z0-9+/_-])")
_LONGEST_PACKED: Final = 1 << 20
"""Code points of a base64 text that is read; longer ones are pictures and fonts."""

_SHORTEST: Final = 4
_DEPTH: Final = 4
"""Codes in codes that are undone: a link in a link, escaped, with base64 in it."""


_CODED: Final = re.compile(r"[%&\\+]|/\*\*/|[A-Za-z0-9+/_-]{8}")
"""Without any of this nothing is written in a code."""


class Budget:
    """How many code points may be decoded yet."""

    def __init__(self, left: int) -> None:
        self.left = left

    def take(self, strand: Strand) -> None:
        """Raise `too-complex` when `strand` is more than that."""
        self.left -= len(strand.text)
        if self.left < 0:
            raise FatalError(Code.TOO_COMPLEX)


def layers(strand: Strand, budget: Budget) -> Iterator[Strand]:
    """What `strand` says when the codes in it are undone, the deepest first; whatever their order, each once."""
    if len(strand.text) >= _SHORTEST and _CODED.search(strand.text):
        yield from _layers(strand, budget, (), set())


def _layers(strand: Strand, budget: Budget, used: tuple[str, ...], told: set[tuple[str, ...]]) -> Iterator[Strand]:
    if len(used) >= _DEPTH or len(strand.text) < _SHORTEST:
        return
    for name, inner in _once(strand, used):
        names = tuple(sorted((*used, name)))
        key = (inner.text, *names) if name != "packed" else _key(inner)
        if key in told:
            continue
        told.add(key)
        budget.take(inner)
        if _CODED.search(inner.text):
            yield from _layers(inner, budget, names, told)
        yield inner


def _key(packed: Strand) -> tuple[str, ...]:
    """Base64 is undone once, whatever it stood in when it was found."""
    run = packed.pieces[0]
    assert isinstance(run, Run)
    return packed.text, "packed", str(run.start), str(run.end)


def _once(strand: Strand, used: tuple[str, ...]) -> Iterator[tuple[str, Strand]]:
    text = strand.text
    if "%" in text and used.count("percent") < 3 and (found := percent(strand)) is not None:
        yield "percent", found
    if "+" in text and "?" in text and "spaces" not in used:
        yield "spaces", derived(strand, _spaces(text), "percent")
    if "&" in text and used.count("text") < 2 and (pieces := list(references(text, 0, len(text), attribute=False))):
        yield "text", derived(strand, pieces, "text")
    if "script" not in used and "css" not in used and ("\\" in text or "+" in text or "/**/" in text):
        yield from (("script", inner) for inner in (scripted(strand),) if inner.text != text)
        yield from (("css", inner) for inner in (cascaded(strand),) if inner.text != text)
    if "packed" not in used:
        yield from (("packed", inner) for inner in packed(strand))


def percent(strand: Strand) -> Strand | None:
    """With `%40` as `@`; as UTF-8 where it is, else as Windows-1252.  None when nothing is so written."""
    text = strand.text
    if "%" not in text:
        return None
    pieces: list[Reference] = []
    for match in _PERCENT.finditer(text):
        start, end = match.span()
        if end - start == 3 and text[start + 1] < "8":
            pieces.append(Reference(start, end, chr(int(text[start + 1 : end], 16))))
        else:
            pieces.extend(_characters(match[0], start))
    return derived(strand, pieces, "percent") if pieces else None


def _characters(coded: str, place: int) -> Iterator[Reference]:
    """One reference for each character."""
    data = bytes.fromhex(coded.replace("%", ""))
    try:
        decoded = data.decode("utf-8")
        sizes = [len(char.encode()) for char in decoded]
    except UnicodeDecodeError:
        decoded, sizes = data.decode("cp1252", "replace"), [1] * len(data)
    for char, size in zip(decoded, sizes, strict=True):
        yield Reference(place, place + 3 * size, char)
        place += 3 * size


def _spaces(text: str) -> Iterator[Reference]:
    for match in _QUERY_SPACE.finditer(text, text.index("?")):
        yield Reference(*match.span(), " ")


def cascaded(strand: Strand) -> Strand:
    """With the escapes of a style sheet undone."""
    pieces = [Reference(*match.span(), _css(match)) for match in _CSS.finditer(strand.text)]
    return derived(strand, pieces, "css") if pieces else strand


def _css(match: re.Match[str]) -> str:
    if match[1]:
        code = int(match[1], 16)
        return "\ufffd" if not 0 < code <= 0x10FFFF or 0xD800 <= code <= 0xDFFF else chr(code)
    return match[3] or ""


def scripted(strand: Strand) -> Strand:
    """With the escapes of a script's or JSON's strings undone, and strings that are added joined."""
    pieces = [Reference(*match.span(), _escape(match)) for match in _SCRIPT.finditer(strand.text)]
    return derived(strand, pieces, "script") if pieces else strand


def _escape(match: re.Match[str]) -> str:
    if match[1]:
        return chr(int(match[1], 16))
    if match[2]:
        units = b"".join(int(unit, 16).to_bytes(2, "big") for unit in match[2].replace("\\", "").split("u")[1:])
        return units.decode("utf-16-be", "replace")
    if match[3]:
        code = int(match[3], 16)
        return chr(code) if code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF else "\ufffd"
    if match[4]:
        return chr(int(match[4], 8))
    return _LETTERS.get(match[5], match[5]) if match[5] else ""


def packed(strand: Strand) -> Iterator[Strand]:
    """The base64 in it that is text."""
    for match in _BASE64.finditer(strand.text):
        if len(match[0]) > _LONGEST_PACKED or not _varied(match[0]):
            continue
        decoded = _unpacked(match[0])
        if decoded is not None and (inner := _opened(strand, match, *decoded)) is not None:
            yield inner


def _varied(coded: str) -> bool:
    """Whether it may be base64 rather than a word or a number: letter cases or digits mixed, or filled up."""
    body = coded.rstrip("=")
    if ("+" in body or "/" in body) and ("-" in body or "_" in body):
        return False
    return body != coded or (not (body.isalpha() and body[1:].islower()) and not body.isdecimal())


def _unpacked(coded: str) -> tuple[str, str] | None:
    """What it says and in which encoding, or None when it is no text."""
    body = coded.rstrip("=").replace("-", "+").replace("_", "/")
    if len(body) % 4 == 1:
        return None
    try:
        data = base64.b64decode(body + "=" * (-len(body) % 4))
    except (binascii.Error, ValueError):
        return None
    for codec in ("utf-8", "utf-16-le") if len(data) % 2 == 0 else ("utf-8",):
        try:
            text = data.decode(codec)
        except UnicodeDecodeError:
            continue
        plain = text.replace("\t", "").replace("\r", "").replace("\n", "")
        if plain.isprintable() and (codec == "utf-8" or max(text) < "\u2000"):
            return text, codec
    return None


def _opened(strand: Strand, match: re.Match[str], text: str, codec: str) -> Strand | None:
    plain = strand.literal(*match.span())
    runs = (
        list(strand.between(*match.span())) if plain is None else [Run(0, 0, plain[0], plain[1], "literal", plain[2])]
    )
    if not runs or any(run.kind == "structural" or run.packed is not None for run in runs):
        return None
    if any(before.end != after.start for before, after in itertools.pairwise(runs)):
        return None
    safe = "-" in match[0] or "_" in match[0]
    whole = Packed(runs[0].start, runs[-1].end, text, codec, safe, match[0].endswith("="), runs[0].context)
    context: Context = ("plain",)
    run = Run(0, len(text), whole.start, whole.end, "literal", context, whole, 0, len(text))
    return Strand(text, (run,), (0,))
