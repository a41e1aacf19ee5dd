"""Payment cards (ISO/IEC 7812), IBAN (ISO 13616), BIC (ISO 9362) and national account numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from stdnum import bic, iban, luhn
from stdnum.iso7064 import mod_97_10

from .base import SOFT, Candidate, Detector, Finding, beside, near, standalone

__all__ = ["DETECTORS", "card_ok", "iban_ok"]

_CARD: Final = (
    r"[2-6][0-9]{3}(?:[ \-.\x{AD}\x{200B}]{0,2}[0-9]){8,15}|"
    r"[3-6][0-9]{3}(?:[ \-]?[0-9]{4}){0,2}[ \-]?\r?\n[ ]{0,4}[0-9]{4}"
    r"(?:[ \-]?[0-9]{4}){0,2}\b|1800[ \-]?(?:[0-9][ \-]?){10}[0-9]"
)
_CARD_LABEL: Final = near(
    r"card|cards|card no|card number|credit card|debit card|kartennummer|kreditkarte|karte|carte|numéro de "
    r"carte|tarjeta|carta|kaart|kaartnummer|creditcard"
    r"|cartão|karta|karty|numer karty|visa|mastercard|amex|american express|discover|maestro|pan|cc|ccn|"
    r"cc_number|card_number|cardnumber|credit_card",
    gap=30,
)
_NOT_A_CARD: Final = near(
    r"order|order no|invoice|tracking|sku|ean|upc|imei|isbn|serial|part|ticket|bestellung|rechnung|commande|"
    r"pedido|ordine|bestelling|zamówienie|build|timestamp",
    gap=12,
)

_IBAN_LENGTHS: Final = {
    country: int(length)
    for country, length in (
        pair.split(":")
        for pair in [
            "AD:24",
            "AE:23",
            "AL:28",
            "AT:20",
            "AZ:28",
            "BA:20",
            "BE:16",
            "BG:22",
            "BH:22",
            "BI:27",
            "BR:29",
            "BY:28",
            "CH:21",
            "CR:22",
            "CY:28",
            "CZ:24",
            "DE:22",
            "DJ:27",
            "DK:18",
            "DO:28",
            "EE:20",
            "EG:29",
            "ES:24",
            "FI:18",
            "FK:18",
            "FO:18",
            "FR:27",
            "GB:22",
            "GE:22",
            "GI:23",
            "GL:18",
            "GR:27",
            "GT:28",
            "HN:28",
            "HR:21",
            "HU:28",
            "IE:22",
            "IL:23",
            "IQ:23",
            "IS:26",
            "IT:27",
            "JO:30",
            "KW:30",
            "KZ:20",
            "LB:28",
            "LC:32",
            "LI:21",
            "LT:20",
            "LU:20",
            "LV:21",
            "LY:25",
            "MC:27",
            "MD:24",
            "ME:22",
            "MK:19",
            "MN:20",
            "MR:27",
            "MT:31",
            "MU:30",
            "NI:28",
            "NL:18",
            "NO:15",
            "OM:23",
            "PK:24",
            "PL:28",
            "PS:29",
            "PT:25",
            "QA:29",
            "RO:24",
            "RS:22",
            "RU:33",
            "SA:24",
            "SC:31",
            "SD:18",
            "SE:24",
            "SI:19",
            "SK:24",
            "SM:27",
            "SO:23",
            "ST:25",
            "SV:28",
            "TL:23",
            "TN:24",
            "TR:26",
            "UA:29",
            "VA:22",
            "VG:24",
            "XK:20",
            "YE:30",
        ]
    )
}
_IBAN: Final = r"(?i)\b[A-Z]{2}[ ]?[0-9]{2}(?:[ \-.\x{AD}\x{200B}]{0,2}[A-Z0-9]){2,34}"
_WHOLE: Final = 14
"""Letters and digits from which a candidate may be a number of its own; fewer may only begin one over two lines."""


def card_ok(digits: str) -> bool:
    """Whether `digits` has an issuer's prefix, that issuer's length, and the check digit of ISO/IEC 7812-1 annex B."""
    return _issuer(digits) and luhn.is_valid(digits) and len(set(digits)) > 1


def _issuer(digits: str) -> bool:
    size = len(digits)
    if digits[0] == "4":
        return size in (13, 16, 19)
    head, wide = int(digits[:2]), int(digits[:4])
    if 51 <= head <= 55 or 2221 <= wide <= 2720:
        return size == 16
    if head in (34, 37):
        return size == 15
    if head in (36, 38, 39) or 3000 <= wide <= 3059 or wide == 3095:
        return size in (14, 16, 19)
    if wide in (1800, 2131):
        return size == 15
    if head in {35, 60, 62, 65} or 644 <= int(digits[:3]) <= 649:
        return 16 <= size <= 19
    if head in (50, 56, 57, 58, 63, 67, 69):
        return 12 <= size <= 19
    return False


def _card(candidate: Candidate) -> Iterator[Finding]:
    text = candidate.text
    if "\n" in text:
        digits = re.sub(r"\D", "", text)
        alone = standalone(candidate.passage.text, candidate.start, candidate.end, joiners="-_/\\.")
        if alone and card_ok(digits) and _CARD_LABEL.search(candidate.before()) and candidate.passage.grid is None:
            yield Finding(candidate.start, candidate.end, 0.93)
        return
    # the run may go on into a neighbouring number: try to give back trailing groups
    ends = [len(text), *reversed([m.start() for m in re.finditer(r"[^\d]+", text)])]
    for end in ends:
        digits = re.sub(r"\D", "", text[:end])
        if len(digits) < 12:
            return
        if not card_ok(digits):
            continue
        if not standalone(candidate.passage.text, candidate.start, candidate.start + end, joiners="-_/\\."):
            continue
        before = candidate.before()
        labelled = _CARD_LABEL.search(before) is not None
        if not labelled and _NOT_A_CARD.search(before):
            return
        if len(digits) < 14 and not (labelled or digits[0] == "4"):
            return
        yield Finding(candidate.start, candidate.start + end, 0.97 if labelled else 0.9)
        return


def iban_ok(compact: str) -> bool:
    """Whether `compact` (no separators, upper case) has its country's length and checksum."""
    if _IBAN_LENGTHS.get(compact[:2]) != len(compact) or not mod_97_10.is_valid(compact[4:] + compact[:4]):
        return False
    return sum(map(str.isdigit, compact)) * 2 >= len(compact) or iban.is_valid(compact, check_country=False)


_IBAN_LABEL: Final = near(
    "iban|iban no|iban-nr|iban nr|konto|account|compte|cuenta|conto|rekening|conta|rachunek|bank|"
    "bankverbindung|pay into|pay to|transfer to|coordonnées bancaires|coordinate bancarie|datos bancarios|"
    "dados bancários|dane do przelewu",
    gap=16,
)


_IBAN_FORM: Final = re.compile(
    r"[A-Z]{2} ?\d{2}(?:[A-Z0-9]{10,30}|(?:[ -][A-Z0-9]{4}){2,7}(?:[ -][A-Z0-9]{1,3})?)(?![A-Za-z0-9])"
)


def _foreign(candidate: Candidate) -> Iterator[Finding]:
    """Account numbers in the form of an IBAN that the registry does not know, or mistyped, with a label."""
    match = _IBAN_FORM.match(candidate.passage.text, candidate.start)
    if match and _IBAN_LABEL.search(candidate.before()):
        compact = re.sub(r"[^0-9A-Z]", "", match.group())
        good = mod_97_10.is_valid(compact[4:] + compact[:4])
        why = "check-digits" if good else beside(candidate, _IBAN_LABEL)
        yield Finding(candidate.start, match.end(), 0.9 if good else 0.75, reason=why)


_REST: Final = 48
"""Characters looked at in the next line."""

_BREAK: Final = re.compile(r"[ \-]?\r?\n[ \t]{0,8}")


def _over_lines(candidate: Candidate, size: int) -> int:
    """Where an account number ends that goes on in the next line, or 0; its check digits must be right."""
    text = candidate.passage.text
    gap = _BREAK.match(text, candidate.end)
    if gap is None or candidate.passage.grid is not None:
        return 0
    compact = re.sub(r"[^0-9A-Z]", "", candidate.text.upper())
    at = gap.end()
    while at < len(text) and len(compact) < size and at < gap.end() + _REST:
        if text[at].isascii() and text[at].isalnum():
            compact += text[at].upper()
        elif text[at] not in " -." + SOFT:
            return 0
        at += 1
    return at if not text[at : at + 1].isalnum() and iban_ok(compact) else 0


def _iban(candidate: Candidate) -> Iterator[Finding]:
    text = candidate.text
    size = _IBAN_LENGTHS.get(text[:2].upper())
    count = sum(map(str.isalnum, text))
    if size is not None and count < size:
        end = _over_lines(candidate, size)
        if end and standalone(candidate.passage.text, candidate.start, end, joiners="_/\\"):
            yield Finding(candidate.start, end, 0.95)
            return
    if count >= _WHOLE:
        yield from _iban_in_line(candidate, size)


def _iban_in_line(candidate: Candidate, size: int | None) -> Iterator[Finding]:
    text = candidate.text
    if not standalone(
        candidate.passage.text, candidate.start, candidate.start + 4 if len(text) > 4 else candidate.end, joiners="_/\\"
    ):
        left = candidate.passage.text[candidate.start - 1 : candidate.start] if candidate.start else ""
        if left.isalnum() or left == "_":
            return
    if size is None:
        yield from _foreign(candidate)
        return
    seen, end = 0, 0
    for index, char in enumerate(text):
        seen += char.isalnum()
        if seen == size:
            end = index + 1
            break
    if not end:
        yield from _foreign(candidate)
        return
    compact = re.sub(r"[^0-9A-Z]", "", text[:end].upper())
    following = candidate.passage.text[candidate.start + end : candidate.start + end + 1]
    if following.isalnum():
        return
    if iban_ok(compact):
        yield Finding(candidate.start, candidate.start + end, 0.98)
    else:
        yield from _foreign(candidate)


_BIC_LABEL: Final = near(r"bic|swift|bic/swift|swift/bic|swift[ _-]?code|bic[ _-]?code|swift-code", gap=12)


def _bic(candidate: Candidate) -> Iterator[Finding]:
    text = candidate.text
    alone = standalone(candidate.passage.text, candidate.start, candidate.end)
    if alone and bic.is_valid(text) and _BIC_LABEL.search(candidate.before()):
        yield Finding(candidate.start, candidate.end, 0.9, reason=beside(candidate, _BIC_LABEL))


DETECTORS: Final = (
    Detector("card", "financial", 85, _CARD, _card),
    Detector("iban", "bank-account", 88, _IBAN, _iban),
    Detector(
        "bic",
        "bank-account",
        70,
        r"[A-Z]{6}[A-Z2-9][A-NP-Z0-9](?:[A-Z0-9]{3})?",
        _bic,
        anchors=(b"BIC", b"bic", b"Bic", b"SWIFT", b"Swift", b"swift"),
    ),
)
