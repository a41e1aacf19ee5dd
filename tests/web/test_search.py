"""Search in one document over HTTP: what is found, what was decided there, and redacting all of it at once."""

from __future__ import annotations

import time
from typing import Any

import httpx
import pytest

from tests.web.site import VALUE, Site, browser_session, upload, wait_for


def look(client: httpx.Client, document: str, **wanted: Any) -> dict[str, Any]:
    answer = client.post(f"/api/documents/{document}/search", json=wanted)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def listed(client: httpx.Client, document: str, **params: Any) -> list[dict[str, Any]]:
    return list(client.get(f"/api/documents/{document}/redactions", params=params).json()["redactions"])


@pytest.fixture
def letter(client: httpx.Client) -> str:
    document = upload(client)
    wait_for(client, document)
    return document


def test_places_are_told_with_what_was_decided_there(client: httpx.Client, letter: str) -> None:
    found = look(client, letter, query=VALUE.upper())

    assert (found["total"], found["truncated"], found["next"], found["pages"]) == (2, False, None, {"1": 2})
    first, second = found["places"]
    assert first["text"] == second["text"] == VALUE
    assert first["before"].endswith("please write to ")
    assert second["after"].startswith(". 🌍")
    text = client.get(f"/api/documents/{letter}/content", params={"page": 1}).json()["text"]
    assert text[second["start"] : second["end"]] == VALUE
    assert [place["marked"] for place in found["places"]] == ["suggested", "suggested"]
    client.patch(f"/api/documents/{letter}/redactions", json={"ids": [first["id"]], "status": "rejected"})
    client.patch(f"/api/documents/{letter}/redactions", json={"ids": [second["id"]], "status": "accepted"})

    inside = look(client, letter, query="lindqvist")  # inside of what is marked
    assert [(place["marked"], place["id"]) for place in inside["places"]] == [
        ("rejected", first["id"]),
        ("accepted", second["id"]),
    ]
    assert [place["marked"] for place in look(client, letter, query="registry")["places"]] == [None]
    beyond = look(client, letter, query="lindqvist@example.org and", kind="literal")
    assert beyond["places"][0]["marked"] is None  # only a part of it is


def test_a_pattern_is_found_and_read_in_stretches(client: httpx.Client, letter: str) -> None:
    found = look(client, letter, query=r"\d{4}", kind="regex", limit=3)

    assert found["total"] == 9
    assert [place["text"] for place in found["places"]] == ["4111", "1111", "1111"]
    assert (found["truncated"], found["next"]) == (True, 3)
    rest = look(client, letter, query=r"\d{4}", kind="regex", offset=3)
    assert len(rest["places"]) == 6
    assert not rest["truncated"]
    assert look(client, letter, query=r"\d{4}", kind="regex", offset=999)["places"] == []
    assert look(client, letter, query="kind", wholeWord=True)["total"] == 1
    assert look(client, letter, query="KIND", matchCase=True)["total"] == 0


UNUSABLE: tuple[dict[str, Any], ...] = (
    {"query": "(secret", "kind": "regex"},
    {"query": "a*", "kind": "regex"},
    {"query": r"\b", "kind": "regex"},
    {"query": r"(secret)\1", "kind": "regex"},
    {"query": "x"},
    {"query": "  "},
    {"query": "secret\x00"},
    {"query": "secret" * 100},
    {"query": "fine", "kind": "glob"},
    {"query": "fine", "limit": 100_000},
    {"query": "fine", "secret": 1},
    {"query": 4},
    {},
)


@pytest.mark.parametrize("way", ["search", "search/redact"])
def test_what_cannot_be_looked_for_is_refused_without_repeating_it(client: httpx.Client, letter: str, way: str) -> None:
    for wanted in UNUSABLE:
        answer = client.post(f"/api/documents/{letter}/{way}", json=wanted)
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid-request"), wanted
        assert "secret" not in answer.text
    assert listed(client, letter, status="accepted") == []


def test_a_pattern_beyond_its_budget_finds_and_changes_nothing(client: httpx.Client) -> None:
    document = upload(client, b"a b c d e f g h i j\n" * 2_000, "long.txt")
    wait_for(client, document)
    for way in ("search", "search/redact"):
        answer = client.post(f"/api/documents/{document}/{way}", json={"query": "[a-j]", "kind": "regex"})
        assert (answer.status_code, answer.json()["code"]) == (422, "rule-too-broad")
    assert listed(client, document, status="accepted") == []


def test_everything_found_is_redacted_and_what_stands_there_is_kept(client: httpx.Client, letter: str) -> None:
    first, _ = look(client, letter, query=VALUE)["places"]
    client.patch(f"/api/documents/{letter}/redactions", json={"ids": [first["id"]], "status": "rejected"})
    at = f"/api/documents/{letter}/search/redact"
    done = client.post(at, json={"query": "lindqvist", "category": "person", "reason": "b(6)"}).json()
    assert done["changed"] == 2
    assert done["counts"]["accepted"] == 2
    made = listed(client, letter, status="accepted")
    assert [(one["value"], one["category"], one["reason"], one["origin"]) for one in made] == [
        ("lindqvist", "person", "b(6)", "person")
    ] * 2
    assert client.post(at, json={"query": "lindqvist", "category": "person"}).json()["changed"] == 0

    both = client.post(at, json={"query": VALUE, "reason": "b(6)"}).json()
    assert both["changed"] == 2  # the rejected one too: a person asked for all of them
    emails = [one for one in listed(client, letter, status="accepted") if one["value"] == VALUE]
    assert [(one["category"], one["detector"] is None) for one in emails] == [("email", False)] * 2
    exported = client.post(f"/api/documents/{letter}/export")
    assert exported.status_code == 201, exported.text
    assert b"lindqvist" not in client.get(exported.json()["artifact"]["downloadUrl"]).content


def test_unread_foreign_and_deleted_documents_are_not_searched(client: httpx.Client, site: Site, letter: str) -> None:
    reserved = client.post("/api/documents", json={"filename": "later.txt", "size": 4}).json()["id"]
    answer = client.post(f"/api/documents/{reserved}/search", json={"query": "fine"})
    assert (answer.status_code, answer.json()["code"]) == (409, "not-ready")
    with browser_session(site) as stranger:
        stranger.post("/api/documents", json={"filename": "a.txt", "size": 1})
        for way in ("search", "search/redact"):
            assert stranger.post(f"/api/documents/{letter}/{way}", json={"query": VALUE}).status_code == 404
    client.delete(f"/api/documents/{letter}")
    assert client.post(f"/api/documents/{letter}/search", json={"query": VALUE}).status_code == 404


def test_a_large_table_is_searched_in_time_with_its_cells(client: httpx.Client) -> None:
    rows = [f"{number},Person {number},note {number % 50}" for number in range(100_000)]
    rows[77_777] = "77777,Petronella Vandersteen,found"
    document = upload(client, ("id,name,note\n" + "\n".join(rows) + "\n").encode(), "people.csv")
    wait_for(client, document, seconds=180)
    start = time.monotonic()
    found = look(client, document, query="vandersteen")
    took = time.monotonic() - start

    (place,) = found["places"]
    assert (place["sheet"], place["row"], place["column"], place["text"]) == (0, 77_779, 2, "Vandersteen")
    assert found["pages"] == {str(place["page"]): 1}
    assert took < 8
    many = look(client, document, query="note 7", wholeWord=True)
    assert (many["total"], len(many["places"]), many["next"]) == (2_000, 200, 200)
    client.post(f"/api/documents/{document}/redactions", json={"sheet": 0, "column": 2})
    (again,) = look(client, document, query="vandersteen")["places"]
    assert again["marked"] == "accepted"  # by its whole column
    done = client.post(f"/api/documents/{document}/search/redact", json={"query": "note 7", "wholeWord": True})
    assert done.json()["changed"] == 2_000
    assert look(client, document, query="note 7", wholeWord=True)["places"][0]["marked"] == "accepted"


def test_a_batch_is_searched_with_a_pattern(client: httpx.Client) -> None:
    texts = {"one.txt": b"Case AB-1234 is closed.\n", "two.txt": b"Nothing here.\n"}
    wanted = [{"filename": name, "size": len(data)} for name, data in texts.items()]
    batch = client.post("/api/batches", json={"files": wanted}).json()
    for verdict in batch["files"]:
        client.put(verdict["pathname"], content=texts[verdict["filename"]])
    client.post(f"/api/batches/{batch['id']}/process")
    for verdict in batch["files"]:
        wait_for(client, verdict["id"])
    at = f"/api/batches/{batch['id']}/search"
    found = client.post(at, json={"query": r"[A-Z]{2}-\d+", "kind": "regex", "matchCase": True}).json()

    assert (found["total"], found["searched"], found["next"]) == (1, 2, None)
    assert found["documents"][0]["places"][0]["text"] == "AB-1234"
    for wrong in ({"query": "(", "kind": "regex"}, {"query": "x"}):
        assert client.post(at, json=wrong).json()["code"] == "invalid-request"
