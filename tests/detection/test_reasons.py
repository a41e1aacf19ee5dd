"""Every suggestion says why, in words a person understands, and never with the value itself."""

from __future__ import annotations

import pytest

from anonify.detection import CATEGORIES, Detection, detect_text, detector_names
from anonify.detection.kinds import CATEGORY_NOUNS, KINDS
from anonify.detection.reasons import ARGUMENT, REASON_LENGTH, REASONS, certainty, explain, follows, reason
from anonify.documents import Page
from tests.detection.test_documents import analyze, grid


def said(detection: Detection) -> str:
    return explain(detection.reason, detection.detector, detection.category, column=detection.is_column)


def why(text: str, value: str) -> str:
    return next(said(d) for d in detect_text(text) if d.text == value)


@pytest.mark.parametrize(
    ("text", "value", "words"),
    [
        ("Dear Anna Schmidt,\nthank you.", "Anna Schmidt", 'name: follows "Dear"'),
        ("Patient (new): Richard Quinn, in bed", "Richard Quinn", 'name: follows "Patient"'),
        ("Kind regards,\nPeter Muster", "Peter Muster", 'name: follows "Kind regards"'),
        ("Pay 4111 1111 1111 1111 now", "4111 1111 1111 1111", "card number: passes its check digit"),
        (
            "IBAN DE89 3704 0044 0532 0130 00",
            "DE89 3704 0044 0532 0130 00",
            "account number (IBAN): passes its check digits",
        ),
        ("Write to r.quinn@example.com.", "r.quinn@example.com", "e-mail address"),
        ("Passport no.: C01X00T47", "C01X00T47", 'passport number: follows "Passport no."'),
        ("DB_PASSWORD=nwQBKXn#33kyFjj2Kf", "nwQBKXn#33kyFjj2Kf", 'password or key: follows "PASSWORD"'),
        ("The password for ottokar77 is hG7#kk29x!", "hG7#kk29x!", 'password or key: follows "password"'),
        ("Call +49 30 901820 today", "+49 30 901820", "phone number: valid in Germany"),
        ("Call +44 20 7946 0018 or so", "+44 20 7946 0018", "phone number: valid in the United Kingdom"),
        ("Phone: 7946 0018", "7946 0018", 'phone number: follows "Phone"'),
        ("Der Anruf kam von 030 901820, bitte nicht", "030 901820", "phone number: valid in Germany"),
        ("BIC: COBADEFFXXX", "COBADEFFXXX", 'bank code (BIC): follows "BIC"'),
        (
            "IBAN: GB82 WEST 1234 5698 7654 33",
            "GB82 WEST 1234 5698 7654 33",
            'account number (IBAN): follows "IBAN"',
        ),
        ("She was born on 16/07/2008.", "16/07/2008", 'date of birth: follows "born on"'),
    ],
)
def test_a_reason_a_person_understands(text: str, value: str, words: str) -> None:
    assert why(text, value) == words


def test_another_place_says_where_the_first_one_is() -> None:
    pages = [
        Page(1, "Nothing here."),
        Page(2, "Patient: Ottokar Zwetschge, Phone: +44 20 7946 0018"),
        Page(3, "442079460018. OTTOKAR ZWETSCHGE. Zwetschge, Ottokar"),
    ]
    found, _, _ = analyze(pages, preset="names-and-contacts")
    words = {one.text: said(one) for one in found if one.page == 3 and one.source == "expanded"}
    assert words["442079460018"] == "phone number: same as a value found on page 2"
    assert {words[text] for text in words if text.isupper()} <= {"name: same as a value found on page 2"}
    assert {words[text] for text in words if "," in text} <= {"name: another form of a name found on page 2"}
    assert all(one.reason for one in found)


def test_a_column_says_what_its_header_says_or_that_its_cells_do() -> None:
    rows = [["No", "E-mail", "x"]]
    rows += [[f"{n}", f"u{n}@example.org", f"card {n}"] for n in range(30)]
    pages, sheets = grid(rows)
    columns = [one for one in analyze(pages, sheets, kind="csv")[0] if one.is_column]
    assert [said(one) for one in columns] == ['whole column: its header says "E-mail"']
    pages, sheets = grid(rows[1:], header=False)
    columns = [one for one in analyze(pages, sheets, kind="csv")[0] if one.is_column]
    assert [said(one) for one in columns] == ["whole column: most of its cells are such values"]


def test_every_detector_has_a_reason_in_words() -> None:
    for name in detector_names():
        assert name.removesuffix("+expanded") in KINDS, f"add {name!r} to detection/kinds.py"
        assert explain("", name, "person")
    assert set(CATEGORY_NOUNS) == set(CATEGORIES)
    assert {kind.reason for kind in KINDS.values()} <= set(REASONS)
    assert all("{}" not in REASONS[kind.reason] for kind in KINDS.values())


def test_nothing_but_a_label_gets_into_a_reason() -> None:
    assert follows('"Kontoinhaber": ', "Anna") == "follows:Kontoinhaber"
    assert follows("Name of Anna Schmidt ", "Anna Schmidt") == "labelled"
    assert follows("x" * (ARGUMENT + 1), "Anna") == "labelled"
    assert follows("<script>", "Anna") == "labelled"
    assert follows("\x00\x1b[1m", "Anna") == "labelled"
    assert len(follows("x" * ARGUMENT, "Anna")) <= REASON_LENGTH
    with pytest.raises(ValueError, match="no such reason"):
        reason("follows")
    with pytest.raises(ValueError, match="no such reason"):
        reason("because")


def test_no_reason_repeats_the_value() -> None:
    text = "Dear Anna Schmidt,\nyours, Schmidt. Password: Hunter2!x9 and DB_PASSWORD=nwQBKXn#33kyFjj2Kf. Mr. John Baker"
    found = detect_text(text)
    assert found
    for one in found:
        assert not any(word in said(one) for word in one.text.split())


def test_a_person_who_changes_the_category_sees_what_they_called_it() -> None:
    assert explain("check-digit", "card", "customer-id") == "reference number: passes its check digit"


def test_what_an_older_version_stored_is_still_a_sentence() -> None:
    assert explain("gone-since", "gone-detector", "person") == "name: a detector recognised it"
    assert explain("valid-in:ZZ", "phone", "phone") == "phone number: valid with its country's prefix"


@pytest.mark.parametrize(
    ("confidence", "word"), [(1.0, "certain"), (0.85, "certain"), (0.84, "likely"), (0.64, "possible"), (0, "possible")]
)
def test_confidence_in_words(confidence: float, word: str) -> None:
    assert certainty(confidence) == word
