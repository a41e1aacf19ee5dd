"""The whole job over HTTP, on a real port with a real worker."""

from __future__ import annotations

import hashlib
import json
import socket
import time
from typing import Any

import httpx
import pytest

from tests.runs.helpers import until
from tests.web.site import LETTER, VALUE, Site, browser_session, send_again, upload, wait_for


@pytest.fixture
def ready(client: httpx.Client) -> str:
    document = upload(client)
    wait_for(client, document)
    return document


def _list(client: httpx.Client, document: str, **params: str) -> list[dict[str, Any]]:
    return list(client.get(f"/api/documents/{document}/redactions", params=params).json()["redactions"])


def test_accepted_value_is_not_in_the_download_and_the_rest_is(client: httpx.Client, ready: str) -> None:
    suggestions = _list(client, ready, status="suggested")
    mails = [item for item in suggestions if item["value"] == VALUE]
    assert len(mails) == 2
    assert len({item["groupKey"] for item in mails}) == 1
    assert all("Dear" not in str(item["value"]) for item in suggestions)
    text = LETTER.decode()
    for item in mails:
        assert text[item["start"] : item["end"]] == VALUE

    done = client.patch(
        f"/api/documents/{ready}/redactions",
        json={"ids": [item["id"] for item in mails], "status": "accepted", "whenStatus": "suggested"},
    ).json()
    assert sorted(done["changed"]) == sorted(str(item["id"]) for item in mails)
    export = client.post(f"/api/documents/{ready}/export", json={})
    assert export.status_code == 201, export.text
    artifact = export.json()["artifact"]

    answer = client.get(artifact["downloadUrl"])
    assert answer.status_code == 200
    assert hashlib.sha256(answer.content).hexdigest() == artifact["sha256"]
    assert VALUE.encode() not in answer.content
    assert b"4111 1111 1111 1111" in answer.content  # nobody accepted it
    assert "🌍".encode() in answer.content
    assert answer.headers["content-disposition"].startswith("attachment;")
    assert answer.headers["cache-control"] == "no-store"
    report = client.get(artifact["reportUrl"])
    assert VALUE not in report.text
    json.loads(report.text)
    # The source is what was sent.
    assert client.get(f"/api/documents/{ready}/source").content == LETTER


def test_each_suggestion_says_why_and_how_sure_in_words(client: httpx.Client, ready: str) -> None:
    said = {item["value"]: item for item in _list(client, ready)}

    card = said["4111 1111 1111 1111"]
    assert (card["why"], card["explanation"]) == ("check-digit", "card number: passes its check digit")
    assert card["certainty"] == "certain"
    assert said[VALUE]["explanation"].startswith("e-mail address")
    assert all(item["explanation"] and item["certainty"] for item in said.values())
    assert not any(str(item["value"]) in item["explanation"] + item["why"] for item in said.values())

    changed = {"ids": [card["id"]], "category": "customer-id"}
    client.patch(f"/api/documents/{ready}/redactions", json=changed)
    again = next(item for item in _list(client, ready) if item["id"] == card["id"])
    assert again["explanation"] == "reference number: passes its check digit"
    start = LETTER.decode().index("Kind regards")
    marked = client.post(f"/api/documents/{ready}/redactions", json={"page": 1, "start": start, "end": start + 12})
    mine = marked.json()["redactions"][0]
    assert (mine["why"], mine["explanation"], mine["certainty"]) == (None, None, None)


def test_rejected_and_undecided_stay(client: httpx.Client, ready: str) -> None:
    ids = [item["id"] for item in _list(client, ready)]
    client.patch(f"/api/documents/{ready}/redactions", json={"ids": ids[:1], "status": "rejected"})
    artifact = client.post(f"/api/documents/{ready}/export").json()["artifact"]

    assert client.get(artifact["downloadUrl"]).content == LETTER


def test_a_link_is_only_good_here_for_its_owner_and_document(site: Site, client: httpx.Client, ready: str) -> None:
    artifact = client.post(f"/api/documents/{ready}/export").json()["artifact"]
    token = artifact["downloadUrl"].partition("token=")[2]
    other = upload(client)

    assert client.get(f"/api/documents/{other}/download", params={"token": token}).status_code == 403
    assert client.get(f"/api/documents/{ready}/download", params={"token": token + "x"}).status_code == 403
    assert client.get(f"/api/documents/{ready}/download").status_code == 400
    with browser_session(site) as stranger:
        assert stranger.get(artifact["downloadUrl"]).status_code == 401
        upload(stranger)
        assert stranger.get(artifact["downloadUrl"]).status_code == 404


def test_marking_by_hand_reads_the_value_from_the_model(client: httpx.Client, ready: str) -> None:
    text = LETTER.decode()
    start = text.index("Kind regards")
    assert start > text.index("🌍")  # offsets are code points, not UTF-16 units
    url = f"/api/documents/{ready}/redactions"

    made = client.post(url, json={"page": 1, "start": start, "end": start + 12, "category": "other"})
    assert made.status_code == 201, made.text
    row = made.json()["redactions"][0]
    assert (row["value"], row["status"], row["origin"]) == ("Kind regards", "accepted", "person")
    again = client.post(url, json={"page": 1, "start": start, "end": start + 12}).json()["redactions"][0]
    assert again["id"] == row["id"]

    for wrong in (
        {"page": 2, "start": 0, "end": 4},
        {"page": 1, "start": 5, "end": 5},
        {"page": 1, "start": 0, "end": len(text) + 50},
        {"page": 1, "start": text.index("\n\n"), "end": text.index("\n\n") + 2},
        {"page": 1, "box": [0, 0, 10, 10]},
        {"sheet": 0, "row": 1, "column": 1},
        {"page": 1},
        {"page": 1, "start": 0, "end": 4, "value": "Dear"},
        {"page": 1, "start": 0, "end": 4, "category": "nonsense"},
        {"page": "1", "start": 0, "end": 4},
        {"page": 1, "start": 0, "end": 4, "text": "forged"},
        {"value": "not in the letter at all"},
    ):
        refused = client.post(url, json=wrong)
        assert refused.status_code == 400, wrong
        assert "forged" not in refused.text


def test_a_typed_value_marks_every_place_and_export_removes_it(client: httpx.Client, ready: str) -> None:
    url = f"/api/documents/{ready}/redactions"
    made = client.post(url, json={"value": "Registry", "category": "confidential"}).json()
    assert [item["value"] for item in made["redactions"]] == ["registry"]
    short = client.post(url, json={"value": "you"}).json()
    assert [item["value"] for item in short["redactions"]] == ["you"]
    artifact = client.post(f"/api/documents/{ready}/export").json()["artifact"]

    content = client.get(artifact["downloadUrl"]).text
    assert "registry" not in content
    assert "mail to you" not in content
    assert "Dear" in content


def test_a_value_no_page_shows_is_only_taken_when_asked_for(client: httpx.Client, ready: str) -> None:
    url = f"/api/documents/{ready}/redactions"
    refused = client.post(url, json={"value": "Greta Nordlund"})
    assert refused.status_code == 400
    assert refused.json()["reason"] == "not-in-this-document"
    assert client.post(url, json={"value": "GN", "anywhere": True}).json()["reason"] == "too-short"

    row = client.post(url, json={"value": "Greta Nordlund", "anywhere": True}).json()["redactions"][0]
    assert (row["value"], row["page"], row["status"]) == ("Greta Nordlund", None, "accepted")
    assert client.post(f"/api/documents/{ready}/export").status_code == 201


def test_one_selection_can_be_redacted_everywhere(client: httpx.Client) -> None:
    content = b"Projekt Kastanje starts. Nobody names kastanje aloud. Kastanjetten are no matter.\n"
    document = upload(client, content)
    wait_for(client, document)
    made = client.post(
        f"/api/documents/{document}/redactions", json={"page": 1, "start": 8, "end": 16, "everywhere": True}
    ).json()

    assert sorted(item["value"] for item in made["redactions"]) == ["Kastanje", "kastanje"]


def test_a_bulk_act_never_overwrites_a_decision(client: httpx.Client, ready: str) -> None:
    ids = [item["id"] for item in _list(client, ready)]
    url = f"/api/documents/{ready}/redactions"
    client.patch(url, json={"ids": ids[:1], "status": "rejected", "reason": "b(6)"})
    done = client.patch(url, json={"ids": ids, "status": "accepted", "whenStatus": "suggested"}).json()

    assert done["skipped"] == 1
    assert done["counts"] == {"accepted": len(ids) - 1, "rejected": 1}
    first = next(item for item in _list(client, ready) if item["id"] == ids[0])
    assert (first["status"], first["reason"]) == ("rejected", "b(6)")
    client.patch(url, json={"ids": ids[:1], "reason": None})
    assert next(item for item in _list(client, ready) if item["id"] == ids[0])["reason"] is None
    gone = client.request("DELETE", url, json={"ids": ids[:1]}).json()
    assert gone["removed"] == 1


def test_limits_of_a_bulk_act(client: httpx.Client, ready: str) -> None:
    url = f"/api/documents/{ready}/redactions"
    hexes = [f"{number:032x}" for number in range(2001)]

    assert client.patch(url, json={"ids": [], "status": "accepted"}).status_code == 400
    assert client.patch(url, json={"ids": hexes, "status": "accepted"}).status_code == 400
    unknown = client.patch(url, json={"ids": hexes[:2000], "status": "accepted"})
    assert unknown.status_code == 200
    assert unknown.json()["changed"] == []
    assert unknown.json()["skipped"] == 2000
    assert client.patch(url, json={"ids": hexes[:1]}).status_code == 400
    assert client.patch(url, json={"ids": hexes[:1], "status": "approved"}).status_code == 400


def test_the_list_comes_in_pieces_with_context(client: httpx.Client, ready: str) -> None:
    whole = _list(client, ready)
    pieces, after = [], None
    while True:
        params = {"limit": 1} | ({"after": after} if after else {})
        answer = client.get(f"/api/documents/{ready}/redactions", params=params).json()
        pieces += answer["redactions"]
        after = answer["next"]
        if after is None:
            break
    assert pieces == whole
    mail = next(item for item in whole if item["value"] == VALUE)
    assert str(mail["before"]).endswith("please write to ")
    assert str(mail["after"]).startswith(" and not")


def test_events_resume_where_they_stopped_and_end(client: httpx.Client) -> None:
    document = upload(client)

    def read(**headers: str) -> tuple[list[int], list[dict[str, object]], bool]:
        ids, events, ended = [], [], False
        with client.stream("GET", f"/api/documents/{document}/stream", headers=headers) as stream:
            assert stream.headers["content-type"].startswith("text/event-stream")
            assert stream.headers["x-accel-buffering"] == "no"
            for line in stream.iter_lines():
                if line.startswith("id: "):
                    ids.append(int(line[4:]))
                elif line.startswith('data: {"'):
                    events.append(json.loads(line[6:]))
                ended = ended or line == "event: end"
        return ids, events, ended

    ids, events, ended = read()
    assert ended
    assert ids == sorted(set(ids))
    assert events[-1]["type"] == "document.ready"
    assert {"type", "documentId", "at"} <= set(events[0])
    assert VALUE not in json.dumps(events)
    later, _, ended = read(**{"Last-Event-ID": str(ids[1])})
    assert ended
    assert later == ids[2:]


def test_a_second_start_joins_the_first(client: httpx.Client) -> None:
    document = upload(client)
    again = client.post(f"/api/documents/{document}/process").json()
    once_more = client.post(f"/api/documents/{document}/process").json()

    assert again["resumed"] is True
    assert again["runId"] == once_more["runId"]


def test_upload_must_have_the_reserved_length(client: httpx.Client) -> None:
    reserved = client.post("/api/documents", json={"filename": "a.txt", "size": 10}).json()
    path = reserved["pathname"]

    assert client.put(path, content=b"123456789").status_code == 400
    assert client.put(path, content=b"12345678901").status_code == 400
    assert client.put(path, content=iter([b"1234567890"])).status_code == 411
    assert client.post(f"/api/documents/{reserved['id']}/process").status_code == 409
    assert client.put(path, content=b"1234567890").status_code == 200
    assert client.put(path, content=b"0987654321").status_code == 409


def test_a_broken_upload_leaves_nothing(site: Site, client: httpx.Client) -> None:
    reserved = client.post("/api/documents", json={"filename": "a.txt", "size": 5_000_000}).json()
    partial = site.data / "objects" / ".partial"
    host, _, port = site.url.removeprefix("http://").partition(":")
    cookie = "; ".join(f"{item.name}={item.value}" for item in client.cookies.jar)
    with socket.create_connection((host, int(port))) as raw:
        head = f"PUT {reserved['pathname']} HTTP/1.1\r\nHost: {host}:{port}\r\nCookie: {cookie}\r\n"
        raw.sendall(f"{head}Content-Length: 5000000\r\n\r\n".encode() + b"x" * 1_500_000)
        until(lambda: any(partial.iterdir()))
    until(lambda: not any(partial.iterdir()))

    assert client.get(f"/api/documents/{reserved['id']}").json()["status"] == "uploading"
    folder = site.data / "objects" / "documents" / reserved["id"]
    assert not [path for path in folder.rglob("*") if path.is_file()]
    assert send_again(client, reserved["pathname"], b"y" * 5_000_000).status_code == 200


def test_ranges_of_the_source(client: httpx.Client, ready: str) -> None:
    url = f"/api/documents/{ready}/source"
    part = client.get(url, headers={"Range": "bytes=5-12"})
    assert (part.status_code, part.content) == (206, LETTER[5:13])
    assert part.headers["content-range"] == f"bytes 5-12/{len(LETTER)}"
    assert client.get(url, headers={"Range": "bytes=-4"}).content == LETTER[-4:]
    assert client.get(url, headers={"Range": "bytes=60-"}).content == LETTER[60:]
    refused = client.get(url, headers={"Range": f"bytes={len(LETTER)}-"})
    assert refused.status_code == 416
    assert refused.headers["content-range"] == f"bytes */{len(LETTER)}"
    assert client.get(url, headers={"Range": "lines=1-2"}).status_code == 200
    assert client.get(url, headers={"Range": "bytes=0-3", "If-Range": '"other"'}).status_code == 200
    whole = client.get(url)
    assert whole.headers["content-security-policy"] == "default-src 'none'; sandbox"
    assert whole.headers["cache-control"] == "no-store"
    assert whole.headers["x-content-type-options"] == "nosniff"
    assert whole.headers["content-disposition"].startswith("attachment")
    assert "html" not in whole.headers["content-type"]


def test_sheets_come_by_rows_and_cells_can_be_marked(client: httpx.Client) -> None:
    rows = ["name,city,note"] + [f"Person {number},Oslo,remark {number}" for number in range(2, 1501)]
    document = upload(client, ("\n".join(rows) + "\n").encode(), "people.csv")
    wait_for(client, document)
    outline = client.get(f"/api/documents/{document}/content", params={"view": "outline"}).json()
    sheet = outline["sheets"][0]
    assert (sheet["rows"], sheet["columns"]) == (1500, 3)
    assert sheet["header"] == ["name", "city", "note"]

    answer = client.get(f"/api/documents/{document}/content", params={"sheet": 0, "rows": "1200-1201"}).json()
    assert [row["number"] for row in answer["rows"]] == [1200, 1201]
    assert answer["rows"][0]["cells"] == ["Person 1200", "Oslo", "remark 1200"]
    assert client.get(f"/api/documents/{document}/content?sheet=0&rows=1-1001").status_code == 400
    assert client.get(f"/api/documents/{document}/content?sheet=1&rows=1-2").status_code == 404

    url = f"/api/documents/{document}/redactions"
    cell = client.post(url, json={"sheet": 0, "row": 1200, "column": 3}).json()["redactions"][0]
    assert cell["value"] == "remark 1200"
    assert client.post(url, json={"sheet": 0, "column": 1, "category": "person"}).status_code == 201
    assert client.post(url, json={"sheet": 0, "row": 1501}).status_code == 400
    artifact = client.post(f"/api/documents/{document}/export").json()["artifact"]
    lines = client.get(artifact["downloadUrl"]).text.splitlines()
    assert lines[0] == rows[0]
    assert "Person" not in "".join(lines[1:])
    assert lines[1199].endswith("[REDACTED]")
    assert lines[1200].endswith("Oslo,remark 1201")


def test_retention_is_counted_from_the_upload(client: httpx.Client) -> None:
    document = upload(client, ttlSeconds=3600)
    before = client.get(f"/api/documents/{document}").json()
    assert before["expiresAt"] - before["createdAt"] == 3_600_000

    longer = client.patch(f"/api/documents/{document}", json={"ttlSeconds": 259_200}).json()
    assert longer["expiresAt"] - longer["createdAt"] == 259_200_000
    assert client.patch(f"/api/documents/{document}", json={"ttlSeconds": 1_000_000}).status_code == 400


def test_delete_takes_everything_with_it(site: Site, client: httpx.Client, ready: str) -> None:
    client.post(f"/api/documents/{ready}/export")
    assert client.delete(f"/api/documents/{ready}").status_code == 204

    assert client.get(f"/api/documents/{ready}").status_code == 404
    assert ready not in client.get("/api/documents").text
    folder = site.data / "objects" / "documents" / ready
    assert not [path for path in folder.rglob("*") if path.is_file()]


def test_a_refused_file_says_why_and_cannot_be_retried(client: httpx.Client) -> None:
    document = upload(client, b"\x7fELF\x02\x01\x01" + bytes(300), "program.bin")
    summary = wait_for(client, document, "failed")
    assert summary["errorCode"] == "unsupported-type"
    assert "not supported" in summary["error"]
    assert summary["reviewable"] is False

    refused = client.post(f"/api/documents/{document}/retry")
    assert refused.status_code == 409
    assert refused.json()["errorCode"] == "unsupported-type"
    assert refused.json()["retryable"] is False
    assert client.post(f"/api/documents/{document}/export").status_code == 409
    assert client.get(f"/api/documents/{document}/content").status_code == 409


def test_operator_routes_ask_for_their_tokens(client: httpx.Client) -> None:
    assert client.get("/api/cron/cleanup").status_code == 401
    assert client.get("/api/cron/cleanup", headers={"Authorization": "Bearer wrong"}).status_code == 401
    swept = client.get("/api/cron/cleanup", headers={"Authorization": "Bearer sweep-me"})
    assert swept.status_code == 200
    assert all(isinstance(value, int) for value in swept.json()["swept"].values())
    counters = client.get("/metrics")
    assert counters.status_code == 200
    assert 'route="/api/cron/cleanup"' in counters.text
    through = {"X-Forwarded-For": "127.0.0.1"}
    assert client.get("/metrics", headers=through).status_code == 401
    assert client.get("/metrics", headers=through | {"Authorization": "Bearer count-me"}).status_code == 200
    assert client.get("/api/ready").json() == {"ready": True, "degraded": []}
    limits = client.get("/api/limits").json()
    assert limits["profile"] == "self-hosted"
    assert set(limits["quota"]) == {"pages", "cells", "slides", "kib"}


@pytest.mark.alone
def test_sigterm_ends_streams_and_stops_soon(tmp_path_factory: pytest.TempPathFactory) -> None:
    from tests.web.site import running

    data = tmp_path_factory.mktemp("stopping") / "data"
    with running(data, "web") as it, browser_session(it) as client:
        assert client.get("/api/ready").json()["degraded"] == ["no-worker"]
        document = upload(client)
        with client.stream("GET", f"/api/documents/{document}/stream") as stream:
            lines = stream.iter_lines()
            assert next(lines).startswith("retry:")
            began = time.monotonic()
            it.process.terminate()
            for _ in lines:
                pass
        it.process.wait(30)
    assert time.monotonic() - began < 10


def test_adding_a_value_that_was_found_accepts_it_as_it_is(client: httpx.Client, ready: str) -> None:
    url = f"/api/documents/{ready}/redactions"
    found = [item for item in client.get(url).json()["redactions"] if item["value"] == VALUE]
    assert len(found) == 2

    made = client.post(url, json={"value": VALUE}).json()["redactions"]

    assert [(item["id"], item["category"], item["confidence"]) for item in made] == [
        (item["id"], "email", item["confidence"]) for item in found
    ]
    assert {item["status"] for item in made} == {"accepted"}
    other = client.post(url, json={"value": VALUE, "category": "confidential"}).json()["redactions"]
    assert {(item["category"], item["confidence"]) for item in other} == {("confidential", None)}
    assert [item["id"] for item in other] == [item["id"] for item in found]


def test_a_table_says_how_many_rows_it_has(client: httpx.Client, ready: str) -> None:
    table = upload(client, b"name,mail\nAnna,anna@example.org\nBo,bo@example.org\n", "people.csv")

    assert wait_for(client, table)["rows"] == 3
    assert client.get(f"/api/documents/{ready}").json()["rows"] is None
