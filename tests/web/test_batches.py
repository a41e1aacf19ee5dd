"""Batches over HTTP, on a real port with a real worker: many files, one decision, one export."""

from __future__ import annotations

import io
import json
import time
import zipfile
from typing import Any

import httpx
import pytest

from tests.web.site import Site, browser_session

VALUE = "Petronella Vandersteen"
KEPT = "the harbour bridge"


def texts(count: int) -> dict[str, bytes]:
    return {f"letter{n}.txt": f"Dear registry,\n{VALUE} lives near {KEPT}, {n}.\n".encode() for n in range(count)}


def send(client: httpx.Client, files: dict[str, bytes], *, process: bool = True) -> str:
    """Reserve a batch and upload it; returns its id."""
    wanted = [{"filename": name, "size": len(data)} for name, data in files.items()]
    answer = client.post("/api/batches", json={"files": wanted})
    assert answer.status_code == 201, answer.text
    for verdict in answer.json()["files"]:
        if verdict["accepted"]:
            data = files[verdict["filename"]]
            assert client.put(verdict["pathname"], content=data).status_code == 200
    batch = str(answer.json()["id"])
    if process:
        while client.post(f"/api/batches/{batch}/process").json()["left"]:
            pass
    return batch


def look(client: httpx.Client, batch: str, **params: str) -> dict[str, Any]:
    answer = client.get(f"/api/batches/{batch}", params=params)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def settled(client: httpx.Client, batch: str, seconds: float = 60) -> dict[str, Any]:
    """The batch once nothing is at work on it."""
    deadline = time.monotonic() + seconds
    while True:
        found = look(client, batch)
        if found["counts"]["working"] + found["counts"]["uploading"] == 0:
            return found
        assert time.monotonic() < deadline, found["counts"]
        time.sleep(0.1)


def exported(client: httpx.Client, batch: str, seconds: float = 60, **options: Any) -> dict[str, Any]:
    """Export the batch and wait until that is over."""
    assert client.post(f"/api/batches/{batch}/export", json=options).status_code == 202
    deadline = time.monotonic() + seconds
    while True:
        found: dict[str, Any] = client.get(f"/api/batches/{batch}/export", params={"items": True}).json()
        if found["status"] != "running":
            return found
        assert time.monotonic() < deadline, found
        time.sleep(0.1)


def archive(client: httpx.Client, url: str, output: str) -> zipfile.ZipFile:
    answer = client.get(f"{url}&output={output}")
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/zip"
    return zipfile.ZipFile(io.BytesIO(answer.content))


def test_one_rule_over_many_documents_and_the_value_is_gone_from_every_file(client: httpx.Client) -> None:
    files = texts(3) | {"people.csv": f"name,place\n{VALUE},{KEPT}\nNobody,elsewhere\n".encode()}
    batch = send(client, files)
    assert settled(client, batch)["counts"]["ready"] == 4
    made = client.post(f"/api/batches/{batch}/rules", json={"pattern": VALUE, "category": "person"})
    assert made.status_code == 202, made.text
    assert (made.json()["documents"], made.json()["places"], made.json()["pending"]) == (4, 4, 0)
    done = exported(client, batch)

    assert done["status"] == "done"
    assert done["counts"] == {"waiting": 0, "exported": 4, "failed": 0, "skipped": 0, "stopped": 0}
    assert {item["filename"] for item in done["items"]} == set(files)
    original = archive(client, done["downloadUrl"], "original")
    assert sorted(original.namelist()) == sorted(
        [*(f"letter{number}-redacted.txt" for number in range(3)), "people-redacted.csv", "batch-report.json"]
    )
    assert original.testzip() is None
    for name in original.namelist():
        content = original.read(name).decode()
        assert "Vandersteen" not in content
        assert name.endswith(".json") or "Nobody" in content or KEPT in content
    said = json.loads(original.read("batch-report.json"))
    assert said["counts"]["exported"] == 4
    assert len(said["files"]) == 4
    apart = archive(client, done["downloadUrl"], "processed")
    assert "0001/document.txt" in apart.namelist()
    assert "0004/document.csv" in apart.namelist()
    both = archive(client, done["downloadUrl"], "both")
    assert {"original/letter0-redacted.txt", "processed/0001/document.txt"} <= set(both.namelist())


def test_one_upload_comes_bare(client: httpx.Client) -> None:
    batch = send(client, texts(1))
    settled(client, batch)
    client.post(f"/api/batches/{batch}/rules", json={"pattern": VALUE})
    done = exported(client, batch)
    answer = client.get(done["downloadUrl"])

    assert "letter0-redacted.txt" in answer.headers["content-disposition"]
    assert VALUE.encode() not in answer.content
    assert KEPT.encode() in answer.content


def test_every_file_has_a_verdict_and_refused_ones_are_named(client: httpx.Client, site: Site) -> None:
    most = site.settings.max_upload_bytes
    wanted = [("case/a.txt", 4), ("case/empty.txt", 0), ("big.pdf", most + 1), ("b.txt", 4)]
    answer = client.post("/api/batches", json={"files": [{"filename": name, "size": size} for name, size in wanted]})
    body = answer.json()

    assert answer.status_code == 201
    assert [one["filename"] for one in body["files"]] == [name for name, _ in wanted]
    assert [one["accepted"] for one in body["files"]] == [True, False, False, True]
    assert [one.get("code") for one in body["files"]] == [None, "empty-file", "too-large", None]
    assert all(one["accepted"] or one["error"].endswith(".") for one in body["files"])
    found = look(client, body["id"])
    assert [one["filename"] for one in found["documents"]] == ["a.txt", "b.txt"]
    assert found["counts"]["uploading"] == 2
    assert client.post("/api/batches", json={"files": []}).status_code == 400
    many = [{"filename": "a.txt", "size": 1}] * 1_001
    assert client.post("/api/batches", json={"files": many}).status_code == 400


def test_a_batch_says_what_is_undecided_and_is_read_in_stretches(client: httpx.Client) -> None:
    files = {f"mail{n}.txt": f"Write to ana{n}.lopez@example.org today.\n".encode() for n in range(5)}
    batch = send(client, files | {"broken.pdf": b"no PDF at all"})
    found = settled(client, batch)

    assert found["counts"] | {"total": 6, "ready": 5, "failed": 1, "undecided": 5} == found["counts"]
    assert found["suggested"]["email"] == 5
    assert all(one["batchId"] == batch and one["suggested"] >= 1 for one in found["documents"][:5])
    failed = look(client, batch, show="failed")
    assert [one["filename"] for one in failed["documents"]] == ["broken.pdf"]
    assert (failed["matching"], failed["total"]) == (1, 6)
    stretch = look(client, batch, offset="2", limit="2")
    assert [one["filename"] for one in stretch["documents"]] == ["mail2.txt", "mail3.txt"]
    listed = client.get("/api/batches").json()["batches"]
    assert [one["id"] for one in listed] == [batch]

    tried = client.post(f"/api/batches/{batch}/accept", json={"categories": ["email"], "dryRun": True}).json()
    assert (tried["accepted"], tried["documents"]) == (5, 5)
    assert look(client, batch)["suggested"]["email"] == 5
    nothing = client.post(f"/api/batches/{batch}/accept", json={"categories": ["phone"]}).json()
    assert nothing["accepted"] == 0
    done = client.post(f"/api/batches/{batch}/accept", json={"categories": ["email"], "minConfidence": 0.1}).json()
    assert (done["accepted"], done["documents"]) == (5, 5)
    assert "email" not in look(client, batch)["suggested"]
    assert look(client, batch, show="undecided")["matching"] == look(client, batch)["counts"]["undecided"]


def test_search_tells_where_a_value_stands(client: httpx.Client) -> None:
    batch = send(client, texts(3) | {"other.txt": b"Nothing of the kind.\n"})
    settled(client, batch)
    found = client.post(f"/api/batches/{batch}/search", json={"query": "petronella  vandersteen"}).json()

    assert (found["total"], len(found["documents"]), found["next"]) == (3, 3, None)
    place = found["documents"][0]["places"][0]
    assert place["text"] == VALUE
    assert place["after"].startswith(" lives near")
    exact = client.post(f"/api/batches/{batch}/search", json={"query": "petronella", "matchCase": True}).json()
    assert exact["total"] == 0
    assert client.get(f"/api/batches/{batch}/search", params={"q": VALUE}).status_code == 405


def _accepted(client: httpx.Client, document: str) -> list[dict[str, Any]]:
    answer = client.get(f"/api/documents/{document}/redactions", params={"status": "accepted"}).json()
    return list(answer["redactions"])


def test_a_rule_switched_off_takes_back_what_nobody_touched(client: httpx.Client) -> None:
    mail = b"Write to ana.lopez@example.org or call Petronella Vandersteen today.\n"
    batch = send(client, {"one.txt": mail, "two.txt": mail})
    first = settled(client, batch)["documents"][0]["id"]
    rule = client.post(f"/api/batches/{batch}/rules", json={"pattern": "ana.lopez@example.org"}).json()["rule"]
    at = f"/api/batches/{batch}/rules/{rule['id']}"
    (made,) = _accepted(client, first)
    assert (made["origin"], made["category"]) == ("rule", "email")  # it took the suggestion over
    assert client.get(f"/api/documents/{first}/rules").json()["rules"][0]["sourceRuleId"] == rule["id"]

    off = client.patch(at, json={"enabled": False}).json()
    assert (off["enabled"], off["places"]) == (False, 0)
    assert _accepted(client, first) == []
    assert look(client, batch)["suggested"]["email"] == 2  # and gave it back
    on = client.patch(at, json={"enabled": True}).json()
    assert (on["documents"], on["places"], on["pending"]) == (2, 2, 0)
    (again,) = _accepted(client, first)
    client.patch(f"/api/documents/{first}/redactions", json={"ids": [again["id"]], "reason": "Art. 4"})
    assert client.delete(at).status_code == 204
    assert [one["id"] for one in _accepted(client, first)] == [again["id"]]  # a person touched it
    assert look(client, batch)["rules"] == []
    assert client.get(f"/api/documents/{first}/rules").json()["rules"] == []


def test_rules_of_a_document_and_of_an_owner(client: httpx.Client) -> None:
    batch = send(client, texts(2))
    one, two = (row["id"] for row in settled(client, batch)["documents"])
    own = client.post(f"/api/documents/{one}/rules", json={"pattern": "harbour"}).json()
    assert (own["documents"], own["places"]) == (1, 1)
    assert _accepted(client, two) == []
    assert client.delete(f"/api/documents/{one}/rules/{own['rule']['id']}").status_code == 204
    assert _accepted(client, one) == []

    everywhere = client.post(f"/api/documents/{one}/rules", json={"pattern": VALUE, "scope": "global"}).json()
    assert everywhere["documents"] == 2
    later = send(client, texts(1))
    third = settled(client, later)["documents"][0]["id"]
    assert [row["value"] for row in _accepted(client, third)] == [VALUE]
    listed = client.get("/api/rules").json()["rules"]
    assert [(rule["pattern"], rule["documents"]) for rule in listed] == [(VALUE, 3)]
    assert client.delete(f"/api/rules/{listed[0]['id']}").status_code == 204
    assert _accepted(client, third) == []


def test_rules_that_cannot_be_used_are_refused(client: httpx.Client) -> None:
    batch = send(client, {"long.txt": b"a b c d e f g h i j\n" * 2_000})
    settled(client, batch)
    at = f"/api/batches/{batch}/rules"
    for wanted in (
        {"pattern": "("},
        {"pattern": "a*"},
        {"pattern": "x", "kind": "literal"},
        {"pattern": "fine", "category": "nonsense"},
        {"pattern": "", "kind": "regex"},
    ):
        answer = client.post(at, json={"kind": "regex", **wanted})
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid-request"), wanted
    broad = client.post(at, json={"kind": "regex", "pattern": "[a-j]"})
    assert (broad.status_code, broad.json()["code"]) == (422, "rule-too-broad")
    assert look(client, batch)["rules"] == []
    assert _accepted(client, look(client, batch)["documents"][0]["id"]) == []


@pytest.mark.parametrize("way", ["stream", "stop"])
def test_the_stream_ends_and_resumes_by_index(client: httpx.Client, way: str) -> None:
    batch = send(client, texts(6))
    settled(client, batch)
    assert client.get(f"/api/batches/{batch}/export").status_code == 404
    started = client.post(f"/api/batches/{batch}/export").json()
    again = client.post(f"/api/batches/{batch}/export").json()
    assert started["exportId"] == again["exportId"]
    if way == "stop":
        assert client.delete(f"/api/batches/{batch}/export").status_code == 200
    events, ids = [], []
    with client.stream("GET", f"/api/batches/{batch}/export/stream") as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        for line in answer.iter_lines():
            if line.startswith("id: "):
                ids.append(int(line[4:]))
            if line.startswith('data: {"'):
                events.append(json.loads(line[6:]))
            if line == "event: end":
                break
    over = client.get(f"/api/batches/{batch}/export").json()
    assert ids == sorted(set(ids))
    if events:
        assert events[-1]["counts"] == over["counts"]
    resumed = client.get(f"/api/batches/{batch}/export/stream", headers={"Last-Event-ID": str(ids[-1] if ids else 0)})
    assert "event: end" in resumed.text
    assert "id:" not in resumed.text or not ids
    assert sum(over["counts"].values()) == 6
    if way == "stop":
        assert over["status"] in ("stopped", "done")
        assert len(over["left"]) == over["counts"]["stopped"]
        assert all(one["error"] for one in over["left"])


def test_an_expired_or_foreign_link_opens_nothing(client: httpx.Client, site: Site) -> None:
    batch = send(client, texts(2))
    settled(client, batch)
    url = exported(client, batch)["downloadUrl"]
    single = client.post(f"/api/documents/{look(client, batch)['documents'][0]['id']}/export").json()
    token = single["artifact"]["downloadUrl"].partition("token=")[2]

    assert client.get(f"/api/batches/{batch}/download", params={"token": token}).status_code == 403  # another domain
    assert client.get(url[:-4] + "AAAA").status_code == 403
    with browser_session(site) as stranger:
        stranger.post("/api/batches", json={"files": [{"filename": "a.txt", "size": 1}]})
        assert stranger.get(url).status_code == 404


def test_deleted_all_of_it_is_gone(client: httpx.Client, site: Site) -> None:
    batch = send(client, texts(3))
    rows = settled(client, batch)["documents"]
    kept = client.patch(f"/api/batches/{batch}", json={"ttlSeconds": 259_200}).json()
    assert kept["expiresAt"] == kept["createdAt"] + 259_200_000
    assert client.get(f"/api/documents/{rows[0]['id']}").json()["expiresAt"] == kept["expiresAt"]
    assert client.delete(f"/api/batches/{batch}").status_code == 204

    assert client.get(f"/api/batches/{batch}").status_code == 404
    for row in rows:
        assert client.get(f"/api/documents/{row['id']}").status_code == 404
        assert not list((site.data / "objects").glob(f"**/{row['id']}/**/*.bin"))
