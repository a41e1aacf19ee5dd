"""Every format of the release from source to verified artifact, in the real sandbox."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from anonify.documents import BytesSource, Extraction, MemorySink, ModelReader
from anonify.documents.tasks import EXTRACT, ExtractArgs
from anonify.export import Decision, ExportOptions, build_plan, deliver
from anonify.sandbox import Pool, read_all
from tests.cli.command import docx_of
from tests.export.parts import Spool

NAME = "Ada Example-Smith"


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    with Pool(2) as made:
        yield made


def txt(_folder: Path) -> bytes:
    return f"Dear {NAME},\r\nADA EXAMPLE-SMITH and ada  example-smith.\r\nBerta stays.\r\n".encode("utf-16")


def csv(_folder: Path) -> bytes:
    return f'name;note\n{NAME};"a ""quoted"" word"\nBerta;"seen {NAME}\nin Bonn"\n'.encode()


def docx(folder: Path) -> bytes:
    docx_of(folder / "a.docx", f"Dear {NAME},", "Berta stays.", author=NAME)
    return (folder / "a.docx").read_bytes()


def pdf(_folder: Path) -> bytes:
    from reportlab.pdfgen.canvas import Canvas

    buffer = io.BytesIO()
    canvas = Canvas(buffer)
    canvas.setTitle(f"About {NAME}")
    canvas.drawString(72, 720, f"Dear {NAME}, hello.")
    canvas.drawString(72, 700, "Berta stays.")
    canvas.showPage()
    canvas.drawString(72, 720, f"A second page about {NAME}.")
    canvas.save()
    return buffer.getvalue()


def opened(pool: Pool, kind: str, data: bytes) -> tuple[ModelReader, Extraction]:
    sink = MemorySink()
    extracted = pool.run(EXTRACT, ExtractArgs(kind), sources={"source": BytesSource(data)}, sinks={"model": sink})
    return ModelReader(BytesSource(sink.getvalue()), extracted.lengths), extracted.extraction


def delivered(
    pool: Pool, kind: str, data: bytes, decisions: list[Decision], options: ExportOptions
) -> tuple[bytes, bytes]:
    model, extraction = opened(pool, kind, data)
    plan = build_plan(decisions, model, extraction, options)
    with deliver(
        pool, kind, BytesSource(data), plan, Spool, decisions=decisions, extraction=extraction, version="1"
    ) as made:
        return read_all(made.artifact, 1 << 24), made.report


@pytest.mark.parametrize("make", [txt, csv, docx, pdf], ids=lambda make: make.__name__)
@pytest.mark.parametrize("labels", [False, True], ids=["marker", "labels"])
def test_a_value_accepted_once_is_gone_everywhere(
    make: Callable[[Path], bytes], labels: bool, pool: Pool, tmp_path: Path
) -> None:
    kind = make.__name__
    data = make(tmp_path)
    model, _ = opened(pool, kind, data)
    text = model.page(1).text
    start = text.index(NAME)
    decision = Decision("a", "person", value=NAME, page=1, start=start, end=start + len(NAME))
    artifact, report = delivered(pool, kind, data, [decision], ExportOptions(labels=labels))
    after = "".join(page.text for page in opened(pool, kind, artifact)[0])
    assert "example-smith" not in after.casefold()
    assert "Berta" in after
    assert ("[PERSON]" if labels else "[REDACTED]").casefold() in after.casefold() or kind == "pdf"
    assert NAME not in report.decode()
    assert {check["reader"] for check in json.loads(report)["checks"]} == {"own", "independent"}
    assert delivered(pool, kind, data, [decision], ExportOptions(labels=labels)) == (artifact, report)


@pytest.mark.parametrize("make", [txt, csv, docx, pdf], ids=lambda make: make.__name__)
def test_a_named_value_goes_without_a_place(make: Callable[[Path], bytes], pool: Pool, tmp_path: Path) -> None:
    data = make(tmp_path)
    artifact, _ = delivered(pool, make.__name__, data, [Decision("a", value=NAME, origin="rule")], ExportOptions())
    after = "".join(page.text for page in opened(pool, make.__name__, artifact)[0])
    assert "example-smith" not in after.casefold()
    assert "Berta" in after


def test_a_column_of_a_table_goes_below_its_header(pool: Pool, tmp_path: Path) -> None:
    artifact, report = delivered(
        pool,
        "csv",
        b"name,city\nAda,Berlin\nBerta,Bonn\n",
        [Decision("c", "person", sheet=0, column=1)],
        ExportOptions(),
    )
    assert artifact == b"name,city\n[REDACTED],Berlin\n[REDACTED],Bonn\n"
    assert json.loads(report)["applied"]["byStyle"] == {"column": 1}
