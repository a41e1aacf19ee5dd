"""Names of one person are grouped, and what several may go by is nobody's."""

from __future__ import annotations

import random

import pytest

from anonify.detection import Detection, detect_text, explain, grouped
from anonify.detection.model import Source
from anonify.documents.model import Page

from .test_documents import analyze, grid


def named(text: str, place: int = 0, source: Source = "pattern", detector: str = "person-label") -> Detection:
    return Detection(1, place, place + len(text), text, "person", 0.9, source, detector)


def persons(*texts: str) -> dict[str, str]:
    found = grouped(named(text, 50 * index) for index, text in enumerate(texts))
    return {one.text: one.person for one in found}


FORMS = [
    (
        "Maria Keller",
        ["Keller", "Maria", "M. Keller", "Keller, Maria", "Keller M.", "KELLER", "Mrs Keller", "Keller’s"],
    ),
    ("Jan de Hoop", ["Hoop", "de Hoop", "J. de Hoop", "Hoop, Jan de", "Jan Hoop"]),
    ("María García López", ["García", "María García", "Garcia Lopez", "García López, María", "Señora García"]),
    ("Étienne Deschamps", ["Etienne", "DESCHAMPS", "É. Deschamps", "Deschamps É."]),
    ("Hans-Peter Müller", ["H.-P. Müller", "Müller", "Hans Müller"]),
    ("Aarav Kumar Iyer", ["A. K. Iyer", "Aarav Iyer", "Iyer"]),
]


@pytest.mark.parametrize(("fullest", "forms"), FORMS)
def test_forms_go_with_the_fullest_whatever_their_order(fullest: str, forms: list[str]) -> None:
    texts = [*forms, fullest]
    for seed in range(4):
        random.Random(seed).shuffle(texts)
        assert set(persons(*texts).values()) == {fullest}


def test_other_people_are_other_persons() -> None:
    texts = ("Maria Keller", "Tom Weber", "Kellermann", "Mario Keller-Weber", "Anna")
    assert persons(*texts) == {text: text for text in texts}


def test_a_surname_of_two_is_nobodys_and_says_how_many_it_may_be() -> None:
    found = grouped(
        [
            named("Maria Keller"),
            named("Tom Keller", 50),
            named("Keller", 100, "expanded", "person-label+expanded"),
            named("Keller", 150),
            named("T. Keller", 200),
            named("Maria", 250),
        ]
    )
    assert [one.person for one in found] == [
        "Maria Keller", "Tom Keller", "Keller", "Keller", "Tom Keller", "Maria Keller"
    ]  # fmt: skip
    assert [one.reason for one in found] == ["", "", "form-of-several:2", "", "", ""]
    assert explain(found[2].reason, found[2].detector, "person") == "name: may be short for any of 2 names found"


def test_grouping_again_changes_nothing_and_takes_in_who_was_found_since() -> None:
    first = grouped([named("Keller"), named("Maria Keller", 50)])
    assert grouped(first) == first
    assert [one.person for one in grouped([*first, named("Tom Keller", 100)])] == [
        "Keller",
        "Maria Keller",
        "Tom Keller",
    ]


def test_only_names_have_a_person() -> None:
    mail = Detection(1, 0, 9, "a@maria.x", "email", 0.9, "pattern", "email")
    column = Detection(1, 0, 0, "", "person", 0.9, "column", "column-header", sheet=0, column=2)
    assert grouped([column, mail]) == [column, mail]


def test_the_names_of_a_text_are_grouped_however_they_were_found() -> None:
    text = (
        "Maria Keller signed. M. Keller agreed, Mrs Keller's lawyer too. Later Maria rang, and we asked Keller again."
    )
    found = [one for one in detect_text(text) if one.category == "person"]
    assert len(found) >= 5
    assert {one.person for one in found} == {"Maria Keller"}


def test_persons_go_over_pages_and_cells() -> None:
    pages = [Page(1, "Patient: Margaret Holloway\n"), Page(2, "We wrote to Mrs Holloway on Friday.")]
    found, _, _ = analyze(pages)
    assert {(one.page, one.person) for one in found} == {(1, "Margaret Holloway"), (2, "Margaret Holloway")}
    rows = [["id", "remark"], ["1", "call Margaret Holloway back"], ["2", "Mrs Holloway paid"], ["3", "nothing"]]
    cells, sheets = grid(rows)
    found, _, _ = analyze(cells, sheets, kind="csv")
    assert {(one.row, one.person) for one in found} == {(2, "Margaret Holloway"), (3, "Margaret Holloway")}


def test_many_names_of_one_surname_take_no_time() -> None:
    texts = [f"{chr(97 + n % 26)}{chr(97 + n // 26 % 26)}{chr(97 + n // 676)}x Keller".title() for n in range(15_000)]
    found = grouped(named(text) for text in [*texts, *(f"{chr(65 + n % 26)}. Keller" for n in range(26)), "Keller"])
    assert found[-1].person == "Keller"
    assert found[0].person == texts[0]
