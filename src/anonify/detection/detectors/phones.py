"""Telephone numbers (ITU-T E.164), by the numbering plans of phonenumbers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import phonenumbers

from anonify.detection.kinds import REGIONS
from anonify.detection.reasons import reason

from .base import SOFT, Candidate, Detector, Finding, beside, near, standalone

__all__ = ["DETECTORS", "NOT_A_PHONE", "PHONE_LABEL", "check_phone"]

PHONE_LABEL: Final = near(
    r"tel|tél|telephone|phone|phones|telefon|telefonnummer|téléphone|telephone no|telefono|teléfono|telefoon|"
    r"telefone|telefonu"
    r"|mobile|mobil|mobiel|móvil|movil|cell|cellular|cellphone|cellulare|celular|portable|handy|handynummer|"
    r"rufnummer|komórka|kom"
    r"|fax|telefax|faks|télécopie|whatsapp|signal|sms|[tmfp](?=[.:)])|(?:(?<![\s\S])|(?<=\n)|(?<=[|·] ))[tmfp](?= )|"
    r"ph|tlf|tfno|tfn|gsm|mob|nr tel|numer telefonu|"
    r"durchwahl|festnetz"
    r"|call|calling|called|ring|dial|text|reach me at|reach us at|reach her at|reach him at|contact|contact "
    r"no|contact number"
    r"|answering at|number is|hotline|helpline|voicemail|extension|sein handy|ihr handy|appeler|joindre|"
    r"llamar|llame|chiamare|bellen|ligar"
    r"|telemóvel|telemovel|mobiltelefon|mobilnummer|mobilnr|puhelin|puh|matkapuhelin|direct|direct line|desk|"
    r"switchboard|landline"
    r"|centralino|centralita|kontakt|telefonisch|numer tel|contacto|viber|telegram|电话|電話|手机"
    r"|phone_number|phone number|mobile_phone|phonenumber|home_phone|work_phone|tel_no|telephone_number",
    gap=14,
)

NOT_A_PHONE: Final = near(
    r"order|order no|order number|orders|purchase order|po|invoice|inv|receipt|ref|ref\.|reference|tracking|"
    r"track|awb|parcel|shipment|sku|ean|upc|gtin"
    r"|isbn|issn|part|part no|part number|serial|serial no|s/n|sn|version|release|build|rfc|iso|din|section|"
    r"sections|article|clause|page|pages|pp"
    r"|ticket|case|bug|issue|pixel|meter|meter reading|reading|lot|batch|model|item|product|article no|doi|"
    r"commit|sha|id|account|acct|konto|compte|cuenta"
    r"|bestellung|bestellnummer|rechnung|rechnungsnummer|auftrag|auftragsnummer|artikel|artikelnummer|sendung|"
    r"sendungsnummer|teil|teilenummer|zähler|version"
    r"|commande|facture|colis|pièce|pedido|factura|albarán|pieza|ordine|fattura|pezzo|bestelling|factuur|"
    r"onderdeel|encomenda|fatura|peça|zamówienie|faktura|część"
    r"|visa|mastercard|card|card number|total|amount|sum|qty|quantity|price|eur|usd|gbp|port|timestamp|epoch|"
    r"error|code|statement|iban|imei|vin|patent|policy|nhs|ssn"
    r"|steuer-id|steuernummer|ust-id|vat|vat no|siren|siret|nip|regon|krs|cnpj|cpf|bsn|nir|dni|nie|pesel|"
    r"handelsregister|hrb|coordinates|direct debit",
    gap=12,
)

_RUN: Final = (
    r"(?:\+|\(\+|\()?[0-9](?:(?:[ .\-/\x{A0}\x{AD}\x{200B}\x{2060}\x{2013}\x{2014}]|\x{AD} |\)[ .\-/]?|[ .\-/]?\(|"
    r" - | / "
    r")?[0-9]){5,21}"
)
_EXTENSION: Final = re.compile(
    r"(?: ?(?:x|ext\.?|extension|ext:|dw\.?|poste|wew\.?|#) ?|-?x)\d{1,6}(?!\w)", re.IGNORECASE
)
_NANP: Final = re.compile(
    r"(?:(?:\+|00)?1[ .\-]?)?(?:\([2-9]\d{2}\)[ .\-]?[2-9]\d{2}[ .\-]\d{4}|[2-9]\d{2}([.\-])[2-9]\d{2}\1\d{4}"
    r"|[2-9]\d{2} [2-9]\d{2}[ \-]\d{4}|[2-9]\d{2}-[2-9]\d{2} \d{4})|001[ .\-]\d{3}[ .\-]\d{3}[ .\-]\d{4}"
)
_LABEL_AFTER: Final = re.compile(
    r"[ \-–(]{0,2}(?:office|fax|mobile|cell|home|work|direct|mobil|büro|privat|bureau|oficina|ufficio|"
    r"kantoor)\b|\s?[|/·,;•]\s?[\w.+\-]+@\w",
    re.IGNORECASE,
)
_SPOKEN: Final = near(
    r"call|called|calling|ring|rang|phone|phoned|text|texted|texting|dial|reach|whatsapp|anrufen|angerufen|"
    r"erreichbar|appeler|appelez|joindre"
    r"|llamar|llame|llama|chiamare|chiami|bellen|gebeld|ligar|ligue|zadzwonić|numero|numéro|número|nummer|numer",
    gap=30,
)
_AFTER_MAIL: Final = re.compile(r"@[^\s@]+(?:\s?[|/·,;•]\s?| (?:or|oder|ou|o|of|lub) )\(?\+?$")
"""A contact line: a number that follows an e-mail address."""

_BRAZIL: Final = re.compile(r"\(?[1-9]\d\)? 9? ?\d{4}-\d{4}")
_DATE: Final = re.compile(
    r"(?:\d{4}([\-./])\d{1,2}\1\d{1,2}|\d{1,2}([\-./])\d{1,2}\2(?:\d{4}|\d{2}))(?:[ T]?\d{1,2}(?::?\d{2}){0,2})?"
)
_NO_DIAL: Final = re.compile(r"(?:19|20)\d\d ?[-\u2013/] ?(?:19|20)\d\d|\d{1,2}\.\d{4,}")
"""A span of years, a decimal fraction."""

_SAYS_PHONE: Final = re.compile(r"(?:tel|tél|fon|phone|fono|fone|fax|mobile?|handy|cell|gsm)\w*\W{0,4}$|[:.]\W{0,3}$")
_IP: Final = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}")


_VALID: Final = 2


_SOFT: Final = re.compile(f"[{SOFT}]")


def check_phone(written: str, region: str | None) -> int:
    """How good `written` is as a telephone number of `region` (None: it carries its own prefix).

    Returns:
        2 for a valid number, 1 for one of a possible length, 0 for none.
    """
    try:
        number = phonenumbers.parse(written, region)
    except phonenumbers.NumberParseException:
        return 0
    if phonenumbers.is_valid_number(number):
        return _VALID
    return 1 if phonenumbers.is_possible_number(number) else 0


def _phone(candidate: Candidate) -> Iterator[Finding]:
    passage = candidate.passage
    # a run that starts with a date or time goes on to the number behind it, one that ends with one stops before it
    if candidate.text.startswith("(") and ")" not in candidate.text:
        candidate = candidate._replace(start=candidate.start + 1)  # the whole number stands in brackets
    end = _over_lines(candidate)
    if end:
        yield Finding(candidate.start, end, 0.9)
        return
    for start, bare in _parts(candidate):
        extra = _EXTENSION.match(passage.text, bare, min(len(passage.text), bare + 20))
        end = extra.end() if extra else bare
        confidence = _judge_phone(Candidate(passage, start, end), candidate, extra.group() if extra else "")
        if confidence:
            yield Finding(start, end, confidence, reason=_phone_reason(Candidate(passage, start, bare)))
            return


def _phone_reason(part: Candidate) -> str:
    """Valid with its own prefix; or the label before it; or valid where the document is likely from."""
    prefixed = part.text.lstrip("(").startswith("+")
    regions = (None,) if prefixed else part.passage.hints.regions[:4]
    written = part.text.replace("(0)", "") if prefixed else part.text
    valid = next((region for region in regions if check_phone(written, region) == _VALID), "")
    if valid is None:
        where = phonenumbers.region_code_for_number(phonenumbers.parse(written))
        return reason("valid-in", where) if where and where in REGIONS else reason("valid-number")
    labelled = beside(part, PHONE_LABEL)
    return labelled or (reason("valid-in", valid) if valid in REGIONS else "")


_NEXT_LINE: Final = re.compile(r"[ \-]?\r?\n[ \t]{0,8}(\d[\d \-]{1,12}\d)(?![\w.,/\-])")


def _over_lines(candidate: Candidate) -> int:
    """Where an international number ends that goes on in the next line, or 0; only the two together are valid."""
    text = candidate.text
    if not text.lstrip("(").startswith("+") or candidate.passage.grid is not None:
        return 0
    rest = _NEXT_LINE.match(candidate.passage.text, candidate.end)
    if rest is None or check_phone(text, None) == 2 or check_phone(text + rest.group(1), None) != 2:
        return 0
    return rest.end()


def _parts(candidate: Candidate) -> Iterator[tuple[int, int]]:
    """The whole run, then the run without its first or last blank-separated groups."""
    yield candidate.start, candidate.end
    text = candidate.text
    gaps = [match.span() for match in re.finditer(r"[ \u00a0\u202f]+(?:[-/] )?", text)]
    for first, last in ((1, 0), (0, 1), (2, 0), (0, 2), (1, 1)):
        if len(gaps) >= first + last > 0:
            begin = gaps[first - 1][1] if first else 0
            finish = gaps[len(gaps) - last][0] if last else len(text)
            if finish - begin >= 7:
                yield candidate.start + begin, candidate.start + finish


def _judge_phone(part: Candidate, whole: Candidate, extension: str) -> float:
    text = part.text
    written = _SOFT.sub("", text[: len(text) - len(extension)])
    digits = re.sub(r"\D", "", written)
    if not 6 <= len(digits) <= 15 or len(set(digits)) == 1:
        return 0.0
    left_trim = part.start > whole.start
    named_after = _LABEL_AFTER.match(part.after(20)) is not None
    end = part.end if not named_after else len(part.passage.text)
    if not standalone(part.passage.text, part.start, end, joiners="-_/\\@#.") or _DATE.fullmatch(written):
        return 0.0
    if written.count("(") != written.count(")") or _NO_DIAL.fullmatch(written):
        return 0.0
    before = part.before()
    labelled = named_after or (
        not left_trim and (PHONE_LABEL.search(before) is not None or _AFTER_MAIL.search(before) is not None)
    )
    if not labelled and NOT_A_PHONE.search(before):
        return 0.0
    labelled = labelled or (len(digits) >= 9 and not left_trim and _SPOKEN.search(before) is not None)
    international = written.lstrip("(").startswith("+")
    if international:
        quality = check_phone(re.sub(r"\(0\)", "", written), None)
        return (0.0, 0.75, 0.96)[quality] or (0.7 if labelled and len(digits) >= 7 else 0.0)
    if not labelled and (
        _IP.fullmatch(written) or _no_number(written, part.passage.text[max(0, part.start - 6) : part.start])
    ):
        return 0.0
    if labelled and len(digits) < 7:
        return 0.7 if named_after or _SAYS_PHONE.search(before) else 0.0
    if labelled:
        return 0.9
    return _unlabelled(written, digits, part.passage.hints.regions, left_trim or part.end < whole.end)


def _no_number(written: str, before: str) -> bool:
    """A row of numbers, binary digits, an American postcode behind its state."""
    return (
        sum(len(group) == 1 for group in re.findall(r"\d+", written)) >= 3
        or len(set(re.sub(r"\D", "", written))) <= 2
        or before.endswith(("-", "\u2212"))
        or (re.fullmatch(r"\d{5}-\d{4}", written) is not None and re.search(r"\b[A-Z]{2}\s+$", before) is not None)
    )


def _unlabelled(written: str, digits: str, regions: tuple[str, ...], partial: bool) -> float:
    """National numbers without a label: the way they are written must say telephone."""
    if _NANP.fullmatch(written) or ("BR" in regions[:2] and _BRAZIL.fullmatch(written)):
        return 0.8
    if partial or (written.isdigit() and not (digits.startswith("0") and len(digits) in (10, 11))):
        return 0.0
    if re.fullmatch(r"\d+[.,]\d+", written):
        return 0.0
    if written.startswith("00") and not written.startswith("000"):
        quality = check_phone("+" + written[2:], None)
        if quality == 2:
            return 0.9
    groups = re.findall(r"\d+", written)
    if "." in written and (" " in written or min(map(len, groups)) == 1):
        return 0.0  # a version, an amount
    if not written.startswith(("0", "(0")) and (len(groups) < 3 or "-" in written or "/" in written):
        return 0.0
    for region in regions[:4]:
        if check_phone(written, region) == 2:
            return 0.85 if written.startswith(("0", "(")) else 0.7
    return 0.0


DETECTORS: Final = (Detector("phone", "phone", 50, _RUN, _phone),)
