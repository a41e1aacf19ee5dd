"""Values asked for by name in the workspace: too short for the sweep, or misread."""

from __future__ import annotations

import pytest

from anonify.documents import Box, ModelReader, Page, Span
from anonify.documents.model import ModelWriter
from anonify.review.manual import find_value
from anonify.sandbox.source import BytesSource, MemorySink


@pytest.mark.parametrize(
    ("value", "text", "found"),
    [
        ("王小明", "尊敬的王小明先生", ["王小明"]),
        ("Zoë", "Zoe\u0308, not Zoëlle", ["Zoe\u0308"]),
        ("Bo", "Bo Bob", ["Bo"]),
        ("7", "7 77", ["7"]),
    ],
)
def test_a_short_value_is_found_where_it_stands(value: str, text: str, found: list[str]) -> None:
    sink = MemorySink()
    writer = ModelWriter(sink)
    writer.page(Page(1, text))
    model = ModelReader(BytesSource(sink.getvalue()), writer.lengths)
    assert [shown for _place, shown in find_value(value, model)] == found


def test_a_value_that_was_misread_is_found_as_what_it_is() -> None:
    lines = ("card 4OOO l234", "5678 9O1O of Miuller-tukasiewicz,", "not of Miller; card 4000 1234 5678 9010")
    sink = MemorySink()
    writer = ModelWriter(sink)
    writer.page(_recognised(lines))
    writer.page(Page(2, "card 4OOO 1234 5678 9O1O in plain text"))
    model = ModelReader(BytesSource(sink.getvalue()), writer.lengths)
    text = model.page(1).text
    card = [(place, shown) for place, shown in find_value("4000 1234 5678 9010", model)]
    assert [text[place.start : place.end] for place, _ in card] == ["4OOO l234\n5678 9O1O", "4000 1234 5678 9010"]
    assert {shown for _, shown in card} == {"4000 1234 5678 9010"}
    assert {place.page for place, _ in card} == {1}
    name = [(text[place.start : place.end], shown) for place, shown in find_value("Müller-Łukasiewicz", model)]
    assert name == [("Miuller-tukasiewicz", "Müller-Łukasiewicz")]


def _recognised(lines: tuple[str, ...]) -> Page:
    spans: list[Span] = []
    start = 0
    for row, line in enumerate(lines):
        for word in line.split():
            box = Box(start, 20 * row, start + len(word), 20 * row + 10)
            spans.append(Span(f"page#1o{len(spans)}", start, start + len(word), box, None, "", "ocr"))
            start += len(word) + 1
    return Page(1, "\n".join(lines), tuple(spans), 600.0, 800.0)
