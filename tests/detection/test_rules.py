"""Rules and search: what they match, what they refuse, and what they may spend."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonify.detection import APPLY_RULES, ApplyRulesArgs, Budget, RuleMatch, RuleSpec, compile_rules
from anonify.documents.model import Extraction, GridRow, ModelWriter, Page, Sheet
from anonify.errors import Code, FatalError
from anonify.sandbox.source import BytesSource, MemorySink
from anonify.sandbox.task import run_inline


def literal(pattern: str, **options: bool) -> RuleSpec:
    return RuleSpec("r", "literal", pattern, **options)


def regex(pattern: str, **options: bool) -> RuleSpec:
    return RuleSpec("r", "regex", pattern, **options)


def hits(rule: RuleSpec, text: str) -> list[str]:
    return [text[hit.start : hit.end] for hit in compile_rules([rule]).find(text)]


@pytest.mark.parametrize(
    ("rule", "text", "expected"),
    [
        (literal("Jane Doe"), "JANE  DOE met jane\ndoe; Jane Doell did not", ["JANE  DOE", "jane\ndoe"]),
        (literal("Jane Doe", match_case=True), "JANE DOE met Jane  Doe", ["Jane  Doe"]),
        (literal("ann"), "Ann in the annual, Ann's ANN", ["Ann", "Ann", "ANN"]),
        (literal("ann", whole_word=False), "Ann in the annual", ["Ann", "ann"]),
        (literal("5550100"), "call 555-0100 or 5550100", ["555-0100", "5550100"]),
        (literal("straße"), "Straße, STRASSE und Straßenbahn", ["Straße", "STRASSE"]),
        (literal("日本"), "在日本語の本", ["日本"]),
        (literal("Zoë"), "Zoe\u0308 and ZOË, not Zoëlle", ["Zoe\u0308", "ZOË"]),
        (regex("王小."), "尊敬的王小明先生", ["王小明"]),
        (literal("日本", whole_word=False), "在日本語の本", ["日本"]),
        (literal("a+b (c)", whole_word=False), "xa+b (c)x", ["a+b (c)"]),
        (literal("é1", whole_word=True), "é1 xé1 É1", ["é1", "É1"]),
        (regex(r"\d{3}-\d{2}"), "123-45 0123-45 123-456", ["123-45"]),
        (regex(r"\d{3}-\d{2}", whole_word=False), "0123-45", ["123-45"]),
        (regex("müller"), "Müller und MÜLLER, aber nicht Müllerin", ["Müller", "MÜLLER"]),
        (regex("Müller", match_case=True), "Müller und MÜLLER", ["Müller"]),
        (regex(r"[A-Z]{2}\d+", match_case=True), "\U0001f600 AB12 ab12", ["AB12"]),
    ],
)
def test_matches(rule: RuleSpec, text: str, expected: list[str]) -> None:
    assert hits(rule, text) == expected


@pytest.mark.parametrize(
    "rule",
    [
        literal("a"),
        literal(""),
        literal("   "),
        literal("x" * 501),
        regex(""),
        regex("x" * 501),
        regex("("),
        regex("a*"),
        regex(r"\b"),
        regex("^"),
        regex("$"),
        regex("(a|)"),
        regex(r"(?=a)a"),
        regex(r"(a)\1"),
        regex(r"\s*"),
    ],
)
def test_refuses(rule: RuleSpec) -> None:
    with pytest.raises(ValueError, match="rule"):
        compile_rules([rule])


def test_refusal_does_not_quote_the_pattern() -> None:
    with pytest.raises(ValueError, match="rule") as caught:
        compile_rules([regex("(TOPSECRET")])
    assert "TOPSECRET" not in str(caught.value)


def test_longest_patterns_are_accepted() -> None:
    assert hits(literal("ab" * 250), "x " + "ab" * 250) == ["ab" * 250]
    assert hits(regex("x"), "x") == ["x"]


def test_too_many_matches_are_refused_whole() -> None:
    rules = compile_rules([regex("a", whole_word=False)])
    assert len(rules.find("a" * 10_000)) == 10_000
    with pytest.raises(FatalError) as caught:
        rules.find("a" * 10_001)
    assert caught.value.code is Code.RULE_TOO_BROAD


def test_time_is_part_of_the_budget() -> None:
    with pytest.raises(FatalError) as caught:
        compile_rules([regex("a+b")]).find("a" * 100_000, Budget(seconds=0.0))
    assert caught.value.code is Code.RULE_TOO_BROAD


def test_hostile_pattern_stays_linear() -> None:
    assert hits(regex(r"(a+)+b", whole_word=False), "a" * 50_000) == []


@settings(max_examples=80, deadline=None)
@given(
    st.text(min_size=2, max_size=20).filter(lambda s: len(s.strip()) >= 2), st.text(max_size=40), st.text(max_size=40)
)
def test_a_literal_is_found_where_it_stands(value: str, before: str, after: str) -> None:
    text = before + value + after
    try:
        rules = compile_rules([literal(value, whole_word=False)])
    except ValueError:
        return
    found = rules.find(text)
    words = value.split()
    place = text.find(value)
    inside = [hit for hit in found if hit.start < place + len(value) and place < hit.end]
    assert inside or not words
    assert all(0 <= hit.start < hit.end <= len(text) for hit in found)


def model(pages: list[Page]) -> tuple[BytesSource, tuple[int, ...]]:
    sink = MemorySink()
    writer = ModelWriter(sink)
    for page in pages:
        writer.page(page)
    return BytesSource(sink.getvalue()), tuple(writer.lengths)


def test_task_writes_matches_with_page_and_cell() -> None:
    rows = (("name", "note"), ("Ann Lee", "see Bob Roe"))
    text = "\n".join("\t".join(row) for row in rows)
    grid = Page(2, text, sheet=0, rows=tuple(GridRow(n, tuple(map(len, row))) for n, row in enumerate(rows, 1)))
    source, lengths = model([Page(1, "Bob Roe, é Bob"), grid])
    extraction = Extraction(2, 2, (Sheet("s", 2, 2, 2, 1, rows[0], 1, (1,)),))
    sink = MemorySink()
    rules = (RuleSpec("x", "literal", "Bob Roe"), RuleSpec("y", "regex", "Ann"))
    args = ApplyRulesArgs(lengths, rules, extraction)
    result = run_inline(APPLY_RULES, args, sources={"model": source}, sinks={"matches": sink})
    found = [msgspec.json.decode(line, type=RuleMatch) for line in sink.getvalue().splitlines()]
    assert result.count == len(found) == 3
    assert found[0] == RuleMatch("x", 1, 0, 7, "Bob Roe")
    assert found[1] == RuleMatch("y", 2, 10, 13, "Ann", 0, 2, 1)
    assert found[2] == RuleMatch("x", 2, 22, 29, "Bob Roe", 0, 2, 2)


def test_task_spends_one_budget_over_all_pages() -> None:
    source, lengths = model([Page(n, "a " * 100) for n in range(1, 4)])
    args = ApplyRulesArgs(lengths, (regex("a"),), max_matches=250)
    with pytest.raises(FatalError) as caught:
        run_inline(APPLY_RULES, args, sources={"model": source}, sinks={"matches": MemorySink()})
    assert caught.value.code is Code.RULE_TOO_BROAD
