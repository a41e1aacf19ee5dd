"""Vaults as they are made, and as a stranger may hand them in."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from typing import Any

import pytest

from anonify.errors import Code, FatalError
from anonify.export import (
    Decision,
    Scope,
    Vault,
    make_surrogates,
    make_vault,
    originals,
    read_vault,
    vault_bytes,
    vault_schema,
)
from anonify.export.ciphertext import encrypt
from anonify.sandbox import Pool

from .restoring import NAMES, restored, texts, trip
from .test_restore_office import a_docx

SCOPE = Scope(b"s" * 32, b"k" * 32)
KEY = base64.b64encode(SCOPE.key).decode()


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    with Pool(2) as made:
        yield made


def a_vault() -> Vault:
    decisions = [
        Decision("1", "person", "tokenize", "Ada Example"),
        Decision("2", "address", "encrypt", "Example Street 1"),
        Decision("3", "phone", "pseudonymize", "0228 12345678"),
        Decision("4", "person", "mask", "Carl Masked"),
    ]
    vault = make_vault([(make_surrogates(decisions, {}, SCOPE), SCOPE)], "0" * 64)
    assert vault is not None
    return vault


def entry(surrogate: str, value: str | None, method: str = "tokenize", **more: Any) -> dict[str, Any]:
    return {"surrogate": surrogate, "method": method, "category": "person", "value": value, **more}


def a_file(*entries: Any, key: str | None = None, **more: Any) -> bytes:
    told = {"format": "anonify-vault", "formatVersion": 1, "artifact": {"sha256": "0" * 64}, "key": key}
    return json.dumps({**told, "entries": entries, **more}).encode()


def test_a_vault_holds_what_can_be_had_back_and_nothing_else() -> None:
    vault = a_vault()
    data = vault_bytes(vault)
    assert set(json.loads(data)) == set(vault_schema()["$defs"]["Vault"]["properties"])
    assert read_vault(data) == vault
    assert set(originals(vault).values()) == {"Ada Example", "Example Street 1"}
    for absent in ("Example Street", "0228", "Masked"):  # encrypted, a pseudonym, masked
        assert absent not in data.decode()
    assert make_vault([(make_surrogates([], {}, SCOPE), SCOPE)], "0" * 64) is None


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff\xfe",
        b"[]",
        b"{}",
        b"[" * 100_000,
        b'{"entries":' * 50_000,
        b"%PDF-1.7",
        a_file(entry("PERSON_417", "x"), format="other"),
        a_file(entry("PERSON_417", "x"), formatVersion=2),
        a_file(entry("PERSON_417", "x"), more=1),
        a_file(entry("PERSON_417", "")),
        a_file(entry("PERSON_417", None)),
        a_file(entry("  ", "x")),
        a_file(entry("PERSON_417", "x", "mask")),
        a_file(entry("PERSON_417", 7)),  # type: ignore[arg-type]  # what a stranger may write
        a_file(entry("PERSON_417", "x"), entry("PERSON_417", "y")),
        a_file(entry("PERSON_417", "x" * ((1 << 20) + 1))),
        a_file(entry(encrypt(SCOPE.key, "x"), None, "encrypt")),
        a_file(entry(encrypt(SCOPE.key, "x"), None, "encrypt"), key=base64.b64encode(bytes(32)).decode()),
        a_file(entry(encrypt(SCOPE.key, "x"), None, "encrypt"), key=base64.b64encode(bytes(31)).decode()),
        a_file(entry(encrypt(SCOPE.key, "\ud800"), None, "encrypt"), key=KEY),
        a_file(entry("PERSON_417", "\ud800")),
        a_file(entry("ENC_AAAA", None, "encrypt"), key=KEY),
        a_file(entry("x", None, "encrypt"), key=KEY),
        a_file(key="no base64!"),
    ],
)
def test_what_is_no_vault_is_refused(data: bytes) -> None:
    with pytest.raises(FatalError) as caught:
        read_vault(data)
    assert caught.value.code is Code.VAULT_UNREADABLE


def test_a_vault_beyond_its_size_is_refused() -> None:
    with pytest.raises(FatalError) as caught:
        read_vault(b" " * ((64 << 20) + 1))
    assert caught.value.code is Code.TOO_LARGE


def test_a_surrogate_that_is_no_surrogate_is_refused() -> None:
    for surrogate in ("e", "Dear", "the rest", "<w:t>", "w:document", "PERSON"):
        with pytest.raises(FatalError) as caught:
            read_vault(a_file(entry(surrogate, "x" * 99)))
        assert caught.value.code is Code.VAULT_UNREADABLE


HOSTILE = (
    "=cmd()",
    "<b>&amp;</b>",
    "]]><x/>",
    "a\0b\x01\x1b[31m",
    "x\r\nBcc: eve@example.org\r\n\r\n<script>",
    "\ufeff\u202e\ufffe",
    "PERSON_418",
    "PERSON_417",
    '"; "',
    "{\\object\\objdata 00}",
)
PLACES = {
    "a.txt": b"Dear PERSON_417.\nBerta stays.\n",
    "a.csv": b"name,x\nPERSON_417,1\nBerta,2\n",
    "a.rtf": b"{\\rtf1 Dear PERSON_417\\par Berta stays.\\par}",
    "a.eml": b"From: PERSON_417 <a@example.org>\r\nSubject: PERSON_417\r\nX-Kept: 1\r\n\r\n"
    b"Dear PERSON_417\r\nBerta stays.\r\n",
}


@pytest.mark.parametrize("value", HOSTILE, ids=range(len(HOSTILE)))
@pytest.mark.parametrize("name", PLACES)
def test_a_hostile_value_stays_a_value(name: str, value: str, pool: Pool) -> None:
    data = PLACES[name]
    vault = read_vault(a_file(entry("PERSON_417", value), entry("PERSON_418", "chained")))
    back, count, unresolved, matches = restored(pool, data, name, vault)
    assert (count + unresolved, matches) == (2, False)
    assert b"Berta" in back
    assert b"chained" not in back
    if name == "a.eml":
        heads = back.split(b"\r\n\r\n")[0]
        assert not any(line.lower().startswith(b"bcc") for line in heads.splitlines())
        assert heads.count(b"X-Kept") == 1
    if name == "a.csv":
        assert len(texts(pool, "csv", back)[0].splitlines()) == 3
    if name == "a.rtf":
        assert b"\\objdata 0" not in back.replace(b"\\\\objdata", b"")


@pytest.mark.parametrize("value", HOSTILE, ids=range(len(HOSTILE)))
def test_a_hostile_value_stays_a_value_in_office_files(value: str, pool: Pool) -> None:
    made = trip(pool, "a.docx", a_docx(), NAMES, "tokenize")
    lines = [line for line in texts(pool, "docx", made.artifact) if "Berta" in line]
    entries = [entry(one.surrogate, value) for one in made.vault.entries]
    back, _, _, _ = restored(pool, made.artifact, "a.docx", read_vault(a_file(*entries)))
    after = texts(pool, "docx", back)
    assert len(lines) == len([line for line in after if "Berta" in line])


def test_many_entries_of_which_few_are_in_the_file(pool: Pool) -> None:
    entries = [entry(f"PERSON_{number:06d}", f"Somebody {number}") for number in range(20_000)]
    data = b"Dear PERSON_000417 and PERSON_019999.\n"
    back, count, unresolved, _ = restored(pool, data, "a.txt", read_vault(a_file(*entries)))
    assert back == b"Dear Somebody 417 and Somebody 19999.\n"
    assert (count, unresolved) == (2, 19_998)


def test_a_short_word_for_a_huge_value_does_not_fill_the_disk(pool: Pool) -> None:
    data = b"PERSON_417 " * 2_000
    with pytest.raises(FatalError) as caught:
        restored(pool, data, "a.txt", read_vault(a_file(entry("PERSON_417", "x" * (1 << 20)))))
    assert caught.value.code is Code.TOO_COMPLEX


def test_a_file_that_is_not_the_vaults_and_one_that_was_restored_before(pool: Pool) -> None:
    made = trip(pool, "a.txt", b"Dear Ada Example.\n", NAMES[:1], "tokenize")
    assert restored(pool, made.back, "a.txt", made.vault) == (made.back, 0, 1, False)
    other = b"Nothing of it.\n"
    assert restored(pool, other, "b.txt", made.vault) == (other, 0, 1, False)
    edited = made.artifact.replace(b"Dear", b"To")
    assert restored(pool, edited, "a.txt", made.vault) == (b"To Ada Example.\n", 1, 0, False)


def test_texts_that_read_like_surrogates_stay(pool: Pool) -> None:
    data = b"PERSON_474 and PERSON_474b are rooms; Ada Example sits in ENC_7. ADA EXAMPLE too.\n"
    made = trip(pool, "a.txt", data, NAMES[:2], "encrypt")
    assert made.back == data
    values = ["Ada", "Ada Example", "Ada Example-Smith", "PERSON", "4170"]
    data = b"Ada Example-Smith, Ada Example, Anna; PERSON 4170 in room PERSON_9\n"
    made = trip(pool, "a.txt", data, values[1:], "tokenize", "other")
    assert made.back == data


@pytest.mark.parametrize("name", ["a.txt", "a.csv"])
def test_a_value_the_file_has_no_letters_for_stays_a_surrogate(name: str, pool: Pool) -> None:
    text = "name,note\nPERSON_417,J\u00f6rg gr\u00fc\u00dft \u00dcberl\u00e4ufer\nPERSON_418,M\u00fcller stays\n"
    vault = read_vault(
        a_file(entry("PERSON_417", "\u0416\u0438\u0432\u0430\u0433\u043e"), entry("PERSON_418", "Berta"))
    )
    back, count, unresolved, _ = restored(pool, text.encode("cp1252"), name, vault)
    assert back == text.replace("PERSON_418", "Berta").encode("cp1252")
    assert (count, unresolved) == (1, 1)
