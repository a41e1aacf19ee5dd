"""Street lines without a postcode, crossings, military addresses, and what an address label or a phrase announces."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from .address_words import COUNTRIES, GLUED, NUMBERLESS, TYPE_FIRST, TYPE_LAST, UNIT, UPPER
from .addresses import ADDRESS_LABEL
from .base import Candidate, Detector, Finding, merged
from .labelled import label_stands

__all__ = ["DETECTORS"]

_STREET_US: Final = (
    rf"[0-9]{{1,6}}[A-Za-z]?,? (?:[NSEW]\.?[EW]?\.? )?(?:(?:\p{{Lu}}[\pL'’.\-]*|[0-9]{{1,3}}(?:st|nd|rd|th)) "
    rf"){{1,4}}(?i:{TYPE_LAST})\b\.?(?: (?:N|S|E|W|NE|NW|SE|SW|North|South|East|West)\b)?"
    rf"(?:,? (?i:apt|apartment|suite|ste|unit|flat|#)\.? ?#?[0-9A-Za-z\-]{{1,6}}){{0,2}}"
)
_STREET_FIRST: Final = (
    rf"(?:[0-9]{{1,4}}(?: ?(?:bis|ter))?,? )?\b(?i:{TYPE_FIRST})(?: (?:de|del|della|delle|degli|dei|di|da|do|"
    rf"dos|das|la|le|les|"
    rf"los|las|du|des|l'|d'|el|al)){{0,3}}(?: ?[\p{{Lu}}0-9][\pL'’.\-0-9]*|,? ?[0-9]{{1,4}}|,? {NUMBERLESS}| #[0-9]"
    rf"| (?:de|del|la|las|los|du|des|di|da|do|dos|y|e|et)){{1,6}}"
)
_STREET_GLUED: Final = (
    rf"(?:\p{{Lu}}[\pL'’.]*[ \-]){{0,4}}\p{{Lu}}[\p{{Ll}}'’]*(?:-?{GLUED}|[ \-](?i:{GLUED}))(?: "
    rf"(?i:{GLUED}))? ?[0-9]{{1,4}}(?: ?[a-zA-Z]\b)?(?:[/\-](?:[0-9]{{1,4}}|[IVX]{{1,4}}\b)){{0,3}}"
)
_MILITARY: Final = (
    r"(?i)(?:(?:psc|cmr|unit) [0-9]{1,5},? box [0-9]{1,5}|uss|usns|usnv|uscgc)[ ,\n]{1,3}(?:[a-z][a-z.'\-]* ?){0,3}"
    r"[ ,\n]{0,3}(?:apo|fpo|dpo)[ ,]{1,2}(?:aa|ae|ap) [0-9]{5}(?:-[0-9]{4})?"
)

_FLOOR: Final = (
    r"(?:(?:,| -|\.(?= ?(?:esc|ed|urb)))? ?\n? ?(?:(?i:apt|apartment|suite|ste|unit|flat|floor)\.? ?#?\d{1,5}"
    r"[A-Za-z]?\b|\d{1,2}(?:st|nd|rd|th) [Ff]loor\b|(?i:piso|planta|plta?\.?|puerta|pta\.?|esc(?:alera)?\.?|portal|"
    r"bloque|blq?\.?|ed\.?|interior|int\.|depto\.?|dpto\.?|apto\.?|bloco|sala|casa|interno|scala|etage|bte|boîte|bus|"
    r"lok\.|m\.) ?\d{0,4}[ºªoa]? ?[A-Z]{0,3}\b"
    r"|(?i:bajo|bj\.?|bis|ático|atico|entresuelo|principal)(?: [A-Z]\b|\b)|\d{1,2}[ºª°]? ?(?:[A-Z]\b|"
    r"(?i:izq(?:da|uierda)?|dcha?|dere?(?:cha)?|centro)\b\.?)"
    r"|\d{1,2}[ºª°](?: ?[A-Z]\b)?|[A-Z]\b(?=[.,;\n ]*(?:\n|$))))"
)
_FLOORS_AFTER: Final = re.compile(_FLOOR + "{1,4}")
_NEXT_LINE: Final = r"(?:\n[ \t>?|]{0,5}){0,2}"
"""A line end, and how a line of a quoted message begins."""

_UNIT_AFTER: Final = re.compile(
    rf"(?:,? ?{_NEXT_LINE}(?i:apt|apartment|suite|ste|unit|flat|floor)\.? ?#?[0-9]{{1,5}}[A-Za-z]?\b){{1,2}}"
)
_TOWN_AFTER: Final = re.compile(
    rf"(?:,? ?{_NEXT_LINE}[^\W\d_a-z][\w'’.\-]*(?: [^\W\d_][\w'’.\-]*){{0,4}}){{0,2}}(?:(?:,? ?{_NEXT_LINE}|(?<=[a-z]) "
    rf"){COUNTRIES}\b(?: \([A-Z][a-z]+\))?)(?:,? ?\d{{4,6}}\b)?"
)
_COLOMBIAN: Final = re.compile(r" ?[A-Z]?,? ?(?:#|[Nn][o°º]\.?) ?\d{1,3}[A-Z]?(?: ?- ?\d{1,3})?\b")


def _widen(text: str, start: int, end: int) -> tuple[int, int]:
    """A street line with the number that may stand before it, its unit, and town and country when a country ends it."""
    lead = re.search(r"(?<![\w.,#/\-])\d{2,5} $", text[max(0, start - 8) : start])
    if lead:
        start -= len(lead.group())
    for pattern in (_COLOMBIAN, _UNIT_AFTER, _FLOORS_AFTER, _TOWN_AFTER):
        more = pattern.match(text, end, min(len(text), end + 120))
        end = more.end() if more else end
    return start, end


_YEAR_AND_NAME: Final = re.compile(r"(?:19|20)\d\d, .*(?:Park|Lane|Hill|Grove|Way|Close|Court|Point|Place|Walk|Row)")
"""A copyright line: the names are also kinds of street."""


def _street(candidate: Candidate) -> Iterator[Finding]:
    text = candidate.passage.text
    start, end = candidate.start, candidate.end
    if start and (text[start - 1].isalnum() or text[start - 1] in "-/._#$€£+="):
        return
    while end > start and text[end - 1] in " ,-":
        end -= 1
    if end < len(text) and text[end].isalnum():
        return
    value = text[start:end]
    if not re.search(rf"\d|{NUMBERLESS}", value) or _YEAR_AND_NAME.fullmatch(value):
        return
    yield Finding(*_widen(text, start, end), 0.7)


_BY_UNIT: Final = r"\b(?i:apt|apartment|suite|ste|unit|flat)\.? ?#?[0-9]{1,5}\b"
_NAME_BEFORE_UNIT: Final = re.compile(
    rf"(?:(?<!\w)\d{{1,6}}[A-Za-z]? )?(?:(?:(?<![\w'’])[{UPPER}][\w'’.\-]*|\b(?:d[aeiou]s?|del|dell[ae]|"
    r"van|der|l[ae]|y|e|ul\.|al\.)) ?){1,6}(?:(?<= )\d{1,5}[A-Za-z]?\.?)?,? ?(?:\n[ >?|]{0,5})?$"
)


def _with_unit(candidate: Candidate) -> Iterator[Finding]:
    """A name and a number, whatever kind of street it is, with a flat or suite behind them."""
    text = candidate.passage.text
    low = max(0, candidate.start - 90)
    lead = _NAME_BEFORE_UNIT.search(text[low : candidate.start])
    if lead is not None and re.search(r"\d", lead.group()):
        yield Finding(*_widen(text, low + lead.start(), candidate.end), 0.7)


_FIRST: Final = re.compile(rf"(?:\d{{1,4}}(?: ?(?:bis|ter))?,? )?(?P<type>(?i:{TYPE_FIRST}))(?:(?=[ ,])|(?<=[./]))")
_LOOSE_END: Final = re.compile(r"(?: (?:de|del|la|las|los|du|des|di|da|do|dos|y|e|et))+$")
_ALSO_WORDS: Final = re.compile(
    r"(?i:via|vía|place|largo|al|pl|av|vale|campo|área|cours|villa|parque|square|pg|cl|diagonal|transversal|lago|"
    r"passage|route|rte|setor|acesso|esplanade|montée)(?!\w)"
)


def _street_first(candidate: Candidate) -> Iterator[Finding]:
    text = candidate.text
    kind = _FIRST.match(text)
    if kind is None:
        return
    # "via" and "place" are words as well as streets: the house number and a capital must be there
    name = text[kind.end("type") :]
    if not re.search(rf"\d|{NUMBERLESS}", text) or not re.search(rf"[{UPPER}][\w'’]+| \d{{1,3}}[A-Z]? ?#", name):
        return
    if _ALSO_WORDS.match(kind.group("type")) and not re.match(
        rf"[{UPPER}].*[{UPPER}].*(?:\d|s/n)", text[kind.start("type") :]
    ):
        return
    if re.search(r", (?:19|20)\d\d$", text) and len(re.findall(r"\d+", text)) == 1:
        return  # a name and a year
    if re.search(r"(?i)chemins? de fer", text):
        return
    value = text.rstrip(" ,#")
    tail = _LOOSE_END.search(value)
    finish = candidate.start + len(value[: tail.start()] if tail else value)
    if re.match(r" ?#\d", candidate.passage.text[finish : finish + 3]):
        yield Finding(*_widen(candidate.passage.text, candidate.start, finish), 0.7)
        return
    yield from _street(Candidate(candidate.passage, candidate.start, finish))


_LABEL: Final = (
    rf"(?i)(?:{ADDRESS_LABEL})[ \t\x{{A0}}]{{0,8}}(?:\([^()\n]{{1,20}}\)[ \t]{{0,4}})?[::][ \t]*(?:\r?\n[ \t]*)?"
)
_NEXT_FIELD: Final = re.compile(r"^[ \t]*[^\W\d_][\w .'/()-]{1,28}[ \t]*:")
_LINE_END: Final = re.compile(
    r"\t| {3,}|[;|·]| - (?=[A-Z])|\.(?: ?$| \.)|(?<=[a-zß-ÿ]{4}|\d{4})\. (?=[A-Z][a-z]{3})"
    r"|,? (?:Tel|Tél|Phone|Mobile|Ph|E-?mail)\b|(?: before | until | by the )"
)
_GOES_ON: Final = re.compile(
    r"[ \t]*(?:[A-Z]{1,2}-)?\d{4,6}\b|[ \t]*\d{2}-\d{3}"
    r"|.*(?:\b\d{5}(?:-\d{4})?|[A-Z]\d[A-Z\d]? ?\d[A-Z]{2}|\d{6})[ \t]*$"
    rf"|[ \t]*(?i:{UNIT})(?![^\W\d_])|,[ \t]*[A-Z]{{1,3}}[ \t]*$"
)
_NUMBERLESS_LINE: Final = re.compile(
    rf"(?:{TYPE_FIRST})[ .'’].*[{UPPER}].*|(?:[{UPPER}][\w'’.]*|d[aeiou]l?s?|l[ao]s?|y|e|et)(?:,? (?:[{UPPER}][\w'’.]*|"
    rf"d[aeiou]l?s?|l[ao]s?|y|e|et))* (?:{TYPE_LAST}),?.*|[{UPPER}]\w+(?:{GLUED}),?.*|"
    rf"(?:[{UPPER}]\w+ ?){{1,3}}, (?:[{UPPER}][\w'’]+ ?){{1,3}}",
    re.IGNORECASE,
)


def _labelled(candidate: Candidate) -> Iterator[Finding]:
    """The rest of a label's line, and the lines below it that still belong to an address."""
    if not label_stands(candidate):
        return
    text, start = candidate.passage.text, candidate.end
    lines = text[start : start + 200].split("\n")
    first = _LINE_END.split(lines[0])[0].rstrip(" ,.")
    below = re.match(r"[ \t]*\d", lines[1]) if len(lines) > 1 else None
    if first[:1] in {"'", '"', "`"}:
        start += 1
        first = first[1:].partition(first[0])[0]
    if "@" in first or len(first) < 4 or re.search(r"://|\w\(|[{}=]|^[\W\d]*$", first):
        return
    if not (re.search(r"\d", first) or below or (first[:1].isupper() and _NUMBERLESS_LINE.fullmatch(first))):
        return
    end = start + len(first)
    if first == lines[0].rstrip(" ,."):
        position = start + len(lines[0]) + 1
        for line in lines[1:4]:
            if _NEXT_FIELD.match(line) or "@" in line or len(line) > 60 or re.match(r"[ \t]*\d{7,}", line):
                break
            if not line.strip() or not _GOES_ON.match(line):
                break
            end = position + len(line.rstrip(" ,."))
            position += len(line) + 1
    yield Finding(start, end, 0.78, source="label")


_CORNER: Final = r"(?:[Tt]he )?\b(?:[Cc]orner of|[Ii]ntersection of) "
_PART: Final = (
    rf"(?:(?:\d{{1,6}}|[{UPPER}][\w'’.\-]*|de|del|du|des|la|le|di|da|do|der|van|von|ul\.|the) ){{0,5}}"
    rf"(?:[{UPPER}][\w'’\-]*\.?|\d{{1,5}}\b\.?)"
)
_CROSSING: Final = re.compile(rf"{_PART} (?:and|&|with) {_PART}")


def _corner(candidate: Candidate) -> Iterator[Finding]:
    """A crossing of two streets; at least one of the names has a number or a kind of street in it."""
    text = candidate.passage.text
    names = _CROSSING.match(text, candidate.end, min(len(text), candidate.end + 120))
    if names is None:
        return
    typed = re.search(rf"\d|\b{TYPE_LAST}\b|\b{TYPE_FIRST} |{GLUED}\b", names.group(), re.IGNORECASE)
    if typed or names.group().count(" ") >= 3:
        yield Finding(candidate.start, names.end(), 0.65)


_CUE: Final = (
    r"(?:(?:liv(?:e|es|ed|ing)|resid(?:e|es|ed|ing)|dwells|resident|located|situated) (?:at|on)|address is(?: now)?|"
    r"moved to|[Mm]eet (?:me|you|us|him|her) at|address as|wohnt (?:in|am|an)|wohnhaft (?:in|am|:)?|wohne in|"
    r"demeurant(?: à| au)?|habite(?: à| au)?|domicilié[e]?(?: à| au)|réside au|domiciliad[oa] en|vive en|reside en|"
    r"residente (?:en|in|a|na|no)|abita (?:in|a)|domiciliat[oa] in|woont (?:in|aan|op)|woonachtig (?:aan|in|te)|"
    r"wonende|mora (?:na|no|em)|domiciliad[oa] na|zamieszkał[aey] (?:przy|w)|mieszka przy) "
)
_AFTER_CUE: Final = re.compile(
    rf"(?:\d{{1,6}}[A-Za-z]?(?: \d{{1,6}})? )?(?:(?:[{UPPER}][\w'’.\-]*|d[aeiou]l?s?|du|des|l[ae]s?|van|von|der|den|"
    rf"ul\.|el|i|y) ){{1,6}}\d{{1,5}}[A-Za-z]?\b(?! ?(?:%|am\b|pm\b|Uhr|o'clock|Uhr|h\b|:|\.\d))"
)
_NO_PLACE: Final = re.compile(
    rf"(?:Gate|Room|Terminal|Level|Floor|Windows|Version|Platform|Table|Booth|Stand|Hall|Page|Route|Exit|Junction|"
    rf"{COUNTRIES})\b|.*\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* \d{{1,4}}$"
)


def _announced(candidate: Candidate) -> Iterator[Finding]:
    """A name and a number after a phrase that only an address can follow."""
    text = candidate.passage.text
    match = _AFTER_CUE.match(text, candidate.end, min(len(text), candidate.end + 90))
    if match is None or _NO_PLACE.match(match.group()) or re.fullmatch(r".* (?:19|20)\d\d", match.group()):
        return
    yield Finding(*_widen(text, match.start(), match.end()), 0.6, source="label")


DETECTORS: Final = (
    merged(
        Detector("military-address", "address", 59, _MILITARY, lambda c: [Finding(c.start, c.end, 0.9)]),
        Detector("address-label", "address", 49, _LABEL, _labelled),
        Detector("street", "address", 47, _BY_UNIT, _with_unit),
        Detector("street", "address", 48, _CORNER, _corner),
        Detector("address-label", "address", 44, _CUE, _announced),
    ),
    Detector("street", "address", 46, _STREET_US, _street),
    Detector("street-name-first", "address", 45, _STREET_FIRST, _street_first),
    Detector("street-glued", "address", 46, _STREET_GLUED, _street),
)
