"""Every place a presentation can hide text: the value goes, its twin beside it stays."""

from __future__ import annotations

import pytest

from tests.documents.ooxml.build import swept

from .decks import K, V
from .eyes import count
from .places import EMPTIED, NAMES, ONE_WORD, PLACES, PROPERTIES


@pytest.mark.parametrize("place", PLACES)
def test_the_value_goes_and_its_twin_stays(place: str) -> None:
    source = PLACES[place]()
    assert count(source, V)

    artifact = swept(source, V)

    assert count(artifact, V) == 0
    assert count(artifact, K, plainly=True) == count(source, K, plainly=True)
    assert count(artifact, K) > 1  # the title says it once


@pytest.mark.parametrize("place", EMPTIED)
@pytest.mark.parametrize("keep_metadata", [False, True])
def test_the_value_goes_with_what_holds_it(place: str, keep_metadata: bool) -> None:
    source = EMPTIED[place]()
    assert count(source, V)

    artifact = swept(source, V, keep_metadata=keep_metadata)

    assert count(artifact, V) == 0
    assert count(artifact, K)


@pytest.mark.parametrize("place", PROPERTIES)
def test_properties_lose_the_value_kept_or_not(place: str) -> None:
    source = PROPERTIES[place]()
    assert count(source, V)

    assert count(swept(source, V), V) == 0
    kept = swept(source, V, keep_metadata=True)
    assert count(kept, V) == 0
    assert count(kept, K) == count(source, K)


@pytest.mark.parametrize("place", NAMES)
def test_names_change_where_they_hold_the_value(place: str) -> None:
    source = NAMES[place]()
    assert count(source, ONE_WORD)

    artifact = swept(source, ONE_WORD)

    assert count(artifact, ONE_WORD) == 0
    assert count(artifact, "Vandersloot")
