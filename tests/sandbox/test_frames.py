"""Frames: whatever arrives is a frame of the protocol or is refused."""

from __future__ import annotations

import contextlib
import os
import socket
import threading
import time
import tracemalloc
from collections.abc import Iterator

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonify.sandbox.frames import MAX_FRAME, BadFrame, Closed, FromChild, Late, Progress, Read, Result, Wire, Write

DECODER: msgspec.msgpack.Decoder[FromChild] = msgspec.msgpack.Decoder(FromChild)


@contextlib.contextmanager
def wires() -> Iterator[tuple[Wire, Wire]]:
    here, there = socket.socketpair()
    with here, there:
        yield Wire(here), Wire(there)


@settings(max_examples=200, deadline=None)
@given(st.one_of(st.binary(max_size=200), st.binary(max_size=99).map(lambda body: len(body).to_bytes(4, "big") + body)))
def test_random_bytes_are_refused_and_never_anything_worse(data: bytes) -> None:
    with wires() as (parent, child):
        child.sock.sendall(data)
        child.sock.shutdown(socket.SHUT_WR)
        with pytest.raises((BadFrame, Closed)):
            parent.receive(DECODER, MAX_FRAME)


def test_frames_arrive_however_they_are_cut() -> None:
    frames: list[FromChild] = [Read("source", 5, 10), Write("sink", os.urandom(70_000)), Progress(1, 2), Result(b"r")]
    with wires() as (parent, child), wires() as (sender, receiver):

        def trickle() -> None:
            for frame in frames:
                sender.send(frame)
            sender.sock.shutdown(socket.SHUT_WR)

        def relay() -> None:
            while data := receiver.sock.recv(4099):
                child.sock.sendall(data)

        threads = [threading.Thread(target=trickle), threading.Thread(target=relay)]
        for thread in threads:
            thread.start()
        assert [parent.receive(DECODER, MAX_FRAME) for _ in frames] == frames
        for thread in threads:
            thread.join()


def test_a_deeply_nested_frame_is_refused() -> None:
    body = b"\x91" * 100_000 + b"\xc0"
    with wires() as (parent, child):
        child.sock.sendall(len(body).to_bytes(4, "big") + body)
        with pytest.raises(BadFrame):
            parent.receive(DECODER, MAX_FRAME)


def test_an_announced_length_is_bounded_and_not_allocated_in_advance() -> None:
    with wires() as (parent, child):
        child.sock.sendall((MAX_FRAME + 1).to_bytes(4, "big"))
        with pytest.raises(BadFrame):
            parent.receive(DECODER, MAX_FRAME)
    with wires() as (parent, child):
        child.sock.sendall(MAX_FRAME.to_bytes(4, "big") + b"little")
        child.sock.shutdown(socket.SHUT_WR)
        tracemalloc.start()
        try:
            with pytest.raises(Closed):
                parent.receive(DECODER, MAX_FRAME)
            assert tracemalloc.get_traced_memory()[1] < 4 << 20
        finally:
            tracemalloc.stop()


def test_a_deadline_holds_while_bytes_trickle_in() -> None:
    with wires() as (parent, child):
        stop = threading.Event()

        def trickle() -> None:
            child.sock.sendall((1000).to_bytes(4, "big"))
            while not stop.wait(0.02):
                child.sock.sendall(b"x")

        thread = threading.Thread(target=trickle)
        thread.start()
        parent.deadline = time.monotonic() + 0.3
        with pytest.raises(Late):
            parent.receive(DECODER, MAX_FRAME)
        stop.set()
        thread.join()
