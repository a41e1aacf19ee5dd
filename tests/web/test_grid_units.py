"""A cell, a row and a column of a workbook, accepted by their places and gone from the download."""

from __future__ import annotations

import io

import httpx
import openpyxl  # type: ignore[import-untyped]  # it has no stubs

from tests.web.site import upload, wait_for


def test_a_cell_a_row_and_a_column_go_and_everything_else_stays(client: httpx.Client) -> None:
    book = openpyxl.Workbook()
    page = book.active
    page.append(["id", "name", "town", "note"])
    for number, (name, town) in enumerate([("Li", "Ystad"), ("Bo", "Lund"), ("Ida", "Malm\u00f6"), ("Per", "Lund")], 1):
        page.append([number, name, town, f"note {number}"])
    page["A6"] = "=COUNTA(B2:B5)"
    other = book.create_sheet("Other")
    other["A1"], other["B2"] = "name", "Li"
    buffer = io.BytesIO()
    book.save(buffer)
    document = upload(client, buffer.getvalue(), "list.xlsx")
    wait_for(client, document)
    url = f"/api/documents/{document}/redactions"

    for place in ({"sheet": 0, "column": 2}, {"sheet": 0, "row": 3}, {"sheet": 0, "row": 5, "column": 4}):
        made = client.post(url, json=place).json()["redactions"]
        client.patch(url, json={"ids": [item["id"] for item in made], "status": "accepted"})
    export = client.post(f"/api/documents/{document}/export", json={})

    assert export.status_code == 201, export.text
    out = openpyxl.load_workbook(io.BytesIO(client.get(export.json()["artifact"]["downloadUrl"]).content))
    gone = "[REDACTED]"
    assert [[cell.value for cell in row] for row in out.worksheets[0]] == [
        ["id", "name", "town", "note"],
        [1, gone, "Ystad", "note 1"],
        [gone, gone, gone, gone],
        [3, gone, "Malm\u00f6", "note 3"],
        [4, gone, "Lund", gone],
        ["=COUNTA(B2:B5)", None, None, None],
    ]
    assert [[cell.value for cell in row] for row in out["Other"]] == [["name", None], [None, "Li"]]
    report = client.get(export.json()["artifact"]["reportUrl"]).json()
    assert report["applied"]["byStyle"] == {"cell": 1, "column": 1, "row": 1}
