"""Methods over HTTP: surrogates in the file, the vault in the answer, and who may have which."""

from __future__ import annotations

import io
import json
import re
import zipfile
from typing import Any

import httpx
import pikepdf
import pytest

from tests.web.site import LETTER, VALUE, Site, browser_session, upload, wait_for
from tests.web.test_batches import archive, exported, send, settled, texts

NAME = "Petronella Vandersteen"
NOTE = f"Dear registry,\n\n{NAME} wrote from {VALUE}.\nYours,\nP. Vandersteen\n".encode()


def _document(client: httpx.Client, content: bytes = NOTE, **values: str) -> str:
    """A document with these values accepted, by category."""
    document = upload(client, content)
    wait_for(client, document)
    for category, value in values.items():
        rule = {"kind": "literal", "pattern": value, "category": category, "action": "redact"}
        answer = client.post(f"/api/documents/{document}/rules", json=rule)
        assert answer.status_code == 202, answer.text
    return document


def _export(client: httpx.Client, document: str, **options: Any) -> tuple[dict[str, Any], str]:
    answer = client.post(f"/api/documents/{document}/export", json=options)
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.json()
    return made, client.get(made["artifact"]["downloadUrl"]).text


def test_a_token_stands_in_the_file_and_its_value_in_the_vault_alone(client: httpx.Client) -> None:
    document = _document(client, person=NAME)
    made, text = _export(client, document, methods={"person": "tokenize"})
    assert NAME not in text
    token = re.search(r"PERSON_\d{3}b?", text)
    assert token is not None
    vault = made["vault"]
    assert vault["artifact"]["sha256"] == made["artifact"]["sha256"]
    assert {entry["surrogate"]: entry["value"] for entry in vault["entries"]}[token[0]] == NAME
    assert made["artifact"]["vaultUrl"] is None
    again, same = _export(client, document, methods={"person": "tokenize"})
    assert (again["vault"], same) == (vault, text)


def test_an_encrypted_value_is_nowhere_not_even_in_the_vault(client: httpx.Client) -> None:
    document = _document(client, person=NAME)
    made, text = _export(client, document, methods={"person": "encrypt"})
    assert re.search(r"\bENC_[A-Z2-7]{40,}", text)
    assert made["vault"]["key"]
    assert NAME not in str(made)


def test_a_pseudonym_has_no_vault(client: httpx.Client) -> None:
    document = _document(client, person=NAME)
    made, text = _export(client, document, methods={"person": "pseudonymize"})
    assert re.search(r"PERSON_\d{3}", text)
    assert made["vault"] is None


def test_what_a_category_may_not_be_given_is_refused(client: httpx.Client) -> None:
    document = _document(client, person=NAME)
    for methods in ({"bank-account": "encrypt"}, {"address": "tokenize"}, {"person": "shred"}):
        answer = client.post(f"/api/documents/{document}/export", json={"methods": methods})
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid-request")


def test_a_value_s_own_method_stands_and_what_may_not_be_is_masked(client: httpx.Client) -> None:
    document = upload(client, LETTER)
    wait_for(client, document)
    where = {"category": "email", "whenStatus": "suggested"}
    for category, method in (("email", "pseudonymize"), ("financial", "tokenize")):
        decide = {"where": where | {"category": category}, "status": "accepted", "method": method}
        assert client.post(f"/api/documents/{document}/decide", json=decide).status_code == 200
    made, text = _export(client, document, methods={"email": "tokenize"})
    assert re.search(r"EMAIL_\d{3}\b", text)
    assert "[REDACTED]" in text
    assert made["vault"] is None
    report = client.get(made["artifact"]["reportUrl"]).json()
    assert report["applied"]["byMethod"] == {"mask": 1, "pseudonymize": 2}
    assert report["resolved"] == [{"asked": "tokenize", "became": "mask", "count": 1}]


def test_a_batch_shares_its_surrogates_and_keeps_its_vaults_beside(client: httpx.Client) -> None:
    files = texts(2) | {"mail.eml": b"From: a@example.org\nSubject: note\n\nPetronella Vandersteen called.\n"}
    batch = send(client, files)
    settled(client, batch)
    rule = {"kind": "literal", "pattern": NAME, "category": "person", "action": "redact"}
    assert client.post(f"/api/batches/{batch}/rules", json=rule).status_code == 202
    settled(client, batch)
    found = exported(client, batch, methods={"person": "tokenize"})
    assert (found["status"], found["vaults"]) == ("done", 3)
    files_of = archive(client, found["downloadUrl"], "original")
    tokens = {
        token
        for name in files_of.namelist()
        for token in re.findall(r"PERSON_\d{10}_\w{3}", files_of.read(name).decode())
    }
    assert len(tokens) == 1
    for item in found["items"]:
        vault = client.get(item["vaultUrl"])
        assert vault.headers["content-disposition"].endswith(".vault.json")
        assert {entry["surrogate"] for entry in vault.json()["entries"]} == tokens
    vaults = zipfile.ZipFile(io.BytesIO(client.get(f"{found['downloadUrl']}&output=vaults").content))
    assert sum(name.endswith(".vault.json") for name in vaults.namelist()) == 3
    assert not any("vault" in name for name in files_of.namelist())


def test_a_short_form_in_one_document_of_a_batch_is_the_person_of_another(client: httpx.Client) -> None:
    files = {"a.txt": f"{NAME} called.\n".encode(), "b.txt": b"Ms Vandersteen wrote.\n"}
    batch = send(client, files)
    settled(client, batch)
    for pattern in (NAME, "Vandersteen"):
        rule = {"kind": "literal", "pattern": pattern, "category": "person", "action": "redact"}
        assert client.post(f"/api/batches/{batch}/rules", json=rule).status_code == 202
    settled(client, batch)
    found = exported(client, batch, methods={"person": "pseudonymize"})
    files_of = archive(client, found["downloadUrl"], "original")
    said = [re.findall(r"PERSON_\d{10}", files_of.read(f"{name}-redacted-pseudonyms.txt").decode()) for name in "ab"]
    assert said[0] == said[1]
    assert len(said[0]) == 1


@pytest.mark.parametrize("methods", [{}, {"person": "pseudonymize"}])
def test_a_batch_without_tokens_has_no_vaults(client: httpx.Client, methods: dict[str, str]) -> None:
    batch = send(client, texts(1))
    settled(client, batch)
    rule = {"kind": "literal", "pattern": NAME, "category": "person", "action": "redact"}
    assert client.post(f"/api/batches/{batch}/rules", json=rule).status_code == 202
    settled(client, batch)
    found = exported(client, batch, methods=methods)
    assert (found["vaults"], found["items"][0]["vaultUrl"]) == (0, None)


def _restore(client: httpx.Client, file: bytes, vault: Any, name: str = "note-redacted.txt") -> httpx.Response:
    told = vault if isinstance(vault, bytes) else json.dumps(vault).encode()
    return client.post("/api/restore", files={"file": (name, file), "vault": ("v.json", told)})


def test_the_vault_turns_the_file_back_for_whoever_has_both(client: httpx.Client, site: Site) -> None:
    document = _document(client, person=NAME)
    made, text = _export(client, document, methods={"person": "tokenize"})
    with browser_session(site) as anybody:
        answer = _restore(anybody, text.encode(), made["vault"])
    assert answer.content == NOTE
    assert answer.headers["content-disposition"].startswith('attachment; filename="note-restored.txt"')
    told = [answer.headers[f"x-{name}"] for name in ("restored-values", "unresolved-values", "vault-matches")]
    assert told == ["1", "0", "true"]
    edited = _restore(client, text.replace("Yours", "Ours").encode() + b"PERSON_1", made["vault"])
    assert (edited.headers["x-vault-matches"], NAME in edited.text) == ("false", True)


def test_what_cannot_be_restored_says_why(client: httpx.Client) -> None:
    vault = {"format": "anonify-vault", "formatVersion": 1, "artifact": {"sha256": "0" * 64}, "key": None}
    good = vault | {
        "entries": [{"surrogate": "PERSON_417", "method": "tokenize", "category": "person", "value": "x y"}]
    }
    for file, told, status, code in (
        (b"PERSON_417", b"no json", 422, "vault-unreadable"),
        (b"PERSON_417", {"format": "another"}, 422, "vault-unreadable"),
        (_pdf(), good, 422, "not-restorable"),
        (b"", good, 400, "empty-file"),
    ):
        answer = _restore(client, file, told, "note.pdf" if file.startswith(b"%PDF") else "note.txt")
        assert (answer.status_code, answer.json()["code"]) == (status, code)
    missing = client.post("/api/restore", files={"file": ("a.txt", b"x")})
    assert (missing.status_code, missing.json()["code"]) == (400, "invalid-request")
    none = _restore(client, b"nothing of it", good)
    assert (none.content, none.headers["x-restored-values"], none.headers["x-unresolved-values"]) == (
        b"nothing of it",
        "0",
        "1",
    )


def _pdf() -> bytes:
    pdf = pikepdf.Pdf.new()
    pdf.add_blank_page()
    made = io.BytesIO()
    pdf.save(made)
    return made.getvalue()
