"""Values too short for the sweep, asked for by name in the workspace."""

from __future__ import annotations

import pytest

from anonify.documents import ModelReader, Page
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
