"""E-mail addresses (RFC 5321, and the ways people write them to hide them) and telephone numbers (ITU-T E.164)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import phonenumbers

from .base import Candidate, Detector, Finding, near, standalone

__all__ = ["DETECTORS", "NOT_A_PHONE", "PHONE_LABEL", "check_phone"]

_EMAIL_PLAIN: Final = (
    r"[\pL\pN._%+\-'!#$&*/=?^`{|}~]{1,64}@(?:[\pL\pN](?:[\pL\pN\-]{0,62}\.)){1,8}[\pL\pN](?:[\pL\pN\-]{0,62})"
)
_EMAIL_SPLIT: Final = (
    # broken by a line end or spaces around the at sign or a dot, or with the at sign inside mark-up
    r"[\pL\pN._%+\-]{1,64}(?:\s{0,3}\n\s{0,3}|<[^<>\n]{1,40}>|&#0*64;|&#x40;|&commat;|[  \t]){0,2}(?:@|＠|%40)"
    r"(?:\s{0,3}\n\s{0,3}|<[^<>\n]{1,40}>|[ \t]){0,2}[\pL\pN\-]{1,63}"
    r"(?:(?:\n|<[^<>\n]{1,40}>)?\.(?:\n|<[^<>\n]{1,40}>)?[\pL\pN\-]{2,63}){1,6}"
)
_EMAIL_ENTITY: Final = r"[\pL\pN._%+\-]{1,64}(?:&#0*64;|&#[xX]40;|&commat;)[\pL\pN\-]{1,63}(?:\.[\pL\pN\-]{2,63}){1,6}"
_AT: Final = (
    r"(?:\(\s?(?:at|ät|arroba|chez|@)\s?\)|\[\s?(?:at|ät|arroba|@)\s?\]|\{\s?(?:at|@)\s?\}|<at>|_at_|\bAT\b|\bat\b)"
)
_DOT: Final = r"(?:\(\s?(?:dot|punkt|point|punto|ponto|\.)\s?\)|\[\s?(?:dot|punkt|point|punto|\.)\s?\]|\{\s?dot\s?\}|\bDOT\b|\bdot\b)"
_EMAIL_SPELT: Final = (
    rf"(?i)[\pL\pN_%+\-]{{1,40}}(?:\s?(?:\.|{_DOT})\s?[\pL\pN_%+\-]{{1,40}}){{0,4}}\s{{0,2}}{_AT}\s{{0,2}}"
    rf"[\pL\pN\-]{{1,40}}(?:\s?{_DOT}\s?[\pL\pN\-]{{2,40}}){{1,4}}"
    rf"|(?i)[\pL\pN._%+\-]{{1,64}}\s{{0,2}}(?:\(\s?at\s?\)|\[\s?at\s?\]|\{{\s?at\s?\}})\s{{0,2}}[\pL\pN\-]{{1,63}}(?:\.[\pL\pN\-]{{2,63}}){{1,4}}"
)

_FILE_ENDS: Final = frozenset("png jpg jpeg gif svg webp css js ts map json html".split())


def _email(candidate: Candidate) -> Iterator[Finding]:
    text = candidate.text
    lead = len(text) - len(text.lstrip(".'!#$&*/=?^`{|}~-"))
    local, _, host = text.rpartition("@")
    if lead >= len(local):
        return
    tail = host.rpartition(".")[2].lower()
    if tail.isdigit() or tail in _FILE_ENDS and "2x" in host.lower():
        return
    # "user:secret@host" and "//secret@host" belong to a connection string
    before = candidate.passage.text[max(0, candidate.start - 1) : candidate.start]
    if (
        before
        and before in ":"
        and re.search(r"://[^\s/@]*:$", candidate.passage.text[max(0, candidate.start - 80) : candidate.start])
    ):
        return
    start = candidate.start + lead
    for cut in ("/", "=", "?", "&", "|"):
        at = local.rfind(cut, lead)
        if at >= 0:
            start = max(start, candidate.start + at + 1)
    end = candidate.end
    while end > start and candidate.passage.text[end - 1] in "-.":
        end -= 1
    if start < candidate.start + len(local):
        yield Finding(start, end, 0.97)


def _email_split(candidate: Candidate) -> Iterator[Finding]:
    text = candidate.text
    if not re.search(r"[\s<&%＠]", text):
        return
    host = re.split(r"@|＠|%40", text)[-1]
    labels = [part.strip() for part in re.sub(r"<[^<>]*>", "", host).split(".")]
    if not labels[-1].isalpha() or len(labels[-1]) > 24:
        return
    local = re.split(r"\s*(?:@|＠|%40)", text)[0]
    if " " in local.strip() and "\n" not in text:
        return
    # "Contact us @ example.com" is a spoken address with nothing in front of it that looks like a mailbox
    spaced = re.search(r"[ \t](?:@|＠)|(?:@|＠)[ \t]", text)
    if spaced and not re.search(r"[.\d_]", local):
        return
    yield Finding(candidate.start, candidate.end, 0.85)


def _email_spelt(candidate: Candidate) -> Iterator[Finding]:
    text = candidate.text
    if re.search(r"[(\[{<_]", text) or (
        re.search(r"\bdot\b", text, re.IGNORECASE) and re.search(r"\bat\b", text, re.IGNORECASE)
    ):
        yield Finding(candidate.start, candidate.end, 0.85)


PHONE_LABEL: Final = near(
    r"tel|tél|telephone|phone|phones|telefon|telefonnummer|téléphone|telephone no|telefono|teléfono|telefoon|telefone|telefonu"
    r"|mobile|mobil|mobiel|móvil|movil|cell|cellular|cellphone|cellulare|celular|portable|handy|handynummer|rufnummer|komórka|kom"
    r"|fax|telefax|faks|télécopie|whatsapp|signal|sms|t|m|f|p|ph|tlf|tfno|tfn|gsm|mob|nr tel|numer telefonu|durchwahl|festnetz"
    r"|call|calling|called|ring|dial|text|reach me at|reach us at|reach her at|reach him at|contact|contact no|contact number"
    r"|answering at|number is|hotline|helpline|voicemail|extension|sein handy|ihr handy|appeler|joindre|llamar|llame|chiamare|bellen|ligar"
    r"|phone_number|phone number|mobile_phone|phonenumber|home_phone|work_phone|tel_no|telephone_number",
    gap=14,
)

NOT_A_PHONE: Final = near(
    r"order|order no|order number|orders|purchase order|po|invoice|inv|receipt|ref|ref\.|reference|tracking|track|awb|parcel|shipment|sku|ean|upc|gtin"
    r"|isbn|issn|part|part no|part number|serial|serial no|s/n|sn|version|release|build|rfc|iso|din|section|sections|article|clause|page|pages|pp"
    r"|ticket|case|bug|issue|pixel|meter|meter reading|reading|lot|batch|model|item|product|article no|doi|commit|sha|id|account|acct|konto|compte|cuenta"
    r"|bestellung|bestellnummer|rechnung|rechnungsnummer|auftrag|auftragsnummer|artikel|artikelnummer|sendung|sendungsnummer|teil|teilenummer|zähler|version"
    r"|commande|facture|colis|pièce|pedido|factura|albarán|pieza|ordine|fattura|pezzo|bestelling|factuur|onderdeel|encomenda|fatura|peça|zamówienie|faktura|część"
    r"|visa|mastercard|card|card number|total|amount|sum|qty|quantity|price|eur|usd|gbp|port|timestamp|epoch|error|code|statement|iban|imei|vin|patent|policy|nhs|ssn"
    r"|steuer-id|steuernummer|ust-id|vat|vat no|siren|siret|nip|regon|krs|cnpj|cpf|bsn|nir|dni|nie|pesel|handelsregister|hrb|coordinates|direct debit",
    gap=12,
)

_RUN: Final = r"(?:\+|\(\+|\()?[0-9](?:(?:[ .\-/\x{A0}\x{2009}\x{202F}\x{2010}-\x{2014}]|\)[ .\-/]?|[ .\-/]?\(| - | / )?[0-9]){5,21}"
_EXTENSION: Final = re.compile(
    r"(?: ?(?:x|ext\.?|extension|ext:|dw\.?|poste|wew\.?|#) ?|-?x)\d{1,6}(?!\w)", re.IGNORECASE
)
_NANP: Final = re.compile(
    r"(?:(?:\+|00)?1[ .\-]?)?(?:\([2-9]\d{2}\)[ .\-]?[2-9]\d{2}[ .\-]\d{4}|[2-9]\d{2}([.\-])[2-9]\d{2}\1\d{4}"
    r"|[2-9]\d{2} [2-9]\d{2}[ \-]\d{4}|[2-9]\d{2}-[2-9]\d{2} \d{4})|001[ .\-]\d{3}[ .\-]\d{3}[ .\-]\d{4}"
)
_AFTER_MAIL: Final = re.compile(r"@[^\s@]+\s?[|/·,;•]\s?\(?\+?$")
"""A contact line: a number that follows an e-mail address."""

_DATE: Final = re.compile(
    r"(?:\d{4}([\-./])\d{1,2}\1\d{1,2}|\d{1,2}([\-./])\d{1,2}\2(?:\d{4}|\d{2}))(?:[ T]?\d{1,2}(?::?\d{2}){0,2})?"
)
_IP: Final = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}")


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
        return 2
    return 1 if phonenumbers.is_possible_number(number) else 0


def _phone(candidate: Candidate) -> Iterator[Finding]:
    passage = candidate.passage
    # a run that starts with a date or time goes on to the number behind it, one that ends with one stops before it
    for start, end in _parts(candidate):
        extra = _EXTENSION.match(passage.text, end, min(len(passage.text), end + 20))
        if extra:
            end = extra.end()
        confidence = _judge_phone(Candidate(passage, start, end), candidate, extra.group() if extra else "")
        if confidence:
            yield Finding(start, end, confidence)
            return


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
    written = text[: len(text) - len(extension)]
    digits = re.sub(r"\D", "", written)
    if not 6 <= len(digits) <= 15 or len(set(digits)) == 1:
        return 0.0
    left_trim = part.start > whole.start
    if not standalone(part.passage.text, part.start, part.end, joiners="-_/\\@#.") or _DATE.fullmatch(written):
        return 0.0
    if written.count("(") != written.count(")"):
        return 0.0
    before = part.before()
    labelled = not left_trim and (PHONE_LABEL.search(before) is not None or _AFTER_MAIL.search(before) is not None)
    if not labelled and NOT_A_PHONE.search(before):
        return 0.0
    international = written.lstrip("(").startswith("+")
    if international:
        quality = check_phone(re.sub(r"\(0\)", "", written), None)
        return (0.0, 0.75, 0.96)[quality] or (0.7 if labelled and len(digits) >= 7 else 0.0)
    if _IP.fullmatch(written) and not labelled:
        return 0.0
    if labelled:
        return 0.9 if len(digits) >= 7 else 0.7
    return _unlabelled(written, digits, part.passage.hints.regions, left_trim or part.end < whole.end)


def _unlabelled(written: str, digits: str, regions: tuple[str, ...], partial: bool) -> float:
    """National numbers without a label: the way they are written must say telephone."""
    if _NANP.fullmatch(written):
        return 0.8
    if partial or written.isdigit() and not (digits.startswith("0") and len(digits) in (10, 11)):
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


DETECTORS: Final = (
    Detector("email", "email", 90, _EMAIL_PLAIN, _email, anchors=(b"@",)),
    Detector("email-split", "email", 80, _EMAIL_SPLIT, _email_split, anchors=(b"@", b"%40", "＠".encode())),
    Detector(
        "email-entity",
        "email",
        80,
        _EMAIL_ENTITY,
        lambda c: [Finding(c.start, c.end, 0.9)],
        anchors=(b"&#", b"&commat;"),
    ),
    Detector("email-spelt", "email", 80, _EMAIL_SPELT, _email_spelt),
    Detector("phone", "phone", 50, _RUN, _phone),
)
