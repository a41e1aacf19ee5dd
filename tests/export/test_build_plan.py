from __future__ import annotations

import random
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonify.documents import Box, Extraction, Matcher, Page, RedactionPlan, Span
from anonify.documents.matching.patterns import is_swept
from anonify.errors import Code, FatalError
from anonify.export import Decision, ExportOptions, build_plan
from tests.export.parts import grid, model_of, words_page


def text_page(*runs: str) -> Page:
    spans, at = [], 0
    for number, run in enumerate(runs):
        spans.append(Span(f"r{number}", at, at + len(run)))
        at += len(run)
    return Page(1, "".join(runs), tuple(spans))


def carried_out(page: Page, plan: RedactionPlan) -> str:
    """The page's text after the plan's edits."""
    shown = []
    for span in page.spans:
        text = page.text[span.start : span.end]
        for edit in sorted((one for one in plan.edits if one.address == span.id), key=lambda one: -one.start):
            text = text[: edit.start] + edit.replacement + text[edit.end :]
        shown.append(text)
    return "".join(shown)


def test_a_value_over_several_runs_is_replaced_once() -> None:
    page = text_page("Dear Ada Exa", "mple", "-Smith, hello")
    plan = build_plan([Decision("a", "person", page=1, start=5, end=22)], model_of(page), Extraction(1, 1))
    assert carried_out(page, plan) == "Dear [REDACTED], hello"
    assert [(edit.address, edit.replacement) for edit in plan.edits] == [("r0", "[REDACTED]"), ("r1", ""), ("r2", "")]
    assert plan.values == ("Ada Example-Smith",)
    assert {edit.value for edit in plan.edits} == {0}


def test_labels_name_the_category() -> None:
    page = text_page("call 030 123456 now")
    decisions = [Decision("a", "phone", value="030 123456", page=1, start=5, end=15)]
    plan = build_plan(decisions, model_of(page), Extraction(1, 1), ExportOptions(labels=True))
    assert carried_out(page, plan) == "call [PHONE] now"
    assert plan.sweep[0].replacement == "[PHONE]"
    assert plan.draw_labels


def test_a_value_is_named_once_however_it_is_written_and_the_longest_comes_first() -> None:
    page = text_page("ADA EXAMPLE met Ada\u00a0Exam\u00adple and Ada Example-Smith")
    decisions = [
        Decision("a", value="ADA EXAMPLE", page=1, start=0, end=11),
        Decision("b", value="Ada\u00a0Exam\u00adple", page=1, start=16, end=28),
        Decision("c", value="Ada Example-Smith", page=1, start=33, end=50),
        Decision("d", value="met", page=1, start=12, end=15),
    ]
    plan = build_plan(decisions, model_of(page), Extraction(1, 1))
    assert plan.values == ("Ada Example-Smith", "ADA EXAMPLE")
    assert len(plan.edits) == 4
    assert [edit.value for edit in plan.edits] == [1, -1, 1, 0], "a short value is edited where it was accepted"


def test_overlapping_decisions_become_one_edit() -> None:
    page = text_page("Dr Ada Example, Berlin")
    decisions = [
        Decision("a", "person", page=1, start=3, end=14),
        Decision("b", "other", page=1, start=0, end=6),
        Decision("c", "person", page=1, start=7, end=14),
    ]
    plan = build_plan(decisions, model_of(page), Extraction(1, 1), ExportOptions(labels=True))
    assert carried_out(page, plan) == "[PERSON], Berlin"


def test_the_order_of_decisions_does_not_matter() -> None:
    page = text_page("alpha beta gamma delta epsilon alpha")
    words = [(0, 5), (6, 10), (11, 16), (17, 22), (23, 30), (31, 36)]
    decisions = [Decision(str(i), page=1, start=a, end=b) for i, (a, b) in enumerate(words)]
    first = build_plan(decisions, model_of(page), Extraction(1, 1))
    random.Random(3).shuffle(decisions)
    assert build_plan(decisions, model_of(page), Extraction(1, 1)) == first


@pytest.mark.parametrize("value", ["redacted", "person", "removed", "PERSON]"])
def test_a_marker_never_repeats_an_accepted_value(value: str) -> None:
    page = text_page(f"the {value} thing and Ada Example")
    decisions = [
        Decision("a", "person", page=1, start=4, end=4 + len(value)),
        Decision("b", "person", value="Ada Example"),
    ]
    for options in (ExportOptions(), ExportOptions(labels=True)):
        plan = build_plan(decisions, model_of(page), Extraction(1, 1), options)
        assert not Matcher(plan.values).found(carried_out(page, plan).replace("Ada Example", ""))
        assert not any(Matcher(plan.values).found(one.replacement) for one in plan.sweep)


def test_boxes_are_one_a_line_and_every_occurrence_is_painted() -> None:
    first = words_page(1, "Dear Ada", "Example hello")
    second = words_page(2, "nothing here", "but Ada Example again")
    start = first.text.index("Ada")
    decision = Decision("a", "person", page=1, start=start, end=start + len("Ada\nExample"))
    plan = build_plan([decision], model_of(first, second), Extraction(2, 2))
    assert [(edit.page, edit.boxes) for edit in plan.edits] == [
        (1, (Box(50, 0, 80, 12), Box(0, 20, 70, 32))),
        (1, ()),
        (2, (Box(40, 20, 150, 32),)),
        (2, ()),
    ]
    assert [edit.replacement for edit in plan.edits] == ["[REDACTED]", "", "[REDACTED]", ""]


def test_a_span_that_wraps_gets_a_box_for_each_line_and_vertical_text_one() -> None:
    glyphs = (Box(0, 0, 10, 10), Box(10, 0, 20, 10), Box(20, 0, 20, 0), Box(0, 12, 10, 22))
    wrapped = Page(1, "ab c", (Span("w", 0, 4, None, glyphs),), width=100, height=100)
    plan = build_plan([Decision("a", page=1, start=0, end=4)], model_of(wrapped), Extraction(1, 1))
    assert plan.edits[0].boxes == (Box(0, 0, 20, 10), Box(0, 12, 10, 22))
    column = tuple(Box(0, 10.0 * i, 10, 10.0 * i + 10) for i in range(4))
    upright = Page(1, "abcd", (Span("v", 0, 4, None, column),), width=100, height=100)
    plan = build_plan([Decision("a", page=1, start=0, end=4)], model_of(upright), Extraction(1, 1))
    assert plan.edits[0].boxes == (Box(0, 0, 10, 40),)


def test_cells_rows_columns_and_regions() -> None:
    model, extraction = grid([["name", "city"], ["Ada Example", "Berlin"], ["Bob Beispiel", "Köln"]])
    decisions = [
        Decision("a", "person", sheet=0, column=1),
        Decision("b", "person", sheet=0, column=1),
        Decision("c", "other", sheet=0, row=3),
        Decision("d", "other", value="Köln", sheet=0, row=3, column=2),
        Decision("e", "address", value="Berlin", page=1, start=22, end=28, sheet=0, row=2, column=2),
    ]
    plan = build_plan(decisions, model, extraction)
    assert [(cell.row, cell.column) for cell in plan.cells] == [(None, 1), (3, None), (3, 2)]
    assert [(edit.address, edit.start, edit.end) for edit in plan.edits] == [("cell#0!R2C2", 0, 6)]
    assert plan.values == ("berlin", "köln") or plan.values == ("Berlin", "Köln")
    box = Box(1, 2, 3, 4)
    region = build_plan([Decision("r", "face", page=1, box=box)], model_of(words_page(1, "x")), Extraction(1, 1))
    assert [(one.page, one.box, one.label) for one in region.regions] == [(1, box, "")]
    assert not region.empty


@pytest.mark.parametrize(
    "decision",
    [
        Decision("a", page=2, start=0, end=1),
        Decision("a", page=1, start=0, end=99),
        Decision("a", sheet=4, column=1),
        Decision("a", page=7, box=Box(0, 0, 1, 1)),
    ],
)
def test_a_decision_outside_the_document_is_an_error_not_a_silence(decision: Decision) -> None:
    with pytest.raises(FatalError) as caught:
        build_plan([decision], model_of(text_page("short")), Extraction(1, 1))
    assert caught.value.code == Code.INTERNAL_STATE


def test_a_million_cells_are_planned_page_by_page() -> None:
    rows = [["id", "name", "note", "sum"]] + [[str(i), f"Name {i}", "same note", "12"] for i in range(250_000)]
    model, extraction = grid(rows, per_page=1_000)
    del rows
    tracemalloc.start()
    page = model.page(200)
    at = page.text.index("Name 199500")
    decisions = [Decision("c", sheet=0, column=2), Decision("d", "person", page=200, start=at, end=at + 11)]
    plan = build_plan(decisions, model, extraction)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert plan.values == ("Name 199500",)
    assert len(plan.edits) == 1
    assert peak < 20 << 20


WORDS = st.lists(st.text(st.sampled_from("abcdé ßü"), min_size=1, max_size=12), min_size=1, max_size=8)


@settings(max_examples=80, deadline=None)
@given(WORDS, st.lists(st.tuples(st.integers(0, 60), st.integers(1, 20)), max_size=6))
def test_exactly_the_accepted_characters_go(runs: list[str], ranges: list[tuple[int, int]]) -> None:
    page = text_page(*runs)
    size = len(page.text)
    chosen = [(start, min(size, start + length)) for start, length in ranges if start < size]
    decisions = [Decision(str(i), page=1, start=a, end=b) for i, (a, b) in enumerate(chosen)]
    plan = build_plan(decisions, model_of(page), Extraction(1, 1), ExportOptions(marker="\x00"))
    gone = {index for a, b in chosen for index in range(a, b)}
    kept = "".join(char for index, char in enumerate(page.text) if index not in gone)
    after = carried_out(page, plan)
    assert after.replace("\x00", "") == kept
    assert all(is_swept(value) for value in plan.values)
