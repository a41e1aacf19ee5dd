"""The names model: people in prose, letters, tables and capitals, in every language it was made for."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonify.detection import DEGRADED_NAMES, DEGRADED_NAMES_CUT, detect_text
from anonify.detection.engine import Found
from anonify.detection.names import Network, Reader, names_in, network, tag
from anonify.detection.naming import NAMES_MODEL, Namer, confidence_of, joined
from anonify.documents.model import Page

from .test_documents import analyze, grid


@pytest.fixture(scope="module")
def model() -> Network:
    found = network()
    assert found is not None, "the names model is part of the package"
    return found


def people(text: str) -> list[str]:
    return [d.text for d in detect_text(text) if d.category == "person"]


PROSE = [
    ("Yesterday Margaret Holloway told the committee that nobody had asked her.", "Margaret Holloway"),
    ("we waited an hour before priya raman finally turned up with the keys", "priya raman"),
    ("The committee thanks Venkatesh Subramanian for his patience.", "Venkatesh Subramanian"),
    ("Am Montag hat Katharina Obermeier den Schlüssel abgegeben.", "Katharina Obermeier"),
    ("Hier soir, Étienne Deschamps a quitté la réunion avant la fin.", "Étienne Deschamps"),
    ("El lunes llegó Rosario Villanueva con los papeles firmados.", "Rosario Villanueva"),
    ("Ieri Giancarlo Bertolini ha portato le chiavi in ufficio.", "Giancarlo Bertolini"),
    ("Gisteren heeft Marieke van den Broek de sleutels gebracht.", "Marieke van den Broek"),
    ("Ontem Joaquim Nascimento entregou as chaves na receção.", "Joaquim Nascimento"),
    ("Umowę podpisała Agnieszka Wróblewska z Krakowa.", "Agnieszka Wróblewska"),
    ("THE WITNESS JONATHAN PRITCHARD WAS HEARD ON MONDAY.", "JONATHAN PRITCHARD"),
    ("Sign-in sheet\n- Oluwaseun Adeyemi\n- Hyun-woo Park\n- room 12", "Oluwaseun Adeyemi"),
]


@pytest.mark.parametrize(("text", "name"), PROSE)
def test_a_name_without_any_label_is_found(text: str, name: str) -> None:
    assert name in people(text)


@pytest.mark.parametrize(
    "text",
    [
        "The grace period ends in May, and the bill will be read on Monday.",
        "Please mark the box, and chase the supplier for a refund.",
        "Die Kunden haben im Sommer lange gewartet, und der Gewinn je Aktie stieg.",
        "Le boulanger et le maire ont signé la convention au printemps.",
        "ISO 27001, RFC 5322 and Python 3.11 are listed in annex 4.",
        "Parkinson's disease and Crohn's disease were excluded.",
        "Dinsdag spraken we over het leverplan. Zoals afgesproken belt hij terug.",
        "Martedì abbiamo visto i documenti della ditta.",
        "Am Dienstag gab es nichts. Sonst war alles in Ordnung.",
    ],
)
def test_words_that_may_be_names_elsewhere_are_left(text: str) -> None:
    assert people(text) == []


def test_what_only_the_model_found_says_so() -> None:
    (found,) = [d for d in detect_text(PROSE[0][0]) if d.category == "person"]
    assert (found.detector, found.source) == (NAMES_MODEL, "names-model")
    assert 0.5 <= found.confidence <= 1


def test_a_label_and_the_model_make_one_suggestion_with_the_labels_reason() -> None:
    found = [d for d in detect_text("Patient: Margaret Holloway\n") if d.category == "person"]
    assert [(d.text, d.detector) for d in found] == [("Margaret Holloway", "person-label")]


def test_overlapping_findings_of_a_person_are_joined_to_cover_both() -> None:
    pattern = Found(10, 18, 0.8, "person", "person-title", 41, "pattern")
    name = Found(5, 14, 0.9, "person", NAMES_MODEL, 30, "names-model")
    (one,) = joined([pattern], [name])
    assert (one.start, one.end, one.name, one.confidence) == (5, 18, "person-title", 0.9)


def test_names_in_the_cells_of_a_table_stay_in_their_cells() -> None:
    rows = [["id", "remark", "colour"]]
    rows += [[str(n), f"call {name} back", "blue"] for n, name in enumerate(["Margaret Holloway", "Pedro Villanueva"])]
    pages, sheets = grid(rows)
    detections, _, _ = analyze(pages, sheets, kind="csv")
    found = {(d.row, d.column, d.text) for d in detections if d.category == "person" and not d.is_column}
    assert found == {(2, 2, "Margaret Holloway"), (3, 2, "Pedro Villanueva")}


def test_a_column_of_names_without_a_header_that_says_so_is_one_suggestion() -> None:
    names = ["Margaret Holloway", "Pedro Villanueva", "Katharina Obermeier", "Étienne Deschamps", "Marta Kowalczyk"]
    pages, sheets = grid([["no", "who", "colour"], *[[str(n), name, "blue"] for n, name in enumerate(names)]])
    detections, _, _ = analyze(pages, sheets, kind="csv")
    assert [(d.category, d.column) for d in detections if d.is_column] == [("person", 2)]


def test_a_document_without_the_model_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("anonify.detection.naming.network", lambda: None)
    assert analyze([Page(1, PROSE[0][0])])[1].degraded == (DEGRADED_NAMES,)


def test_a_missing_model_file_counts_as_no_model(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("anonify.detection.names.runtime.MODEL", tmp_path / "gone.onnx")
    with pytest.raises(OSError, match="gone"):
        Network()


def test_what_is_too_long_is_read_to_a_point_and_said(model: Network) -> None:
    namer = Namer(model, left=100)
    before, after = [([PROSE[0][0][f.start : f.end] for f in namer.page(PROSE[0][0])], namer.cut) for _ in range(2)]
    assert before == (["Margaret Holloway"], False)
    assert after[1]


def test_a_document_too_long_for_the_model_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("anonify.detection.naming.MOST_TEXT", 50)
    assert analyze([Page(1, PROSE[0][0])])[1].degraded == (DEGRADED_NAMES_CUT,)


def test_every_word_of_a_long_text_is_answered_once(model: Network) -> None:
    text = " ".join(text for text, _ in PROSE * 12)
    words = [one.word for one in tag(model, text)]
    assert words == [word for word in model.reader.words(text) if word.pieces]
    found = [text[n.start : n.end] for n in names_in(text, tag(model, text))]
    assert found.count("Margaret Holloway") == 12, "wherever a stretch of the text happens to end"


def test_rows_of_numbers_and_marks_are_not_shown_to_the_model_and_their_words_are_answered(model: Network) -> None:
    shown: list[int] = []

    class Counting:
        reader = model.reader

        def tag(self, stretches: Sequence[tuple[Sequence[int], Sequence[int]]], /) -> list[Any]:
            shown.append(len(stretches))
            return model.tag(stretches)

    text = "12 (4) - " * 400 + "\nWe met Margaret Holloway there.\n" + "7, 8; " * 400
    found = list(tag(Counting(), text))

    assert [one.word for one in found] == model.reader.words(text)
    assert [text[name.start : name.end] for name in names_in(text, found)] == ["Margaret Holloway"]
    assert 0 < sum(shown) <= 3


def test_the_same_text_gives_the_same_suggestions(model: Network) -> None:
    text = "\n".join(text for text, _ in PROSE)
    assert detect_text(text) == detect_text(text)


def test_accents_written_apart_or_together_are_the_same_to_the_model(model: Network) -> None:
    together, apart = (unicodedata.normalize(form, "Étienne Deschâmps rang") for form in ("NFC", "NFD"))
    pieces = [[word.pieces for word in model.reader.words(text)] for text in (together, apart)]
    assert pieces[0] == pieces[1]
    assert unicodedata.normalize("NFC", people(f"Hier soir {apart} la réunion.")[0]).startswith("Étienne")


@given(st.text(max_size=300))
@settings(max_examples=200, deadline=None)
def test_words_lie_in_order_and_lose_nothing_but_blanks(text: str) -> None:
    model = network()
    assert model is not None
    end = 0
    for word in model.reader.words(text):
        assert end <= word.start < word.end
        assert not any(c.isalnum() for c in text[end : word.start])
        end = word.end
    assert not any(c.isalnum() for c in text[end:])


def test_a_word_beyond_all_reason_costs_no_time() -> None:
    reader = Reader({"[UNK]": 100, "a": 5})
    (word,) = reader.words("a" * 1_000_000)
    assert word.pieces == (100,)


def unlabelled(text: str) -> Iterator[str]:
    model = network()
    assert model is not None
    return (text[n.start : n.end] for n in names_in(text, tag(model, text)))


def test_a_firm_called_after_somebody_is_no_person_and_somebody_beside_a_firm_is() -> None:
    assert people("Steven Brody & Associates Ltd. was paid, and so was Bryan Cave LLP.") == []
    for between in (" and ", ", ", " of ", " joined "):
        assert people(f"Margaret Holloway{between}Acme Ltd met on Monday.")[0] == "Margaret Holloway"


def test_confidence_rises_with_the_models_own_and_stays_below_certainty() -> None:
    seen = [confidence_of(step / 100) for step in range(101)]
    assert seen == sorted(seen)
    assert (seen[0], max(seen)) == (0.0, 0.99)


def test_small_words_around_a_name_are_left_unless_they_belong_to_it() -> None:
    assert list(unlabelled("Am Montag hat Katharina Obermeier den Schlüssel abgegeben.")) == ["Katharina Obermeier"]
    assert list(unlabelled("Gisteren heeft Marieke van den Broek gebeld.")) == ["Marieke van den Broek"]


def test_initials_and_endings_keep_their_points() -> None:
    assert "Harold B. Whitcombe" in list(unlabelled("The deed was signed by Harold B. Whitcombe in Leeds."))
