"""What is the same value, and what is not."""

from __future__ import annotations

import base64
import time
import unicodedata
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonify.documents.matching import MIN_SWEEP, Matcher


def hits(values: list[str], text: str, **options: Any) -> list[str]:
    return [text[match.start : match.end] for match in Matcher(values, **options).find(text)]


@pytest.mark.parametrize(
    ("value", "text", "found"),
    [
        ("Greta Nordlund", "greta\r\n\t nordlund", ["greta\r\n\t nordlund"]),
        ("Greta Nordlund", "GRETA\u00a0NORDLUND", ["GRETA\u00a0NORDLUND"]),
        ("Greta Nordlund", "Gre\u00adta\u200b Nord\u2060lund", ["Gre\u00adta\u200b Nord\u2060lund"]),
        ("\u0645\u062d\u0645\u062f", "\u0645\u062d\u0640\u0640\u0645\u062f", ["\u0645\u062d\u0640\u0640\u0645\u062f"]),
        ("Greta Nordlund", "Greta Nord-\nlund", ["Greta Nord-\nlund"]),
        ("Greta Nordlund", "Greta Nord\u2010\r\nlund", ["Greta Nord\u2010\r\nlund"]),
        ("Greta Nordlund", "\uff27\uff32\uff25\uff34\uff21 Nordlund", ["\uff27\uff32\uff25\uff34\uff21 Nordlund"]),
        ("Smith-Jones", "Smith-\nJones, Smith\u2011Jones", ["Smith-\nJones", "Smith\u2011Jones"]),
        ("O'Neill", "O\u2019Neill", ["O\u2019Neill"]),
        ("José", "JOSE\u0301 José", ["JOSE\u0301", "José"]),
        ("Straße", "STRASSE", ["STRASSE"]),
        ("İpek Şahin", "İPEK ŞAHİN ipek şahin I\u0307PEK S\u0327AHI\u0307N",
         ["İPEK ŞAHİN", "ipek şahin", "I\u0307PEK S\u0327AHI\u0307N"]),
        ("Ali Demir", "ALİ DEMİR", ["ALİ DEMİR"]),
        ("Işıl Aydın", "IŞIL AYDIN ışıl aydın", ["IŞIL AYDIN", "ışıl aydın"]),
        ("12.34.56", "1234.56 12-34-56", ["1234.56", "12-34-56"]),
        ("01 23 45 67 89", "tel. 01.23.45.67.89", ["01.23.45.67.89"]),
        ("Finch", "\ufb01nch", ["\ufb01nch"]),
        ("山田太郎", "これは山田太郎さん", ["山田太郎"]),
        ("山田太郎", "山田\n太郎", ["山田\n太郎"]),
        ("김철수입", "김철수입니다", ["김철수입"]),
        ("สมชายใจดี", "คุณสมชายใจดีครับ", ["สมชายใจดี"]),
        ("Nordlund", "N\0o\0r\0d\0l\0u\0n\0d", ["N\0o\0r\0d\0l\0u\0n\0d"]),
        ("Nordlund", "user=\x1b[1;32mnordlund\x1b[0m", ["nordlund"]),
        ("Nordlund", "Nord\x1b[0mlund", ["Nord\x1b[0mlund"]),
        ("Nordlund", "by_nordlund2 gretaNordlund", ["nordlund", "Nordlund"]),
        ("Nordlund", "\\nNordlund %2FNordlund", ["Nordlund", "Nordlund"]),
        ("greta@example.org", "mailto:greta%40example.org", ["greta%40example.org"]),
        ("greta@example.org", "to greta@\nexample.org", ["greta@\nexample.org"]),
        ("Jörg", "J\\u00f6rg J&ouml;rg J&#246;rg", ["J\\u00f6rg", "J&ouml;rg", "J&#246;rg"]),
        ("Jörg", "J=C3=B6rg J%C3%B6rg", ["J=C3=B6rg", "J%C3%B6rg"]),
    ],
)  # fmt: skip
def test_spellings_of_one_value(value: str, text: str, found: list[str]) -> None:
    assert hits([value], text) == found


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("Anna", "Annaual Johanna ANNABELLE"),
        ("Anna", "An\u00adnabelle Anna\u00adbelle"),
        ("Donald", "McDonald and MacDonald"),
        ("Jose", "José Jose\u0301"),
        ("Goodman", "a good man"),
        ("김철수입", "김철수잆"),
        ("12345678", "912345678 123456789"),
        ("+44 20 7946 0958", "+49 2079460958 12079460958"),
        ("greta@example.org", "greta@example.organic annagreta@example.org"),
        ("Ann", "Ann is too short to be swept"),
        ("Nordlund", "Nord-lund Nord/lund"),
        ("123456", "costs 1234.56 or 1 234.56 or 12 34,56"),
        ("12 34 56", "costs 1234.56"),
        ("1234.56", "number 123456"),
        ("Ipek Sahin", "İpek Şahin"),
    ],
)
def test_other_values_stay(value: str, text: str) -> None:
    assert not hits([value], text)


@pytest.mark.parametrize(
    "text",
    ["+44 20 7946 0958", "+442079460958", "0044 20 7946 0958", "020 7946 0958", "(020) 7946-0958",
     "+44 (0)20 7946 0958", "020.7946.0958", "020/79460958", "02079460958"],
)  # fmt: skip
@pytest.mark.parametrize("value", ["+44 20 7946 0958", "020 7946 0958", "0044-20-79460958"])
def test_a_phone_number_is_itself_with_any_prefix_and_separators(value: str, text: str) -> None:
    assert hits([value], f"call {text}, please") == [text]


@pytest.mark.parametrize(
    "text", ["DE44500105175407324931", "de44-5001-0517-5407-3249-31", "DE44 5001 0517\n5407 3249 31"]
)
def test_an_account_number_is_itself_with_other_separators(text: str) -> None:
    assert hits(["DE44 5001 0517 5407 3249 31"], f"to {text}.") == [text]


@pytest.mark.parametrize("lead", ["", "x", "xy"])
def test_base64_and_hexadecimal_at_every_alignment(lead: str) -> None:
    value = "greta.nordlund@example.org"
    coded = base64.b64encode(f"{lead}{value} and more".encode()).decode()
    assert hits([value], f"token={coded}")
    assert hits([value], value.encode().hex())
    assert not hits([value], coded.swapcase())


def test_short_values_when_they_are_only_to_be_shown() -> None:
    assert hits(["王小明"], "尊敬的王小明先生", shortest=2) == ["王小明"]
    assert hits(["Zoë", "Al"], "Zoe\u0308, Zoëlle, A l, AL, Ali", shortest=2) == ["Zoe\u0308", "AL"]


def test_lookalikes_only_when_asked() -> None:
    assert hits(["Olive 10"], "0l1ve lO", lookalikes=True) == ["0l1ve lO"]
    assert not hits(["Olive 10"], "0l1ve lO")


def test_a_bracket_of_the_sentence_is_not_of_the_number() -> None:
    assert hits(["04/11/1959"], "born (04/11/1959) in") == ["04/11/1959"]
    assert hits(["0113 496 0241"], "call (0113 496 0241) or (0113) 496 0241") == ["0113 496 0241", "(0113) 496 0241"]


def test_leftmost_longest_without_overlaps() -> None:
    assert hits(["Greta Nordlund", "Greta", "Nordlund"], "Greta Nordlund Greta") == ["Greta Nordlund", "Greta"]


def test_many_values_are_found_in_one_pass() -> None:
    values = [f"Person{number} Name{number}" for number in range(20_000)]
    matches = Matcher(values).find(" - ".join(values[::1000]))
    assert [match.value for match in matches] == list(range(0, 20_000, 1000))


def test_nothing_to_find() -> None:
    assert Matcher([]).find("text") == []
    assert not Matcher(["", "a", "----"]).found("a ---- b")


NAMES = st.sampled_from(
    ["Greta Nordlund", "José Ñandú", "Straße", "山田太郎", "+44 20 7946 0958", "a@example.org", "Lövström"]
)


def _mutated(value: str, way: int) -> str:
    ways = (
        value, value.upper(), value.lower(), value.replace(" ", " \n "), unicodedata.normalize("NFD", value),
        "\u200b".join(value), quote(value), value.replace(" ", "\u00a0"), "\0".join(value),
    )  # fmt: skip
    return ways[way]


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.tuples(NAMES, st.integers(0, 8), st.text(" .,;:!?\n(){}", min_size=1, max_size=4)), min_size=1, max_size=6
    )
)
def test_every_planted_form_is_found_and_replaced(plants: list[tuple[str, int, str]]) -> None:
    values = sorted({value for value, _way, _gap in plants})
    text = "Vermerk: " + "".join(f"<{_mutated(value, way)}>{gap}" for value, way, gap in plants)
    matcher = Matcher(values)
    found = matcher.find(text)
    assert len(found) == len(plants)
    for match, (value, _way, _gap) in zip(found, plants, strict=True):
        assert values[match.value] == value
        assert 0 <= match.start < match.end <= len(text)
    clean, count = matcher.replace(text, ["[REDACTED]"] * len(values))
    assert count == len(plants)
    assert not matcher.found(clean)
    assert clean.startswith("Vermerk: <[REDACTED]>")


@settings(max_examples=100, deadline=None)
@given(st.text(), st.lists(st.text(min_size=MIN_SWEEP, max_size=12), max_size=4))
def test_matches_stay_inside_and_apart(text: str, values: list[str]) -> None:
    end = 0
    for match in Matcher(values).find(text + " " + " ".join(values)):
        assert end <= match.start < match.end
        end = match.end
    assert end <= len(text) + 1 + sum(map(len, values)) + len(values)


def test_a_text_made_to_be_slow_is_searched_in_linear_time() -> None:
    text = "a " * 100_000
    begun = time.process_time()
    found = Matcher(["a" * 500]).find(text)
    assert time.process_time() - begun < 20
    assert len(found) == 200
    assert found[0].start == 0
