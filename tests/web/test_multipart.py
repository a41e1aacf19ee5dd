"""Forms with files: read as they arrive, in whatever pieces, and refused when they are not what was asked for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonify.errors import Code, FatalError
from anonify.sandbox import read_all
from anonify.web.multipart import Wanted, read_form
from anonify.web.problems import Problem

TYPE = 'multipart/form-data; boundary="--edge"'
WANTED = (Wanted("file", 1_000), Wanted("vault", 100))


def _form(*fields: tuple[str, bytes], end: bytes = b"----edge--\r\n") -> bytes:
    parts = [
        b'----edge\r\nContent-Disposition: form-data; name="%s"; filename="a.txt"\r\n\r\n%s\r\n' % (name.encode(), data)
        for name, data in fields
    ]
    return b"".join(parts) + end


def _pieces(data: bytes, size: int) -> Iterator[bytes]:
    return (data[at : at + size] for at in range(0, len(data), size))


@given(st.binary(max_size=400), st.binary(max_size=100), st.integers(1, 200))
def test_what_was_sent_arrives_whatever_the_pieces(file: bytes, vault: bytes, size: int) -> None:
    with ExitStack() as stack:
        sent = read_form(TYPE, _pieces(_form(("file", file), ("vault", vault)), size), WANTED, stack)
        assert read_all(sent["file"].spool, 1_000) == file
        assert read_all(sent["vault"].spool, 1_000) == vault
        assert sent["file"].filename == "a.txt"


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        (None, b""),
        ("application/json", b"{}"),
        ("multipart/form-data", b"--x--"),
        (TYPE, b"no form at all"),
        (TYPE, _form(("file", b"x"))),
        (TYPE, _form(("file", b"x"), ("vault", b"y"), ("more", b"z"))),
        (TYPE, _form(("file", b"x"), ("file", b"y"), ("vault", b"z"))),
        (TYPE, _form(("file", b"x"), ("vault", b"y"), end=b"")),
        (TYPE, b"----edge\r\n\r\nno name\r\n----edge--\r\n"),
    ],
    ids=["nothing", "json", "no boundary", "no form", "too few", "another field", "twice", "cut off", "no name"],
)
def test_what_is_no_such_form_is_refused(kind: str | None, body: bytes) -> None:
    with ExitStack() as stack, pytest.raises(Problem) as raised:
        read_form(kind, [body], WANTED, stack)
    assert raised.value.code == "invalid-request"


@pytest.mark.parametrize("field", ["file", "vault"])
def test_a_field_that_is_too_large_is_refused(field: str) -> None:
    sent = {"file": b"x", "vault": b"y"} | {field: b"z" * 2_000}
    with ExitStack() as stack, pytest.raises(FatalError) as raised:
        read_form(TYPE, _pieces(_form(*sent.items()), 64), WANTED, stack)
    assert raised.value.code is Code.TOO_LARGE
