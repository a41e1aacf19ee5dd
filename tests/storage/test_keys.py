"""Master keys: where they come from, rotation, and refusing to invent them where that would lose documents."""

from __future__ import annotations

import base64
import os
import subprocess
import sys
from pathlib import Path

import pytest

from anonify.errors import Code, FatalError
from anonify.settings import Settings
from anonify.storage import KEY_FILE, KeyRing

FIRST, SECOND = bytes(range(32)), bytes(range(32, 64))


def ring(tmp_path: Path, key: str | None = None, **more: object) -> KeyRing:
    return KeyRing.from_settings(Settings(data_dir=tmp_path, encryption_key=key, **more))  # type: ignore[arg-type, call-arg]  # loose on purpose


def code(tmp_path: Path, key: str | None = None, **more: object) -> Code:
    with pytest.raises(FatalError) as caught:
        ring(tmp_path, key, **more)
    return caught.value.code


def test_a_wrapped_key_comes_back_and_no_other_does(tmp_path: Path) -> None:
    keys = ring(tmp_path, FIRST.hex())
    key, wrapped = keys.new_key()
    other, _ = keys.new_key()
    assert keys.unwrap(wrapped) == key != other
    assert key.raw not in wrapped
    for index in range(len(wrapped)):
        altered = bytearray(wrapped)
        altered[index] ^= 1
        with pytest.raises(FatalError):
            keys.unwrap(bytes(altered))
    with pytest.raises(FatalError):
        keys.unwrap(wrapped[:-1])


@pytest.mark.parametrize(
    "text",
    [
        FIRST.hex(),
        FIRST.hex().upper(),
        f"  {FIRST.hex()}\n",
        base64.b64encode(FIRST).decode(),
        base64.b64encode(FIRST).decode().rstrip("="),
        base64.urlsafe_b64encode(FIRST).decode(),
    ],
)
def test_keys_are_read_in_hex_and_base64(tmp_path: Path, text: str) -> None:
    _, wrapped = ring(tmp_path, FIRST.hex()).new_key()
    ring(tmp_path, text).unwrap(wrapped)


@pytest.mark.parametrize("text", ["short", FIRST.hex()[:-2], FIRST.hex() + "00", "z" * 64, f"{FIRST.hex()},nonsense"])
def test_a_malformed_key_stops_the_start_and_is_not_repeated(tmp_path: Path, text: str) -> None:
    with pytest.raises(FatalError) as caught:
        ring(tmp_path, text)
    assert caught.value.code is Code.CONFIGURATION
    assert text not in repr(caught.value)
    assert not (tmp_path / KEY_FILE).exists()


def test_rotation_the_first_seals_and_all_open(tmp_path: Path) -> None:
    old = ring(tmp_path, FIRST.hex())
    key, wrapped = old.new_key()
    both = ring(tmp_path, f"{SECOND.hex()}, {FIRST.hex()}")
    assert both.unwrap(wrapped) == key
    newer, rewrapped = both.new_key()
    assert ring(tmp_path, SECOND.hex()).unwrap(rewrapped) == newer
    with pytest.raises(FatalError) as caught:
        ring(tmp_path, SECOND.hex()).unwrap(wrapped)
    assert caught.value.code is Code.CONFIGURATION


def test_the_embedded_default_makes_a_private_key_file_and_says_so(tmp_path: Path) -> None:
    first = ring(tmp_path / "data")
    path = tmp_path / "data" / KEY_FILE
    assert (first.created, first.key_file) == (True, path)
    assert path.stat().st_mode & 0o777 == 0o600
    key, wrapped = first.new_key()
    again = ring(tmp_path / "data")
    assert not again.created
    assert again.unwrap(wrapped) == key
    assert [entry.name for entry in (tmp_path / "data").iterdir()] == [KEY_FILE]


def test_a_key_file_others_could_read_is_made_private(tmp_path: Path) -> None:
    ring(tmp_path)
    (tmp_path / KEY_FILE).chmod(0o644)
    ring(tmp_path)
    assert (tmp_path / KEY_FILE).stat().st_mode & 0o777 == 0o600


def test_a_spoiled_key_file_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / KEY_FILE).write_text("spoiled")
    assert code(tmp_path) is Code.CONFIGURATION
    assert (tmp_path / KEY_FILE).read_text() == "spoiled"


def test_no_key_is_invented_in_production_or_beside_postgresql(tmp_path: Path) -> None:
    assert code(tmp_path, profile="production") is Code.CONFIGURATION
    assert code(tmp_path, "  ", profile="production") is Code.CONFIGURATION
    assert code(tmp_path, database_url="postgresql://localhost/x") is Code.CONFIGURATION
    ring(tmp_path)  # a key file is there now
    assert code(tmp_path, profile="production") is Code.CONFIGURATION
    ring(tmp_path, FIRST.hex(), profile="production")


def test_setting_a_key_later_keeps_earlier_documents_readable(tmp_path: Path) -> None:
    key, wrapped = ring(tmp_path).new_key()
    assert ring(tmp_path, FIRST.hex()).unwrap(wrapped) == key


def test_processes_that_start_together_agree_on_one_key(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path;"
        "from anonify.settings import Settings; from anonify.storage import KeyRing;"
        "print(KeyRing.from_settings(Settings(data_dir=Path(sys.argv[1]))).derive('same').hex())"
    )
    env = {name: value for name, value in os.environ.items() if name != "ENCRYPTION_KEY"}
    command = [sys.executable, "-c", program, str(tmp_path)]
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env) for _ in range(4)]
    assert len({process.communicate()[0] for process in processes}) == 1


def test_derived_secrets_are_apart_by_purpose_and_stable(tmp_path: Path) -> None:
    keys = ring(tmp_path, FIRST.hex())
    assert len({keys.derive(purpose) for purpose in ("cookie", "link", "batch", "owner")}) == 4
    assert ring(tmp_path, FIRST.hex()).derive("cookie") == keys.derive("cookie")
    assert ring(tmp_path, SECOND.hex()).derive("cookie") != keys.derive("cookie")
    assert len(keys.derive("cookie")) == 32


def test_a_ring_shows_no_key(tmp_path: Path) -> None:
    assert FIRST.hex()[:8] not in repr(ring(tmp_path, FIRST.hex()))
