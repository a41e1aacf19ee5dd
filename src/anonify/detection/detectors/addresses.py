"""Postal addresses: street line through postcode, or through the country where that ends them, as one span.

A postcode in one of the usual national forms, or a country, is the anchor; from it the text is read backwards to where
a street line can begin, over at most four lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from .address_words import (
    COUNTRIES,
    DOCUMENT,
    GLUED,
    MONTHS,
    NUMBERLESS,
    SMALL_TYPE,
    STATES,
    TYPE_FIRST,
    TYPE_LAST,
    UNIT,
    UPPER,
)
from .base import Candidate, Detector, Finding
from .vocabulary import alternation, words

__all__ = ["ADDRESS_LABEL", "DETECTORS"]

_REACH: Final = 150

# RE2; the anchors of national forms, cheap to find and strict enough not to fire on every number
_ANCHOR: Final = (
    rf"\b(?i:{STATES})\.?(?:, ?| {{1,2}}|\n)[0-9]{{5}}(?:-?[0-9]{{4}}| [0-9]{{4}}\b)?\b"  # US
    r"|\b(?:AC|AL|AP|AM|BA|CE|DF|ES|GO|MA|MT|MS|MG|PA|PB|PR|PE|PI|RJ|RN|RS|RO|RR|SC|SP|SE|TO)[, \n\-]{1,3}(?:CEP:? ?)?"
    r"[0-9]{5}-[0-9]{3}\b"  # BR, the code last
    r"|\b[A-HJ-NP-Z][0-9]{4}[A-Z]{3}[ \n]\p{Lu}"  # AR
    r"|[A-Z]{1,2}[0-9][A-Z0-9]?[ \n]?[0-9][A-Z]{2}\b"  # GB
    r"|\b[A-Z][0-9][A-Z][ \-]?[0-9][A-Z][0-9]\b"  # CA
    r"|\b[AC-FHKNPRTV-Y][0-9][0-9W] ?[0-9AC-FHKNPRTV-Y]{4}\b"  # IE
    r"|\b(?:NSW|VIC|QLD|TAS|ACT|WA|SA|NT)[ ,]{1,2}[0-9]{4}\b"  # AU
    r"|\b[1-9][0-9]{3} ?[A-Z]{2}[ ,\n]"  # NL
    r"|\b[0-9]{2}-[0-9]{3}[ \n]\p{Lu}"  # PL
    r"|\b[0-9]{5}-?[0-9]{3}(?:, |[ \n])(?:d[aeo]s? )?\p{Lu}"  # BR
    r"|\b[0-9]{4}-[0-9]{3}[ \n]\p{Lu}"  # PT
    r"|\b(?:[A-Z]{1,2}-)?[0-9]{5}(?:, ?|[ \n])\p{Lu}"  # DE FR ES IT FI …
    r"|(?:, ?|\n)(?:[A-Z]{1,2}-)?[0-9]{4}[ \n]\p{Lu}[\p{Ll}]"  # AT CH BE DK NO
    r"|\b[0-9]{3} [0-9]{2}[ \n]\p{Lu}"  # SE CZ SK GR
    r"|,[ \n][A-Z]{2,3}[ \n]{1,2}[0-9]{5}(?:-[0-9]{4})?\b|"
    r"\n, [A-Za-z0-9]{1,3}\n ?[0-9]{5}\b"  # a province's code, five digits
    r"|[\pL)]{2}(?:[\- ,]{1,3}|\n)[0-9]{6}\b"  # IN SG: city first
    r"|[\pL]{2}[\p{Ll}\p{Lu}],? [0-9]{5}(?:-[0-9]{3,4})?\b"  # city first, five digits
    r"|[\pL]{2}\p{Ll},? (?:[03-9][0-9]{3}|1[0-8][0-9]{2}|2[1-9][0-9]{2})\b"  # NZ ZA: city first, four digits
)
_WEAK: Final = re.compile(r"(?:[A-Z]{1,2}-)?\d{4}\s[^\W\d_][^\W\d_A-Z]")
_NUMBERED: Final = re.compile(rf"[{UPPER}][\w'’]+ \d{{1,3}}[A-Za-z]?(?: (?:bus|bte|boîte) \w{{1,4}})?(?:, ?|\n)$")
"""A street and its number right before what could be a year."""

_YEAR_AND_CODE: Final = re.compile(r"(?:19|20)\d\d [A-Z]{2}[ ,\n]")
_CITY_FIRST: Final = re.compile(
    r"[^\W\d_]{3},? \d{5}(?!\d)|[^\W\d_)]{2}(?:[\- ,]{1,3}|\n)\d{6}|[^\W\d_]{3},? \d{4}(?!\d)"
)

# where a street line can begin
_STARTS: Final = (
    re.compile(rf"(?<![\w#])(?:{UNIT} ?#?\d+[\w\-]*[,\n ])", re.IGNORECASE),
    re.compile(
        r"(?<![\w.,/#:€$£\-])(?:No\.? ?|Nr\.? ?|#)?(?:\d{1,6}(?:[/\-]\d{1,6})?[A-Za-z]?(?: ?(?:bis|ter))?(?: 1/2)?|"
        r"[NSEW]\d{1,4}[NSEW]?\d{1,5})(?:, ?|[ \t]+|\n)(?=[\w\"'])"
    ),
    re.compile(rf"(?<![\w])(?:{TYPE_FIRST})(?<=[\w./º])(?: ?(?<=[./º ]))(?=[\w'’])", re.IGNORECASE),
    re.compile(
        rf"(?<![\w@.])(?:[{UPPER}][\w'’.\-]*[ ]){{0,4}}[{UPPER}][\w'’.\-]*(?: {SMALL_TYPE})?"
        rf"(?:,? ?(?:(?:n[º°.] ?)?\d{{1,5}}[A-Za-z]?(?:[/\-](?:\d{{1,4}}[A-Za-z]?|[IVX]{{1,4}}|"
        rf"[A-Za-z])){{0,3}}(?=[\s,.])|{NUMBERLESS}))"
    ),
)
_NO_STREET: Final = re.compile(
    r"\b(?:pixel|coordinates|tel|phone|iban|kwh|RFC|ISO|DIN|IEC|section|version|release|order|invoice|page|"
    r"table|figure|chapter|bestellung|rechnung|commande|pedido|account|konto|ref|reference|payment|article|"
    r"paragraph|model|serial)\b",
    re.IGNORECASE,
)
_PROSE: Final = re.compile(
    r"(?:\b(?:the|was|is|are|has|have|had|will|and|that|this|with|for|on|at|from|to|by|you|we|he|she|they|it|"
    r"our|your|born|geboren|und|ist|wird|nicht|est|sont|pour|dans|avec|che|per|con|non|voor|met|niet|een|"
    r"para|com|não|que|por|una?|jest|nie|się)\s)"
)
_BREAK: Final = re.compile(r"\n[ \t]*\n|[:;|·•?!][ \t\n]|\t|[ ]{2,}|(?<=[a-zß-ÿ]{4})\. (?=[A-Z])|\d{4,}[.,]\d{2}|@\S+")
_MONTH_NAME: Final = re.compile(rf"\b{MONTHS}[a-zéû]{{0,6}}\.? ?\d{{0,2}},?\s*$")
_COUNTRY_AFTER: Final = re.compile(rf",?[ \n]{COUNTRIES}\b")
_PLACE_WORDS: Final = (
    r"an|am|im|in|der|de|la|le|les|sur|sous|en|del|di|da|do|dos|das|aan|den|op|bei|y|ob|nad|d'\w+|lès|aux|du"
)
_CITY_AFTER: Final = re.compile(
    rf"(?:d[aeo]s? )?(?:'[st] ?-?)?(?:[{UPPER}][\w'’.]*)(?:(?:[ \-]|, (?=[A-Z]{{2}}\b))"
    rf"(?:[{UPPER}(][\w'’.)]*|"
    rf"{_PLACE_WORDS})){{0,5}}(?: ?/ ?[A-Z]{{2}}\b)?(?: ?\([A-Z]{{2}}\))?(?: \d{{1,2}}(?=[,.\n]|$))?"
)
ADDRESS_LABEL: Final = alternation(
    tuple(
        w
        for w in words("label-address")
        if w not in {"via", "rua", "rue", "street", "strada", "calle", "ulica", "straße", "strasse", "straat"}
    )
)
"""Words that announce an address, as a piece of a pattern in lower case."""

_AFTER_LABEL: Final = re.compile(
    rf"(?:^|[\n|;·.] ?)[ \t]*(?:{ADDRESS_LABEL.replace('x{A0}', 'xa0')})[ \t]*:[ \t]*"
    r"(?P<rest>[^\s:;|@][^\n:;|@]{0,60})$",
    re.IGNORECASE,
)
_LED_BY: Final = re.compile(
    rf"(?:^|\n|[:>|,][ \t]*)(?P<lead>[{UPPER}][\w'’\-]+(?: [{UPPER}][\w'’\-]+){{0,2}} (?:de|del|da|do|di|du|des|"
    r"de la|de las|de los|della|dos|das) )$"
)


_NAMED_HOUSE: Final = re.compile(
    rf"(?:^|[\n:;.] ?|\b(?:at|to|is) )(?P<lines>(?:[{UPPER}][\w'’\-]*(?: [{UPPER}][\w'’\-]*){{0,3}}(?:, ?|\n)){{0,3}}"
    rf"[{UPPER}][\w'’\-]*(?: [{UPPER}][\w'’\-]*){{0,2}} (?i:{TYPE_LAST})(?:, ?|\n)"
    rf"(?:[{UPPER}][\w'’\-]*(?:[ \-](?:[{UPPER}][\w'’\-]*|on|upon|le|under)){{0,3}}(?:, ?|\n| )){{1,3}})$"
)
"""A British address without a number: a house's name, a road, a town."""

_HOUSE_NUMBER: Final = re.compile(r"\b(?:Apt|Apartment|Suite|Ste|Unit|Street|Road|Avenue|Boulevard|Blvd|Drive|Lane)\b")
"""In the place behind a postcode: it is none but the number of a house."""


def _postal(candidate: Candidate) -> Iterator[Finding]:
    text, anchor, start = candidate.passage.text, candidate.text, candidate.start
    lead = len(anchor) - len(anchor.lstrip(", \n"))
    start, anchor = start + lead, anchor[lead:]
    weak = _WEAK.match(anchor) is not None
    city_first = _CITY_FIRST.match(anchor) is not None
    four = city_first and re.search(r"(?<!\d)\d{4}$", anchor) is not None
    if start and not city_first and (text[start - 1].isalnum() or text[start - 1] in "-/_@#.$€£"):
        return
    end = _anchor_end(text, start, candidate.end, anchor)
    if end < 0:
        return
    if not city_first and anchor[-1:].isalpha() and _HOUSE_NUMBER.search(text, start, end):
        return
    if city_first:
        start = _word_start(text, start)
        if not _names_city(text[start : candidate.end]):
            return
    if _YEAR_AND_CODE.match(anchor) and not re.search(r"\d ?[A-Za-z]?,?[ \n]{1,2}$", text[max(0, start - 8) : start]):
        return  # "Copyright 2000 VA Linux"
    begin = _street_start(text, start)
    if begin is None and re.search(r"\d ?[A-Z]{2}\Z", anchor):
        named = _NAMED_HOUSE.search(text[max(0, start - 120) : start])
        begin = start - len(named.group("lines")) if named else None
    if begin is None:
        return
    street = text[begin:start]
    if weak and (_MONTH_NAME.search(street) or (re.match(r"(?:19|20)\d\d", anchor) and not _NUMBERED.search(street))):
        return
    if four and (re.search(rf"\b{MONTHS}", text[begin : candidate.end]) or not _ADDRESSED.search(street)):
        return
    yield Finding(_led(text, begin), end, 0.7 if weak else 0.85)


def _led(text: str, begin: int) -> int:
    """Where the street line begins when words stand before what looks like its beginning: after an address label, or
    "Pasadizo de" before "Ema Revilla 43"."""
    window = text[max(0, begin - 110) : begin]
    match = _AFTER_LABEL.search(window)
    if match:
        return begin - len(match.group("rest"))
    match = _LED_BY.search(window[-50:])
    return begin - len(match.group("lead")) if match else begin


def _names_city(anchor: str) -> bool:
    """Whether a word before a code can be a city: "KD-116089", "ref 709958" and "ISO 27001" are not."""
    word = re.split(r"[^\w'’]", anchor)[0]
    if word.isupper() and "-" in anchor:
        return False
    return word[:1].isupper() and _NO_STREET.search(word) is None


def _word_start(text: str, offset: int) -> int:
    while offset and (text[offset - 1].isalpha() or text[offset - 1] in "'’"):
        offset -= 1
    return offset


def _anchor_end(text: str, start: int, end: int, anchor: str) -> int:
    """Past the anchor and, where the place follows its code, past the place; -1 when it is part of a longer token."""
    if re.fullmatch(r"[1-9]\d{3} ?[A-Z]{2}[ ,\n]", anchor):  # NL: the place on the next line or after a comma
        begin = end
        while begin < end + 2 and text[begin : begin + 1] in {" ", ",", "\n"}:
            begin += 1
        return _country_end(text, _place_end(text, begin, end - 1))
    if anchor[-1].isdigit() or re.search(r"\d[A-Z]{2}\Z|\d[A-Z]\d\Z|[0-9W] ?[0-9A-Z]{4}\Z", anchor):
        tail = text[end : end + 2]
        if tail[:1].isalnum() or (tail[:1] in {"-", "/", "_"} and tail[1:].isalnum()):
            return -1
        if re.fullmatch(r"[^\W\d_]{3},? \d{5}(?:-\d{3})?|[^\W\d_)]{2}, ?\d{6}", anchor):
            gap = re.match(rf",? (?=[{UPPER}]|d[aeo]s? )", text[end : end + 6])
            end = _place_end(text, end + gap.end(), end) if gap else end
        return _country_end(text, end)
    begin = end
    while begin > start and text[begin - 1].isalpha():
        begin -= 1
    return _country_end(text, _place_end(text, begin, end))


def _country_end(text: str, end: int) -> int:
    country = _COUNTRY_AFTER.match(text, end, end + 40)
    return country.end() if country else end


def _place_end(text: str, begin: int, otherwise: int) -> int:
    """Past the name of a place that begins at `begin`, on one line."""
    newline = text.find("\n", begin, begin + 60)
    city = _CITY_AFTER.match(text, begin, newline if newline >= 0 else min(len(text), begin + 60))
    if city is None:
        return otherwise
    stopped = city.group().endswith(".") and len(city.group().split(" ")[-1]) > 4
    return city.end() - stopped


_NUMBER_FIRST: Final = re.compile(
    rf"(?!(?i:{UNIT})[ \d])(?:(?:[{UPPER}][\w'’.\-]* ){{2,6}}|(?:[{UPPER}][\w'’.\-]* ){{0,5}}[{UPPER}][\w'’.\-]*,[ \n])"
    rf"(?P<street>\d{{1,6}} (?:[NSEW]\.? )?(?:[{UPPER}][\w'’.\-]*[ \n]{{1,2}}){{1,4}}(?i:{TYPE_LAST})\b)"
)
"""A firm or a person on the line of a street that its number begins."""


_REFERENCE: Final = re.compile(
    rf"[\W_]*(?:(?i:(?:your |our |the )?(?:{DOCUMENT}))\b[^\n,]{{0,40}}\d[\w/.\-]*"
    r"|[^\n,\d]{0,30}\b[A-Z]{2,6}[\-/]?\d{3,}[\w/\-]*)\W*"
)
"""A line that is a document's title or reference: `Statement INV-2231`."""


def _street_start(text: str, anchor_start: int) -> int | None:
    """Where the street line begins that leads up to the anchor, below a title or reference."""
    begin = _first_street(text, anchor_start, 0)
    while begin is not None:
        newline = text.find("\n", begin, anchor_start)
        line = text[text.rfind("\n", 0, begin) + 1 : newline]
        if newline < 0 or _TYPED.search(line) or not _REFERENCE.fullmatch(line):
            break
        below = _first_street(text, anchor_start, newline + 1)
        if below is None:
            break
        begin = below
    return begin


def _first_street(text: str, anchor_start: int, least: int) -> int | None:
    """The first place from `least` on where a street line can begin that leads up to the anchor."""
    low = max(least, anchor_start - _REACH)
    window = text[low:anchor_start]
    for cut in _BREAK.finditer(window):
        low = anchor_start - len(window) + cut.end()
    lines = text[low:anchor_start].count("\n")
    while lines > 4:
        low = text.index("\n", low) + 1
        lines -= 1
    best: int | None = None
    for pattern in _STARTS:
        for match in pattern.finditer(text, low, anchor_start):
            if best is not None and match.start() >= best:
                break
            piece = text[match.start() : anchor_start]
            lower = not any(char.isupper() for char in piece.removesuffix(piece[-4:]))
            if len(piece.strip()) >= 4 and _street_like(piece, lower):
                best = match.start()
                break
    if best is None:
        return None
    inner = _NUMBER_FIRST.match(text[best:anchor_start])
    return best + inner.start("street") if inner else best


_TYPED: Final = re.compile(rf"\b(?:{TYPE_LAST}|{UNIT})(?<!\bpo)(?!\w)|#|(?:{GLUED})\b", re.IGNORECASE)
_TYPE_AT_FIRST: Final = re.compile(rf"{TYPE_FIRST}(?!\w)", re.IGNORECASE)
_SMALL: Final = re.compile(
    rf"(?i:{TYPE_FIRST}|{UNIT}|{TYPE_LAST}|{GLUED})|della|delle|degli|dell|piso|sobre|unter|ober|under|interior"
)


def _closed(piece: str) -> bool:
    """Whether its brackets are closed, each behind its opening."""
    depth = 0
    for char in piece:
        depth += (char == "(") - (char == ")")
        if depth < 0:
            return False
    return depth == 0


def _street_like(piece: str, lower_case: bool) -> bool:
    found = re.findall(r"[^\W\d_][\w'’.]*", piece)
    coded = sum(len(word) == 2 and word.isupper() for word in found) > 1 and all(len(word) < 3 for word in found)
    if not found or coded or len(found) > 16 or re.search(r"\d{1,2}:\d\d|\d{7,}|https?:", piece):
        return False
    if _PROSE.search(piece) or not _closed(piece):
        return False
    if lower_case:
        return _TYPED.search(piece) is not None and len(found) <= 11 and re.match(r"\d", piece) is not None
    if "+" in piece or _NO_STREET.search(piece):
        return False
    small = [w for w in found if w[0].islower() and len(w) > 3 and not _SMALL.fullmatch(w)]
    has_number = re.search(rf"\d|{NUMBERLESS}", piece) is not None
    return len(small) <= 1 and (has_number or _TYPE_AT_FIRST.match(piece) is not None)


_BY_COUNTRY: Final = rf"[\pL\pN)](?:,? ?\n? ?| ){COUNTRIES}(?: \((?:Greek|Turkish)\))?(?:,? [0-9]{{4,6}})?\b"
_ADDRESSED: Final = re.compile(
    rf"\b(?:{UNIT}) ?#?\d|^(?:\d{{1,6}}[A-Za-z]?,? )?(?:{TYPE_FIRST})(?=[ .'’])|\b{TYPE_LAST}\b|{GLUED} \d|"
    r"^\d{2,6} (?:[^\W\d_][\w'’.\-]* ){1,4}\d{1,4}\b",
    re.IGNORECASE,
)


def _country(candidate: Candidate) -> Iterator[Finding]:
    """An address that its country ends: what stands before must be a street for certain."""
    text = candidate.passage.text
    start = candidate.start + 1
    if not any(char.isdigit() for char in text[max(0, start - 110) : start]):
        return
    begin = _street_start(text, start)
    if begin is None:
        return
    piece = text[begin:start]
    dated = re.match(rf"\d{{1,2}}\.? {MONTHS}|\d{{4}}\b(?! [{UPPER}][\w ]+ \d)", piece)
    if not dated and _ADDRESSED.search(piece) and len(piece.split()) <= 14:
        yield Finding(_led(text, begin), candidate.end, 0.75)


DETECTORS: Final = (
    Detector("postal-address", "address", 58, _ANCHOR, _postal),
    Detector("postal-address", "address", 57, _BY_COUNTRY, _country),
)
