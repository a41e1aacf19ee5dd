"""Whole documents: expansion over pages, columns of grids, caps and degraded reasons."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pytest

from anonify.detection import (
    ANALYZE,
    DEGRADED_CUT,
    DEGRADED_NAMES,
    DETECT_TEXTS,
    MAX_DETECTIONS,
    AnalyzeArgs,
    Analyzed,
    Detection,
    DetectTextsArgs,
    from_json_lines,
)
from anonify.documents.model import Extraction, GridRow, ModelWriter, Page, Sheet
from anonify.sandbox.source import BytesSource, MemorySink
from anonify.sandbox.task import run_inline


def analyze(
    pages: Iterable[Page], sheets: tuple[Sheet, ...] = (), preset: str = "everything", kind: str = "txt"
) -> tuple[list[Detection], Analyzed, list[tuple[int, int]]]:
    sink, out = MemorySink(), MemorySink()
    writer = ModelWriter(sink)
    for page in pages:
        writer.page(page)
    steps: list[tuple[int, int]] = []
    args = AnalyzeArgs(kind, tuple(writer.lengths), Extraction(len(writer.lengths), 1, sheets), preset)
    result = run_inline(
        ANALYZE,
        args,
        sources={"model": BytesSource(sink.getvalue())},
        sinks={"detections": out},
        progress=lambda done, total: steps.append((done, total)),
    )
    return from_json_lines(out.getvalue()), result, steps


def grid(rows: Sequence[Sequence[str]], header: bool = True, block: int = 50) -> tuple[list[Page], tuple[Sheet, ...]]:
    pages, first_rows = [], []
    for number, start in enumerate(range(0, len(rows), block), 1):
        part = rows[start : start + block]
        text = "\n".join("\t".join(row) for row in part)
        lines = tuple(GridRow(start + n, tuple(map(len, row))) for n, row in enumerate(part, 1))
        pages.append(Page(number, text, sheet=0, rows=lines))
        first_rows.append(start + 1)
    head = tuple(rows[0]) if header else ()
    sheet = Sheet("s", len(rows), max(map(len, rows)), 1, len(pages), head, 1 if header else None, tuple(first_rows))
    return pages, (sheet,)


def test_other_occurrences_on_other_pages_are_suggested(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("anonify.detection.naming.network", lambda: None)  # it would find them by itself
    pages = [
        Page(1, "Patient: Richard Quinn\nPhone: +44 20 7946 0018"),
        Page(2, "RICHARD QUINN rang; Quinn rang from 442079460018. Quinnell did not. Quinn, Richard signed."),
    ]
    detections, result, steps = analyze(pages)
    second = {d.text: d for d in detections if d.page == 2}
    assert {"RICHARD QUINN", "Quinn", "442079460018", "Quinn, Richard"} <= set(second)
    assert second["RICHARD QUINN"].source == "expanded"
    assert second["RICHARD QUINN"].category == "person"
    assert second["RICHARD QUINN"].detector == "person-label+expanded"
    assert second["Quinn"].confidence < second["RICHARD QUINN"].confidence < 0.8
    assert not any("Quinnell" in d.text for d in detections)
    assert result == Analyzed(len(detections), (DEGRADED_NAMES,))
    assert steps[-1] == (4, 4)
    assert steps == sorted(steps)


def test_offsets_slice_to_each_page() -> None:
    pages = [Page(n, f"\U0001f600 é page {n}: jane.doe@example.com and Jane.Doe@example.com") for n in range(1, 6)]
    detections, _, _ = analyze(pages)
    assert len(detections) == 10
    for d in detections:
        assert pages[d.page - 1].text[d.start : d.end] == d.text
    assert [(d.page, d.start) for d in detections] == sorted((d.page, d.start) for d in detections)


def test_degraded_names_only_when_names_are_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("anonify.detection.naming.network", lambda: None)
    _, result, _ = analyze([Page(1, "x")], preset="credentials")
    assert result == Analyzed(0, ())
    assert analyze([Page(1, "x")])[1].degraded == (DEGRADED_NAMES,)


def iban(account: int) -> str:
    return f"DE{98 - int(f'{account:018}131400') % 97:02}{account:018}"


def test_too_many_are_cut_and_said() -> None:
    line = ", ".join(iban(370400440532013000 + n) for n in range(1000))
    pages = (Page(n, line) for n in range(1, 23))
    detections, result, _ = analyze(
        pages, preset="payments-and-accounts"
    )  # without names: the model would take minutes
    assert len(detections) == result.count == MAX_DETECTIONS
    assert DEGRADED_CUT in result.degraded


def customers(count: int) -> list[list[str]]:
    rows = [["Order", "Customer name", "E-mail", "Phone", "DOB", "IBAN", "Amount", "Notes"]]
    for n in range(count):
        note = "call Ms Gilbert, or write to stray@example.com" if n == 77 else "paid"
        rows.append(
            [
                f"{4571405394 + n}",
                f"Ann{chr(97 + n % 26)} Lee",
                f"u{n}@example.org",
                f"0{7911123456 + n}",
                f"19{50 + n % 40}-03-0{1 + n % 9}",
                "DE89370400440532013000",
                f"{n}.50",
                note,
            ]
        )
    return rows


def test_columns_are_suggested_once_and_strays_by_cell() -> None:
    pages, sheets = grid(customers(200))
    detections, _, _ = analyze(pages, sheets, kind="csv")
    columns = {d.column: d.category for d in detections if d.is_column}
    assert columns == {2: "person", 3: "email", 4: "phone", 5: "date-of-birth", 6: "bank-account"}
    cells = [d for d in detections if not d.is_column]
    assert {(d.text, d.sheet, d.row, d.column) for d in cells} == {
        ("Gilbert", 0, 79, 8),
        ("stray@example.com", 0, 79, 8),
    }
    for d in cells:
        assert pages[d.page - 1].text[d.start : d.end] == d.text
    assert all(d.text == "" and d.row is None and d.start == d.end == 0 for d in detections if d.is_column)


def test_columns_without_header_by_share_of_cells() -> None:
    rows = [[f"{n}", f"u{n}@example.org", "4111111111111111", "blue"] for n in range(60)]
    pages, sheets = grid(rows, header=False)
    detections, _, _ = analyze(pages, sheets, kind="csv")
    assert {d.column: d.category for d in detections} == {2: "email", 3: "financial"}


def test_a_few_addresses_in_a_column_stay_cell_suggestions() -> None:
    rows = [["id", "comment"], *([str(n), f"u{n}@example.org" if n % 10 == 0 else "fine"] for n in range(100))]
    pages, sheets = grid(rows)
    detections, _, _ = analyze(pages, sheets, kind="csv")
    assert len(detections) == 10
    assert all(d.column == 2 and d.row is not None for d in detections)


@pytest.mark.parametrize(
    ("title", "cell"),
    [
        ("Invoice no", "INV-2024-10804"),
        ("Version", "4.12.0"),
        ("Date", "2024-05-01"),
        ("Total", "1234.50"),
        ("Product name", "Blue Chair"),
        ("File name", "Report Final"),
        ("SKU", "659109771150"),
        ("Order id", "7242-9283-1942"),
    ],
)
def test_ordinary_columns_are_left(title: str, cell: str) -> None:
    pages, sheets = grid([["x", title], *(["a", cell] for _ in range(40))])
    assert analyze(pages, sheets, kind="csv")[0] == []


@pytest.mark.parametrize(
    ("title", "cell", "category"),
    [
        ("Nachname", "Müller", "person"),
        ("Geburtsdatum", "01.02.1980", "date-of-birth"),
        ("Kundennummer", "113946", "customer-id"),
        ("téléphone", "0139516241", "phone"),
        ("correo", "ana@example.es", "email"),
        ("codice fiscale", "RCCMNL83S18D969H", "government-id"),
        ("Salary", "44,416", "financial"),
        ("password", "hunter2x", "api-key"),
        ("Adres", "Alexsteeg 7, Bennekom", "address"),
        ("firstName", "Zoë", "person"),
        ("customer_email", "a@b.org", "email"),
        ("Diagnosis", "Asthma", "health"),
    ],
)
def test_headers_in_several_languages(title: str, cell: str, category: str) -> None:
    pages, sheets = grid([["x", title], *(["a", cell] for _ in range(20))])
    assert [(d.category, d.column) for d in analyze(pages, sheets, kind="csv")[0]] == [(category, 2)]


def test_texts_are_judged_each_for_itself() -> None:
    args = DetectTextsArgs(("mail a@example.org", "nothing", "b@example.org a@example.org"), "everything")
    result = run_inline(DETECT_TEXTS, args, sources={})
    assert [[d.text for d in found] for found in result.detections] == [
        ["a@example.org"],
        [],
        ["b@example.org", "a@example.org"],
    ]
