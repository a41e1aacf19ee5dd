"""Presets narrow, and promise nothing."""

from __future__ import annotations

import pytest

from anonify.detection import CATEGORIES, DISCLAIMER, PRESETS, Preset, categories_of, detect_text
from anonify.detection.presets import check_preset

TEXT = (
    "Patient: Richard Quinn, born 16/07/2008, SSN 601-23-1602, IBAN DE89 3704 0044 0532 0130 00, "
    "r.quinn@example.com, +44 20 7946 0018, DB_PASSWORD=nwQBKXn#33kyFjj2Kf, Customer no.: C-2696071"
)


def test_the_presets() -> None:
    assert list(PRESETS) == [
        "everything", "names-and-contacts", "identifiers-and-dates", "payments-and-accounts", "credentials"
    ]  # fmt: skip
    assert PRESETS["everything"].categories == set(CATEGORIES)
    assert DISCLAIMER == "A preset changes what is looked for, not what you are responsible for."


@pytest.mark.parametrize("preset", PRESETS)
def test_nothing_outside_the_preset_is_suggested(preset: str) -> None:
    categories = {d.category for d in detect_text(TEXT, preset=preset)}
    assert categories
    assert categories <= categories_of(preset)


def test_everything_finds_each_kind() -> None:
    assert {d.category for d in detect_text(TEXT)} >= {
        "person", "date-of-birth", "government-id", "bank-account", "email", "phone", "api-key", "customer-id"
    }  # fmt: skip


@pytest.mark.parametrize(
    "words",
    ["GDPR names", "HIPAA-identifiers", "PCI-DSS cards", "compliant export", "anonymised", "legally safe", "Certified"],
)
def test_a_preset_that_promises_is_refused(words: str) -> None:
    for preset in (
        Preset("x", words, "Names.", frozenset({"person"})),
        Preset("x", "Names", words, frozenset({"person"})),
        Preset(words, "Names", "Names.", frozenset({"person"})),
    ):
        with pytest.raises(ValueError, match="preset"):
            check_preset(preset)


def test_unknown_preset() -> None:
    with pytest.raises(ValueError, match="no such preset"):
        detect_text("x", preset="nope")
