"""Characters nobody sees, inside a value: the value is suggested whole, at its place in the page."""

from __future__ import annotations

from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonify.detection import Detection, detect_text
from anonify.detection.detectors import Grid, Passage
from anonify.detection.engine import Engine, Found, united
from anonify.detection.hints import guess
from anonify.detection.presets import categories_of
from anonify.detection.unseen import seen, shown
from tests.detection.patterns import secret

UNSEEN: Final = {
    "soft-hyphen": "\u00ad",
    "zero-width-space": "\u200b",
    "non-joiner": "\u200c",
    "joiner": "\u200d",
    "word-joiner": "\u2060",
    "byte-order-mark": "\ufeff",
    "left-to-right-mark": "\u200e",
    "embedding": "\u202a",
}
VALUES: Final = {
    "email": ("Contact: {} for more.", "jane.doe@example.com"),
    "iban": ("IBAN: {} please", "DE89 3704 0044 0532 0130 00"),
    "iban-compact": ("Konto {}.", "DE89370400440532013000"),
    "phone": ("Phone: {} or by mail", "+44 20 7946 0018"),
    "phone-national": ("Tel. {}", "(212) 555-0143"),
    "card": ("Card: {} exp 04/29", "4111 1111 1111 1111"),
    "card-compact": ("paid with card {} today", "4111111111111111"),
    "ssn": ("SSN: {} on file", "601-23-1602"),
    "codice-fiscale": ("Codice fiscale: {} ok", "RSSMRA85T10A562S"),
    "name": ("Dear Ms {},\nthank you", "Jane Gilbert"),
    "name-in-prose": ("Our colleague {} wrote to us yesterday.", "Anna Kowalska"),
    "address": ("He lives at {} since May", "8 Holden Avenue, Springfield, IL 62704"),
    "address-labelled": ("Address: {}\n", "12 High Street, London SW1A 1AA"),
    "token": ("token: {} end", secret("ghp", "_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8")),
    "password": ("Passwort: {}\n", "EFCfuwOa6M1"),
    "birth": ("born {} in Leeds", "12.02.1980"),
}


def placed(value: str, unseen: str) -> list[str]:
    """The value with one invisible character near its start, its middle and its end, with two, and with all over it."""
    middle, last = len(value) // 2, len(value) - 1
    return [
        *(value[:at] + unseen + value[at:] for at in (1, 3, middle, last)),
        value[:2] + unseen + value[2:middle] + unseen * 2 + value[middle:],
        unseen.join(value),
    ]


def bare(text: str, start: int, end: int, spans: list[tuple[int, int]]) -> str:
    """What of the value in `[start, end)` could be read if the spans were gone."""
    covered = {at for first, last in spans for at in range(first, last)}
    return shown("".join(text[at] for at in range(start, end) if at not in covered)).strip()


@pytest.mark.parametrize("unseen", UNSEEN)
@pytest.mark.parametrize("kind", VALUES)
def test_value_is_suggested_whole(kind: str, unseen: str) -> None:
    around, value = VALUES[kind]
    for written in placed(value, UNSEEN[unseen]):
        text = around.format(written)
        start = text.index(written)
        found = detect_text(text)
        assert all(text[d.start : d.end] == d.text for d in found)
        assert bare(text, start, start + len(written), [(d.start, d.end) for d in found]) == "", found


@pytest.mark.parametrize("unseen", UNSEEN)
def test_span_is_the_value_and_no_more(unseen: str) -> None:
    mark = UNSEEN[unseen]
    for kind in ("iban", "card", "ssn", "codice-fiscale", "phone"):
        around, value = VALUES[kind]
        written = mark.join(value)
        # two more before it, so that offsets in the text without them are two smaller
        found = detect_text(f"a{mark}b{mark} " + around.format(written))
        assert [d.text for d in found] == [written], kind


@pytest.mark.parametrize("unseen", UNSEEN)
def test_label_may_hold_one(unseen: str) -> None:
    mark = UNSEEN[unseen]
    text = f"Pass{mark}wort: EFCfuwOa6M1\nS{mark}SN: 601-23-1602\n"
    assert {"EFCfuwOa6M1", "601-23-1602"} <= {d.text for d in detect_text(text)}


def test_words_that_a_zero_width_space_parts_stay_found() -> None:
    for text in (
        "jane@example.com\u200b+44 20 7946 0018",
        "SSN: 601-23-1602\u200bDE89 3704 0044 0532 0130 00",
        "4111 1111 1111 1111\ufeff4000",
    ):
        spans = [(d.start, d.end) for d in detect_text(text)]
        for value in ("jane@example.com", "601-23-1602", "DE89 3704 0044 0532 0130 00", "4111 1111 1111 1111"):
            if value in text:
                start = text.index(value)
                assert bare(text, start, start + len(value), spans) == "", (text, value)


def test_cells_of_a_grid_keep_their_places() -> None:
    rows = [("id", "note"), ("1\u200b", "SSN 601-\u206023-16\ufeff02"), ("2", "card 4111\u200c1111\u200d11111111")]
    text = "\n".join("\t".join(row) for row in rows)
    starts = [text.index("\t".join(row)) for row in rows]
    grid = Grid(0, ("id", "note"), [1, 2, 3], starts, [tuple(map(len, row)) for row in rows])
    found = Engine.looking_for(categories_of("everything")).scan(Passage(text, guess(text), grid))
    assert [text[f.start : f.end] for f in found] == ["601-\u206023-16\ufeff02", "4111\u200c1111\u200d11111111"]

    without = seen(text)
    assert without is not None
    moved = without.grid(grid)
    for offset, char in enumerate(without.text):
        cell, (place, _) = moved.locate(offset), without.place(offset, offset + 1)
        assert text[place] == char
        original = grid.locate(place)
        assert (cell and cell[:2]) == (original and original[:2])


def test_the_longer_of_two_readings_wins_and_covers_both() -> None:
    def one(start: int, end: int, name: str) -> Found:
        return Found(start, end, 0.9, "other", name, 10, "pattern")

    assert united([one(0, 4, "a")], [one(0, 9, "b")]) == [one(0, 9, "b")]
    assert united([one(0, 9, "a")], [one(2, 5, "b")]) == [one(0, 9, "a")]
    assert united([one(0, 5, "a"), one(12, 14, "a")], [one(3, 10, "b")]) == [one(0, 10, "b"), one(12, 14, "a")]


TEXTS = st.lists(
    st.one_of(
        st.sampled_from([around.format(value) for around, value in VALUES.values()]),
        st.sampled_from(["\n", "\t", "é", "Zoë Ågren", "\U0001f600", "DE89 3704 0044", "6011 ", "@"]),
        st.text(max_size=8).map(shown),
    ),
    max_size=5,
).map(" ".join)


@settings(max_examples=60, deadline=None)
@given(TEXTS)
def test_text_without_such_characters_is_read_once(text: str) -> None:
    assert seen(text) is None
    assert shown(text) == text
    engine = Engine.looking_for(categories_of("everything"))
    passage = Passage(text, guess(text))
    assert engine.scan(passage) == engine._scan(passage)


@settings(max_examples=60, deadline=None)
@given(TEXTS, st.lists(st.tuples(st.integers(0, 300), st.sampled_from(list(UNSEEN.values()))), min_size=1, max_size=6))
def test_suggestions_are_slices_of_the_page(text: str, marks: list[tuple[int, str]]) -> None:
    page = text
    for at, mark in marks:
        page = page[: at % (len(page) + 1)] + mark + page[at % (len(page) + 1) :]
    found = detect_text(page)
    end = 0
    for detection in found:
        assert page[detection.start : detection.end] == detection.text
        assert shown(detection.text).strip()
        assert detection.start >= end
        end = detection.end
    _nothing_less(page, text, found)


def _nothing_less(page: str, text: str, found: list[Detection]) -> None:
    """What the patterns find in either reading is covered by what is suggested."""
    engine = Engine.looking_for(categories_of("everything"))
    covered = {at for d in found for at in range(d.start, d.end)}
    without = seen(page)
    assert without is not None
    assert without.text == text
    readings = [(one.start, one.end) for one in engine._scan(Passage(page, guess(page)))]
    readings += [without.place(one.start, one.end) for one in engine._scan(Passage(text, guess(page)))]
    for start, last in readings:
        assert covered >= set(range(start, last))


@pytest.mark.parametrize("unseen", UNSEEN)
def test_further_places_are_found_with_and_without_them(unseen: str) -> None:
    mark = UNSEEN[unseen]
    text = (
        f"Dear Ms Jane Gil{mark}bert,\n\nthe case of GILBERT is closed.\nSSN: 601-{mark}23-1602\n\nAgain 601-23-1602."
    )
    found = [d.text for d in detect_text(text)]
    assert found == [f"Jane Gil{mark}bert", "GILBERT", f"601-{mark}23-1602", "601-23-1602"]


@pytest.mark.parametrize("unseen", UNSEEN)
def test_ordinary_word_stays_one_though_a_name_holds_a_mark(unseen: str) -> None:
    mark = UNSEEN[unseen]
    plain, marked = (
        detect_text(f"Dear Mr Paul {name},\n\nYoung people may apply.\n") for name in ("Young", f"Yo{mark}ung")
    )
    assert [d.text.replace(mark, "") for d in marked] == [d.text for d in plain]
