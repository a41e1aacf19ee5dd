"""The texts of one XML part as a parser hands them out: what :mod:`.independent` searches."""

from __future__ import annotations

import html
import re
from collections import Counter
from typing import Final
from urllib.parse import unquote

from .vocabulary import FORMULAS, STANDARDS, is_keyword, is_standard, without_references

__all__ = ["Texts"]

_APART: Final = "\u241e"
_PIECE: Final = 1 << 18
_RUN_TEXT: Final = frozenset({"t", "delText", "instrText", "delInstrText"})
_SPACES: Final = frozenset({"tab", "br", "cr", "ptab"})
_ENDS: Final = frozenset({"p", "si", "is", "text", "comment", "pt"})
_BRANCHES: Final = {"del": "deleted", "moveFrom": "deleted", "Choice": "choice", "Fallback": "fallback"}
_HIDES: Final = frozenset({"vanish", "specVanish", "webHidden"})
_OFF: Final = frozenset({"0", "false", "off"})
_OWN_WORDS: Final = frozenset({"Requires", "Ignorable"})
_URIS: Final = frozenset({"Type", "ContentType", "uri"})
_OFFICE: Final = tuple("{" + uri for uri in STANDARDS)
_BOUND: Final = ("{http://schemas.", "{http://purl.oclc.org/ooxml/", "{urn:schemas-microsoft-com:")
"""What the names of elements begin with whose text never stands among elements."""
_LONGEST: Final = 4096
"""Code points of an element that are read together with the text around it."""
_TAG: Final = re.compile(r"<[^<>]*+>")
_STYLING: Final = re.compile(r"</?(?:a|b|c|em|font|i|lang|mark|small|span|strong|sub|sup|u|v)\b[^<>]*+>", re.IGNORECASE)
_JOINED: Final = re.compile(r"[^\W_]_+[^\W_]")
_SIDE: Final = re.compile("&[A-Z]")
_LOOK: Final = re.compile(r"&(?:\"[^\"]*\"|[0-9]{1,3}|K(?:[0-9A-F]{6}|[0-9]{2}[+-][0-9]{3})|[BIUESXYOH])")
"""Where a header's left, middle or right begins (ECMA-376 part 1, 18.3.1.46)."""
_ESCAPE: Final = re.compile("_x((?![dD][89A-Fa-f])[0-9A-Fa-f]{4})_")


def _escaped(match: re.Match[str]) -> str:
    return chr(int(match[1], 16))


def _meant(text: str) -> str:
    """References undone; twice, because libxml2 hands out an attribute's `&amp;` as `&#38;`."""
    return html.unescape(html.unescape(text))


def _symbol(attributes: dict[str, str]) -> str:
    """A character of a symbol font as the letter it is typed with (ECMA-376 part 1, 17.3.3.30)."""
    code = next((value for name, value in attributes.items() if name.rpartition("}")[2] == "char"), "")
    return chr(int(code, 16) & 0xFF) if re.fullmatch("[Ff]0[0-9A-Fa-f]{2}", code) else ""


class _Paragraph:
    """One paragraph's text: all of it, as shown, and as shown by a reader that takes the fallback of alternatives."""

    __slots__ = ("full", "kept", "other")

    def __init__(self) -> None:
        self.full: list[str] = []
        self.kept: list[str] = []
        self.other: list[str] = []


class _Said:
    """What an element of an unknown vocabulary says, with the elements in it."""

    __slots__ = ("has_inner", "is_mixed", "pieces")

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.is_mixed = False
        self.has_inner = False


class Texts:
    """A parser target that keeps paragraph texts, lone texts and attributes; it builds no tree."""

    def __init__(self) -> None:
        self.apart: list[str] = []
        self.out: list[str] = []
        self._paragraphs = [_Paragraph()]
        self._names: list[str] = []
        self._said: list[_Said | None] = []
        self._called: set[str] = set()
        self._lone: list[str] = []
        self._inside = Counter[str]()
        self._hidden = False
        self._size = 0
        self._numbered = False
        self._formula = False

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        local = tag.rpartition("}")[2]
        office = tag.startswith(_OFFICE)
        self._settle()
        self._names.append(local)
        self._said.append(None if tag.startswith(_BOUND) else _Said())
        self._formula = office and local in FORMULAS
        if local == "c":  # a cell's value may be the number of a shared string
            self._numbered = office and attributes.get("t") == "s"
        if local in _BRANCHES:
            self._inside[_BRANCHES[local]] += 1
        elif local in _ENDS:
            self._begin()
        else:
            self._sign(local, attributes)
        if not office:
            self._named(local)
        for name, value in attributes.items():
            self._attribute(local, name, value, office=office)

    def start_ns(self, prefix: str, uri: str) -> None:
        if prefix and not is_standard(uri):
            self._named(prefix)

    def end(self, _tag: str) -> None:
        self._settle()
        self._say(self._said.pop())
        local = self._names.pop()
        self._formula = False
        if local in _BRANCHES:
            self._inside[_BRANCHES[local]] -= 1
        elif local in _ENDS:
            self._finish(self._paragraphs.pop())

    def data(self, data: str) -> None:
        if self._names[-1] in _RUN_TEXT:
            self._run(data, kept=self._names[-1] == "t")
            if self._said[-1]:
                self._said[-1].pieces.append(data)
        else:
            self._lone.append(data)

    def _settle(self) -> None:
        """The character data since the last tag, which may have come in pieces, is whole."""
        if not self._lone:
            return
        text = "".join(self._lone)
        self._lone.clear()
        said = self._said[-1]
        if said:
            said.pieces.append(text)
            said.is_mixed = said.is_mixed or not text.isspace()
        if self._names[-1].endswith(("Header", "Footer")):
            self._apart(_SIDE.sub(_APART, _LOOK.sub("", text)))
            text = _SIDE.sub(_APART, text)
        if self._formula:
            self._apart(without_references(text))
        elif not text.isspace() and not (self._numbered and self._names[-1] == "v"):
            self._apart(text)

    def _say(self, said: _Said | None) -> None:
        """Read an element's own text with that of the elements among it, if it has both."""
        if said is None:
            return
        text = "".join(said.pieces)
        if said.is_mixed and said.has_inner:
            self._apart(text)
        around = self._said[-1] if self._said else None
        if around and text:
            around.pieces.append(text if len(text) <= _LONGEST else _APART)
            around.has_inner = around.has_inner or not text.isspace()

    def _begin(self) -> None:
        if len(self._paragraphs) == 1:  # what stands outside paragraphs is no part of the next one
            self._finish(self._paragraphs.pop())
            self._paragraphs.append(_Paragraph())
        self._paragraphs.append(_Paragraph())

    def _sign(self, local: str, attributes: dict[str, str]) -> None:
        """Elements that show as a character, and what decides whether text shows."""
        if local in _SPACES:
            self._run(" ")
        elif local == "noBreakHyphen":
            self._run("-", kept=False)
        elif local == "sym":
            self._run(_symbol(attributes), kept=False)  # it may be a picture
        elif local == "r":
            self._hidden = False
        elif local in _HIDES:
            self._hidden = not _OFF.intersection(attributes.values())

    def _attribute(self, local: str, name: str, value: str, *, office: bool) -> None:
        attribute = name.rpartition("}")[2]
        if not (name.startswith(_OFFICE) if name.startswith("{") else office):
            self._named(attribute)
        if attribute in _OWN_WORDS or (attribute in _URIS and is_standard(value)):
            return
        element = f"{self._names[0]}.name" if local == "name" else local
        if not (office and is_keyword(element, attribute, value)):
            self._apart(value)
            if "%" in value:
                self._apart(unquote(value))

    def _named(self, name: str) -> None:
        """A name no standard gave: people name elements of custom XML."""
        if name not in self._called:
            self._called.add(name)
            self._apart(name)
            self._apart(name.replace("_", " ").replace(".", " "))

    def comment(self, text: str) -> None:
        self._apart(text)

    def pi(self, target: str, data: str | None = None) -> None:
        self._apart(f"{target} {data or ''}")

    def doctype(self, *_arguments: object) -> None:
        raise ValueError("document types are not allowed in a package")

    def close(self) -> list[str]:
        for paragraph in self._paragraphs:
            self._finish(paragraph)
        if self.apart:
            self.out.append(_APART.join(self.apart))
        return self.out

    def _run(self, text: str, *, kept: bool = True) -> None:
        paragraph = self._paragraphs[-1]
        paragraph.full.append(text)
        if kept and not (self._hidden or self._inside["deleted"]):
            if not self._inside["fallback"]:
                paragraph.kept.append(text)
            if not self._inside["choice"]:
                paragraph.other.append(text)

    def _finish(self, paragraph: _Paragraph) -> None:
        for text in dict.fromkeys("".join(pieces) for pieces in (paragraph.full, paragraph.kept, paragraph.other)):
            if text.strip():
                self._apart(text)

    def _apart(self, text: str) -> None:
        if "_x" in text and _ESCAPE.search(text):
            self.apart.append(_ESCAPE.sub(_escaped, text))
        self.apart.append(text)
        if "_" in text and _JOINED.search(text):
            self.apart.append(text.replace("_", " "))
        if "<" in text or "&" in text:  # markup inside text
            self.apart += map(_meant, (text, _TAG.sub("", text), _TAG.sub(_APART, _STYLING.sub("", text))))
        self._size += len(text)
        if self._size > _PIECE:
            self.out.append(_APART.join(self.apart))
            self.apart.clear()
            self._size = 0
