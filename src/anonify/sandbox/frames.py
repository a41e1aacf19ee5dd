"""What the pool and its children say to each other.

A frame is a 4-byte big-endian length and that many bytes of MessagePack.  The parent believes nothing a child sends:
lengths are bounded before anything is allocated, and every frame is decoded against the types below.
"""

from __future__ import annotations

import socket
import struct
import time
from typing import Final, TypeVar

import msgspec

__all__ = [
    "BLOCK",
    "MAX_FRAME",
    "MAX_JOB",
    "PIECE",
    "BadFrame",
    "Closed",
    "Data",
    "Failure",
    "FromChild",
    "Job",
    "Late",
    "Progress",
    "Read",
    "Ready",
    "Result",
    "ToChild",
    "Wire",
    "Write",
]

BLOCK: Final = 256 << 10
"""What a child reads ahead, bytes."""

PIECE: Final = 1 << 20
"""The most document bytes in one READ, DATA or WRITE."""

MAX_FRAME: Final = 64 << 20
"""The longest frame a child may send: a result naming a million pages fits, an endless one does not."""

MAX_JOB: Final = 512 << 20
"""The longest frame the parent may send; plans of very large documents are long, and the parent is trusted."""

_LENGTH: Final = struct.Struct(">I")


class Job(msgspec.Struct, frozen=True, tag="job"):
    """Run a task.

    Attributes:
        path: `module:function` of the task.
        args_type: `module:class` of its argument.
        args: the argument, MessagePack.
        sources: name to size in bytes.
        sinks: names.
        cpu_seconds: CPU the job may use.
    """

    path: str
    args_type: str
    args: bytes
    sources: dict[str, int]
    sinks: list[str]
    cpu_seconds: int


class Data(msgspec.Struct, frozen=True, tag="data"):
    """The answer to :class:`Read`."""

    data: bytes


class Ready(msgspec.Struct, frozen=True, tag="ready"):
    """The child is locked down and waits; `hardening` names what is in force."""

    hardening: tuple[str, ...]


class Read(msgspec.Struct, frozen=True, tag="read"):
    """Wants bytes `[offset, offset + length)` of a source."""

    source: str
    offset: int
    length: int


class Write(msgspec.Struct, frozen=True, tag="write"):
    """Appends to a sink."""

    sink: str
    data: bytes


class Progress(msgspec.Struct, frozen=True, tag="progress"):
    """How far the task is."""

    done: int
    total: int


class Result(msgspec.Struct, frozen=True, tag="result"):
    """The task returned; `value` is MessagePack still to be decoded against the task's result type."""

    value: bytes


class Failure(msgspec.Struct, frozen=True, tag="failure"):
    """The task raised.

    Attributes:
        kind: `fatal`, `transient` or `verification`.
        code: an :class:`anonify.errors.Code`.
        counts: numbers by name.
        check: for `verification`, the check that failed.
        retire: the child asks to be replaced.
    """

    kind: str
    code: str
    counts: dict[str, int]
    check: str = ""
    retire: bool = False


ToChild = Job | Data
FromChild = Ready | Read | Write | Progress | Result | Failure
_T = TypeVar("_T")


class BadFrame(Exception):
    """A frame is longer than allowed or does not decode."""


class Closed(Exception):
    """The other side is gone."""


class Late(Exception):
    """The deadline passed.  Not TimeoutError: a source or sink may raise that for reasons of its own."""


class Wire:
    """Frames over a connected stream socket.  One thread at a time.

    Attributes:
        deadline: monotonic seconds after which sending and receiving raise :class:`Late`, however much still trickles
            in; None waits for ever.
    """

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock
        self.deadline: float | None = None
        self._encoder = msgspec.msgpack.Encoder()

    def send(self, frame: ToChild | FromChild, limit: int = MAX_JOB) -> None:
        """Send one frame.

        Raises:
            BadFrame: it is longer than `limit` bytes.
            Closed: nobody is there.
            Late: the deadline passed.
        """
        buffer = bytearray(_LENGTH.size)
        self._encoder.encode_into(frame, buffer, _LENGTH.size)
        length = len(buffer) - _LENGTH.size
        if length > limit:
            raise BadFrame
        _LENGTH.pack_into(buffer, 0, length)
        self._hurry()
        try:
            self.sock.sendall(buffer)
        except TimeoutError:
            raise Late from None
        except OSError as error:
            raise Closed from error

    def receive(self, decoder: msgspec.msgpack.Decoder[_T], limit: int) -> _T:
        """Receive one frame.

        Raises:
            BadFrame: longer than `limit` bytes, or not of the decoder's type.
            Closed: the stream ended.
            Late: the deadline passed.
        """
        (length,) = _LENGTH.unpack(self._exactly(_LENGTH.size))
        if length > limit:
            raise BadFrame
        body = self._exactly(length)
        try:
            return decoder.decode(body)
        except (msgspec.DecodeError, RecursionError) as error:
            raise BadFrame from error

    def _exactly(self, length: int) -> bytearray:
        buffer = bytearray(min(length, PIECE + 4096))
        filled = 0
        while filled < length:
            if filled == len(buffer):  # grow with what really arrives, not with what was announced
                buffer.extend(bytes(min(length - filled, len(buffer))))
            self._hurry()
            try:
                got = self.sock.recv_into(memoryview(buffer)[filled:])
            except TimeoutError:
                raise Late from None
            except OSError as error:
                raise Closed from error
            if not got:
                raise Closed
            filled += got
        return buffer

    def _hurry(self) -> None:
        if self.deadline is None:
            self.sock.settimeout(None)
            return
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise Late
        self.sock.settimeout(left)
