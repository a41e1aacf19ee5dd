"""Deciding in bulk and taking back over HTTP, on a site with a worker."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from tests.web.site import VALUE, Site, browser_session, upload, wait_for


@pytest.fixture
def ready(client: httpx.Client) -> str:
    document = upload(client)
    wait_for(client, document)
    return document


def _list(client: httpx.Client, document: str) -> list[dict[str, Any]]:
    return list(client.get(f"/api/documents/{document}/redactions").json()["redactions"])


def _decide(client: httpx.Client, document: str, where: dict[str, Any], **more: Any) -> dict[str, Any]:
    answer = client.post(f"/api/documents/{document}/decide", json={"where": where, **more})
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def _undo(client: httpx.Client, document: str, act: str) -> httpx.Response:
    return client.post(f"/api/documents/{document}/acts/{act}/undo")


def test_one_value_is_decided_everywhere_and_taken_back_and_done_again(client: httpx.Client, ready: str) -> None:
    before = _list(client, ready)
    key = next(item["groupKey"] for item in before if item["value"] == VALUE)

    done = _decide(client, ready, {"keys": [key]}, status="accepted", reason="b(6)")
    assert (done["changed"], done["act"]["kind"], done["act"]["changed"]) == (2, "accept", 2)
    assert done["counts"]["accepted"] == 2
    assert {item["reason"] for item in _list(client, ready) if item["value"] == VALUE} == {"b(6)"}
    after = _list(client, ready)

    back = _undo(client, ready, done["act"]["id"]).json()
    assert (back["changed"], back["refused"], back["act"]["kind"]) == (2, 0, "undo")
    assert "accepted" not in back["counts"]
    assert _list(client, ready) == before
    twice = _undo(client, ready, done["act"]["id"])
    assert (twice.status_code, twice.json()["code"]) == (409, "act-undone")
    again = _undo(client, ready, back["act"]["id"]).json()
    assert (again["changed"], again["act"]["kind"]) == (2, "redo")
    assert _list(client, ready) == after
    kinds = [act["kind"] for act in client.get(f"/api/documents/{ready}/acts").json()["acts"]]
    assert kinds == ["redo", "undo", "accept"]


def test_a_bulk_decision_tells_its_number_first_and_leaves_decided_ones_alone(client: httpx.Client, ready: str) -> None:
    rows = _list(client, ready)
    chosen = next(item["id"] for item in rows if item["value"] != VALUE)
    client.patch(f"/api/documents/{ready}/redactions", json={"ids": [chosen], "status": "rejected"})

    asked = _decide(client, ready, {}, status="accepted", dryRun=True)
    assert (asked["changed"], asked["act"]) == (len(rows) - 1, None)
    assert asked["counts"] == {"suggested": len(rows) - 1, "rejected": 1}
    done = _decide(client, ready, {}, status="accepted")
    assert done["counts"] == {"accepted": len(rows) - 1, "rejected": 1}
    assert _decide(client, ready, {}, status="accepted")["act"] is None
    one = _decide(client, ready, {"q": VALUE.upper(), "whenStatus": "accepted"}, category="other")
    assert (one["changed"], one["act"]["kind"]) == (2, "change")
    cleared = _decide(client, ready, {"category": "other"}, reason=None)
    assert cleared["changed"] == 0


def test_what_moved_on_is_refused_and_counted(client: httpx.Client, ready: str) -> None:
    rows = _list(client, ready)
    done = _decide(client, ready, {}, status="accepted")
    client.patch(f"/api/documents/{ready}/redactions", json={"ids": [rows[0]["id"]], "method": "tokenize"})
    client.request("DELETE", f"/api/documents/{ready}/redactions", json={"ids": [rows[1]["id"]]})

    back = _undo(client, ready, done["act"]["id"]).json()
    assert (back["changed"], back["refused"]) == (len(rows) - 2, 2)
    kept = next(item for item in _list(client, ready) if item["id"] == rows[0]["id"])
    assert (kept["status"], kept["method"]) == ("accepted", "tokenize")


def test_marks_and_removals_are_acts_too(client: httpx.Client, ready: str) -> None:
    before = _list(client, ready)
    url = f"/api/documents/{ready}/redactions"
    text = client.get(f"/api/documents/{ready}/content", params={"page": 1}).json()["text"]
    start = text.index("mail")

    made = client.post(url, json={"page": 1, "start": start, "end": start + 4, "everywhere": True}).json()
    marked = _list(client, ready)
    assert made["act"]["changed"] == len(made["redactions"]) == len(marked) - len(before)
    removed = client.request("DELETE", url, json={"ids": [item["id"] for item in marked]}).json()
    assert (removed["removed"], removed["act"]["changed"]) == (len(marked), len(marked))
    assert _undo(client, ready, removed["act"]["id"]).json()["refused"] == 0
    assert _list(client, ready) == marked
    assert _undo(client, ready, made["act"]["id"]).json()["refused"] == 0
    assert _list(client, ready) == before


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"where": {}},
        {"where": {"keys": ["x"]}, "status": "accepted"},
        {"where": {"keys": ["0" * 32] * 501}, "status": "accepted"},
        {"where": {"q": "x" * 10_000}, "status": "accepted"},
        {"where": {"personKey": "'"}, "status": "accepted"},
        {"where": {"page": 2**40}, "status": "accepted"},
        {"where": {"everything": True}, "status": "accepted"},
        {"where": {}, "category": "no-such-category"},
        {"where": {}, "status": "accepted", "dryRun": "yes"},
    ],
)
def test_a_decision_that_says_nothing_sound_is_refused(client: httpx.Client, ready: str, body: dict[str, Any]) -> None:
    before = _list(client, ready)

    assert client.post(f"/api/documents/{ready}/decide", json=body).status_code == 400
    assert _list(client, ready) == before


def test_a_hostile_search_decides_on_nothing(client: httpx.Client, ready: str) -> None:
    for text in ("%", "_", "\0", "' OR 1=1 --", "\\", "\ud83c"):
        body = json.dumps({"where": {"q": text}, "status": "accepted"})  # with escapes: half a character is JSON too
        answer = client.post(f"/api/documents/{ready}/decide", content=body)
        assert answer.status_code == 400 or answer.json()["changed"] == 0, repr(text)


def test_an_act_of_another_document_or_owner_does_not_exist(site: Site, client: httpx.Client, ready: str) -> None:
    act = _decide(client, ready, {}, status="accepted")["act"]["id"]
    mine = upload(client)
    wait_for(client, mine)
    assert _undo(client, mine, act).status_code == 404
    for made_up in ("0" * 32, "x", "%00", "0" * 33):
        assert _undo(client, ready, made_up).status_code == 404
    with browser_session(site) as stranger:
        other = upload(stranger)
        wait_for(stranger, other)
        assert _undo(stranger, ready, act).status_code == 404
        assert _undo(stranger, other, act).status_code == 404
    assert _undo(client, ready, act).status_code == 200
