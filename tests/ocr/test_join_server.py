"""A scan in review on the server: its words are shown, can be marked, and go from the pixels."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.web.site import browser_session, running, upload, wait_for

from .pictured import KEPT, LINES, SECRET, read_pixels, scan


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with running(tmp_path_factory.mktemp("site") / "data") as site, browser_session(site) as it:
        yield it


@pytest.fixture(scope="module")
def document(client: httpx.Client) -> str:
    data = scan(LINES, ["Another page that nobody needs to look at"])
    made = upload(client, data, "scan.pdf")
    wait_for(client, made, seconds=200)
    return made


def page(client: httpx.Client, document: str) -> dict[str, Any]:
    answer: dict[str, Any] = client.get(f"/api/documents/{document}/content?page=1").json()
    return answer


def word(shown: dict[str, Any], text: str) -> list[float]:
    (box,) = [span["box"] for span in shown["spans"] if shown["text"][span["start"] : span["end"]].strip(".,") == text]
    assert isinstance(box, list)
    return box


def test_recognised_words_are_shown_with_their_boxes(client: httpx.Client, document: str) -> None:
    shown = page(client, document)
    assert shown["needsOcr"] is False
    assert shown["text"].split() == " ".join(LINES).split()
    assert {span["source"] for span in shown["spans"]} == {"ocr"}
    starts = [span["start"] for span in shown["spans"]]
    assert starts == sorted(starts)
    x0, y0, x1, y1 = word(shown, "Statement")
    assert abs(x0 - 60) < 2
    assert abs(y1 - 100) < 2
    assert 8 < y1 - y0 < 16
    assert x1 > x0 + 40


def test_reading_pictures_is_told_while_it_lasts(client: httpx.Client, document: str) -> None:
    events = []
    with client.stream("GET", f"/api/documents/{document}/stream") as stream:
        for line in stream.iter_lines():
            if line.startswith("data:") and line != "data:":
                events.append(json.loads(line.removeprefix("data:")))
            if line.startswith("event: end"):
                break
    told = [event["payload"] for event in events if event.get("type") == "document.ocr.progress"]
    assert told
    assert all(one["total"] == 2 for one in told)
    assert [one["done"] for one in told] in ([1, 2], [2])


def test_what_is_marked_by_hand_goes_from_the_pixels(client: httpx.Client, document: str) -> None:
    shown, url = page(client, document), f"/api/documents/{document}/redactions"
    start = shown["text"].index("balance")
    by_text = client.post(url, json={"page": 1, "start": start, "end": start + 7})
    assert by_text.status_code == 201, by_text.text
    assert by_text.json()["redactions"][0]["value"] == "balance"
    x0, y0, x1, y1 = word(shown, "Espoo")
    by_box = client.post(url, json={"page": 1, "box": [x0 - 1, y0 - 1, x1 + 1, y1 + 1]})
    assert by_box.status_code == 201, by_box.text
    by_value = client.post(url, json={"value": SECRET})
    assert len(by_value.json()["redactions"]) == 2
    exported = client.post(f"/api/documents/{document}/export")
    assert exported.status_code == 201, exported.text
    out = client.get(exported.json()["artifact"]["downloadUrl"]).content
    seen = read_pixels(out)
    for gone in ("balance", "Espoo", "Nordlund", "Marja"):
        assert gone not in seen
    for kept in (KEPT, "Statement of account", "has not changed"):
        assert kept in seen
    assert "nobody needs" in read_pixels(out, 2)


def test_a_value_whose_marks_the_scan_has_lost_is_found_by_its_name(client: httpx.Client, document: str) -> None:
    shown, url = page(client, document), f"/api/documents/{document}/redactions"
    made = client.post(url, json={"value": "Türku"}).json()["redactions"]
    assert [(one["page"], one["value"]) for one in made] == [(1, "Türku")]
    assert shown["text"][made[0]["start"] : made[0]["end"]] == "Turku"
    start = shown["text"].index("March")
    client.post(url, json={"page": 1, "start": start, "end": start + 5})
    both = client.post(url, json={"value": "Märch"}).json()["redactions"]
    assert {(one["page"], one["value"]) for one in both} == {(1, "March"), (None, "Märch")}
