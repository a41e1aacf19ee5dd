"""Keep only this, and a region on every page: over HTTP, down to the file that is handed out."""

from __future__ import annotations

import csv
import io
from typing import Any

import httpx
import pytest

from tests.documents.pdf.making import drawn, pdftotext
from tests.web.site import LETTER, upload, wait_for


def _keep(client: httpx.Client, document: str, **body: Any) -> dict[str, Any]:
    answer = client.post(f"/api/documents/{document}/keep-only", json=body)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def _artifact(client: httpx.Client, document: str) -> bytes:
    made = client.post(f"/api/documents/{document}/export", json={})
    assert made.status_code == 201, made.text
    return client.get(made.json()["artifact"]["downloadUrl"]).content


def _list(client: httpx.Client, document: str) -> list[dict[str, Any]]:
    return list(client.get(f"/api/documents/{document}/redactions").json()["redactions"])


def test_only_what_was_kept_is_left_of_a_letter_and_it_is_one_act(client: httpx.Client) -> None:
    document = upload(client)
    wait_for(client, document)
    before = _list(client, document)
    text = client.get(f"/api/documents/{document}/content", params={"page": 1}).json()["text"]
    start = text.index("please write")
    keep = [{"page": 1, "start": start, "end": start + len("please write")}]

    told = _keep(client, document, keep=keep, dryRun=True)
    assert (told["act"], _list(client, document)) == (None, before)
    done = _keep(client, document, keep=keep, reason="b(5)")
    assert (done["changed"], done["clashing"], done["act"]["kind"]) == (told["changed"], 0, "keep-only")
    assert done["counts"] == {"accepted": done["changed"]}
    left = _artifact(client, document).decode()
    assert "please write" in left
    words = set(left.replace("[REDACTED]", " ").split())
    assert words <= {"please", "write"}, words

    again = _keep(client, document, keep=keep)
    for act in (again["act"], done["act"]):
        if act is not None:
            assert client.post(f"/api/documents/{document}/acts/{act['id']}/undo").json()["refused"] == 0
    assert _list(client, document) == before


def test_a_line_that_also_stands_in_what_is_kept_does_not_tear_a_hole_into_it(client: httpx.Client) -> None:
    text = "Maria Berg\nlives at the harbour\nKEEP: Maria Berg was heard on Monday.\nMaria Berg\nsigned here\n"
    document = upload(client, text.encode(), "note.txt")
    wait_for(client, document)
    start = text.index("KEEP")
    end = text.index("Monday.") + len("Monday.")
    keep = [{"page": 1, "start": start, "end": end}]

    done = _keep(client, document, keep=keep)
    client.post(f"/api/documents/{document}/decide", json={"where": {}, "status": "rejected"})
    left = _artifact(client, document).decode()
    assert done["clashing"] == 0
    assert "KEEP: Maria Berg was heard on Monday." in left
    assert "harbour" not in left
    assert left.count("Maria Berg") == 1


def test_what_cannot_be_told_apart_is_said(client: httpx.Client) -> None:
    text = "Maria Berg\nKEEP: Maria Berg was heard.\n"
    document = upload(client, text.encode(), "note.txt")
    wait_for(client, document)
    keep = [{"page": 1, "start": text.index("KEEP"), "end": len(text) - 1}]

    assert _keep(client, document, keep=keep, dryRun=True)["clashing"] == 1


def _pages(count: int = 3, size: tuple[float, float] = (595, 842)) -> bytes:
    def draw(board: Any) -> None:
        board.drawString(72, 700, "The first line is secret")
        board.drawString(72, 600, "The second line is kept")

    return drawn(draw, pages=count, size=size)


def _words(data: bytes, page: int | None = None) -> list[str]:
    """What can be copied out of a file, but for the marker."""
    return [word for word in pdftotext(data, page=page).split() if word != "[redacted]"]


def test_one_page_is_emptied_but_for_a_rectangle_and_the_others_are_left(client: httpx.Client) -> None:
    document = upload(client, _pages(), "three.pdf")
    wait_for(client, document)

    _keep(client, document, page=1, keep=[{"page": 1, "box": [60, 842 - 615, 400, 842 - 590]}])
    data = _artifact(client, document)
    assert _words(data, page=1) == ["The", "second", "line", "is", "kept"]
    assert "page 2" in pdftotext(data, page=2)


def test_a_table_keeps_its_cell(client: httpx.Client) -> None:
    rows = [["city", "number"], ["Oslo", "17"], ["Bergen", "18"]]
    buffer = io.StringIO()
    csv.writer(buffer).writerows(rows)
    document = upload(client, buffer.getvalue().encode(), "table.csv")
    wait_for(client, document)
    text = client.get(f"/api/documents/{document}/content", params={"page": 1}).json()["text"]
    start = text.index("Oslo")

    _keep(client, document, page=1, keep=[{"page": 1, "start": start, "end": start + 4}])
    left = _artifact(client, document).decode()
    assert "Oslo" in left
    assert not any(value in left for value in ("city", "number", "17", "Bergen", "18"))


@pytest.mark.parametrize(
    "wrong",
    [{"keep": []}, {"keep": [{"page": 1}]}, {"keep": [{"page": 1, "start": 0, "end": 4, "box": [0, 0, 1, 1]}]},
     {"keep": [{"page": 2, "start": 0, "end": 4}]}, {"page": 9, "keep": []},
     {"page": 1, "keep": [{"page": 1, "start": 3}]},
     {"keep": [{"page": 1, "start": 0, "end": 10_000}]}, {"keep": [{"page": 1, "start": 0, "end": 4}] * 501},
     {"keep": [{"page": 1, "box": [0, 0, 1, 1]}]}],
)  # fmt: skip
def test_what_is_nowhere_cannot_be_kept(client: httpx.Client, wrong: dict[str, Any]) -> None:
    document = upload(client, LETTER)
    wait_for(client, document)
    before = _list(client, document)

    assert client.post(f"/api/documents/{document}/keep-only", json=wrong).status_code == 400
    assert _list(client, document) == before


def test_a_region_is_repeated_on_every_page_of_its_size_once(client: httpx.Client) -> None:
    document = upload(client, _pages(4), "four.pdf")
    wait_for(client, document)
    url = f"/api/documents/{document}/redactions"
    body = {"page": 2, "box": [60, 842 - 720, 500, 842 - 690], "everyPage": True}

    made = client.post(url, json=body).json()
    assert (made["places"], made["act"]["kind"], made["more"]) == (4, "repeat", False)
    assert [item["page"] for item in made["redactions"]] == [1, 2, 3, 4]
    client.post(url, json=body)
    assert len([item for item in _list(client, document) if item["box"]]) == 4
    data = _artifact(client, document)
    assert _words(data) == ["The", "second", "line", "is", "kept"]
    assert client.post(url, json={**body, "box": [60, 100, 700, 200]}).status_code == 400
    assert client.post(url, json={"page": 1, "start": 0, "end": 3, "everyPage": True}).status_code == 400
