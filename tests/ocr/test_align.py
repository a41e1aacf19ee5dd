"""Another reader's words in the recogniser's places."""

from __future__ import annotations

from anonify.ocr.align import corrected
from anonify.ocr.markdown import words_of
from anonify.ocr.model import Word

SIZE = (1000, 400)
WIDE, HIGH = 10, 20


def read(*lines: str) -> list[Word]:
    """Words as a recogniser gives them: ten pixels a character, a line every forty."""
    words = []
    for number, line in enumerate(lines):
        x, y = 20, 20 + 40 * number
        for text in line.split(" "):
            glyphs = tuple((x + WIDE * at, y, x + WIDE * (at + 1), y + HIGH) for at in range(len(text)))
            if text.strip("."):  # dots hold the place of what the recogniser did not see
                words.append(Word(text, (x, y, x + WIDE * len(text), y + HIGH), 0.8, number, glyphs))
            x += WIDE * (len(text) + 1)
    return words


def texts(words: list[Word]) -> list[str]:
    return [word.text for word in words]


def found(words: list[Word], text: str) -> Word:
    return next(word for word in words if word.text == text)


def test_a_misread_word_is_corrected_where_it_stands() -> None:
    words = read("Contact rniller1@exarnple.org today", "or cal1 us")
    result = corrected(words, "Contact miller1@example.org today or call us", SIZE)
    assert texts(result) == ["Contact", "miller1@example.org", "today", "or", "call", "us"]
    mail = found(result, "miller1@example.org")
    assert mail.box == words[1].box
    assert len(mail.glyphs) == len(mail.text)
    assert [word.line for word in result] == [0, 0, 0, 1, 1, 1]


def test_words_run_together_or_torn_apart_keep_their_ink() -> None:
    words = read("card 4332 97621180 5521 end")
    result = corrected(words, "card 4332 9762 1180 5521 end", SIZE)
    assert texts(result) == ["card", "4332", "9762", "1180", "5521", "end"]
    whole = words[2].box
    assert found(result, "9762").box == (whole[0], whole[1], whole[0] + 40, whole[3])
    assert found(result, "1180").box == (whole[0] + 40, whole[1], whole[2], whole[3])
    words = read("mail ravi. iyer@example.org end")
    result = corrected(words, "mail ravi.iyer@example.org end", SIZE)
    assert texts(result) == ["mail", "ravi.iyer@example.org", "end"]
    assert found(result, "ravi.iyer@example.org").box == (words[1].box[0], 20, words[2].box[2], 40)


def test_a_missed_word_gets_the_gap_between_its_neighbours() -> None:
    words = read("Name ........ born 1961-04-17")
    result = corrected(words, "Name Castella born 1961-04-17", SIZE)
    assert texts(result) == ["Name", "Castella", "born", "1961-04-17"]
    assert found(result, "Castella").box == (words[0].box[2], 20, words[1].box[0], 40)
    assert {word.line for word in result} == {0}


def test_a_word_missed_at_the_end_of_a_line_is_placed_on_it() -> None:
    words = read("Account holder", "Account manager")
    result = corrected(words, "Account holder Whitfield Account manager", SIZE)
    box = found(result, "Whitfield").box
    assert box[0] <= words[1].box[2]
    assert box[1] <= 20
    assert box[3] >= 40
    assert box[2] == SIZE[0]


def test_what_only_the_recogniser_saw_stays() -> None:
    result = corrected(read("stamped 2031-11-05", "Dear member", "margin note"), "Dear member", SIZE)
    assert texts(result) == ["stamped", "2031-11-05", "Dear", "member", "margin", "note"]


def test_another_order_of_columns_finds_the_same_places() -> None:
    words = read("left one right one", "left two right two")
    result = corrected(words, "left one\nleft two\n\nright one\nright two", SIZE)
    assert sorted(texts(result)) == sorted(["left", "one", "right", "one", "left", "two", "right", "two"])
    for word in result:
        assert word.box in {old.box for old in words if old.text == word.text}


def test_a_page_that_the_recogniser_cannot_read_at_all_keeps_the_words() -> None:
    result = corrected([], "Beatrix Okafor", SIZE)
    assert texts(result) == ["Beatrix", "Okafor"]
    assert {word.box for word in result} == {(0, 0, *SIZE)}
    assert texts(corrected(read("as it was"), "", SIZE)) == ["as", "it", "was"]


def test_marks_of_layout_are_no_words() -> None:
    text = "# Invoice **2024**\n\n| Name | Mail |\n| --- | :--: |\n| *Ravi* Iyer | [r@x.org](mailto:r@x.org) |\n\n"
    text += "![img-0.jpeg](img-0.jpeg)\n- A\\_B &amp; C<br>D\nsnake_case_name 2*3*4"
    assert words_of(text) == ["Invoice", "2024", "Name", "Mail", "Ravi", "Iyer", "r@x.org", "A_B", "&", "C", "D",
                              "snake_case_name", "2*3*4"]  # fmt: skip


def test_words_missed_together_share_their_gap() -> None:
    words = read("Name ........ ........ born")
    result = corrected(words, "Name Beatrix Okafor born", SIZE)
    assert texts(result) == ["Name", "Beatrix", "Okafor", "born"]
    first, second = found(result, "Beatrix").box, found(result, "Okafor").box
    assert (first[0], second[2]) == (words[0].box[2], words[1].box[0])
    assert first[0] < first[2] <= second[0] < second[2]
