"""What a reviewer sees marked is what an export covers; and how much is marked on each page."""

from __future__ import annotations

import io
import time
from typing import Any

import httpx
import openpyxl  # type: ignore[import-untyped]  # it has no stubs
import pytest

from anonify.database import RedactionRow, documents, redactions
from anonify.documents import Edit
from anonify.export import build_plan
from anonify.runs import open_model, open_services, read_extraction
from anonify.runs.deliver import decisions_of
from tests.documents.pdf.making import drawn
from tests.review.rows import redaction
from tests.web.site import LETTER, Site, upload, wait_for


def _letter() -> bytes:
    def draw(board: Any) -> None:
        for number, line in enumerate(
            ("Dear Ms Maria Lindqvist,", "write to maria.lindqvist@example.org or call", "+44 20 7946 0958. Yours")
        ):
            board.drawString(72, 700 - 20 * number, line)

    return drawn(draw, pages=3)


@pytest.fixture
def pdf(client: httpx.Client) -> str:
    document = upload(client, _letter(), "letter.pdf")
    wait_for(client, document)
    return document


def _marks(client: httpx.Client, document: str, **where: Any) -> list[dict[str, Any]]:
    answer = client.get(f"/api/documents/{document}/marks", params=where)
    assert answer.status_code == 200, answer.text
    return list(answer.json()["marks"])


def _planned(site: Site, document: str) -> list[Edit]:
    services = open_services(site.settings, role="web")
    try:
        with services.database.connect() as connection:
            row = documents.get(connection, document)
        assert row is not None
        decisions, _ = decisions_of(services, row)
        return list(build_plan(decisions, open_model(services, row), read_extraction(row)).edits)
    finally:
        services.close()


def test_boxes_on_the_screen_are_the_boxes_an_export_paints(site: Site, client: httpx.Client, pdf: str) -> None:
    text = client.get(f"/api/documents/{pdf}/content", params={"page": 1}).json()["text"]
    start = text.index("example.org")
    body = {"page": 1, "start": start, "end": text.index(". Yours")}  # over the end of a line
    assert client.post(f"/api/documents/{pdf}/redactions", json=body).status_code == 201
    client.post(f"/api/documents/{pdf}/decide", json={"where": {"category": "person"}, "status": "accepted"})
    client.post(f"/api/documents/{pdf}/decide", json={"where": {}, "status": "rejected"})

    marks = _marks(client, pdf, page=1)
    assert {mark["status"] for mark in marks} == {"accepted"}
    over_two_lines = next(mark for mark in marks if mark["start"] == start)
    assert len(over_two_lines["boxes"]) == 2
    painted = {
        tuple((box.x0, box.y0, box.x1, box.y1) for box in edit.boxes)
        for edit in _planned(site, pdf)
        if edit.boxes and edit.page == 1
    }
    assert painted == {tuple(tuple(box) for box in mark["boxes"]) for mark in marks}
    assert _marks(client, pdf, page=2) == []


def test_the_rejected_are_not_drawn_and_a_region_is(client: httpx.Client, pdf: str) -> None:
    before = _marks(client, pdf, page=1)
    first = before[0]
    assert first["status"] == "suggested"
    values = client.get(f"/api/documents/{pdf}/values").json()["values"]
    assert first["key"] in {value["key"] for value in values}

    client.patch(f"/api/documents/{pdf}/redactions", json={"ids": [first["id"]], "status": "rejected"})
    client.post(f"/api/documents/{pdf}/redactions", json={"page": 1, "box": [10, 20.5, 30, 40]})
    after = _marks(client, pdf, page=1)
    assert first["id"] not in {mark["id"] for mark in after}
    region = next(mark for mark in after if mark["start"] is None)
    assert (region["boxes"], region["status"], region["key"]) == ([[10, 20.5, 30, 40]], "accepted", region["id"])


def test_rows_of_a_sheet_show_their_cells_and_whole_columns(client: httpx.Client) -> None:
    book = openpyxl.Workbook()
    for number in range(1, 41):
        book.active.append([f"row {number}", "x"])
    buffer = io.BytesIO()
    book.save(buffer)
    document = upload(client, buffer.getvalue(), "book.xlsx")
    wait_for(client, document)
    url = f"/api/documents/{document}/redactions"
    for cell in ({"row": 3, "column": 1}, {"row": 30, "column": 1}, {"column": 2}, {"row": 4}):
        assert client.post(url, json={"sheet": 0, **cell}).status_code == 201

    shown = _marks(client, document, sheet=0, rows="2-10")
    assert sorted((mark["row"], mark["column"]) for mark in shown if mark["row"]) == [(3, 1), (4, None)]
    assert [mark["column"] for mark in shown if mark["row"] is None] == [2]
    rail = client.get(f"/api/documents/{document}/rail").json()["pages"]
    assert sum(accepted for _, accepted in rail) == 4


@pytest.mark.parametrize(
    "wrong",
    [{}, {"page": 1, "sheet": 0}, {"sheet": 0}, {"rows": "1-2"}, {"page": 0}, {"sheet": 0, "rows": "1-2000"},
     {"sheet": 0, "rows": "5-1"}, {"page": 2**40}],
)  # fmt: skip
def test_marks_of_no_place_are_refused(client: httpx.Client, pdf: str, wrong: dict[str, Any]) -> None:
    assert client.get(f"/api/documents/{pdf}/marks", params=wrong).status_code == 400


def test_a_page_or_sheet_that_is_not_there_has_no_marks(client: httpx.Client, pdf: str) -> None:
    nowheres: list[dict[str, Any]] = [{"page": 4}, {"sheet": 0, "rows": "1-2"}]
    for nowhere in nowheres:
        assert client.get(f"/api/documents/{pdf}/marks", params=nowhere).status_code == 404
    assert client.get(f"/api/documents/{pdf}/rail", params={"from": 4}).json() == {"pages": []}
    assert len(client.get(f"/api/documents/{pdf}/rail", params={"from": 2, "to": 9}).json()["pages"]) == 2


def test_a_document_of_two_thousand_pages_has_its_rail_at_once(site: Site, client: httpx.Client) -> None:
    document = upload(client, LETTER)
    wait_for(client, document)
    services = open_services(site.settings, role="web")
    with services.database.begin() as connection:
        documents.update(connection, document, pages=2_000)
        redactions.insert_many(connection, (_on(document, number) for number in range(10_000)))
    services.close()

    start = time.perf_counter()
    rail = client.get(f"/api/documents/{document}/rail").json()["pages"]
    took = time.perf_counter() - start
    assert rail[1:] == [[4, 1]] * 1_999
    assert took < 3.0  # about 0.03 s on a quiet machine


def _on(document: str, number: int) -> RedactionRow:
    status = "accepted" if number % 5 == 0 else "suggested"
    return redaction(document, f"N{number}", page=number // 5 + 1, start=10_000 + number, status=status)
