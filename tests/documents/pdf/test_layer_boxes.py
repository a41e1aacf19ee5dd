"""Words of which a recogniser knows only boxes, written into the text layer."""

from __future__ import annotations

import math

import pytest

from anonify.documents.model import Box
from anonify.documents.pdf.place import place_boxes

WORD = "Thornton"


def _boxes(*, steps: float = 5.0, back_at: int = 0, back: float = 0.0) -> list[Box]:
    """A box a letter, of which the one at `back_at` begins `back` before the letter before it."""
    lefts = [100 + place * steps for place in range(len(WORD))]
    if back_at:
        lefts[back_at] = lefts[back_at - 1] - back
    return [Box(left, 50, left + abs(steps), 60) for left in lefts]


@pytest.mark.parametrize("back_at", range(1, len(WORD)))
@pytest.mark.parametrize("back", [0.0, 0.3, 3.0])
def test_a_word_is_written_whole_when_a_letter_s_box_begins_before_the_last_one(back_at: int, back: float) -> None:
    placed = place_boxes(WORD, _boxes(back_at=back_at, back=back), height=800.0)
    assert "".join(glyph[0] for glyph in placed.glyphs) == WORD
    assert all(glyph[1] >= 0 for glyph in placed.glyphs)
    assert sum(glyph[1] for glyph in placed.glyphs) == pytest.approx(40, abs=6)


def test_a_word_that_stands_on_its_head_is_written_so() -> None:
    placed = place_boxes(WORD, _boxes(steps=-5.0), height=800.0)
    assert "".join(glyph[0] for glyph in placed.glyphs) == WORD
    assert placed.angle == pytest.approx(math.pi)
    assert [glyph[1] for glyph in placed.glyphs] == pytest.approx([5.0] * len(WORD))
    assert (placed.x, placed.y) == pytest.approx((105, 750), abs=0.5)


def test_a_short_word_on_its_head_is_written_so() -> None:
    placed = place_boxes("to", _boxes(steps=-5.0)[:2], height=800.0)
    assert placed.angle == pytest.approx(math.pi)


def test_hebrew_runs_leftwards_and_stands_upright() -> None:
    placed = place_boxes("\u05e9\u05dc\u05d5\u05dd", _boxes(steps=-5.0)[:4], height=800.0)
    assert placed.angle == 0.0
    assert sum(glyph[1] for glyph in placed.glyphs) == pytest.approx(20, abs=1)
