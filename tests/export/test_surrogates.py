"""What stands in the place of values: who shares a number, what it never holds, and what a category may be given."""

from __future__ import annotations

import base64
import random
from collections.abc import Collection

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonify.documents import Matcher
from anonify.errors import Code, FatalError
from anonify.export import (
    METHODS,
    Decision,
    Scope,
    make_surrogates,
    make_vault,
    methods_of,
    originals,
    resolve_method,
    strength,
    vault_bytes,
)
from anonify.export.ciphertext import decrypt, encrypt
from anonify.export.methods import asked_method

SCOPE = Scope(b"s" * 32, b"k" * 32)
WIDE = Scope(b"s" * 32, b"k" * 32, wide=True)


def named(values: Collection[str], category: str = "person", method: str = "mask") -> list[Decision]:
    return [Decision(value, category, method, value) for value in values]


def made(
    values: Collection[str], method: str = "tokenize", category: str = "person", scope: Scope = SCOPE
) -> dict[str, str]:
    surrogates = make_surrogates(named(values, category), {category: method}, scope)
    return {value: one.text for value, one in surrogates.by_spelling.items()}


ONE_PERSON = ("Ada Example", "ADA EXAMPLE", "Example, Ada", "Dr. Ada Example")


@pytest.mark.parametrize("scope", [SCOPE, WIDE], ids=["alone", "wide"])
@pytest.mark.parametrize("method", ["pseudonymize", "tokenize"])
def test_forms_of_one_name_share_the_number(method: str, scope: Scope) -> None:
    found = made([*ONE_PERSON, "Berta Sample"], method, scope=scope)
    numbers = {
        text.split("_")[1][: 3 if scope is SCOPE else 10] for value, text in found.items() if value in ONE_PERSON
    }
    assert len(numbers) == 1
    assert found["Berta Sample"].split("_")[1][:3] not in {number[:3] for number in numbers}
    ways = {found[value] for value in ONE_PERSON}
    assert len(ways) == (1 if method == "pseudonymize" else len(ONE_PERSON))


@pytest.mark.parametrize("scope", [SCOPE, WIDE], ids=["alone", "wide"])
@pytest.mark.parametrize("method", ["pseudonymize", "tokenize", "encrypt"])
def test_order_says_nothing(method: str, scope: Scope) -> None:
    values = [f"{first} {last}" for first in ("Ada", "Berta", "Carl") for last in ("Example", "Sample", "Muster")]
    wanted = made(values, method, scope=scope)
    for seed in range(5):
        random.Random(seed).shuffle(values)
        assert made(values, method, scope=scope) == wanted
    other = Scope(b"t" * 32, b"l" * 32, scope.wide)
    assert made(values, method, scope=other) != wanted


VALUES = st.lists(
    st.one_of(
        st.sampled_from(["PERSON", "417", "ENC", "A", "person_417", "PERSON_4", "ENC_", "_", "0", "4170", "OTHER_123"]),
        st.from_regex(r"(PERSON|ENC|OTHER)_[0-9]{3,5}[b-d]?", fullmatch=True),
        st.text(min_size=1, max_size=20),
    ),
    min_size=1,
    max_size=12,
)


@settings(max_examples=150, deadline=None)
@given(
    values=VALUES,
    method=st.sampled_from(METHODS[1:]),
    category=st.sampled_from(["person", "other"]),
    wide=st.booleans(),
)
def test_no_surrogate_holds_an_accepted_value(values: list[str], method: str, category: str, wide: bool) -> None:
    surrogates = make_surrogates(named(values, category), {category: method}, WIDE if wide else SCOPE)
    matcher = Matcher(values)
    texts: dict[str, str] = {}
    for value, one in surrogates.by_spelling.items():
        assert not matcher.found(one.text)
        assert not matcher.found(one.drawn)
        if method != "pseudonymize":  # what can be had back stands for one spelling
            assert texts.setdefault(one.text, value) == value


def test_a_text_that_stands_in_the_document_is_not_given_away() -> None:
    first = made(["Ada Example"])["Ada Example"]
    standing = {first, first[:-1] + str((int(first[-1]) + 1) % 10)}
    again = make_surrogates(
        named(["Ada Example"]),
        {"person": "tokenize"},
        SCOPE,
        lambda texts: {text for text in texts if text in standing},
    )
    assert again.by_spelling["Ada Example"].text not in standing


def test_every_number_taken_masks() -> None:
    surrogates = make_surrogates(named(["Ada Example"]), {"person": "tokenize"}, SCOPE, set)
    assert surrogates.by_spelling == {}


def test_the_strongest_of_several_methods_wins() -> None:
    for weaker in METHODS[1:]:
        for stronger in METHODS[: METHODS.index(weaker)]:
            for order in (1, -1):
                both = [
                    Decision("1", "phone", weaker, "0228 12345678"),
                    # where the usual method is another's own, that other says what the category is given
                    Decision("2", "other", stronger, "0228 12345678"),
                ]
                found = make_surrogates(both[::order], {}, SCOPE).by_spelling
                method = found["0228 12345678"].method if found else "mask"
                assert method == stronger


def test_the_gates() -> None:
    for category in ("face", "signature", "government-id", "bank-account", "financial", "api-key"):
        assert methods_of(category) == ("mask",)
        assert made(["DE89 3704 0044 0532"], "encrypt", category) == {}
    for category in ("address", "date-of-birth"):
        assert methods_of(category) == ("mask", "encrypt")
        assert made(["Example Street 1"], "tokenize", category) == {}
        assert made(["Example Street 1"], "encrypt", category)
    assert methods_of("person") == METHODS
    assert resolve_method("tokenize", "person", text=False) == "mask"
    assert resolve_method("shred", "person") == "mask"
    assert [strength(method) for method in METHODS] == [0, 1, 2, 3]
    assert asked_method("mask", "person", {"person": "encrypt"}) == "encrypt"
    assert asked_method("tokenize", "person", {"person": "encrypt"}) == "tokenize"


def test_values_too_short_to_be_looked_for_are_masked() -> None:
    assert made(["A", "Bo", "417", " x "]) == {}


@given(st.text(min_size=1, max_size=200), st.binary(min_size=32, max_size=32))
def test_ciphertext_is_undone_by_its_key_alone(value: str, key: bytes) -> None:
    sealed = encrypt(key, value)
    assert sealed == encrypt(key, value)
    assert decrypt(key, sealed) == decrypt(key, sealed.lower()) == value
    for wrong, text in (
        (bytes(32), sealed),
        (key, sealed[:-2]),
        (key, sealed[:-4] + "AAAA"),
        (key, "ENC_"),
        (key, "x"),
    ):
        if (wrong, text) != (key, sealed):
            with pytest.raises(FatalError) as caught:
                decrypt(wrong, text)
            assert caught.value.code is Code.MALFORMED


def test_what_holds_a_masked_value_is_masked() -> None:
    accepted = [
        Decision("1", "bank-account", "mask", "4711223344"),
        Decision("2", "other", "mask", "Konto 4711223344"),
        Decision("3", "other", "mask", "Konto of Berta"),
    ]
    surrogates = make_surrogates(accepted, {"other": "tokenize"}, SCOPE)
    assert set(surrogates.by_spelling) == {"Konto of Berta"}


def test_forms_are_told_among_the_names_of_a_whole_batch() -> None:
    everybody = ("Jane Mary Thornton", "Jane Thornton", "Thornton")
    numbers = {
        make_surrogates(named([name]), {"person": "pseudonymize"}, WIDE, people=everybody).by_spelling[name].text
        for name in everybody
    }
    assert len(numbers) == 1


def test_ciphertext_does_not_tell_how_long_a_short_value_is() -> None:
    assert len({len(encrypt(b"k" * 32, value)) for value in ("1 May 1980", "12 September 1980", "x" * 31)}) == 1


def test_a_vault_of_files_with_keys_of_their_own_opens_each() -> None:
    scopes = [Scope(b"s" * 32, bytes([number]) * 32, wide=True) for number in (1, 2)]
    names = ("Ada Example", "Berta Sample")
    made = [
        (make_surrogates(named([name]), {"person": "encrypt"}, scope), scope)
        for name, scope in zip(names, scopes, strict=True)
    ]
    whole, single = make_vault(made, "0" * 64), make_vault(made[:1], "0" * 64)
    assert whole is not None
    assert single is not None
    assert sorted(originals(whole).values()) == list(names)
    assert base64.b64encode(scopes[1].key).decode() not in vault_bytes(single).decode()
