"""Where the schema wants a number, a number stands afterwards; a part of many numbers is no slower for it."""

from __future__ import annotations

import time

import pytest

from anonify.documents.ooxml.typed import Numeric

POINT = "<c:pt><c:v>99887766</c:v></c:pt>"


@pytest.mark.parametrize("name", ["strCache", "strLit", "multiLvlStrCache"])
def test_points_of_texts_are_no_numbers_and_those_around_them_are(name: str) -> None:
    text = f"<c:numCache>{POINT}</c:numCache><c:{name}>{POINT}{POINT}</c:{name}><c:numLit>{POINT}</c:numLit>"
    numeric = Numeric(text)
    places = [place for place in range(len(text)) if text.startswith("99887766", place)]
    assert [numeric.wanted("v", place) for place in places] == [True, False, False, True]


def test_other_elements_are_what_they_are_called() -> None:
    numeric = Numeric("<c:strCache>")
    assert numeric.wanted("row", 12)
    assert not numeric.wanted("t", 12)


def test_a_hundred_thousand_points_are_looked_up_at_once() -> None:
    count = 100_000
    numeric = Numeric("<c:numCache>" + POINT * count)
    start = time.process_time()
    assert all(numeric.wanted("v", 12 + number * len(POINT)) for number in range(count))
    assert time.process_time() - start < 5, "each point looks through all that stands before it"
