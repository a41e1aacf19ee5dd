"""Small workbooks made by hand, and their redaction."""

# ruff: noqa: E501  # tables of markup are read whole

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any

import openpyxl  # type: ignore[import-untyped]  # it has no stubs

from anonify.documents.format import ExtractOptions
from anonify.documents.gate import read_back
from anonify.documents.model import Extraction, Page
from anonify.documents.plan import CellEdit, Edit, RedactionPlan, RedactionResult, SweepValue
from anonify.documents.xlsx import FORMAT
from anonify.sandbox.source import BytesSource, MemorySink
from tests.documents.ooxml.build import RELS, TYPES, R, zipped

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
SPACES = (
    f'xmlns="{MAIN}" xmlns:r="{R}" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing" '
    'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" '
    'xmlns:x14="http://schemas.microsoft.com/office/spreadsheetml/2009/9/main" '
    'xmlns:xm="http://schemas.microsoft.com/office/excel/2006/main" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:x15ac="http://schemas.microsoft.com/office/spreadsheetml/2010/11/ac" '
    'xmlns:v="urn:schemas-microsoft-com:vml" xmlns:x="urn:schemas-microsoft-com:office:excel"'
)
OFFICE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
KINDS = {
    "worksheet": f"{OFFICE}.worksheet+xml",
    "sharedStrings": f"{OFFICE}.sharedStrings+xml",
    "styles": f"{OFFICE}.styles+xml",
    "comments": f"{OFFICE}.comments+xml",
    "table": f"{OFFICE}.table+xml",
    "pivotCacheDefinition": f"{OFFICE}.pivotCacheDefinition+xml",
    "pivotCacheRecords": f"{OFFICE}.pivotCacheRecords+xml",
    "pivotTable": f"{OFFICE}.pivotTable+xml",
    "calcChain": f"{OFFICE}.calcChain+xml",
    "connections": f"{OFFICE}.connections+xml",
    "externalLink": f"{OFFICE}.externalLink+xml",
    "drawing": "application/vnd.openxmlformats-officedocument.drawing+xml",
    "chart": "application/vnd.openxmlformats-officedocument.drawingml.chart+xml",
    "person": "application/vnd.ms-excel.person+xml",
    "threadedComment": "application/vnd.ms-excel.threadedcomments+xml",
    "slicerCache": "application/vnd.ms-excel.slicerCache+xml",
}

Part = tuple[str, str, str]
"""Name within `xl/`, relationship kind, markup."""


def rels(items: Sequence[tuple[str, str]], start: int = 1) -> str:
    rows = "".join(
        f'<Relationship Id="rId{number}" Type="{R}/{kind}" Target="{target}"'
        + (' TargetMode="External"' if kind == "hyperlink" or kind.endswith("Path") else "")
        + "/>"
        for number, (kind, target) in enumerate(items, start)
    )
    return f'<Relationships xmlns="{RELS}">{rows}</Relationships>'


def sheet(rows: str, before: str = "", after: str = "") -> str:
    return f"<worksheet {SPACES}>{before}<sheetData>{rows}</sheetData>{after}</worksheet>"


def string_table(*items: str) -> str:
    return f'<sst {SPACES} count="{len(items)}" uniqueCount="{len(items)}">{"".join(items)}</sst>'


def styles(*codes: str) -> str:
    formats = "".join(f'<numFmt numFmtId="{164 + n}" formatCode="{code}"/>' for n, code in enumerate(codes))
    xfs = '<xf numFmtId="0"/>' + "".join(f'<xf numFmtId="{164 + n}" applyNumberFormat="1"/>' for n in range(len(codes)))
    return (
        f'<styleSheet {SPACES}><numFmts count="{len(codes)}">{formats}</numFmts><fonts count="1"><font/></fonts>'
        f'<fills count="1"><fill><patternFill/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>'
        f'<cellXfs count="{len(codes) + 1}">{xfs}</cellXfs></styleSheet>'
    )


def text_cell(place: str, text: str) -> str:
    return f'<c r="{place}" t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>'


def workbook(
    sheets: Mapping[str, str],
    parts: Sequence[Part] = (),
    of_sheet: Sequence[Part] = (),
    links: Sequence[tuple[str, str]] = (),
    *,
    states: Mapping[str, str] | None = None,
    inside: str = "",
    before: str = "",
    more: Mapping[str, bytes] | None = None,
) -> bytes:
    """A workbook.

    Args:
        sheets: markup by name.
        parts: parts related to the workbook.
        of_sheet: parts related to the first sheet, as rId1 and on.
        links: further relationships of the first sheet: kind and target.
        states: sheets that are hidden.
        inside: markup after the workbook part's sheets.
        before: markup before them.
        more: entries by name, related to nothing.
    """
    entries: dict[str, bytes] = {}
    types = [("xl/workbook.xml", f"{OFFICE}.sheet.main+xml")]
    related: list[tuple[str, str]] = []
    listed = ""
    for number, (name, markup) in enumerate(sheets.items(), 1):
        part = f"worksheets/sheet{number}.xml"
        entries[f"xl/{part}"] = markup.encode()
        types.append((f"xl/{part}", KINDS["worksheet"]))
        related.append(("worksheet", part))
        state = f' state="{states[name]}"' if states and name in states else ""
        listed += f'<sheet name="{name}" sheetId="{number}"{state} r:id="rId{number}"/>'
    for name, kind, markup in (*parts, *of_sheet):
        entries[f"xl/{name}"] = markup.encode()
        if kind in KINDS:
            types.append((f"xl/{name}", KINDS[kind]))
    related += [(kind, name) for name, kind, _ in parts if kind]
    own = [(kind, f"../{name}") for name, kind, _ in of_sheet if kind] + list(links)
    if own:
        entries["xl/worksheets/_rels/sheet1.xml.rels"] = rels(own).encode()
    entries["xl/workbook.xml"] = f"<workbook {SPACES}>{before}<sheets>{listed}</sheets>{inside}</workbook>".encode()
    entries["xl/_rels/workbook.xml.rels"] = rels(related).encode()
    overrides = "".join(f'<Override PartName="/{name}" ContentType="{kind}"/>' for name, kind in types)
    entries["[Content_Types].xml"] = (
        f'<Types xmlns="{TYPES}"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Default Extension="xml" ContentType="application/xml"/><Default Extension="vml" ContentType="application/vnd.openxmlformats-officedocument.vmlDrawing"/>{overrides}</Types>'
    ).encode()
    entries["_rels/.rels"] = rels([("officeDocument", "xl/workbook.xml")]).encode()
    return zipped({**entries, **(more or {})})


class Pages(list[Page]):
    def page(self, page: Page, /) -> None:
        self.append(page)


def extracted(data: bytes) -> tuple[Extraction, Pages]:
    pages = Pages()
    return FORMAT.extract(BytesSource(data), pages, ExtractOptions()), pages


def plan_of(
    *values: str, cells: Sequence[CellEdit] = (), edits: Sequence[Edit] = (), marker: str = "[REDACTED]"
) -> RedactionPlan:
    ordered = sorted(values, key=len, reverse=True)
    return RedactionPlan(
        sweep=tuple(SweepValue(value, marker) for value in ordered),
        cells=tuple(cells),
        edits=tuple(edits),
        marker=marker,
    )


def redacted(data: bytes, plan: RedactionPlan) -> tuple[bytes, RedactionResult]:
    """The artifact; both readers must find nothing and every check hold."""
    sink = MemorySink()
    result = FORMAT.redact(BytesSource(data), sink, plan)
    out = sink.getvalue()
    for reader in ("own", "independent"):
        verdict = read_back(FORMAT, BytesSource(data), BytesSource(out), plan, reader)
        assert verdict.opened, reader
        assert verdict.survivors == (), reader
        assert verdict.failed == (), reader
    return out, result


def opened(data: bytes, *, values: bool = True) -> Any:
    return openpyxl.load_workbook(io.BytesIO(data), data_only=values)


def grid(data: bytes, sheet: int = 0) -> list[list[str]]:
    """The texts of a sheet's cells."""
    return [line.split("\t") for page in extracted(data)[1] if page.sheet == sheet for line in page.text.split("\n")]
