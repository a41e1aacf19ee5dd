"""A rule tried out before it is made: counted and shown, and nothing is changed."""

from __future__ import annotations

import threading
from typing import Any

import httpx
import pytest

from tests.web.site import Site, browser_session, upload, wait_for
from tests.web.test_batches import VALUE, send, settled, texts


def tried(client: httpx.Client, at: str, **wanted: Any) -> dict[str, Any]:
    answer = client.post(f"/api/{at}/preview", json=wanted)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def rules_of(client: httpx.Client, *places: str) -> list[Any]:
    return [rule for at in places for rule in client.get(f"/api/{at}").json()["rules"]]


def test_a_rule_is_tried_in_a_document_a_batch_and_everything(client: httpx.Client) -> None:
    batch = send(client, texts(3) | {"other.txt": b"Nothing of the kind.\n"})
    ids = [row["id"] for row in settled(client, batch)["documents"]]
    alone = upload(client, f"{VALUE} and again {VALUE}.\n".encode(), "alone.txt")
    wait_for(client, alone)
    before = [client.get(f"/api/documents/{one}").json()["counts"] for one in (*ids, alone)]
    places = (f"documents/{alone}/rules", f"batches/{batch}/rules", "rules")
    here, together, everywhere = (tried(client, at, pattern=VALUE.lower()) for at in places)

    assert (here["count"], here["documents"], here["searched"], here["documentsInAll"]) == (2, 1, 1, 1)
    assert (together["count"], together["documents"], together["documentsInAll"]) == (3, 3, 4)
    assert (everywhere["count"], everywhere["documents"], everywhere["searched"]) == (5, 4, 5)
    first = here["first"][1]
    assert (first["documentId"], first["filename"], first["page"], first["text"]) == (alone, "alone.txt", 1, VALUE)
    assert first["before"] == f"{VALUE} and again "
    assert [one["filename"] for one in together["first"]] == ["letter0.txt", "letter1.txt", "letter2.txt"]
    assert rules_of(client, *places) == []
    assert [client.get(f"/api/documents/{one}").json()["counts"] for one in (*ids, alone)] == before


def test_only_the_first_places_are_shown_and_too_much_is_refused(client: httpx.Client) -> None:
    batch = send(client, {"long.txt": b"a b c d e f g h i j\n" * 2_000, "short.txt": b"a b\n" * 30})
    settled(client, batch)
    found = tried(client, f"batches/{batch}/rules", kind="regex", pattern="[a-j]")

    assert (found["refused"], found["count"], found["documents"], found["searched"]) == (1, 60, 1, 2)
    assert len(found["first"]) == 20
    assert {one["filename"] for one in found["first"]} == {"short.txt"}
    for wrong in ({"kind": "regex", "pattern": "("}, {"kind": "regex", "pattern": "a*"}, {"pattern": "x"}, {}):
        answer = client.post(f"/api/batches/{batch}/rules/preview", json=wrong)
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid-request")


def test_what_would_be_kept_are_undecided_suggestions_inside_of_a_match(client: httpx.Client) -> None:
    text = b"Write to ana.lopez@example.org, not to ben.ono@example.org, or to ana.lopez@example.org.\n"
    document = upload(client, text, "mail.txt")
    wait_for(client, document)
    at = f"documents/{document}/rules"
    found = tried(client, at, pattern="to ana.lopez@example.org", action="keep")
    assert [one["text"] for one in found["first"]] == ["ana.lopez@example.org"] * 2
    assert found["count"] == 2
    assert tried(client, at, pattern="ana.lopez", action="keep")["count"] == 0  # only a part of it
    assert tried(client, at, pattern="ana.lopez", action="redact")["count"] == 2
    rows = client.get(f"/api/documents/{document}/redactions").json()["redactions"]
    client.patch(f"/api/documents/{document}/redactions", json={"ids": [rows[0]["id"]], "status": "accepted"})
    assert tried(client, at, pattern="ana.lopez@example.org", action="keep")["count"] == 1


def test_other_peoples_documents_are_not_looked_at(client: httpx.Client, site: Site) -> None:
    document = upload(client, f"{VALUE}.\n".encode(), "mine.txt")
    wait_for(client, document)
    with browser_session(site) as stranger:
        stranger.post("/api/documents", json={"filename": "a.txt", "size": 1})
        assert tried(stranger, "rules", pattern=VALUE)["documentsInAll"] == 0
        answer = stranger.post(f"/api/documents/{document}/rules/preview", json={"pattern": VALUE})
        assert answer.status_code == 404


@pytest.mark.parametrize("way", ["document", "everything"])
def test_a_document_deleted_meanwhile_is_no_failure(client: httpx.Client, way: str) -> None:
    documents = [upload(client, f"{VALUE}.\n".encode() * 100, f"{number}.txt") for number in range(2)]
    for document in documents:
        wait_for(client, document)
    statuses: list[tuple[int, str]] = []

    def look() -> None:
        for _ in range(12):
            path = "/api/rules/preview" if way == "everything" else f"/api/documents/{documents[1]}/rules/preview"
            answer = client.post(path, json={"pattern": VALUE})
            statuses.append((answer.status_code, answer.text[:80]))

    looking = threading.Thread(target=look)
    looking.start()
    for document in documents:
        assert client.delete(f"/api/documents/{document}").status_code == 204
    looking.join()
    allowed = {200} if way == "everything" else {200, 404, 410}
    assert {status for status, _ in statuses} <= allowed, statuses
