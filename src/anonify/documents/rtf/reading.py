"""From tokens to texts: groups, destinations, code pages, Unicode (RTF 1.9.1).

Reads what no program objects to: groups that are never closed or closed too often, unknown words, broken numbers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Final

from anonify.errors import Code, FatalError

from .flows import ESCAPE, GAP, HIDDEN, LITERAL, STRUCTURE, Blob, Flow, Group, Rtf
from .tokens import Kind, Token, tokens
from .words import BINARY, CHARACTERS, CHARSETS, METADATA, SHOWN, SYMBOLS, UNSHOWN, codec_of_page
from .words import STRUCTURE as PARTING

__all__ = ["MAX_DEPTH", "read", "read_otherwise"]

MAX_DEPTH: Final = 2_000
"""Groups inside groups."""

_HEX: Final = re.compile(rb"[0-9A-Fa-f \t]{8,}|\A[0-9A-Fa-f \t]+\Z")
_PAGES: Final = {b"mac": "mac_roman", b"pc": "cp437", b"pca": "cp850", b"ansi": "cp1252"}
_NAMED: Final = frozenset(word.decode() for word in METADATA | BINARY)
_STAMP: Final = re.compile(rb"(?:ins|char|para|sect|sty|tbl|del)?rsid(?:root)?")
_CODED_FALLBACK: Final = re.compile(rb"\\u-?[0-9]+ ?\\(?!u-?[0-9])[A-Za-z]")
_WIDE: Final = frozenset(("cp932", "shift_jis", "cp949", "gbk", "cp950", "big5", "johab", "gb18030", "utf-8"))
_SURROGATES: Final = range(0xD800, 0xE000)


@dataclass(frozen=True, slots=True)
class _State:
    """What a group inherits.

    Attributes:
        flow: index of the flow that text goes to.
        width: characters after a `\\u` that stand for it where Unicode is not read.
        table: inside of the font table.
        binary: index of the blob that digits belong to, or -1.
    """

    flow: int
    codec: str
    width: int = 1
    hidden: bool = False
    table: bool = False
    binary: int = -1


@dataclass(slots=True)
class _Open:
    """A group that is not closed yet."""

    start: int
    outer: _State
    first: bool = True
    starred: bool = False
    name: str = ""


@dataclass(slots=True)
class _Unicode:
    """A `\\u` whose fallback is being passed over."""

    code: int
    start: int
    end: int
    left: int
    other: bytearray = field(default_factory=bytearray)


class _Reader:
    def __init__(self, data: bytes, words_count: bool) -> None:
        self.data = data
        self.words_count = words_count
        self.stamps: list[tuple[int, int]] = []
        self.codec = "cp1252"
        self.state = _State(0, "")
        self.flows = [Flow("body", "body")]
        self.open: list[_Open] = []
        self.groups: list[Group] = []
        self.blobs: list[tuple[str, int, list[tuple[int, int, bool]]]] = []
        self.ends: dict[int, int] = {}
        self.fonts: dict[int, str] = {}
        self.font = 0
        self.usual = -1
        self.high: _Unicode | None = None
        self.unicode: _Unicode | None = None
        self.bytes: list[tuple[int, int, int]] = []

    def run(self) -> Rtf:
        for token in tokens(self.data):
            self._token(token)
        self._settle()
        self._settle_high()
        if self.open:  # one brace too few: nobody can say which group was meant to end where
            self.groups = [group for group in self.groups if not self._parts(group)]
        while self.open:
            self._close(len(self.data), really=False)
        blobs = tuple(
            Blob(name, start, self.ends.get(index, len(self.data)), tuple(ranges))
            for index, (name, start, ranges) in enumerate(self.blobs)
        )
        return Rtf(self.codec, tuple(self.flows), tuple(self.groups), blobs, tuple(self.stamps))

    def _parts(self, group: Group) -> bool:
        """Whether paragraphs end inside of a group."""
        return any(
            kind & 3 == STRUCTURE and group.start < start < group.end
            for flow in self.flows
            for kind, start in zip(flow.kinds, flow.starts, strict=True)
        )

    # Tokens

    def _token(self, token: Token) -> None:
        kind = token.kind
        if kind is Kind.BREAK:
            return
        if self.unicode is not None and self._skipped(token):
            return
        if kind is Kind.TEXT:
            self._text(token.start, token.end)
        elif kind is Kind.HEX:
            self._byte(token.number or 0, token.start, token.end)
        else:
            self._settle()
            if kind is Kind.WORD:
                self._word(token)
            elif kind is Kind.SYMBOL:
                self._symbol(token)
            elif kind is Kind.OPEN:
                self._begin(token)
            elif kind is Kind.CLOSE:
                self._close(token.end)
            elif kind is Kind.BINARY:
                self._binary(token.number or 0, token.end)
        if self.open and kind not in (Kind.OPEN, Kind.SYMBOL):
            self.open[-1].first = False

    def _binary(self, start: int, end: int) -> None:
        """Raw bytes, with the word that says how many they are: one does not change without the other.

        Text does not go on behind them: a reader that does not know the word takes them for text.
        """
        if self.state.binary >= 0:
            self.blobs[self.state.binary][2].append((start, end, False))
        else:
            self.blobs.append(("bin", start, [(start, end, False)]))
            self.ends[len(self.blobs) - 1] = end
            self._add(GAP, start, end, STRUCTURE)

    def _begin(self, token: Token) -> None:
        if len(self.open) >= MAX_DEPTH:
            raise FatalError(Code.TOO_COMPLEX, depth=MAX_DEPTH)
        self.open.append(_Open(token.start, self.state))

    def _close(self, end: int, *, really: bool = True) -> None:
        """The end of a group; one that is never closed holds the rest of the file and is none to be cut whole."""
        if not self.open:
            return
        self._settle_high()
        group = self.open.pop()
        if group.name and really:
            self.groups.append(Group(group.name, group.start, end))
        if self.state.binary >= 0 and self.state.binary != group.outer.binary:
            self.ends[self.state.binary] = end
        leaves_table = self.state.table and not group.outer.table
        self.state = group.outer
        if leaves_table:
            self.state = replace(self.state, codec=self.fonts.get(self.usual, self.codec))
        if not self.open and self.state.flow == 0:
            self.flows.append(Flow("tail", ""))  # programs stop at the end of the first group
            self.state = replace(self.state, flow=len(self.flows) - 1)

    def _symbol(self, token: Token) -> None:
        if token.name == b"*" and self.open and self.open[-1].first:
            self.open[-1].starred = True
        elif token.name in SYMBOLS:
            self._add(SYMBOLS[token.name], token.start, token.end, ESCAPE)
            self._first_passed()
        elif token.name in (b"\r", b"\n"):
            self._add("\n", token.start, token.end, STRUCTURE)
        else:
            self._first_passed()

    def _first_passed(self) -> None:
        if self.open:
            self.open[-1].first = False

    def _word(self, token: Token) -> None:
        name, number = token.name, token.number
        group = self.open[-1] if self.open else None
        if group is not None and group.first and self._destination(group, name):
            return
        if name == b"u" and number is not None:
            self._unicode(number, token)
        elif name in PARTING:
            self._add(PARTING[name], token.start, token.end, STRUCTURE)
        elif name in CHARACTERS:
            self._add(CHARACTERS[name], token.start, token.end, ESCAPE)
        elif name == b"uc":
            self.state = replace(self.state, width=max(0, number if number is not None else 1))
        elif number is not None and _STAMP.fullmatch(name):
            self.stamps.append((token.start, token.end))
        elif name in (b"v", b"deleted", b"webhidden"):
            self.state = replace(self.state, hidden=number != 0)
        else:
            self._coding(name, number)

    def _coding(self, name: bytes, number: int | None) -> None:
        state = self.state
        if name == b"f" and number is not None:
            self.font = number
            if not state.table:
                self.state = replace(state, codec=self.fonts.get(number, self.codec))
        elif name == b"deff" and number is not None:
            self.usual = number
        elif name in (b"fcharset", b"cpg") and state.table and number is not None:
            codec = CHARSETS.get(number, self.codec) if name == b"fcharset" else codec_of_page(number)
            self.fonts[self.font] = codec
            self.state = replace(state, codec=codec)
        elif name == b"plain":
            self.state = replace(state, codec=self.fonts.get(self.usual, self.codec), hidden=False)
        elif name == b"ansicpg" or name in _PAGES:
            self.codec = codec_of_page(number) if name == b"ansicpg" else _PAGES[name]
            self.state = replace(state, codec=self.codec)

    def _destination(self, group: _Open, name: bytes) -> bool:
        """Whether the group's first word says that its text belongs elsewhere."""
        section = SHOWN.get(name)
        if section is None and name not in UNSHOWN and not group.starred:
            return False
        if name in (b"u", b"uc", b"bin") or (name == b"ud" and group.starred):
            return False  # `\\ud` holds the same text for readers of Unicode, and is no place of its own
        if len(self.flows) >= 1 << 20:
            raise FatalError(Code.TOO_COMPLEX, destinations=len(self.flows))
        called = name.decode("ascii")
        shown = section is not None and self._visible(self.state.flow)
        self.flows.append(Flow(called, (section or "") if shown else ""))
        binary = -1
        if name in BINARY:
            self.blobs.append((called, group.start, []))
            binary = len(self.blobs) - 1
        codec = self.codec if name != b"fonttbl" else self.state.codec or self.codec
        self.state = replace(
            self.state,
            flow=len(self.flows) - 1,
            codec=codec,
            table=name == b"fonttbl" or self.state.table,
            binary=binary,
        )
        if called in _NAMED or name in BINARY:
            group.name = called
        return True

    def _visible(self, flow: int) -> bool:
        """A text box stands inside of a drawing's data, which is not shown itself; nothing of a font table is."""
        return self.flows[flow].name not in ("info", "fonttbl", "stylesheet", "shprslt", "background")

    # Characters

    def _add(self, character: str, start: int, end: int, kind: int) -> None:
        self._settle_high()
        state = self.state
        flag = HIDDEN if state.hidden else 0
        self.flows[state.flow].add(character, start, end, kind | flag, state.width)

    def _text(self, start: int, end: int) -> None:
        state = self.state
        data = self.data[start:end]
        if state.binary >= 0 and _HEX.search(data):
            self._digits(start, data)
            return
        codec = state.codec or self.codec
        if not self.bytes and (data.isascii() or codec not in _WIDE):
            decoded = data.decode("ascii" if data.isascii() else codec, "replace")
            for offset, character in enumerate(decoded, start):
                if character != "\0":
                    self._add(character, offset, offset + 1, LITERAL)
            return
        for offset, code in enumerate(data, start):
            self._byte(code, offset, offset + 1)

    def _digits(self, start: int, data: bytes) -> None:
        """Digits of a picture or an object, and text that somebody has put between them."""
        ranges = self.blobs[self.state.binary][2]
        blob, done = self.state.binary, 0
        for match in _HEX.finditer(data):
            ranges.append((start + match.start(), start + match.end(), True))
        self.state = replace(self.state, binary=-1)
        for match in _HEX.finditer(data):
            self._text(start + done, start + match.start())
            done = match.end()
        self._text(start + done, start + len(data))
        self.state = replace(self.state, binary=blob)

    def _byte(self, code: int, start: int, end: int) -> None:
        """One byte of text, perhaps half a character."""
        if self.state.binary >= 0 and end - start > 1:
            return
        codec = self.state.codec or self.codec
        kind = LITERAL if end - start == 1 else ESCAPE
        if codec not in _WIDE:
            if code:
                self._add(bytes((code,)).decode(codec, "replace"), start, end, kind)
            return
        self.bytes.append((code, start, end))
        self._decode(codec)

    def _decode(self, codec: str) -> None:
        """Add what the bytes at hand are, unless they may be the beginning of more."""
        while self.bytes:
            raw = bytes(code for code, _start, _end in self.bytes)
            try:
                text = raw.decode(codec)
            except UnicodeDecodeError as error:
                cut = "incomplete" in error.reason or "unexpected end" in error.reason
                if cut and len(raw) < 4:
                    return
                self._flush_one()
                continue
            first, last = self.bytes[0], self.bytes[-1]
            whole = len(text) == 1
            kind = LITERAL if whole and last[2] - first[1] == 1 else ESCAPE
            self.bytes.clear()
            if text != "\0":
                self._add(text if whole else "\ufffd", first[1], last[2], kind)

    def _flush_one(self) -> None:
        code, start, end = self.bytes.pop(0)
        self._add(chr(code) if code < 128 else "\ufffd", start, end, LITERAL if end - start == 1 else ESCAPE)

    def _settle(self) -> None:
        """Half characters that nothing completes any more."""
        if self.unicode is not None:
            self._emit_unicode()
        while self.bytes:
            self._flush_one()

    # Unicode

    def _unicode(self, number: int, token: Token) -> None:
        self.unicode = _Unicode(number & 0xFFFF if number < 0 else number, token.start, token.end, self.state.width)
        if not self.unicode.left:
            self._emit_unicode()

    def _skipped(self, token: Token) -> bool:
        """Whether the token, or its beginning, is fallback of the `\\u` before it; the rest of a text is read here."""
        one = self.unicode
        assert one is not None
        if token.kind in (Kind.OPEN, Kind.CLOSE):
            self._emit_unicode()
            return False
        if token.kind is Kind.TEXT:
            taken = min(one.left, token.end - token.start)
            one.other += self.data[token.start : token.start + taken]
            one.end, one.left = token.start + taken, one.left - taken
            if not one.left:
                self._emit_unicode()
            if taken < token.end - token.start:
                self._text(token.start + taken, token.end)
            return True
        if token.kind is Kind.HEX:
            one.other.append(token.number or 0)
        elif token.kind is Kind.SYMBOL and token.name in SYMBOLS:
            one.other += SYMBOLS[token.name].encode("latin-1", "replace")
        elif token.kind is Kind.WORD and (token.name in (b"u", *PARTING) or not self.words_count):
            if self.words_count or token.name == b"u" or token.name in PARTING or token.name in CHARACTERS:
                self._emit_unicode()  # a writer that forgot the fallback
            else:
                self._coded(token)
                return True
            return False
        one.end, one.left = token.end, one.left - 1
        if not one.left:
            self._emit_unicode()
        return True

    def _coded(self, token: Token) -> None:
        """A word between a `\\u` and what stands for it, for readers who do not count it as that."""
        waiting, self.unicode = self.unicode, None
        self._word(token)
        self.unicode = waiting

    def _emit_unicode(self) -> None:
        one = self.unicode
        assert one is not None
        self.unicode = None
        if 0xDC00 <= one.code < 0xE000 and self.high is not None:
            high, self.high = self.high, None
            code = 0x10000 + ((high.code - 0xD800) << 10) + (one.code - 0xDC00)
            self._add_unicode(chr(code), high.start, one.end, high.other + one.other)
            return
        self._settle_high()
        if 0xD800 <= one.code < 0xDC00:
            self.high = one
            return
        valid = one.code not in _SURROGATES and 0 < one.code < 0x110000
        self._add_unicode(chr(one.code) if valid else "\ufffd", one.start, one.end, one.other)

    def _add_unicode(self, character: str, start: int, end: int, other: bytearray) -> None:
        self._add(character, start, end, ESCAPE)
        flow = self.flows[self.state.flow]
        flow.others[len(flow.characters) - 1] = other.decode(self.state.codec or self.codec, "replace")

    def _settle_high(self) -> None:
        if self.high is not None:
            high, self.high = self.high, None
            self._add_unicode("\ufffd", high.start, high.end, high.other)


def read(data: bytes) -> Rtf:
    """All texts of an RTF file, shown or not.

    Raises:
        FatalError: `too-complex`, groups nested deeper than :data:`MAX_DEPTH` or a million destinations.
    """
    return _Reader(data, words_count=True).run()


def read_otherwise(data: bytes) -> Rtf | None:
    """The file as readers see it who do not count control words among what stands for a `\\u`; None when all agree.

    Raises:
        FatalError: as :func:`read`.
    """
    return _Reader(data, words_count=False).run() if _CODED_FALLBACK.search(data) else None
