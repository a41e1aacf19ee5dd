"""Whatever the text, offsets slice to the text, nothing overlaps, and every category is known."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonify.detection import CATEGORIES, detect_text, from_json_lines, to_json_line

SEEDS = st.sampled_from(
    [
        "jane.doe@example.com",
        "+44 20 7946 0018",
        "4111 1111 1111 1111",
        "DE89 3704 0044 0532 0130 00",
        "Dear Ms Gilbert,",
        "Name: Zoë Ågren",
        "Passwort: EFCfuwOa6M1",
        "8 Holden Center\nNew Joeburgh\nS7G 8TD",
        "born 1.2.1980",
        "SSN: 601-23-1602",
        "id,name,email\n1,Ann Lee,a@b.co\n",
        "https://x.example/s/c21a9dbf49a067e24bdb7ec8",
        "\U0001f600",
        "\u200b",
        "ﬁ",
        "\t",
        "<",
        "@",
        "(at)",
        "\n",
        "\r\n",
    ]
)
TEXTS = st.lists(st.one_of(SEEDS, st.text(max_size=12)), max_size=14).map(" ".join)


@settings(max_examples=120, deadline=None)
@given(TEXTS)
def test_offsets_slice_to_the_text(text: str) -> None:
    detections = detect_text(text)
    end = 0
    for detection in detections:
        assert text[detection.start : detection.end] == detection.text
        assert detection.text.strip()
        assert detection.category in CATEGORIES
        assert 0 < detection.confidence <= 1
        assert detection.start >= end
        end = detection.end
    assert from_json_lines(b"".join(map(to_json_line, detections))) == detections


@settings(max_examples=60, deadline=None)
@given(TEXTS, TEXTS)
def test_text_before_a_blank_line_shifts_offsets_only(before: str, text: str) -> None:
    values = {d.text for d in detect_text(text) if d.source == "pattern" and d.category in {"email", "financial"}}
    whole = {d.text for d in detect_text(f"{before}\n\n\n{text}")}
    assert all(any(value in other for other in whole) for value in values)


@pytest.mark.parametrize(
    "piece", ["@", "password=", "name,email,dob\n", "née ", "1 ", "(1", "A B\n1 C", "12345 A", "eyJ", '"']
)
def test_hostile_repetition_stays_fast(piece: str) -> None:
    text = piece * (20_000 // len(piece))
    detect_text("Ada Example")  # loads the model once for a process, which is not what is timed
    began = time.process_time()
    detect_text(text)
    assert time.process_time() - began < 3
