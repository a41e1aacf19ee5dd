from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from anonify.documents import BytesSource, Extraction, ModelReader, register
from anonify.documents.tasks import EXTRACT, ExtractArgs
from anonify.errors import VerificationFailed
from anonify.export import Decision, Delivery, ReviewFacts, build_plan, deliver, report_schema
from anonify.sandbox import MemorySink, read_all, run_inline
from tests.export.parts import Faults, Spool, toy

TEXT = b"name,city\nAda Example,Berlin\nBob,K\xc3\xb6ln\n"


class Inline:
    """The tasks in this process: the faulty format lives only here."""

    run = staticmethod(run_inline)


@pytest.fixture
def spools() -> list[Spool]:
    return []


def make(
    fault: str, monkeypatch: pytest.MonkeyPatch, spools: list[Spool], *decisions: Decision, **options: Any
) -> Delivery:
    form = toy(fault)
    monkeypatch.setattr(register, "formats", lambda: (form,))
    source = BytesSource(TEXT)
    sink = MemorySink()
    extracted = run_inline(EXTRACT, ExtractArgs("toy"), sources={"source": source}, sinks={"model": sink})
    model = ModelReader(BytesSource(sink.getvalue()), extracted.lengths)
    chosen = decisions or (Decision("a", "person", value="Ada Example", page=1, start=10, end=21),)

    def spool() -> Spool:
        spools.append(Spool())
        return spools[-1]

    plan = build_plan(chosen, model, extracted.extraction)
    return deliver(
        Inline(), "toy", source, plan, spool, decisions=chosen, extraction=extracted.extraction, version="9", **options
    )


def test_a_good_redactor_passes_and_says_so(monkeypatch: pytest.MonkeyPatch, spools: list[Spool]) -> None:
    facts = ReviewFacts(detectors={"email": 2}, rejected=1, undecided=4, degraded=("names-model-missing",))
    with make(Faults.NONE, monkeypatch, spools, facts=facts) as delivery:
        artifact = read_all(delivery.artifact, 1 << 20)
    assert b"Ada" not in artifact
    assert b"Berlin" in artifact
    assert spools[0].closed
    report = json.loads(delivery.report)
    assert report["decisions"] == {"accepted": 1, "rejected": 1, "undecided": 4, "byOrigin": {"person": 1}}
    assert report["applied"]["byCategory"] == {"person": 1}
    assert report["applied"]["values"] == 1
    assert report["lookedFor"]["degraded"] == ["names-model-missing"]
    checked = {(check["name"], check["reader"]) for check in report["checks"]}
    assert checked >= {("no-survivor", "own"), ("no-survivor", "independent"), ("same-rows", "own")}
    assert report["artifact"]["sha256"] == delivery.sha256
    assert report["source"]["size"] == len(TEXT)


@pytest.mark.parametrize(
    ("fault", "check"),
    [
        (Faults.KEEPS_A_COPY, "survivor"),
        (Faults.KEEPS_A_HIDDEN_COPY, "survivor"),
        (Faults.DROPS_A_ROW, "same-rows"),
        (Faults.WRITES_RUBBISH, "opens"),
        (Faults.NAMES_THE_VALUE, "report"),
    ],
)
def test_a_faulty_redactor_is_refused_and_nothing_is_left(
    fault: str, check: str, monkeypatch: pytest.MonkeyPatch, spools: list[Spool]
) -> None:
    with pytest.raises(VerificationFailed) as caught:
        make(fault, monkeypatch, spools)
    assert caught.value.check == check
    assert len(spools) == 1
    assert spools[0].closed
    assert "Ada" not in str(caught.value)


def test_the_same_decisions_give_the_same_bytes(monkeypatch: pytest.MonkeyPatch, spools: list[Spool]) -> None:
    first, second = (make(Faults.NONE, monkeypatch, spools) for _ in range(2))
    assert (first.sha256, first.report) == (second.sha256, second.report)


@pytest.mark.parametrize("value", ["person", "mask", "opens", "attachment", "1234", "Berlin"])
def test_the_reports_own_words_quote_nobody(value: str, monkeypatch: pytest.MonkeyPatch, spools: list[Spool]) -> None:
    with make(Faults.NONE, monkeypatch, spools, Decision("a", "person", value=value)) as delivery:
        assert delivery.report


def test_a_method_that_is_not_available_becomes_mask_and_the_report_says_so(
    monkeypatch: pytest.MonkeyPatch, spools: list[Spool]
) -> None:
    with make(Faults.NONE, monkeypatch, spools, Decision("a", "person", "tokenize", "Ada Example")) as delivery:
        report = json.loads(delivery.report)
    assert report["resolved"] == [{"asked": "tokenize", "became": "mask", "count": 1}]
    assert report["applied"]["byMethod"] == {"mask": 1}


SCHEMA = Path(__file__).resolve().parents[2] / "docs" / "report.schema.json"


def test_reports_follow_the_published_schema(monkeypatch: pytest.MonkeyPatch, spools: list[Spool]) -> None:
    schema = json.loads(SCHEMA.read_text("utf-8"))
    assert schema == json.loads(json.dumps(report_schema())), "run make docs"
    with make(Faults.NONE, monkeypatch, spools, facts=ReviewFacts(degraded=("x",))) as delivery:
        report = json.loads(delivery.report)
    assert problems(report, schema, schema) == []
    assert problems({**report, "pages": "three"}, schema, schema)
    assert problems({name: part for name, part in report.items() if name != "checks"}, schema, schema)


def problems(item: Any, schema: dict[str, Any], root: dict[str, Any], at: str = "") -> list[str]:
    """What of `item` does not follow `schema`: the part of JSON Schema that the report's uses."""
    if "$ref" in schema:
        return problems(item, root["$defs"][schema["$ref"].rsplit("/", 1)[1]], root, at)
    types = {"object": dict, "array": list, "string": str, "integer": int, "boolean": bool}
    if "type" in schema and (
        not isinstance(item, types[schema["type"]]) or (schema["type"] == "integer" and isinstance(item, bool))
    ):
        return [f"{at}: not {schema['type']}"]
    found = []
    if "enum" in schema and item not in schema["enum"]:
        found.append(f"{at}: not one of the allowed")
    if isinstance(item, dict):
        found += [f"{at}.{name}: missing" for name in schema.get("required", ()) if name not in item]
        rest = schema.get("additionalProperties")
        for name, part in item.items():
            inner = schema.get("properties", {}).get(name, rest if isinstance(rest, dict) else None)
            if inner is None:
                found.append(f"{at}.{name}: unknown")
            else:
                found += problems(part, inner, root, f"{at}.{name}")
    if isinstance(item, list) and isinstance(schema.get("items"), dict):
        for index, part in enumerate(item):
            found += problems(part, schema["items"], root, f"{at}[{index}]")
    return found


def test_nothing_accepted_gives_the_file_back(monkeypatch: pytest.MonkeyPatch, spools: list[Spool]) -> None:
    form = toy(Faults.NONE)
    monkeypatch.setattr(register, "formats", lambda: (form,))
    source = BytesSource(TEXT)
    plan = build_plan([], ModelReader(BytesSource(b""), []), Extraction(0, 0))
    with deliver(
        Inline(), "toy", source, plan, Spool, decisions=(), extraction=Extraction(0, 0), version="9"
    ) as delivery:
        assert read_all(delivery.artifact, 1 << 20) == TEXT
