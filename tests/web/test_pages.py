"""Pages and the list behind them, over HTTP: who sees what, and what a refusal looks like to a person."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from anonify.database import documents, now_ms, open_database
from anonify.identity import limits
from anonify.web.problems import answer_to
from tests.web.site import LETTER, Site, browser_session, running, upload, wait_for

BROWSING = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8", "Sec-Fetch-Mode": "navigate"}


def _reserve(client: httpx.Client, name: str) -> str:
    answer = client.post("/api/documents", json={"filename": name, "size": 5})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def test_somebody_elses_document_is_a_page_that_says_nothing_of_it(site: Site, client: httpx.Client) -> None:
    document = _reserve(client, "Lindqvist file.txt")
    assert "Lindqvist file.txt" in client.get(f"/documents/{document}", headers=BROWSING).text
    with browser_session(site) as stranger:
        nobody = stranger.get(f"/documents/{document}", headers=BROWSING)
        assert nobody.status_code == 401
        _reserve(stranger, "mine.txt")
        answer = stranger.get(f"/documents/{document}", headers=BROWSING)
        same = stranger.get(f"/documents/{'f' * 32}", headers=BROWSING)

    assert answer.status_code == same.status_code == 404
    assert answer.headers["content-type"].startswith("text/html")
    assert answer.text == same.text
    assert "Lindqvist" not in nobody.text


def test_a_file_name_is_text_on_its_page_and_the_page_is_not_kept(client: httpx.Client) -> None:
    document = _reserve(client, "<img src=x onerror=alert(1)>.txt")
    answer = client.get(f"/documents/{document}", headers=BROWSING)

    assert "<img src=x" not in answer.text
    assert "&lt;img src=x onerror=alert(1)&gt;" in answer.text
    assert answer.headers["cache-control"] == "no-store"


def test_an_expired_document_is_gone_for_people_and_programs(site: Site, client: httpx.Client) -> None:
    document = _reserve(client, "old.txt")
    database = open_database(site.settings)
    with database.begin() as connection:
        documents.set_expiry(connection, document, now_ms() - 1)
    database.close()

    shown = client.get(f"/documents/{document}", headers=BROWSING)
    assert shown.status_code == 410
    assert "has expired and was deleted" in shown.text
    assert client.get(f"/api/documents/{document}", headers=BROWSING).json()["code"] == "expired"


def test_a_program_that_asks_a_pages_address_gets_the_one_shape(client: httpx.Client) -> None:
    answer = client.get("/nowhere")
    assert answer.status_code == 404
    assert answer.json()["code"] == "not-found"
    shown = client.get("/nowhere", headers=BROWSING)
    assert shown.status_code == 404
    assert "There is nothing here" in shown.text
    assert "unsafe" not in shown.headers["content-security-policy"]


def test_a_download_link_that_is_not_good_any_more_is_a_page_for_a_browser(client: httpx.Client) -> None:
    document = _reserve(client, "mine.txt")
    path = f"/api/documents/{document}/download?token=x.y"

    assert client.get(path).json()["code"] == "link-refused"
    assert "This is not for you" in client.get(path, headers=BROWSING).text


def test_who_asks_too_often_is_told_on_a_page_how_long_to_wait(tmp_path: Path) -> None:
    with running(tmp_path / "data", role="web") as site, browser_session(site) as client:
        document = _reserve(client, "mine.txt")
        database = open_database(site.settings)
        with database.begin() as connection:
            limits.set_override(connection, "read.burst", 1)
            limits.set_override(connection, "read.per-hour", 60)
        database.close()
        answers = [client.get(f"/documents/{document}", headers=BROWSING) for _ in range(3)]

    refused = answers[-1]
    assert refused.status_code == 429
    assert int(refused.headers["retry-after"]) > 0
    assert f"<b>{refused.headers['retry-after']} second" in refused.text


def test_a_failure_inside_is_a_page_without_a_word_of_what_failed() -> None:
    scope = {"type": "http", "method": "GET", "path": "/documents", "headers": [(b"accept", b"text/html")]}
    error = RuntimeError("Maria Lindqvist's letter")
    shown = answer_to(scope, error)
    told = answer_to({**scope, "path": "/api/documents"}, error)

    assert shown.status_code == told.status_code == 500
    assert "Something went wrong here" in bytes(shown.body).decode()
    assert "Lindqvist" not in bytes(shown.body).decode()
    assert told.headers["content-type"] == "application/json"


def _work(client: httpx.Client, **parameters: Any) -> dict[str, Any]:
    named = "q" in parameters
    answer = client.post("/api/work", json=parameters) if named else client.get("/api/work", params=parameters)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_more_documents_than_a_page_holds_are_all_there_and_each_once(client: httpx.Client) -> None:
    made = [_reserve(client, f"letter {number:03}.txt") for number in range(57)]
    files = [{"filename": f"case/{number:03}.txt", "size": 5} for number in range(250)]
    batch = client.post("/api/batches", json={"files": files}).json()["id"]
    seen: list[str] = []
    for offset in range(0, 100, 25):
        answer = _work(client, offset=offset, limit=25)
        assert answer["total"] == answer["matching"] == 58
        seen += [(item["document"] or item["batch"])["id"] for item in answer["items"]]

    assert seen[0] == batch
    assert sorted(seen) == sorted([*made, batch])
    line = _work(client, limit=1)["items"][0]["batch"]
    assert line["files"] == line["counts"]["total"] == 250
    assert line["names"][0] == "000.txt"


def test_the_list_is_found_by_name_and_by_how_far_things_are(client: httpx.Client) -> None:
    waiting = _reserve(client, "Not Sent.txt")
    done = upload(client, LETTER, "Done.txt")
    wait_for(client, done)

    assert [item["document"]["id"] for item in _work(client, q="not s")["items"]] == [waiting]
    assert [item["document"]["id"] for item in _work(client, show="ready")["items"]] == [done]
    assert [item["document"]["id"] for item in _work(client, show="incomplete")["items"]] == [waiting]
    answer = _work(client, show="failed")
    assert answer["items"] == []
    assert answer["counts"] == {"all": 2, "working": 0, "ready": 1, "failed": 0, "incomplete": 1}
    assert _work(client, q="100%_")["matching"] == 0


def test_the_list_holds_nobody_elses(site: Site, client: httpx.Client) -> None:
    _reserve(client, "mine.txt")
    with browser_session(site) as stranger:
        assert _work(stranger) == {"items": [], "total": 0, "matching": 0, "counts": _work(stranger)["counts"]}
        _reserve(stranger, "theirs.txt")
        assert [item["document"]["filename"] for item in _work(stranger)["items"]] == ["theirs.txt"]


@pytest.fixture
def idle(tmp_path: Path) -> Any:
    """A site without a worker: what is sent waits."""
    with running(tmp_path / "data", role="web") as it:
        yield it


def test_a_waiting_document_knows_its_place_and_that_nobody_works(idle: Site) -> None:
    with browser_session(idle) as other, browser_session(idle) as client:
        upload(other, LETTER, "theirs.txt")
        time.sleep(0.01)  # the line is kept in milliseconds
        mine = []
        for number in range(3):
            mine.append(upload(client, LETTER, f"mine {number}.txt"))
            time.sleep(0.01)
        turns = [client.get(f"/api/documents/{document}/turn").json() for document in mine]

    assert [turn["ahead"] for turn in turns] == [0, 1, 2]
    assert {turn["others"] for turn in turns} == {1}
    assert all(turn["waiting"] and not turn["worker"] and turn["working"] == 0 for turn in turns)


def test_the_limits_page_shows_the_numbers_of_the_api(client: httpx.Client) -> None:
    numbers = client.get("/api/limits").json()
    html = client.get("/limits").text

    for rate in numbers["rates"].values():
        assert f"<td>{rate['burst']:,}</td><td>{rate['perHour']:,}</td>" in html
    for extension in (".pdf", ".docx", ".mbox"):
        assert extension in html


def test_about_says_what_leaves_the_machine(client: httpx.Client, tmp_path: Path) -> None:
    html = client.get("/about").text
    assert "<b>Nothing.</b>" in html
    assert "centerface" in html
    assert "MIT License" in html
    asked = {"ANONIFY_AI_PROVIDER": "anthropic", "ANONIFY_AI_MODEL": "some-model", "ANONIFY_AI_KEY": "k"}
    with running(tmp_path / "data", role="web", **asked) as site:
        told = httpx.get(f"{site.url}/about").text
    assert "<b>Nothing.</b>" not in told
    assert "<code>some-model</code>" in told


def test_the_sample_is_the_letter_of_the_examples(client: httpx.Client) -> None:
    shown = client.get("/").text
    path = shown.partition('data-path="')[2].partition('"')[0]
    answer = client.get(path)

    assert answer.status_code == 200
    assert answer.content == (Path(__file__).parents[2] / "examples" / "letter.docx").read_bytes()
