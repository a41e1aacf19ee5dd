"""Values in everything that is not page content: strings, names and streams of every object the file still reaches."""

from __future__ import annotations

import contextlib
import re
from collections import Counter
from collections.abc import Iterator
from itertools import accumulate
from typing import Any, Final

import pikepdf

from anonify.errors import Code, FatalError

from ..matching.pages import PageFinder
from ..plan import RedactionPlan
from .coded import CodedFinder
from .codes import string_texts
from .names import STANDARD
from .objects import ERRORS, entries, filters, name_text, unpredicted
from .pictures import clean_picture, is_coded
from .shown import ShownReader, loose_text, page_contents
from .spelled import Spelled

__all__ = ["MAX_STREAM", "Sweeper"]

MAX_STREAM: Final = 256 << 20
"""Decoded bytes of one stream that are searched; more is refused."""

MAX_PICTURE: Final = 768 << 20
"""The same for samples of a picture: two copies of it fit the sandbox."""

_TAG: Final = re.compile(r"<[^>]*>")


class Sweeper:
    """Removes what is left of the accepted values from a file's objects.

    Attributes:
        swept: occurrences removed.
        dropped: streams emptied, by kind.
    """

    def __init__(self, pdf: pikepdf.Pdf, plan: RedactionPlan, finder: PageFinder) -> None:
        self._pdf = pdf
        self._plan = plan
        self._finder = finder
        self._replacements = [value.replacement for value in plan.sweep]
        self._reader = ShownReader()
        self._coded = CodedFinder(plan.values)
        self._names: dict[str, str | None] = {}
        self._spelled = Spelled(plan.values)
        self._contents = page_contents(pdf)
        self.swept = 0
        self.dropped: Counter[str] = Counter()

    def run(self) -> None:
        """Walk every reachable object once."""
        seen: set[tuple[int, int]] = set()
        stack: list[Any] = [self._pdf.trailer]
        while stack:
            holder = stack.pop()
            key = holder.objgen
            if key != (0, 0):
                if key in seen:
                    continue
                seen.add(key)
            try:
                stack.extend(self._visit(holder))
            except RecursionError:
                raise FatalError(Code.TOO_COMPLEX) from None

    def _visit(self, holder: Any) -> list[Any]:
        below: list[Any] = []
        if isinstance(holder, pikepdf.Array):
            for place, value in enumerate(holder):
                changed = self._value(value, below)
                if changed is not None:
                    holder[place] = changed
            return below
        if isinstance(holder, pikepdf.Stream):
            self._stream(holder)
        # `items` of a stream are those of its dictionary.
        for key, value in entries(holder):
            changed = self._value(value, below)
            if changed is not None:
                holder[key] = changed
            renamed = self._name(key) if self._finder and len(key) > 4 else None
            if renamed is not None:
                held = holder[key]
                del holder[key]
                holder[renamed] = held
                self.swept += 1
        return below

    def _value(self, value: Any, below: list[Any]) -> Any:
        """What should stand instead of `value`, or None; containers are added to `below`."""
        if isinstance(value, pikepdf.String):
            return self._string(value)
        if isinstance(value, pikepdf.Name):
            renamed = self._name(name_text(value))
            if renamed is None:
                return None
            self.swept += 1
            return pikepdf.Name(renamed)
        if isinstance(value, (pikepdf.Array, pikepdf.Dictionary, pikepdf.Stream)):
            below.append(value)
        return None

    def _string(self, value: Any) -> Any:
        data = bytes(value)
        if len(data) < 4:
            return None
        texts = string_texts(data)
        if not any(self._finder.found(text) for text in texts):
            return None
        text, count = self._finder.replace(texts[0], self._replacements)
        self.swept += max(1, count)
        clean = count > 0 and not any(self._finder.found(other) for other in string_texts(bytes(pikepdf.String(text))))
        return pikepdf.String(text if clean else self._plan.marker)

    def _name(self, name: str) -> str | None:
        """The replacement of a name that holds a value; the same one wherever the name stands."""
        if name in STANDARD or len(name) < 5:
            return None
        if name not in self._names:
            held = self._finder.plain(re.sub(r"[_.]+", " ", name[1:])) or self._finder.plain(name[1:])
            self._names[name] = f"/Redacted{len(self._names)}" if held else None
        return self._names[name]

    def _stream(self, stream: Any) -> None:
        if is_coded(stream):
            if clean_picture(stream, self._spelled, keep_metadata=self._plan.keep_metadata):
                self._note_picture()
            return
        data = _decoded(stream)
        if data is None:
            self._unreadable(stream)
        elif stream.get("/Subtype") == "/Image":
            self._samples(stream, data)
        elif stream.objgen in self._contents:
            self._written_anew(stream, data)  # what they show was judged page by page
        elif _is_content(stream):
            shown = self._reader.read(stream, stream.get("/Resources"))
            held = self._finder.plain(loose_text(data)) or any(self._finder.found(text) for text in shown.texts)
            if held or self._coded.find(shown.data):
                stream.write(b"")
                self._note("content")
            else:
                self._written_anew(stream, data)
        elif self._holds(data):
            self._hide(stream, data)
        else:
            self._written_anew(stream, data)

    def _samples(self, stream: Any, data: bytes) -> None:
        """Change the few samples of a picture that spell a value."""
        if self._spelled.held(data):
            stream.write(self._spelled.masked(data))
            self._note("binary")
        elif self._spelled.held(unpredicted(stream)):
            stream.write(data)
            self._note("binary")
        else:
            self._written_anew(stream, data)

    def _written_anew(self, stream: Any, data: bytes) -> None:
        """Give up the encoded bytes of a stream that spell a value its decoded ones do not, as after their end."""
        if filters(stream) != ("",) and self._spelled.held(stream.read_raw_bytes()):
            stream.write(data)
            self._note("binary")

    def _unreadable(self, stream: Any) -> None:
        """A stream that no reader decodes keeps its bytes, except those that spell a value."""
        with contextlib.suppress(*ERRORS):
            raw = stream.read_raw_bytes()
            if self._spelled.held(raw):
                stream.write(b"")
                self._note("binary")

    def _hide(self, stream: Any, data: bytes) -> None:
        """Blank the value's bytes where the stream's shape matters (fonts, profiles), else empty it."""
        if _is_binary(data):
            stream.write(self._spelled.masked(data))
            self._note("binary")
        else:
            masked = self._masked(data)
            stream.write(b"" if self._holds(masked) or masked == data else masked)
            self._note("text-stream")

    def _note_picture(self) -> None:
        self.dropped["image-metadata"] += 1

    def _note(self, kind: str) -> None:
        self.swept += 1
        self.dropped[kind] += 1

    def _holds(self, data: bytes) -> bool:
        if _is_binary(data):
            return self._spelled.held(data)
        return any(self._finder.plain(text) for text in _readings(data))

    def _masked(self, data: bytes) -> bytes:
        """`data`, a text, with every value replaced by `x`, byte for byte."""
        out = bytearray(self._spelled.masked(data))
        for codec in ("latin-1", "utf-8"):
            try:
                text = data.decode(codec)
            except UnicodeDecodeError:
                continue  # the other view has seen every byte
            offsets = list(accumulate((len(character.encode(codec)) for character in text), initial=0))
            for match in self._finder.find(text):
                start, end = offsets[match.start], offsets[match.end]
                out[start:end] = b"x" * (end - start)
        return bytes(out)


def _readings(data: bytes) -> Iterator[str]:
    yield data.decode("latin-1")
    if not data.isascii():
        with contextlib.suppress(UnicodeDecodeError):
            yield data.decode("utf-8")
    if b"<" in data[:4096] and not _is_binary(data):
        yield _TAG.sub(" ", data.decode("utf-8", "replace"))


def _is_binary(data: bytes) -> bool:
    sample = data[:2048]
    strange = sum(byte < 9 or 13 < byte < 32 or byte > 126 for byte in sample)
    return strange * 5 > len(sample)


def _is_content(stream: Any) -> bool:
    return stream.get("/Subtype") == "/Form" or "/PatternType" in stream or "/Resources" in stream


def _decoded(stream: Any) -> bytes | None:
    """The content of a stream; None when its filters do not undo."""
    try:
        data: bytes = stream.read_bytes(pikepdf.StreamDecodeLevel.specialized)
    except ERRORS:
        return None
    if len(data) > (MAX_PICTURE if stream.get("/Subtype") == "/Image" else MAX_STREAM):
        raise FatalError(Code.TOO_COMPLEX, size=len(data))
    return data
