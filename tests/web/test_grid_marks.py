"""What a workbook hides is marked in the grid a reviewer sees."""

from __future__ import annotations

import io

import httpx
import openpyxl  # type: ignore[import-untyped]  # it has no stubs

from tests.web.site import upload, wait_for


def _workbook() -> bytes:
    book = openpyxl.Workbook()
    page = book.active
    for row in range(1, 5):
        for column in range(1, 4):
            page.cell(row, column, f"cell {row} {column}")
    page.row_dimensions[2].hidden = True
    page.column_dimensions["C"].hidden = True
    page["A4"].font = openpyxl.styles.Font(color="FFFFFFFF")
    page["B4"].number_format = ";;;"
    kept = book.create_sheet("Kept")
    kept.sheet_state = "veryHidden"
    kept["A1"] = "nobody offers to show this"
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def test_the_grid_says_which_cells_the_sheet_does_not_show_and_why(client: httpx.Client) -> None:
    document = upload(client, _workbook(), "book.xlsx")
    wait_for(client, document)

    outline = client.get(f"/api/documents/{document}/content", params={"view": "outline"}).json()
    pages = [client.get(f"/api/documents/{document}/content", params={"page": n}).json() for n in (1, 2)]

    assert [sheet["hidden"] for sheet in outline["sheets"]] == ["", "very-hidden"]
    counts = {item["kind"]: item["count"] for item in outline["hidden"]}
    assert {kind: counts[f"hidden-{kind}"] for kind in ("sheets", "rows", "columns", "cells")} == {
        "sheets": 1, "rows": 1, "columns": 1, "cells": 2,
    }  # fmt: skip
    found = {
        mark["reason"]: (mark["firstRow"], mark["lastRow"], mark["firstColumn"], mark["lastColumn"])
        for mark in pages[0]["unseen"]
    }
    assert found == {
        "hidden-row": (2, 2, 1, 3),
        "hidden-column": (1, 4, 3, 3),
        "same-colour": (4, 4, 1, 1),
        "empty-format": (4, 4, 2, 2),
    }
    assert pages[1]["unseen"] == []

    rows = [
        client.get(f"/api/documents/{document}/content", params={"sheet": 0, "rows": wanted}).json()
        for wanted in ("1-4", "3-3")
    ]
    assert rows[0]["unseen"] == pages[0]["unseen"]
    assert [mark["reason"] for mark in rows[1]["unseen"]] == ["hidden-column"]
    assert [(sheet["firstPage"], sheet["pages"]) for sheet in outline["sheets"]] == [(1, 1), (2, 1)]


def test_text_marked_by_hand_in_a_sheet_says_its_cell(client: httpx.Client) -> None:
    document = upload(client, b"name,town\nLi,Ystad Nord\nBo,Lund\n", "people.csv")
    wait_for(client, document)
    here = f"/api/documents/{document}/redactions"
    start = client.get(f"/api/documents/{document}/content?page=1").json()["text"].index("Nord")
    one = client.post(here, json={"page": 1, "start": start, "end": start + 4}).json()["redactions"][0]
    assert (one["sheet"], one["row"], one["column"], one["value"]) == (0, 2, 2, "Nord")
    again = client.post(here, json={"value": "Nord"}).json()["redactions"]
    assert [each["id"] for each in again] == [one["id"]]
    other = client.post(here, json={"value": "Lund"}).json()["redactions"][0]
    assert (other["sheet"], other["row"], other["column"]) == (0, 3, 2)
