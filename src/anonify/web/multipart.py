"""Forms that carry files (`multipart/form-data`, RFC 7578), read as they arrive: a file goes into a sealed spool.

Nothing of what is sent lies on the disk in the clear, as it would in the framework's own temporary files.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header

from anonify.errors import Code, FatalError
from anonify.storage import Spool

from .problems import Problem

if TYPE_CHECKING:
    from python_multipart.multipart import MultipartCallbacks

__all__ = ["Sent", "Wanted", "read_form"]

FRAMING: Final = 64 << 10
"""Bytes that boundaries and headers of a form may take."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A field that a form must have.

    Attributes:
        name: its name.
        most: bytes it may have.
    """

    name: str
    most: int


@dataclass(frozen=True, slots=True)
class Sent:
    """A field as it was sent: its bytes, finished, and the name of the file it was."""

    spool: Spool
    filename: str


def read_form(
    content_type: str | None, pieces: Iterable[bytes], wanted: Iterable[Wanted], stack: ExitStack
) -> dict[str, Sent]:
    """The wanted fields of a form; their spools are closed with `stack`.

    Args:
        content_type: the request's header.
        pieces: the request's body.
        wanted: every field it must have; others are refused.

    Raises:
        Problem: `invalid-request`: it is no such form, or has other fields.
        FatalError: `too-large`.
    """
    kind, options = parse_options_header(content_type)
    boundary = options.get(b"boundary", b"")
    if kind != b"multipart/form-data" or not boundary:
        raise _refused("body", "not_a_form")
    fields = _Fields({one.name: one for one in wanted}, stack)
    try:
        parser = MultipartParser(boundary, fields.callbacks(), fields.most + FRAMING)
        for piece in pieces:
            if parser.write(piece) < len(piece):
                raise FatalError(Code.TOO_LARGE)
        parser.finalize()
    except FormParserError:
        raise _refused("body", "not_a_form") from None
    return fields.finished()


def _refused(field: str, rule: str) -> Problem:
    return Problem("invalid-request", fields=[{"field": field, "rule": rule}])


class _Fields:
    """Takes what the parser finds."""

    def __init__(self, wanted: dict[str, Wanted], stack: ExitStack) -> None:
        self._wanted = wanted
        self._stack = stack
        self._sent: dict[str, Sent] = {}
        self._now: Sent | None = None
        self._limit = 0
        self._name = self._value = b""
        self._disposition = b""
        self._over = False
        self.most = sum(one.most for one in wanted.values())

    def callbacks(self) -> MultipartCallbacks:
        return {
            "on_part_begin": self._begin,
            "on_header_field": self._field,
            "on_header_value": self._text,
            "on_header_end": self._header,
            "on_headers_finished": self._headers,
            "on_part_data": self._data,
            "on_part_end": self._end,
            "on_end": self._finish,
        }

    def finished(self) -> dict[str, Sent]:
        """Every wanted field."""
        if not self._over:
            raise _refused("body", "not_whole")
        for name in self._wanted:
            if name not in self._sent:
                raise _refused(name, "missing")
        return self._sent

    def _begin(self) -> None:
        self._disposition = self._name = self._value = b""

    def _field(self, data: bytes, start: int, end: int) -> None:
        self._name += data[start:end]

    def _text(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]

    def _header(self) -> None:
        if self._name.lower() == b"content-disposition":
            self._disposition = self._value
        self._name = self._value = b""

    def _headers(self) -> None:
        _, options = parse_options_header(self._disposition)
        name = options.get(b"name", b"").decode("utf-8", "replace")
        if name not in self._wanted or name in self._sent:
            raise _refused("body", "another_field")
        spool = self._stack.enter_context(Spool())
        self._now = Sent(spool, options.get(b"filename", b"").decode("utf-8", "replace"))
        self._sent[name], self._limit = self._now, self._wanted[name].most

    def _data(self, data: bytes, start: int, end: int) -> None:
        assert self._now is not None
        if self._now.spool.size + end - start > self._limit:
            raise FatalError(Code.TOO_LARGE)
        self._now.spool.write(data[start:end])

    def _end(self) -> None:
        if self._now is not None:
            self._now.spool.finish()
        self._now = None

    def _finish(self) -> None:
        self._over = True
