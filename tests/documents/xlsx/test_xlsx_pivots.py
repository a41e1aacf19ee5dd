"""Pivot tables: their copy of the source loses the value, and what they show stays (case B19)."""

# ruff: noqa: E501  # markup is read whole

from __future__ import annotations

import pytest

from tests.documents.ooxml.build import read

from .making import SPACES, extracted, grid, plan_of, redacted, rels, sheet, text_cell, workbook

ITEMS = '<s v="Greta Nordlund"/><s v="Otto Berg"/><s v="Ida Moe"/>'
NUMBERED = "".join(f'<r><x v="{n}"/><n v="{n + 1}"/></r>' for n in range(3))
SPELLED = "".join(f'<r><s v="{name}"/><n v="1"/></r>' for name in ("Greta Nordlund", "Otto Berg", "Ida Moe"))
HERE = '<worksheetSource ref="A1:B4" sheet="Data"/>'


def summed(source: str, items: str, records: str) -> bytes:
    """A visible sheet with a pivot table's totals, a source sheet and the cache between them."""
    definition = (
        f'<pivotCacheDefinition {SPACES} r:id="rId1" recordCount="3"><cacheSource type="worksheet">{source}</cacheSource>'
        f'<cacheFields count="2"><cacheField name="Name"><sharedItems count="3">{items}</sharedItems></cacheField>'
        '<cacheField name="Sum"><sharedItems containsNumber="1" minValue="1" maxValue="3"/></cacheField></cacheFields></pivotCacheDefinition>'
    )
    rows = f'<row r="1">{text_cell("A1", "Name")}{text_cell("B1", "Sum")}</row>' + "".join(
        f'<row r="{n}">{text_cell(f"A{n}", name)}<c r="B{n}"><v>{n - 1}</v></c></row>'
        for n, name in enumerate(("Greta Nordlund", "Otto Berg", "Ida Moe"), 2)
    )
    totals = f'<row r="3">{text_cell("A3", "Grand Total")}<c r="B3"><v>6</v></c></row>'
    return workbook(
        {"Totals": sheet(totals), "Data": sheet(rows)},
        [("pivotCache/pivotCacheDefinition1.xml", "pivotCacheDefinition", definition)],
        of_sheet=[
            ("pivotTables/pivotTable1.xml", "pivotTable", f'<pivotTableDefinition {SPACES} name="P" cacheId="1"/>')
        ],
        inside='<pivotCaches><pivotCache cacheId="1" r:id="rId3"/></pivotCaches>',
        more={
            "xl/pivotCache/_rels/pivotCacheDefinition1.xml.rels": rels(
                [("pivotCacheRecords", "pivotCacheRecords1.xml")]
            ).encode(),
            "xl/pivotCache/pivotCacheRecords1.xml": f'<pivotCacheRecords {SPACES} count="3">{records}</pivotCacheRecords>'.encode(),
        },
    )


@pytest.mark.parametrize(("items", "records"), [(ITEMS, NUMBERED), ("", SPELLED)])
@pytest.mark.parametrize(
    ("source", "rebuilt"),
    [
        (HERE, True),
        ('<worksheetSource ref="A1:B4" sheet="Deleted"/>', False),  # nothing to build it from: totals would go
        ('<worksheetSource ref="A1:B4" sheet="Data" r:id="rId9"/>', False),  # from elsewhere the value would come back
    ],
)
def test_a_pivot_keeps_totals_and_counts_and_is_built_anew(
    source: str, rebuilt: bool, items: str, records: str
) -> None:
    data = summed(source, items, records)

    out, _ = redacted(data, plan_of("Greta Nordlund"))

    assert {kind.kind: kind.count for kind in extracted(data)[0].hidden}["pivot-cache-records"] == 3
    assert grid(out) == [["Grand Total", "6"]]
    definition = read(out, "xl/pivotCache/pivotCacheDefinition1.xml").decode()
    kept = read(out, "xl/pivotCache/pivotCacheRecords1.xml").decode()
    assert ('refreshOnLoad="1"' in definition) is rebuilt
    assert 'recordCount="3"' in definition
    assert 'count="3"' in kept
    assert kept.count("<r>") == 3
    assert "Greta" not in definition + kept
    assert "Otto Berg" in definition + kept
    assert 'minValue="1"' in definition


def test_a_pivot_without_the_value_stays_as_it_was() -> None:
    data = summed(HERE, ITEMS, NUMBERED)

    out, _ = redacted(data, plan_of("Somebody Else"))

    name = "xl/pivotCache/pivotCacheDefinition1.xml"
    assert read(out, name) == read(data, name)


def test_a_pivot_of_a_renamed_sheet_is_built_anew_from_it() -> None:
    data = summed(HERE, ITEMS, NUMBERED)

    out, _ = redacted(data, plan_of("Greta Nordlund", "Data"))

    definition = read(out, "xl/pivotCache/pivotCacheDefinition1.xml").decode()
    names = [each.name for each in extracted(out)[0].sheets]
    assert names[1] != "Data"
    assert f'sheet="{names[1]}"' in definition
    assert 'refreshOnLoad="1"' in definition
