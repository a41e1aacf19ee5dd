"""What a language model is asked of tables and pictures in a durable run, and what a repeated step asks again."""

from __future__ import annotations

import io
import json
from collections import Counter
from typing import Any, cast

import msgspec
import openpyxl  # type: ignore[import-untyped]  # it has no stubs
import pytest
from PIL import Image

from anonify.database import RedactionRow
from anonify.detection import explain
from anonify.errors import Code, Transient
from anonify.runs import asking, follow
from anonify.runs.analysis import analyze
from anonify.runs.steps import DocumentRun
from tests.ocr.pictured import scan
from tests.providers.server import Asked, Reply, Script, by_task

from .asked import NICKNAME, TEXT, Start
from .helpers import load, objects_of, submit

NAMES = ("tall Jo", "the baker", "Red", "old Finn", "Mim of the mill", "the twins", "Squint")
NOTES = ("paid", "late", "paid", "see file", "late", "paid", "paid")
LAST = "nobody shows this cell"


def table() -> bytes:
    """Column 1 is plain, column 2 is known to a reader only, column 3 has a stray value."""
    rows = [("ward", "known as", "note")]
    for number in range(35):
        note = "write to ana.lopez@example.org" if number == 3 else NOTES[number % 7]
        rows.append((("north", "south")[number % 2], f"{NAMES[number % 7]} ({number})", note))
    rows[17] = ("north", LAST, "paid")
    return "".join(",".join(row) + "\n" for row in rows).encode()


def book() -> bytes:
    """A workbook whose second sheet says who is meant, in a column that nobody has named."""
    made = openpyxl.Workbook()
    first = made.active
    for row in (("item", "count"), ("chairs", "3"), ("tables", "1"), ("lamps", "9")):
        first.append(row)
    second = made.create_sheet("people")
    for number in range(7):
        second.append((("open", "closed")[number % 2], NAMES[number]))
    buffer = io.BytesIO()
    made.save(buffer)
    return buffer.getvalue()


def judging(category: str, *markers: str, confidence: float = 0.8) -> Script:
    """Says that the columns whose header or cells hold one of the markers are of a category."""

    def answer(asked: Asked) -> dict[str, object]:
        shown = [one for each in json.loads(asked.text) for one in each["columns"]]
        meant = [one for one in shown if {one["header"], *one["cells"]} & set(markers)]
        return {"columns": [{"number": one["number"], "category": category, "confidence": confidence} for one in meant]}

    return by_task(columns=answer)


def whole(found: list[RedactionRow]) -> list[tuple[int | None, int | None, str]]:
    """Sheet, column and category of whole columns."""
    return [(one.sheet, one.column, one.category) for one in found if one.column is not None and one.row is None]


def test_a_column_that_only_the_model_knows_is_suggested_whole(start: Start) -> None:
    asking = start(judging("person", "known as", confidence=1.0))

    document_id = asking.run(table(), "table.csv")

    found = asking.suggested(document_id)
    assert whole(found) == [(0, 2, "person")]
    (column,) = [one for one in found if one.row is None]
    assert (column.detector, column.confidence, column.status, column.value) == (
        "context-model", 0.9, "suggested", None,
    )  # fmt: skip
    said = explain(column.why or "", column.detector or "", column.category, column=True)
    assert said == "whole column: found by the language model"
    assert [one.value for one in found if one.row is not None] == ["ana.lopez@example.org"]
    assert asking.server.tasks() == ["columns"]
    shown = json.loads(asking.server.asked[0].text)
    assert all(len(one["cells"]) <= 5 for one in shown[0]["columns"])
    assert LAST not in asking.server.asked[0].whole
    assert (asking.degraded(document_id), asking.skips(document_id)) == ([], [])


def test_a_column_of_a_workbook_without_a_header_is_suggested_on_its_sheet(start: Start) -> None:
    asking = start(judging("person", "tall Jo"))

    document_id = asking.run(book(), "book.xlsx")

    assert whole(asking.named(document_id)) == [(1, 2, "person")]
    assert asking.server.tasks().count("columns") == 1


@pytest.mark.parametrize(("confidence", "stays"), [(0.95, False), (0.7, True)])
def test_a_cell_of_a_column_that_is_suggested_whole_stays_only_where_it_is_more_certain(
    start: Start, confidence: float, stays: bool
) -> None:
    asking = start(judging("confidential", "note", confidence=confidence))

    document_id = asking.run(table(), "table.csv")

    found = asking.suggested(document_id)
    assert whole(found) == [(0, 3, "confidential")]
    inside = [one.value for one in found if one.row is not None and one.column == 3]
    assert inside == (["ana.lopez@example.org"] if stays else [])


def test_a_column_that_is_suggested_already_is_neither_doubled_nor_shown(start: Start) -> None:
    asking = start(judging("person", "who", "what"))

    document_id = asking.run(b"who,what\nAna Lopez,rent\nBo Chen,rent\nCy Young,heat\n", "table.csv")

    found = asking.suggested(document_id)
    assert Counter(whole(found)) == {(0, 1, "person"): 1, (0, 2, "person"): 1}
    assert [one.detector for one in found if one.column == 1] != ["context-model"]
    assert "Ana Lopez" not in asking.server.asked[0].whole
    assert json.loads(asking.server.asked[0].text)[0]["known"] == [{"header": "who", "category": "person"}]


def test_the_model_of_a_preset_puts_no_column_into_another_category(start: Start) -> None:
    asking = start(judging("person", "known as"))

    document_id = asking.run(table(), "table.csv", "credentials")

    assert asking.suggested(document_id) == []
    assert "person" not in asking.server.asked[0].system.split("Categories:")[1].split(". Plain")[0]


SIGNATURE = {"thing": "signature", "left": 100, "top": 800, "right": 400, "bottom": 900, "confidence": 0.8}


def test_a_signature_on_a_scan_is_suggested_where_it_stands(start: Start) -> None:
    asking = start(by_task(image={"boxes": [SIGNATURE]}), can=("tool", "image"))

    document_id = asking.run(scan(["A letter about the rent"], ["Its second page"]), "scan.pdf")

    seen = [one for one in asking.suggested(document_id) if one.category == "signature"]
    assert [(one.page, one.detector, one.value) for one in seen] == [
        (1, "vision-model", None), (2, "vision-model", None),
    ]  # fmt: skip
    assert msgspec.json.decode(seen[0].box or "") == pytest.approx([56.5, 669.4, 241.0, 762.0], abs=0.2)
    shown = [asked for asked in asking.server.asked if asked.task == "image"]
    assert ["rent" in asked.text for asked in shown].count(True) == 1
    for asked in shown:
        with Image.open(io.BytesIO(asked.pictures[0])) as image:
            assert (image.format, max(image.size) <= 1568, max(image.size) > 1500) == ("PNG", True, True)
    assert asking.skips(document_id) == []
    events = [event for event in follow(asking.services, document_id, timeout_seconds=10) if event is not None]
    assert events[-1].type == "document.ready"


def test_a_picture_is_not_shown_to_a_model_that_was_not_seen_to_see(start: Start) -> None:
    asking = start(by_task(image={"boxes": [SIGNATURE]}))

    document_id = asking.run(scan(["A letter about the rent"]), "scan.pdf")

    assert asking.skips(document_id) == [("image", "unsupported")]
    assert asking.degraded(document_id) == ["ai-unsupported"]
    assert "image" not in asking.server.tasks()
    assert "detect" in asking.server.tasks()


def test_a_page_of_text_is_not_shown_as_a_picture(start: Start) -> None:
    asking = start(by_task(image={"boxes": [SIGNATURE]}), can=("tool", "image"))

    document_id = asking.run()

    assert "image" not in asking.server.tasks()
    assert asking.skips(document_id) == []


class _Run:
    """A run that nobody watches."""

    def __init__(self, run_id: str) -> None:
        self.id = run_id

    def write(self, line: str) -> None: ...


def test_a_step_that_is_repeated_asks_only_what_was_not_answered(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[bool] = []

    def once_away(asked: Asked) -> Reply | dict[str, object]:
        away = "end the tall man" in asked.text and not told
        told.extend([True] * away)
        span = {"text": NICKNAME, "category": "person", "confidence": 0.8, "everywhere": True}
        return Reply(status=400, raw=b"{}") if away else {"values": [span] if NICKNAME in asked.text else []}

    installed = start(by_task(detect=once_away), working=False)
    services = installed.services
    document_id = submit(services, TEXT, "a.txt")
    work = DocumentRun(services, cast("Any", _Run(load(services, document_id).run_id or "")), document_id)
    work.ingest()
    work.extract()

    def then_die(*_: object) -> None:
        raise Transient(Code.STORAGE)

    with monkeypatch.context() as patch:
        patch.setattr(asking, "_joined", then_die)
        with pytest.raises(Transient):
            analyze(work)
    first, spent = installed.server.tasks(), installed.spent()
    kept = [name for name in objects_of(services, document_id) if name.startswith("ai/")]
    assert len(kept) == len(first) - 1
    analyze(work)

    assert first.count("detect") == 2
    assert installed.server.tasks() == [*first, "detect"], "only what had no answer was asked again"
    assert installed.spent() > spent
    assert installed.skips(document_id) == []
    assert {one.value for one in installed.named(document_id)} == {NICKNAME}
    assert not [name for name in objects_of(services, document_id) if name.startswith("ai/")]
