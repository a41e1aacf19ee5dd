"""Whole cells, rows and columns hold no value that is searched for: their places are checked."""

from __future__ import annotations

import dataclasses

import pytest

from anonify.documents import (
    BytesSource,
    MemorySink,
    ModelReader,
    RedactionPlan,
    RedactionResult,
    Sink,
    Source,
    read_all,
    register,
)
from anonify.documents.table import CSV
from anonify.documents.tasks import EXTRACT, ExtractArgs
from anonify.errors import VerificationFailed
from anonify.export import Decision, build_plan, deliver
from anonify.sandbox import run_inline
from tests.export.parts import Spool

TABLE = b'name,city,code\n"Ada, E.",Berlin,17\n,Bonn,18\n"Be\r\nrta",K\xc3\xb6ln,19\n'
COLUMN = Decision("c", "person", sheet=0, column=1)
ROW = Decision("r", "person", sheet=0, row=3)
CELL = Decision("x", "other", sheet=0, row=4, column=3)


class Inline:
    """The tasks in this process: the faulty format lives only here."""

    run = staticmethod(run_inline)


def delivered(decisions: list[Decision]) -> bytes:
    sink = MemorySink()
    extracted = run_inline(EXTRACT, ExtractArgs("csv"), sources={"source": BytesSource(TABLE)}, sinks={"model": sink})
    model = ModelReader(BytesSource(sink.getvalue()), extracted.lengths)
    plan = build_plan(decisions, model, extracted.extraction)
    with deliver(
        Inline(),
        "csv",
        BytesSource(TABLE),
        plan,
        Spool,
        decisions=decisions,
        extraction=extracted.extraction,
        version="1",
    ) as made:
        assert b"whole-cells" in made.report
        return read_all(made.artifact, 1 << 20)


def test_what_is_blanked_passes() -> None:
    artifact = delivered([COLUMN, ROW, CELL])
    assert b"Ada" not in artifact
    assert b"Bonn" not in artifact
    assert b"19" not in artifact
    assert b"Berlin" in artifact


@pytest.mark.parametrize(("decision", "kept"), [(COLUMN, "Ada, E."), (COLUMN, "Be"), (ROW, "Bonn"), (CELL, "19")])
def test_a_redactor_that_leaves_one_cell_is_caught(
    decision: Decision, kept: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def faulty(source: Source, sink: Sink, plan: RedactionPlan) -> RedactionResult:
        whole = MemorySink()
        result = CSV.redact(source, whole, plan)
        before, after = TABLE.split(b"\n"), whole.getvalue().split(b"\n")
        number = next(i for i, line in enumerate(before) if kept.encode() in line)
        sink.write(b"\n".join([*after[:number], before[number], *after[number + 1 :]]))
        return result

    monkeypatch.setattr(register, "formats", lambda: (dataclasses.replace(CSV, redact=faulty),))
    with pytest.raises(VerificationFailed) as caught:
        delivered([decision])
    assert caught.value.check == "whole-cells"
