"""Envelope v1: what was sealed comes back, and nothing else ever does."""

from __future__ import annotations

import hashlib
import os
import pickle
from collections.abc import Callable

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from hypothesis import given, settings
from hypothesis import strategies as st

from anonify.errors import Code, FatalError
from anonify.storage import CHUNK, DataKey, ObjectStore, open_sealed, open_store, seal
from anonify.storage.envelope import ChunkSealer

KEY = "documents/0123/source.bin"
FULL = CHUNK + 16
BLOB = os.urandom(3 * CHUNK + 5000)

sizes = st.one_of(
    st.integers(0, 3000),
    st.builds(lambda n, d: max(0, n * CHUNK + d), st.integers(1, 3), st.integers(-3, 3)),
)


def sealed(data: bytes, key: DataKey, name: str = KEY, pieces: int = 300_000) -> ObjectStore:
    store = open_store("memory:")
    with seal(store, name, key) as writer:
        for start in range(0, len(data), pieces):
            writer.write(data[start : start + pieces])
    assert writer.plain_size == len(data)
    assert writer.sha256 == hashlib.sha256(data).hexdigest()
    return store


def refused(store: ObjectStore, key: DataKey, name: str = KEY) -> bool:
    """Whether the object does not open, or does not read whole."""
    try:
        reader = open_sealed(store, name, key)
        reader.read(0, reader.size)
    except FatalError as error:
        return error.code is Code.CORRUPT_SOURCE
    return False


@settings(max_examples=25, deadline=None)
@given(size=sizes, pieces=st.sampled_from([777, CHUNK - 1, CHUNK, CHUNK + 1, 5 * CHUNK]), data=st.data())
def test_any_range_of_what_was_sealed_comes_back(size: int, pieces: int, data: st.DataObject) -> None:
    key, plain = DataKey.random(), BLOB[:size]
    reader = open_sealed(sealed(plain, key, pieces=max(pieces, size // 2000 + 1)), KEY, key)
    assert reader.size == size
    assert reader.read(0, size) == plain
    for _ in range(8):
        offset, length = data.draw(st.integers(0, size + 10)), data.draw(st.integers(0, size + 10))
        assert reader.read(offset, length) == plain[offset : offset + length]


@settings(max_examples=150, deadline=None)
@given(size=st.integers(0, 300), data=st.data())
def test_no_flipped_bit_anywhere_goes_unnoticed(size: int, data: st.DataObject) -> None:
    key = DataKey.random()
    store = sealed(BLOB[:size], key)
    body = bytearray(store.get(KEY))
    bit = data.draw(st.integers(0, len(body) * 8 - 1))
    body[bit // 8] ^= 1 << bit % 8
    store.put(KEY, bytes(body), replace=True)
    assert refused(store, key)


@settings(max_examples=15, deadline=None)
@given(bit=st.integers(0, (2 * FULL + 100) * 8 - 1))
def test_no_flipped_bit_in_a_long_object_goes_unnoticed(bit: int) -> None:
    key = DataKey.random()
    store = sealed(BLOB[: 2 * CHUNK + 68], key)
    body = bytearray(store.get(KEY))
    body[bit // 8] ^= 1 << bit % 8
    store.put(KEY, bytes(body), replace=True)
    assert refused(store, key)


def test_truncation_at_any_point_is_refused() -> None:
    key = DataKey.random()
    body = sealed(BLOB[:200], key).get(KEY)
    store = open_store("memory:")
    for length in range(len(body)):
        store.put(KEY, body[:length], replace=True)
        assert refused(store, key), length


@pytest.mark.parametrize("plain", [2 * CHUNK, 2 * CHUNK + 1, 3 * CHUNK + 5000])
def test_truncation_at_chunk_borders_is_refused(plain: int) -> None:
    key = DataKey.random()
    body = sealed(BLOB[:plain], key).get(KEY)
    store = open_store("memory:")
    for border in (16, 16 + FULL, 16 + 2 * FULL):
        lengths = {border - 1, border, border + 1, border + 15, border + 16, border + 17}
        for length in (length for length in lengths if length < len(body)):
            store.put(KEY, body[:length], replace=True)
            assert refused(store, key), length


@pytest.mark.parametrize("size", [0, 100, CHUNK, CHUNK + 5])
def test_bytes_added_at_the_end_are_refused(size: int) -> None:
    key = DataKey.random()
    body = sealed(BLOB[:size], key).get(KEY)
    store = open_store("memory:")
    for added in (b"\0", bytes(16), bytes(17), body[-16:], body[16:]):
        store.put(KEY, body + added, replace=True)
        assert refused(store, key)


def _swap(body: bytes, other: bytes) -> bytes:
    return body[:16] + body[16 + FULL : 16 + 2 * FULL] + body[16 : 16 + FULL] + body[16 + 2 * FULL :]


def _repeat(body: bytes, other: bytes) -> bytes:
    return body[:16] + body[16 : 16 + FULL] * 2 + body[16 + 2 * FULL :]


def _drop(body: bytes, other: bytes) -> bytes:
    return body[:16] + body[16 + FULL :]


def _splice(body: bytes, other: bytes) -> bytes:
    return body[: 16 + FULL] + other[16 + FULL : 16 + 2 * FULL] + body[16 + 2 * FULL :]


def _header(body: bytes, other: bytes) -> bytes:
    return other[:16] + body[16:]


@pytest.mark.parametrize("tamper", [_swap, _repeat, _drop, _splice, _header])
def test_chunks_moved_within_or_between_objects_are_refused(tamper: Callable[[bytes, bytes], bytes]) -> None:
    key = DataKey.random()
    store = sealed(BLOB, key)
    other = sealed(BLOB, key).get(KEY)  # same document key, same name, same bytes
    store.put(KEY, tamper(store.get(KEY), other), replace=True)
    assert refused(store, key)


def test_an_object_is_not_another_ones_and_not_under_another_key() -> None:
    key = DataKey.random()
    store = sealed(b"my document", key)
    store.put("documents/9999/source.bin", store.get(KEY))
    assert refused(store, key, "documents/9999/source.bin")
    assert refused(store, DataKey.random())
    assert not refused(store, key)


def test_the_layout_is_the_documented_one() -> None:
    """Opened with nothing but the cipher and the page that describes it, as a browser would."""
    key = DataKey.random()
    plain = BLOB[: CHUNK + 10]
    body = sealed(plain, key).get(KEY)
    header = body[:16]
    assert header[:8] == b"ANFY\x01\x14\x00\x00"
    cipher, found = AESGCM(key.raw), b""
    for number, chunk in enumerate((body[16 : 16 + FULL], body[16 + FULL :])):
        nonce = header[8:] + number.to_bytes(4, "big")
        found += cipher.decrypt(nonce, chunk, header + KEY.encode() + bytes([number == 1]))
    assert found == plain
    assert len(sealed(b"", key).get(KEY)) == 32


def test_the_counter_fails_closed() -> None:
    sealer = ChunkSealer(DataKey.random(), KEY, first=(1 << 32) - 1)
    sealer.seal(b"the last chunk there can be", final=False)
    for _ in range(2):
        with pytest.raises(FatalError) as caught:
            sealer.seal(b"one too many", final=True)
        assert caught.value.code is Code.TOO_LARGE


def test_nonces_of_two_objects_differ() -> None:
    key = DataKey.random()
    assert len({ChunkSealer(key, KEY).header for _ in range(1000)}) == 1000


def test_a_data_key_does_not_show_itself() -> None:
    key = DataKey(b"k" * 32)
    assert "kkk" not in f"{key} {key!r}"
    with pytest.raises(TypeError):
        pickle.dumps(key)
    with pytest.raises(ValueError, match="32 bytes"):
        DataKey(b"short")
