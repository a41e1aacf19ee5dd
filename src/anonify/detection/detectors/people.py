"""People where something beside the name says so: form labels, salutations, titles, signatures, mail headers, chat.

Names in running text are the names model's work, not this module's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from .base import Candidate, Detector, Finding
from .vocabulary import alternation, words

__all__ = ["DETECTORS", "name_at"]

_UP: Final = r"[A-ZÀ-ÖØ-ÞĀĂĄĆČĎĐĒĘĚĞĢĪİĶĹĻŁĽŃŅŇŌŐŘŚŞŠȘŢŤȚŪŮŰŹŻŽΑ-ΩА-Я]"
_LOW: Final = r"[^\W\d_]"
_WORD: Final = rf"(?:{_UP}(?:{_LOW}|['’\-](?={_LOW}))+|{_UP}\.(?:-{_UP}\.)?|[DO]['’]{_UP}{_LOW}+)"
_PARTICLE: Final = (
    r"(?:von|van|der|den|de|del|della|di|da|do|dos|das|la|le|du|ten|ter|te|zu|zum|af|av|al|el|bin|ibn|y|e|i|'t|vom|of)"
)
_TITLE: Final = (
    r"(?:Mr|Mrs|Ms|Miss|Mx|Dr|Prof|Professor|Sir|Dame|Rev|Herrn?|Frau|Dipl\.-Ing|Ing|Mme|Mlle|Madame|Monsieur|"
    r"Mademoiselle|Maître|Me|M|Sr|Sra|Srta|Señora?|señora?|Don|Doña|D|Dña"
    r"|Sig|Sig\.ra|Signora?|signora?|Dott|Dott\.ssa|Dottore|Avv|Ing|Dhr|Mevr|Mw|Mevrouw|mevrouw|Meneer|meneer|"
    r"de heer|Drs|Mr|Senhora?|senhora?|Dra|Pan|Pani|pan|pani|Panią|Pana|Panu)"
)
_NAME: Final = re.compile(rf"(?:(?:{_PARTICLE} ){{0,2}}{_WORD})(?:[ \u00a0](?:{_PARTICLE} ){{0,3}}{_WORD}){{0,4}}")
_LAST_FIRST: Final = re.compile(
    rf"(?:(?:{_PARTICLE} ){{0,2}}{_WORD})(?: (?:{_PARTICLE} ){{0,2}}{_WORD}){{0,2}}, {_WORD}(?: {_WORD}){{0,2}}"
)
_LEAD: Final = re.compile(rf"(?:{_TITLE}(?:\.[ \u00a0]*|[ \u00a0]+)){{1,3}}")
_STOP: Final = frozenset(words("not-names"))
_MONTHS: Final = frozenset(words("calendar-names"))


def name_at(text: str, start: int, end: int, *, several: bool = False, titled: bool = False) -> tuple[int, int] | None:
    """The person's name that begins at `start`, titles left out.

    Args:
        end: where to stop looking at the latest.
        several: stop at a comma; the caller reads a list.
        titled: a title stands before it, behind which a month's name is a person's.
    """
    lead = _LEAD.match(text, start, end)
    if lead:
        start = lead.end()
    match = None if several else _LAST_FIRST.match(text, start, end)
    if match is None:
        match = _NAME.match(text, start, end)
    if match is None:
        return None
    finish = match.end()
    for word in re.finditer(r"[\w'’]+", match.group()):
        if word.start() and word.group().lower() in _ENDS:
            finish = match.start() + len(match.group()[: word.start()].rstrip(" ,"))
            break
    words = text[match.start() : finish].replace(",", " ").split()
    month = titled and words[0].lower() in _MONTHS and not re.match(r"[ \u00a0]\d", text[finish : finish + 2])
    if (words[0].lower() in _STOP and not month) or (
        words[-1].lower().strip(".") in _STOP and len(words) < 3 and not month
    ):
        return None
    if len(words) == 1 and (len(words[0]) < 2 or words[0].endswith(".")):
        return None
    after = text[finish : finish + 1]
    if after.isdigit() or after in {"@", "_"}:
        return None
    if "\n" in match.group():
        return None
    return match.start(), finish


_ENDS: Final = frozenset(words("name-ends"))


_LIST_LABELS: Final = frozenset(words("list-labels"))
_LINE_LEADS: Final = " \t*•-–|>\"'([{#."


def _form(candidate: Candidate) -> Iterator[Finding]:
    passage = candidate.passage
    text = passage.text
    line = passage.line_start(candidate.start, 200)
    ahead = text[line : candidate.start]
    if ahead.strip(_LINE_LEADS) and not re.search(r"(?:[;.,|)·]|\t|\s{2,})[ \t\"'(]*$", ahead):
        return
    label = re.split(r"[ \t\u00a0]*[(::]", candidate.text, maxsplit=1)[0].strip().lower()
    stop = min(len(text), candidate.end + 160)
    newline = text.find("\n", candidate.end, stop)
    stop = newline if newline >= 0 else stop
    position = candidate.end
    plain = label in _LIST_LABELS
    while position < stop:
        while position < stop and text[position] in " \t\"'\u00a0„“”":
            position += 1
        place = name_at(text, position, stop, several=plain and text[position:stop].count(",") != 1)
        if place is None:
            lower = (
                re.match(rf"{_LOW}{{2,}}(?: {_LOW}+\.?){{1,3}}$", text[position:stop].strip())
                if "name" in label and not plain
                else None
            )
            if lower:
                yield Finding(position, position + len(text[position:stop].rstrip()), 0.6, source="label")
            return
        yield Finding(*place, 0.85 if not plain else 0.75, source="label")
        if not plain:
            return
        more = re.match(
            r"[\"']?\s*(?:<[^<>\n]*>)?\s*(?:\([^()\n]{0,40}\))?\s*(?:[,;]|und|and|et|y|e|en|i)\s+",
            text[place[1] : stop],
        )
        if more is None:
            return
        position = place[1] + more.end()


def _salutation(candidate: Candidate) -> Iterator[Finding]:
    text = candidate.passage.text
    if candidate.start and text[candidate.start - 1].isalnum():
        return
    stop = min(len(text), candidate.end + 80)
    place = name_at(text, candidate.end, stop)
    if place is None:
        return
    end = text[place[1] : place[1] + 2]
    # a greeting is closed by a comma, a colon, an exclamation mark or the line's end
    if candidate.text.strip().lower() in {
        "hi",
        "hello",
        "hallo",
        "hoi",
        "olá",
        "hola",
        "ciao",
        "cześć",
        "hey",
        "caro",
        "cara",
        "beste",
        "liebe",
        "lieber",
    } and not re.match(r"[,!:;\n]| ?[-–]|$", end):
        return
    yield Finding(*place, 0.85)


def _titled(candidate: Candidate) -> Iterator[Finding]:
    text = candidate.passage.text
    if candidate.start and (text[candidate.start - 1].isalnum() or text[candidate.start - 1] in "'’-."):
        return
    place = name_at(text, candidate.end, min(len(text), candidate.end + 60), titled=True)
    if place is None:
        return
    title = candidate.text.strip().rstrip(".")
    if len(title) == 1:  # an initial, unless the language has such a title
        language = {"M": "fr", "D": "es"}.get(title)
        earlier = text[max(0, candidate.start - 3) : candidate.start]
        if language not in candidate.passage.hints.languages[:2] or re.search(r"[A-Z]\.? ?$", earlier):
            return
    if (
        title in {"M", "D", "Me", "Don", "Pan", "Sir"}
        and not candidate.text.strip().endswith(".")
        and title not in {"Pan", "Don", "Sir"}
    ):
        return
    yield Finding(*place, 0.8)


def _signed(candidate: Candidate) -> Iterator[Finding]:
    text = candidate.passage.text
    stop = min(len(text), candidate.end + 80)
    newline = text.find("\n", candidate.end, stop)
    stop = newline if newline >= 0 else stop
    place = name_at(text, candidate.end, stop)
    if place is not None and not text[place[1] : stop].strip(" \t.,|"):
        yield Finding(*place, 0.75)


_BEFORE_MAIL: Final = re.compile(r"(?P<name>[^\"'<>\n:;@]{2,60}?)[\"']?[ \t]{0,2}$")


def _mailbox(candidate: Candidate) -> Iterator[Finding]:
    """The display name before an address in angle brackets (RFC 5322 mailbox)."""
    text = candidate.passage.text
    low = candidate.passage.line_start(candidate.start, 70)
    match = _BEFORE_MAIL.search(text[low : candidate.start])
    if not match:
        return
    start, end = low + match.start("name"), low + match.end("name")
    # the name is what follows the last separator of a list: try the whole, then shorter
    for lead in re.finditer(r"(?:^|, |\b(?:and|und|et|y|e|en|i) |[\t(\[])[ \t\"']*", text[start:end]):
        place = name_at(text, start + lead.end(), end)
        if place is not None and place[1] == end:
            yield Finding(*place, 0.85)
            return


def _chat(candidate: Candidate) -> Iterator[Finding]:
    text = candidate.passage.text
    after = re.search(r"\]?[ \t]+(?:-[ \t]+)?", candidate.text.lstrip("\n"))
    begin = candidate.start + len(candidate.text) - len(candidate.text.lstrip("\n")) + (after.end() if after else 0)
    place = name_at(text, begin, candidate.end)
    if place is not None and place[1] == candidate.end - 1:
        yield Finding(*place, 0.75)


_COMPANY: Final = re.compile(
    r"\b(?:ltd|limited|inc|llc|plc|corp|gmbh|ag|kg|ug|sa|sas|sarl|srl|spa|bv|nv|lda|bank|logistics|group|"
    r"holding|university|hospital|clinic|office|department|services?|company|council|school|college|church|"
    r"insurance|"
    r"report|statement|invoice|letter|form|minutes|agenda|contract|file|curriculum|vitae|résumé|rechnung|"
    r"facture|factura|fattura|factuur|fatura|faktura|bill|ship|to|page|section|chapter|total|qty)\b\.?",
    re.IGNORECASE,
)
_STREET_BELOW: Final = re.compile(
    r"[ \t]*(?:\d{1,6}[A-Za-z]?(?:[/\-]\d+)?,? ?[^\W\d_]|[1-9]\d{0,3}(?:/\d+)?[ \t]*\r?\n[ \t]*[^\W\d_]"
    r"|(?:flat|unit|psc|cmr|studio|apt|apartment|h\.? ?no|p\.? ?o\.? box|suite|house)\b"
    r"|[^\W\d_][^\d\n]{2,40}[ ,]\d{1,5}[A-Za-z]?(?:[/\-]\d+)?(?:[ ,].{0,60})?$)",
    re.IGNORECASE | re.MULTILINE,
)


def _above_address(candidate: Candidate) -> Iterator[Finding]:
    """A line that is a name and nothing else, right above a street line."""
    text = candidate.passage.text
    start = candidate.start + len(candidate.text) - len(candidate.text.lstrip())
    newline = text.find("\n", start, candidate.end)
    place = name_at(text, start, newline)
    if place is None or text[place[1] : newline].strip() or _COMPANY.search(text[place[0] : place[1]]):
        return
    if _STREET_BELOW.match(text, newline + 1, newline + 90) and " " in text[place[0] : place[1]]:
        yield Finding(*place, 0.65)


_SALUTATION: Final = (
    r"(?:Dear|Sehr geehrter?|Sehr geehrtes|Lieber?|Hallo|Guten Tag|Cher|Chère|Bonjour|Estimad[oa]|"
    r"Apreciad[oa]|Querid[oa]|Hola|Gentile|Gentilissim[oa]|Egregi[oa]|Spett\.le|Car[oa]|Ciao"
    r"|Geachte|Beste|Hoi|Prezad[oa]|Exm[oa]\.?|Olá|Szanown[ya]|Drog[ia]|Cześć|Hi|Hello|Hey|Good morning|Good "
    r"afternoon)[ \t]+"
)
_CLOSING: Final = (
    r"(?i)(?:kind regards|best regards|warm regards|regards|best wishes|sincerely|yours sincerely|yours "
    r"faithfully|yours truly|best|cheers|many thanks|thanks|thank you|mit freundlichen grüßen|mit "
    r"freundlichen grüssen|"
    r"freundliche grüße|viele grüße|beste grüße|liebe grüße|herzliche grüße|gruß|mfg|vg|lg|cordialement|bien "
    r"cordialement|sincères salutations|bien à vous|atentamente|un saludo|saludos|saludos cordiales|"
    r"cordialmente|"
    r"cordiali saluti|distinti saluti|saluti|met vriendelijke groet|met vriendelijke groeten|vriendelijke "
    r"groet|groet|groeten|hartelijke groet|mvg|atenciosamente|com os melhores cumprimentos|cumprimentos|"
    r"abraço|"
    r"z poważaniem|pozdrawiam|z wyrazami szacunku|signed|gez\.)[,.!]?[ \t]*(?:\r?\n[ \t]*){0,3}"
)

DETECTORS: Final = (
    Detector(
        "person-label",
        "person",
        40,
        "(?i)(?:"
        + alternation(words("label-person"))
        + r")[ \t\x{A0}]{0,8}(?:\([^()\n]{1,20}\)[ \t]{0,4})?[::][ \t]*(?:\r?\n[ \t]*)?",
        _form,
    ),
    Detector("person-salutation", "person", 42, _SALUTATION, _salutation),
    Detector("person-title", "person", 41, _TITLE + r"\.?[ \x{A0}]+", _titled),
    Detector("person-signature", "person", 41, _CLOSING, _signed),
    Detector(
        "person-above-address",
        "person",
        38,
        r"(?m)^[ \t]*\p{Lu}[\pL'’.\-]+(?:,? [\pL][\pL'’.\-]*){1,4}[ \t]*\r?\n[ \t]*[\pL\pN]",
        _above_address,
    ),
    Detector("person-mailbox", "person", 42, r"<[^<>\s]{1,64}@", _mailbox, anchors=(b"<",)),
    Detector(
        "person-chat",
        "person",
        39,
        r"(?:^|\n)\[?[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?: ?[AP]M)?\]?[ \t]+(?:-[ \t]+)?[\pL][\pL .'’\-]{1,40}:",
        _chat,
    ),
)
