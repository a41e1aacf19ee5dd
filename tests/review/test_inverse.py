"""Rectangles around what is kept cover all of the rest and none of it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from anonify.documents import Box
from anonify.review.inverse import outside

_EDGE = st.integers(-2, 12)


@given(st.lists(st.tuples(_EDGE, _EDGE, _EDGE, _EDGE), max_size=6))
def test_every_point_of_a_page_is_covered_or_kept(corners: list[tuple[int, int, int, int]]) -> None:
    kept = [Box(min(a, c), min(b, d), max(a, c), max(b, d)) for a, b, c, d in corners]

    covering = outside(10.0, 8.0, kept)

    assert all(0 <= box.x0 < box.x1 <= 10 and 0 <= box.y0 < box.y1 <= 8 for box in covering)
    for x in range(20):
        for y in range(16):
            point = Box(x / 2 + 0.25, y / 2 + 0.25, x / 2 + 0.25, y / 2 + 0.25)
            stays = any(point.middle_in(box) for box in kept)
            assert sum(point.middle_in(box) for box in covering) == (0 if stays else 1)
