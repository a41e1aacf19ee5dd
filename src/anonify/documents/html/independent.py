"""A second reading, by the standard library's parser and plain expressions; it shares no code with the first."""

from __future__ import annotations

import base64
import binascii
import html
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Final
from urllib.parse import unquote

__all__ = ["independent_pieces"]

_APART: Final = "\n|\n"
_INLINE: Final = frozenset(
    ("a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font", "i", "ins",
     "kbd", "label", "mark", "nobr", "q", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "time", "tt",
     "u", "var", "wbr", "img", "o:p")
)  # fmt: skip
_RAW: Final = frozenset(("title", "textarea", "xmp", "iframe", "noembed", "noframes"))
"""Elements without markup inside, beside those that the library knows."""
_TAG: Final = re.compile(r"<[^>]*>")
_COMMENT_OR_TAG: Final = re.compile(r"<!--.*?-->|<[^>]*>", re.DOTALL)
_ESCAPE: Final = re.compile(r"\\u([0-9a-fA-F]{4})|\\x([0-9a-fA-F]{2})|\\([0-7]{3})")
_STYLE: Final = re.compile(r"\\([0-9a-fA-F]{1,6})\s?")
_CODED: Final = re.compile(r"[A-Za-z0-9+/_-]{8,}")
_LONGEST: Final = 1 << 20


class _Parser(HTMLParser):
    """Collects text, attributes and everything else."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.joined: list[str] = []
        self.broken: list[str] = []
        self.values: list[str] = []
        self.others: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _RAW:
            self.set_cdata_mode(tag)
        if tag not in _INLINE:
            self.broken.append("\n" if tag == "br" else _APART)
        self.values.extend(value for _name, value in attrs if value)

    def handle_endtag(self, tag: str) -> None:
        if tag not in _INLINE:
            self.broken.append(_APART)

    def handle_data(self, data: str) -> None:
        self.joined.append(data)
        self.broken.append(data)

    def handle_comment(self, data: str) -> None:
        self.others.append(data)

    def handle_decl(self, decl: str) -> None:
        self.others.append(decl)

    def handle_pi(self, data: str) -> None:
        self.others.append(data)

    def unknown_decl(self, data: str) -> None:
        self.others.append(data)


def independent_pieces(text: str) -> Iterator[tuple[str, str]]:
    """Every text in `text` with a name of its kind: without tags, with breaks, attributes, the rest, and decoded."""
    parser = _Parser()
    parser.feed(text.replace("\0", ""))
    # Not closed: for what never ends that takes the square of its length.  It is read as it stands.
    parser.others.append(parser.rawdata)
    pieces = {
        "text": "".join(parser.joined),
        "lines": "".join(parser.broken),
        "attributes": _APART.join(parser.values),
        "others": _APART.join(parser.others),
        "stripped": html.unescape(_stripped(text)),
    }
    for name, piece in pieces.items():
        yield name, piece
        yield from ((f"{name}, decoded", decoded) for decoded in _decoded(piece))


def _stripped(text: str) -> str:
    """Without comments and tags, as a reader would do it who knows nothing of HTML."""
    comments = text.rfind("-->") + 3 if "-->" in text else 0
    tags = max(text.rfind(">") + 1, comments)  # searched no further than where something ends
    return _COMMENT_OR_TAG.sub("", text[:comments]) + _TAG.sub("", text[comments:tags]) + text[tags:]


def _decoded(piece: str) -> Iterator[str]:
    """What the codes in it say: twice escaped references, percent, escapes, base64."""
    forms = [piece]
    for step in (html.unescape, unquote, _script, _style, unquote):
        again = step(forms[-1])
        if again != forms[-1]:
            forms.append(again)
            yield again
    for form in forms:
        yield _APART.join(_plain(form))


def _script(piece: str) -> str:
    return _ESCAPE.sub(
        lambda match: chr(int(match[1] or match[2], 16) if match[1] or match[2] else int(match[3], 8)), piece
    )


def _style(piece: str) -> str:
    return _STYLE.sub(lambda match: chr(min(int(match[1], 16), 0x10FFFF)), piece)


def _plain(piece: str) -> Iterator[str]:
    for match in _CODED.finditer(piece):
        coded = match[0].replace("-", "+").replace("_", "/")
        if len(coded) > _LONGEST or len(coded) % 4 == 1:
            continue
        try:
            data = base64.b64decode(coded + "=" * (-len(coded) % 4))
        except (binascii.Error, ValueError):
            continue
        text = data.decode("utf-8", "ignore")
        if len(text) * 2 >= len(data):
            yield text
        if data[1:2] == b"\0":
            yield data.decode("utf-16-le", "ignore")
