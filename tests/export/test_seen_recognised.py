"""Accepted values in recognised words: look-alikes, line ends, a few wrong letters, and what must stay."""

from __future__ import annotations

import pytest

from anonify.documents import Box, Extraction, Page, Span
from anonify.export import Decision, build_plan
from anonify.ocr.nearly import NearlyFinder
from anonify.ocr.words import Placed, page_with

from .parts import model_of


def recognised(*lines: str, own: str = "", unsure: str = "") -> Page:
    """A page with recognised words ten units a letter, twenty a line; those of `unsure` are doubtful."""
    words = []
    for row, line in enumerate(lines):
        x = 0
        for word in line.split():
            glyphs = tuple(Box(x + 10 * at, 20 * row, x + 10 * at + 10, 20 * row + 12) for at in range(len(word)))
            box = Box(x, 20 * row, x + 10 * len(word), 20 * row + 12)
            words.append(Placed(word, box, 0.5 if word in unsure.split() else 0.95, row, glyphs))
            x += 10 * len(word) + 10
    spans = (Span("w0", 0, len(own), Box(0, 900, 100, 912)),) if own else ()
    return page_with(Page(1, own, spans, 600.0, 1000.0, needs_ocr=not own), words)


def marks(page: Page, *values: str) -> list[tuple[Box, ...]]:
    """What is painted, mark by mark."""
    plan = build_plan([Decision(value, value=value) for value in values], model_of(page), Extraction(1, 1))
    assert all(edit.boxes for edit in plan.edits)  # text without a place could be anywhere: all would be painted
    return [edit.boxes for edit in plan.edits]


def texts(page: Page, *values: str) -> list[str]:
    """The words that something is painted over."""
    painted = [box for mark in marks(page, *values) for box in mark]
    return [
        page.text[span.start : span.end]
        for span in page.spans
        if span.box is not None and any(_overlap(span.box, box) for box in painted)
    ]


def _overlap(one: Box, other: Box) -> bool:
    return one.x0 < other.x1 and other.x0 < one.x1 and one.y0 < other.y1 and other.y0 < one.y1


@pytest.mark.parametrize(
    ("value", "lines"),
    [
        ("4000 1234 5678 9010", ["card 4OOO l234", "5678 9O1O is valid"]),
        ("Marja Nordlund", ["we write to Marja", "Nordlund of Turku"]),
        ("Nordlundberg", ["we write to Nord-", "lundberg of Turku"]),
        ("B0B-l1l-77", ["the number BOB-1lI-77 is"]),
    ],
)
def test_look_alikes_and_line_ends_do_not_hide_a_value(value: str, lines: list[str]) -> None:
    page = recognised(*lines)
    gone = texts(page, value)
    assert gone
    for part in ("l234", "9O1O", "Marja", "Nordlund", "Nord-", "lundberg", "BOB-1lI-77"):
        if part in page.text:
            assert part in gone
    for part in ("card", "we", "is", "Turku", "the"):
        assert part not in gone


def test_a_value_over_a_lines_end_is_one_mark_with_one_box_a_line() -> None:
    (boxes,) = marks(recognised("we write to Marja Elisabeth", "Nordlund of Turku"), "Marja Elisabeth Nordlund")
    assert boxes == (Box(120, 0, 270, 12), Box(0, 20, 80, 32))


def test_the_pages_own_text_keeps_exact_matching() -> None:
    page = recognised("nothing here", own="order AlOO")
    assert texts(page, "A100") == []
    assert texts(recognised("order AlOO"), "A100") == ["AlOO"]


def test_signs_beside_a_value_are_painted_with_it() -> None:
    (boxes,) = marks(recognised("to (Nordlund), Turku"), "Nordlund")
    assert boxes == (Box(30, 0, 140, 12),)


def test_words_beside_a_value_in_one_piece_are_not_painted() -> None:
    (boxes,) = marks(recognised("IBAN:DE89370400440532013000;EUR"), "DE89370400440532013000")
    assert boxes == (Box(40, 0, 280, 12),)


@pytest.mark.parametrize(
    ("value", "read"),
    [
        ("Marja Nordlund", "Marja Nordlumd"),
        ("Marja Nordlund", "Marja Norlund"),
        ("Marja Nordlund", "Marja Nordliund"),
        ("DE89 3704 0044 0532 0130 00", "DE89 3704 0O44 O532 OlB0 00"),
        ("marja.nordlund@example.org", "marja.nordiund@exarnple.org"),
    ],
)
def test_a_few_wrong_letters_in_words_nobody_was_sure_of_do_not_hide_a_value(value: str, read: str) -> None:
    page = recognised(f"pay to {read} at once", unsure=read)
    assert " ".join(texts(page, value)) == read
    assert texts(recognised(f"pay to {read} at once"), value) == []


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        ("20240001", "20240002"),  # a number of few digits has neighbours
        ("INV-2024-000127", "INV-2024-000128"),  # digits of neighbours differ in a digit, misread ones seldom
        ("Nordlund", "Nordstrand"),
        ("Anna", "Anns"),
        ("Marja Nordlund", "Mirja Nordlind"),
        ("DE89 3704 0044 0532 0130 00", "DE89 3704 9944 0532 9930 11"),
    ],
)
def test_what_is_not_the_value_stays_however_unsure(value: str, kept: str) -> None:
    assert texts(recognised(f"pay to {kept} at once", unsure=kept), value) == []


def test_a_wrong_letter_in_a_sure_word_is_another_word() -> None:
    assert texts(recognised("Maria Nordlund", unsure="Nordlund"), "Marja Nordlund") == []


def test_a_wrong_letter_does_not_hide_a_value_of_a_script_without_spaces() -> None:
    value, read = "東京都千代田区丸の内", "東京都千代田区九の内"
    assert texts(recognised(f"住所は{read}です", unsure=f"住所は{read}です"), value) == [f"住所は{read}です"]


def _beside(own: str, read: str, *, gap: float = 10, drop: float = 0) -> Page:
    """A line of which a part is text and the rest, to its right, a picture; another line of text below."""
    spans, start, x = [], 0, 0.0
    for number, word in enumerate(own.split()):
        spans.append(Span(f"w{number}", start, start + len(word), Box(x, 100, x + 10 * len(word), 112)))
        start, x = start + len(word) + 1, x + 10 * len(word) + 10
    words, x = [], x - 10 + gap
    for word in read.split():
        words.append(Placed(word, Box(x, 100 + drop, x + 10 * len(word), 112 + drop), 0.95, 0, ()))
        x += 10 * len(word) + 10
    spans.append(Span("below", start, start + 8, Box(0, 300, 80, 312)))
    return page_with(Page(1, f"{own}\nfarewell", tuple(spans), 600.0, 1000.0), words)


def test_a_value_half_in_text_and_half_in_a_picture_goes_whole() -> None:
    page = _beside("Dear Katarzyna", "Nowakowska of Lodz")
    assert texts(page, "Katarzyna Nowakowska") == ["Katarzyna", "Nowakowska"]


@pytest.mark.parametrize(("gap", "drop"), [(200, 0), (10, 40)])
def test_halves_in_other_columns_or_lines_are_no_value(gap: float, drop: float) -> None:
    page = _beside("Dear Katarzyna", "Nowakowska of Lodz", gap=gap, drop=drop)
    assert texts(page, "Katarzyna Nowakowska") == []


def test_a_wrong_letter_beside_marks_that_were_lost_is_one_wrong_letter() -> None:
    page = recognised("we write to Mtiller-tukasicwicz today", unsure="Mtiller-tukasicwicz")
    assert texts(page, "Müller-Łukasiewicz") == ["Mtiller-tukasicwicz"]
    sure = recognised("we write to Mtiller-tukasicwicz today")
    assert texts(sure, "Müller-Łukasiewicz") == []


def test_a_closer_look_is_taken_where_marks_were_lost() -> None:
    finder = NearlyFinder(["Müller-Łukasiewicz", "Gyöngyösi Géza"])
    text = "we write to Mtller-tukasiewlcz and to Gy6ngyesl Geza, not to Miller or Lukas"
    assert {"Mtller-tukasiewlcz", "Gy6ngyesl"} <= set(" ".join(text[a:b] for a, b in finder.find(text)).split())
    assert finder.find("we write to Miller, to Lukas and to the young gentlemen") == []
