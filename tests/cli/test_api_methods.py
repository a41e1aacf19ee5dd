"""Methods, vaults and restoring from Python."""

from __future__ import annotations

import json
import re
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

import anonify

NAME = "Eleonora Quillfeather"


@pytest.fixture(autouse=True, scope="module")
def _closed() -> Iterator[None]:
    yield
    anonify.close()


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text)
    return path


def test_calls_share_surrogates_and_each_vault_brings_its_file_back(tmp_path: Path) -> None:
    first = written(tmp_path, "a.txt", f"Dear {NAME},\n")
    second = written(tmp_path, "b.txt", f"{NAME} called.\n")
    outs = {path: path.with_suffix(".out.txt") for path in (first, second)}
    for path, out in outs.items():
        vault = path.with_suffix(".vault")
        result = anonify.redact_file(path, out, values=[NAME], method="tokenize", vault=vault)
        assert (result.status, result.vault, result.methods) == ("ready", str(vault), {"tokenize": 1})
        assert stat.S_IMODE(vault.stat().st_mode) == 0o600
        back = path.with_suffix(".back")
        restored = anonify.restore_file(out, vault, back)
        assert (restored.status, restored.kind, restored.restored, restored.matches) == ("restored", "txt", 1, True)
        assert back.read_bytes() == path.read_bytes()
    (surrogate,) = re.findall(r"PERSON_\d+_\w+", outs[first].read_text())
    assert outs[second].read_text() == f"{surrogate} called.\n"


def test_forms_of_a_name_share_a_number_and_keep_their_spelling(tmp_path: Path) -> None:
    source = written(tmp_path, "a.txt", f"Dear Ms Quillfeather,\n{NAME} was here.\n{NAME.upper()}\n")
    out, vault = tmp_path / "out.txt", tmp_path / "vault.json"

    anonify.redact_file(source, out, accept="all", categories=["person"], methods={"person": "tokenize"}, vault=vault)

    found = re.findall(r"PERSON_(\d+)(_\w+)", out.read_text())
    assert len({number for number, _ in found}) == 1
    assert len({letters for _, letters in found}) == len(found) == 3
    anonify.restore_file(out, vault, tmp_path / "back.txt")
    assert (tmp_path / "back.txt").read_bytes() == source.read_bytes()


def test_a_vault_holds_only_what_stands_in_its_file(tmp_path: Path) -> None:
    source, vault = written(tmp_path, "a.txt", f"Dear {NAME},\n"), tmp_path / "vault.json"

    values = [NAME, "Somebody Elsewhere"]
    anonify.redact_file(source, tmp_path / "out.txt", values=values, method="tokenize", vault=vault)

    assert [entry["value"] for entry in json.loads(vault.read_text())["entries"]] == [NAME]


def test_an_account_that_is_named_is_masked_as_one_that_is_found(tmp_path: Path) -> None:
    number = "DE89370400440532013000"
    source, vault = written(tmp_path, "a.txt", f"IBAN {number}\n"), tmp_path / "vault.json"

    result = anonify.redact_file(source, tmp_path / "out.txt", values=[number], method="tokenize", vault=vault)

    assert (result.vault, vault.exists()) == (None, False)
    assert (tmp_path / "out.txt").read_text() == "IBAN [REDACTED]\n"


def test_nothing_that_can_be_had_back_is_no_vault(tmp_path: Path) -> None:
    source, vault = written(tmp_path, "a.txt", f"Dear {NAME},\n"), tmp_path / "vault.json"
    for method in ("mask", "pseudonymize"):
        result = anonify.redact_file(source, tmp_path / "out.txt", values=[NAME], method=method, vault=vault)
        assert (result.status, result.vault, vault.exists()) == ("ready", None, False)
        assert NAME not in (tmp_path / "out.txt").read_text()
    result = anonify.redact_file(source, tmp_path / "out.txt", values=["Nobody at all"], method="encrypt", vault=vault)
    assert (result.status, result.vault, vault.exists()) == ("ready", None, False)


def test_an_encrypted_value_comes_back_and_its_vault_shows_none(tmp_path: Path) -> None:
    source = written(tmp_path, "a.csv", f"name,city\n{NAME},Bonn\n")
    out, vault = tmp_path / "out.csv", tmp_path / "vault.json"

    anonify.redact_file(source, out, values=[NAME], method="encrypt", vault=vault)

    assert re.fullmatch(r"name,city\nENC_[A-Z2-7]+,Bonn\n", out.read_text())
    assert NAME not in vault.read_text()
    assert json.loads(vault.read_text())["key"]
    anonify.restore_file(out, vault, tmp_path / "back.csv")
    assert (tmp_path / "back.csv").read_bytes() == source.read_bytes()


def test_mistakes_are_errors_before_anything_is_written(tmp_path: Path) -> None:
    source, out = written(tmp_path, "a.txt", f"Dear {NAME},\n"), tmp_path / "out.txt"
    for options in (
        {"method": "rot13"},
        {"methods": {"face": "tokenize"}},
        {"methods": {"nobody": "mask"}},
        {"methods": {"person": "rot13"}},
        {"method": "tokenize", "vault": source},
        {"method": "tokenize", "vault": out},
        {"method": "tokenize", "vault": tmp_path / "same.json", "report": tmp_path / "same.json"},
    ):
        with pytest.raises(ValueError, match=r"."):
            anonify.redact_file(source, out, values=[NAME], **options)
    vault = written(tmp_path, "vault.json", "{}")
    for place in (source, vault):
        with pytest.raises(ValueError, match="never overwritten"):
            anonify.restore_file(source, vault, place)
    refused = anonify.restore_file(source, vault, out)
    assert (refused.status, refused.error_code, out.exists()) == ("failed", "vault-unreadable", False)
    missing = anonify.restore_file(tmp_path / "none.txt", vault, out)
    assert (missing.status, missing.error_code) == ("failed", "upload-unreadable")
    assert source.read_text() == f"Dear {NAME},\n"
