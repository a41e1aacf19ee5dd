"""Faults reported of other programs, by their number in the list of bug cases: those that concern detection.

B37: part of a GUID, a time or an order number taken for a telephone number; numbers of a claimed country missed.
B29: the link that unsubscribes is a login; the ordinary links of a message are not.
"""

from __future__ import annotations

import phonenumbers
import pytest

from anonify.detection import detect_text
from anonify.detection.kinds import REGIONS

NO_PHONES = (
    "id 3f2504e0-4f89-11d3-9a0c-0305e82c3301",
    "request 6ba7b810-9dad-11d1-80b4-00c04fd430c8 took 12 ms",
    "created_at: 1714608000",
    "ts=1714608000123",
    "Order no. 4155550132",
    "Order 020-7946-0958-2",
    "Bestellnummer 0301234567",
    "Invoice INV-2024-0155501",
    "Numéro de commande 0142685300",
    "ISBN 978-0-306-40615-7",
    "2024050201 ; serial",
    "server 192.168.100.201 answered",
    "version 10.15.7.20240502",
    "48.856613, 2.352222",
    "4155550132\n4155550133\n4155550134\n4155550135",
)


def phones(text: str) -> list[str]:
    return [found.text for found in detect_text(text) if found.category == "phone"]


@pytest.mark.parametrize("text", NO_PHONES)
def test_b37_numbers_of_other_kinds_are_no_phones(text: str) -> None:
    assert phones(text) == []


def example(region: str) -> phonenumbers.PhoneNumber:
    number = phonenumbers.example_number_for_type(region, phonenumbers.PhoneNumberType.MOBILE)
    assert number is not None
    return number


@pytest.mark.parametrize("region", sorted(REGIONS))
def test_b37_every_claimed_country_has_its_numbers_found(region: str) -> None:
    shown = phonenumbers.format_number(example(region), phonenumbers.PhoneNumberFormat.INTERNATIONAL)

    assert phones(f"Phone: {shown}") == [shown]
    assert phones(f"You reach me at {shown} in the evening.") == [shown]


def test_b29_a_link_that_unsubscribes_is_found_and_an_ordinary_one_is_not() -> None:
    login = "https://news.example.com/unsubscribe?token=8f4e2a91c07b4d6fa3e5"

    links = [f.text for f in detect_text(f"List-Unsubscribe: <{login}>") if f.category in {"url", "api-key"}]
    assert any("8f4e2a91c07b4d6fa3e5" in link for link in links)
    assert not [f for f in detect_text("See https://docs.example.com/guide/start") if f.category == "url"]
