"""Sealed uploads over HTTP: the key is told once, to whoever reserved; sizes and allowances are those of the file."""

from __future__ import annotations

import base64
from typing import Any

import httpx
import pytest

from tests.envelope import envelope
from tests.web.site import LETTER, Site, browser_session, upload, wait_for

ASKED = {"uploadEncryption": "anfy1"}


def _reserve(client: httpx.Client, size: int = len(LETTER)) -> dict[str, Any]:
    answer = client.post("/api/documents", json={"filename": "letter.txt", "size": size} | ASKED)
    assert answer.status_code == 201, answer.text
    reserved: dict[str, Any] = answer.json()
    return reserved


def _key(reserved: dict[str, Any]) -> bytes:
    return base64.urlsafe_b64decode(reserved["uploadKey"] + "=")


def _sealed(reserved: dict[str, Any], plain: bytes = LETTER) -> bytes:
    return envelope(plain, _key(reserved), reserved["uploadName"])


def _used(client: httpx.Client) -> int:
    return sum(unit["used"] for unit in client.get("/api/limits").json()["quota"].values())


def test_a_sealed_file_is_read_like_any_other_and_costs_the_same(client: httpx.Client) -> None:
    wait_for(client, upload(client))
    before = _used(client)
    assert before > 0
    wait_for(client, upload(client))
    plain = _used(client) - before

    reserved = _reserve(client)
    sent = client.put(reserved["pathname"], content=_sealed(reserved))
    assert (sent.status_code, sent.json()["size"]) == (200, len(LETTER))
    assert client.post(f"/api/documents/{reserved['id']}/process").status_code == 202
    done = wait_for(client, reserved["id"])

    assert client.get(f"/api/documents/{reserved['id']}/source").content == LETTER
    assert (done["size"], done["uploadEncryption"]) == (len(LETTER), "anfy1")
    assert _used(client) == before + 2 * plain


def test_the_key_is_told_once_and_to_nobody_else(site: Site, client: httpx.Client) -> None:
    reserved = _reserve(client)
    assert len(_key(reserved)) == 32
    assert _key(_reserve(client)) != _key(reserved)
    for path in ("/api/documents", f"/api/documents/{reserved['id']}", "/api/limits"):
        assert reserved["uploadKey"] not in client.get(path).text
    with browser_session(site) as stranger:
        _reserve(stranger)
        refused = stranger.put(reserved["pathname"], content=_sealed(reserved))
        assert (refused.status_code, refused.json()["code"]) == (404, "not-found")
        assert stranger.get(f"/api/documents/{reserved['id']}").status_code == 404
    with browser_session(site) as nobody:
        assert nobody.put(reserved["pathname"], content=_sealed(reserved)).status_code == 401
    plain = client.post("/api/documents", json={"filename": "letter.txt", "size": 1}).json()
    assert (plain["uploadKey"], plain["uploadName"]) == (None, None)


def test_the_length_is_that_of_the_envelope_and_a_plain_file_is_refused(site: Site, client: httpx.Client) -> None:
    reserved = _reserve(client)
    path = reserved["pathname"]
    body = _sealed(reserved)
    for wrong in (LETTER, body[:-1], body + b"x"):
        refused = client.put(path, content=wrong)
        assert (refused.status_code, refused.json()["code"]) == (400, "length-mismatch")
        assert refused.json()["expected"] == len(body)
    refused = client.put(path, content=LETTER + b"x" * (len(body) - len(LETTER)))
    assert (refused.status_code, refused.json()["code"]) == (400, "upload-unreadable")
    folder = site.data / "objects" / "documents" / reserved["id"]
    assert not [one for one in folder.rglob("*") if one.is_file()]

    assert client.put(path, content=body).status_code == 200
    assert client.put(path, content=body).json()["code"] == "already-uploaded"


def test_one_sealed_under_another_key_fails_with_a_code_and_leaves_nothing(site: Site, client: httpx.Client) -> None:
    reserved = _reserve(client)
    wrong = envelope(LETTER, b"k" * 32, reserved["uploadName"])
    assert client.put(reserved["pathname"], content=wrong).status_code == 200
    client.post(f"/api/documents/{reserved['id']}/process")
    failed = wait_for(client, reserved["id"], "failed")

    assert (failed["errorCode"], failed["retryable"]) == ("upload-unreadable", False)
    assert "send it again" in failed["error"]
    folder = site.data / "objects" / "documents" / reserved["id"]
    assert not [one for one in folder.rglob("*") if one.is_file()]


@pytest.mark.parametrize("asked", ["anfy2", "", "none", 1, True])
def test_an_encryption_nobody_knows_is_refused(client: httpx.Client, asked: object) -> None:
    file = {"filename": "a.txt", "size": 1}
    alone = client.post("/api/documents", json=file | {"uploadEncryption": asked})
    together = client.post("/api/batches", json={"files": [file], "uploadEncryption": asked})

    assert (alone.status_code, together.status_code) == (400, 400)


def test_what_is_too_large_or_empty_is_judged_by_the_file(client: httpx.Client) -> None:
    most = client.get("/api/limits").json()["maxUploadBytes"]
    files = [{"filename": f"{size}.txt", "size": size} for size in (0, len(LETTER), most, most + 1)]
    verdicts = client.post("/api/batches", json={"files": files} | ASKED).json()["files"]

    assert [verdict["accepted"] for verdict in verdicts] == [False, True, True, False]
    assert [verdict["uploadKey"] is None for verdict in verdicts] == [True, False, False, True]
    over = client.post("/api/documents", json={"filename": "a.txt", "size": most + 1} | ASKED)
    assert (over.status_code, over.json()["code"]) == (413, "too-large")
    sent = client.put(verdicts[1]["pathname"], content=_sealed(verdicts[1]))
    assert sent.status_code == 200
    assert verdicts[1]["uploadKey"] != verdicts[2]["uploadKey"]
