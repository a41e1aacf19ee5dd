"""Postal addresses, street line through postcode as one span; street lines alone; and what an address label announces.

A postcode in one of the usual national forms is the anchor; from it the text is read backwards to where a street line
can begin, over at most four lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from .base import Candidate, Detector, Finding
from .labelled import label_stands
from .vocabulary import alternation, words

__all__ = ["DETECTORS"]

_REACH: Final = 150
_STATES: Final = (
    "AL|AK|AZ|AR|CA|CO|CT|DE|FL|GA|HI|ID|IL|IN|IA|KS|KY|LA|ME|MD|MA|MI|MN|MS|MO|MT|NE|NV|NH|NJ|NM|NY|NC|ND|"
    "OH|OK|OR|PA|RI|SC|SD|TN|TX|UT|VT|VA|WA|WV|WI|WY|DC|PR|GU|VI|AS|MP|FM|MH|PW|AA|AE|AP"
    "|Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|Florida|Georgia|Hawaii|Idaho|"
    "Illinois|Indiana|Iowa|Kansas|Kentucky|Louisiana|Maine|Maryland|Massachusetts|Michigan|Minnesota"
    "|Mississippi|Missouri|Montana|Nebraska|Nevada|New Hampshire|New Jersey|New Mexico|New York|North "
    "Carolina|North Dakota|Ohio|Oklahoma|Oregon|Pennsylvania|Rhode Island|South Carolina|South Dakota"
    "|Tennessee|Texas|Utah|Vermont|Virginia|Washington|West Virginia|Wisconsin|Wyoming"
)

# RE2; the anchors of national forms, cheap to find and strict enough not to fire on every number
_ANCHOR: Final = (
    rf"(?i:{_STATES})(?:, ?| {{1,2}}|\n)[0-9]{{5}}(?:-?[0-9]{{4}})?"  # US
    r"|[A-Z]{1,2}[0-9][A-Z0-9]?[ \n]?[0-9][A-Z]{2}"  # GB
    r"|[A-Z][0-9][A-Z][ \-]?[0-9][A-Z][0-9]"  # CA
    r"|(?:NSW|VIC|QLD|TAS|ACT|WA|SA|NT)[ ,]{1,2}[0-9]{4}"  # AU
    r"|[1-9][0-9]{3} ?[A-Z]{2}[ ,\n]"  # NL
    r"|[0-9]{2}-[0-9]{3}[ \n]\p{Lu}"  # PL
    r"|[0-9]{5}-?[0-9]{3}(?:, |[ \n])(?:d[aeo]s? )?\p{Lu}"  # BR
    r"|[0-9]{4}-[0-9]{3}[ \n]\p{Lu}"  # PT
    r"|(?:[A-Z]{1,2}-)?[0-9]{5}(?:, ?|[ \n])\p{Lu}"  # DE FR ES IT FI …
    r"|(?:, ?|\n)(?:[A-Z]{1,2}-)?[1-9][0-9]{3}[ \n]\p{Lu}[\p{Ll}]"  # AT CH BE DK NO
    r"|[0-9]{3} [0-9]{2}[ \n]\p{Lu}"  # SE CZ SK GR
    r"|[\pL)]{2}[\- ,]{1,2}[0-9]{6}"  # IN SG: city first
    r"|[\pL]{3},? [0-9]{5}(?:-[0-9]{3,4})?"  # city first, five digits
)

_TYPE_FIRST: Final = (
    r"(?:rue|avenue|av\.?|ave\.?|avda\.?|avd\.?|boulevard|bd\.?|blvd|chemin|impasse|allée|place|pl\.?|quai|"
    r"cours|route|rte|square|passage|villa|faubourg|calle|c/\.?|cl\.?|carrer|plaza|plaça|pza\.?|paseo|passeig|"
    r"pº|camino|cmno|"
    r"carretera|ctra\.?|ronda|glorieta|travesía|rúa|urbanización|urb\.?|alameda|callejón|via|viale|piazza|"
    r"piazzale|corso|vicolo|largo|strada|contrada|borgo|lungomare|vico|salita|galleria|incrocio|canale|"
    r"stretto|rotonda|"
    r"rua|avenida|travessa|praça|estrada|rodovia|quadra|condomínio|largo|vila|ladeira|viela|beco|núcleo|"
    r"residencial|setor|sítio|trecho|trevo|vale|viaduto|vereda|via|pátio|parque|passarela|praia|recanto|"
    r"jardim|lagoa|lago|"
    r"loteamento|morro|favela|feira|fazenda|estação|esplanada|distrito|conjunto|colônia|chácara|campo|"
    r"aeroporto|área|acesso|acceso|ul\.?|ulica|aleja|al\.|aleje|plac|pl\.|os\.|osiedle|rondo|bulwar|skwer|"
    r"pasaż)"
)
_TYPE_LAST: Final = (
    r"(?:street|st|road|rd|avenue|ave|av|boulevard|blvd|drive|dr|lane|ln|court|ct|place|pl|square|sq|terrace|"
    r"ter|way|circle|cir|parkway|pkwy|highway|hwy|trail|trl|close|crescent|cres|gardens|grove|hill|mews|"
    r"row|walk|park|plaza|loop|alley|view|vista|bypass|gateway|broadway|route|expressway|pike|run|path|ridge|"
    r"point|crossing|hollow|estate|quay|wharf|marg|nagar|chowk|ganj|zila|circle)"
)
_GLUED: Final = (
    r"(?:stra(?:ß|ss)e|str\.?|weg|gasse|platz|allee|ring|damm|ufer|chaussee|steig|pfad|hof|straat|laan|plein|"
    r"kade|gracht|singel|dijk|dreef|steeg|hof|baan|pad|weg|vej|gade|alle|vägen|gatan|veien|gata|katu|tie|utca|"
    r"ulice)"
)
_UNIT: Final = (
    r"(?:flat|apt\.?|apartment|unit|suite|ste\.?|studio|room|floor|fl\.?|bldg\.?|building|block|box|msc|psc|"
    r"cmr|house|plot|lot|h\.? ?no\.?|p\.? ?o\.? ?box|postfach|boîte|bp|apartado|apto\.?|appartamento|interno|"
    r"piso|puerta|bajo|local|m\.|bloco|casa|etage|og|stock|hs\.|#)"
)

# where a street line can begin
_STARTS: Final = (
    re.compile(rf"(?<![\w#])(?:{_UNIT} ?#?\d+[\w\-]*[,\n ])", re.IGNORECASE),
    re.compile(
        r"(?<![\w.,/#:€$£\-])(?:No\.? ?|Nr\.? ?|#)?\d{1,6}(?:[/\-]\d{1,6})?[A-Za-z]?(?: ?(?:bis|ter))?(?:, ?|[ "
        r"\t]+|\n)(?=[\w\"'])"
    ),
    re.compile(rf"(?<![\w])(?:{_TYPE_FIRST}) ?(?=[\w'’])", re.IGNORECASE),
    re.compile(
        r"(?<![\w@.])(?:[A-ZÀ-ÞŁŚŻŹĆŃÓ][\w'’.\-]*[ ]){0,4}[A-ZÀ-ÞŁŚŻŹĆŃÓ][\w'’.\-]*(?:,? (?:n[º°.] ?)?\d{1,"
        r"5}[A-Za-z]?(?:[/\-]\d{1,4}[A-Za-z]?)?(?=[\s,]))"
    ),
)
_NO_STREET: Final = re.compile(
    r"\b(?:pixel|coordinates|tel|phone|iban|kwh|RFC|ISO|DIN|IEC|section|version|release|order|invoice|page|"
    r"table|figure|chapter|bestellung|rechnung|commande|pedido)\b",
    re.IGNORECASE,
)
_PROSE: Final = re.compile(
    r"(?:\b(?:the|was|is|are|has|have|had|will|and|that|this|with|for|on|at|from|to|by|you|we|he|she|they|it|"
    r"our|your|born|geboren|und|ist|wird|nicht|est|sont|pour|dans|avec|che|per|con|non|voor|met|niet|een|"
    r"para|com|não|que|por|una?|jest|nie|się)\s)"
)
_BREAK: Final = re.compile(r"\n[ \t]*\n|[:;|·•?!][ \t\n]|\t|[ ]{2,}|(?<=[a-zß-ÿ]{4})\. (?=[A-Z])|\d{4,}[.,]\d{2}|@\S+")
_MONTH_NAME: Final = re.compile(
    r"\b(?:Jan|Feb|Mar|Apr|May|Mai|Jun|Jul|Aug|Sep|Oct|Okt|Nov|Dec|Dez|Mär|März|Fév|Avr|Juin|Juil|Août|Ene|"
    r"Abr|Ago|Gen|Mag|Giu|Lug|Set|Ott|Dic|Mei|Out)[a-zéû]*\.? ?\d{0,2},?\s*$"
)
_COUNTRY: Final = re.compile(r",?[ \n](?:United States(?: of America)?|U\.?S\.?A\.?)\b")
_CITY_AFTER: Final = re.compile(
    r"(?:d[aeo]s? )?(?:'[st] ?-?)?(?:[A-ZÀ-ÞŁŚŻŹĆŃÓ][\w'’.]*)(?:(?:[ \-]|, "
    r"(?=[A-Z]{2}\b))(?:[A-ZÀ-ÞŁŚŻŹĆŃÓ(][\w'’.)]*|an|am|im|in|der|de|la|le|les|sur|sous|en|del|di|da|do|dos|"
    r"das|aan|den|op|bei|y|ob|nad|d'\w+|lès|aux|du)){0,5}(?: ?/ ?[A-Z]{2}\b)?(?: ?\([A-Z]{2}\))?"
)


def _postal(candidate: Candidate) -> Iterator[Finding]:
    text, anchor, start = candidate.passage.text, candidate.text, candidate.start
    lead = len(anchor) - len(anchor.lstrip(", \n"))
    start, anchor = start + lead, anchor[lead:]
    weak = re.match(r"(?:[A-Z]{1,2}-)?[1-9]\d{3}\s", anchor) is not None
    city_first = re.match(r"[^\W\d_]{3},? \d{5}|[^\W\d_)]{2}[\- ,]{1,2}\d{6}", anchor) is not None
    if start and not city_first and (text[start - 1].isalnum() or text[start - 1] in "-/_@#.$€£"):
        return
    end = _anchor_end(text, start, candidate.end, anchor)
    if end < 0:
        return
    if city_first:
        start = _word_start(text, start)
    begin = _street_start(text, start, anchor)
    if begin is None:
        return
    if weak and (re.match(r"(?:19|20)\d\d", anchor) or _MONTH_NAME.search(text[begin:start])):
        return
    yield Finding(begin, end, 0.7 if weak else 0.85)


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
        return _place_end(text, begin, end - 1)
    if anchor[-1].isdigit() or re.search(r"\d[A-Z]{2}\Z|\d[A-Z]\d\Z", anchor):
        tail = text[end : end + 2]
        if tail[:1].isalnum() or (tail[:1] in {"-", "/", "_"} and tail[1:].isalnum()):
            return -1
        if re.fullmatch(r"[^\W\d_]{3},? \d{5}(?:-\d{3})?", anchor):
            gap = re.match(r",? (?=[A-ZÀ-Þ]|d[aeo]s? )", text[end : end + 6])
            return _place_end(text, end + gap.end(), end) if gap else end
        country = _COUNTRY.match(text, end)
        return country.end() if country else end
    begin = end
    while begin > start and text[begin - 1].isalpha():
        begin -= 1
    return _place_end(text, begin, end)


def _place_end(text: str, begin: int, otherwise: int) -> int:
    """Past the name of a place that begins at `begin`, on one line."""
    newline = text.find("\n", begin, begin + 60)
    city = _CITY_AFTER.match(text, begin, newline if newline >= 0 else min(len(text), begin + 60))
    return city.end() if city else otherwise


def _street_start(text: str, anchor_start: int, anchor: str) -> int | None:
    """Where the street line begins that leads up to the anchor."""
    low = max(0, anchor_start - _REACH)
    window = text[low:anchor_start]
    for cut in _BREAK.finditer(window):
        low = anchor_start - len(window) + cut.end()
    lines = text[low:anchor_start].count("\n")
    while lines > 4:
        low = text.index("\n", low) + 1
        lines -= 1
    lower_ok = not any(char.isupper() for char in text[low:anchor_start] + anchor)
    best: int | None = None
    for pattern in _STARTS:
        for match in pattern.finditer(text, low, anchor_start):
            if best is not None and match.start() >= best:
                break
            piece = text[match.start() : anchor_start]
            if len(piece.strip()) >= 4 and _street_like(piece, lower_ok):
                best = match.start()
                break
    return best


def _street_like(piece: str, lower_ok: bool) -> bool:
    words = re.findall(r"[^\W\d_][\w'’.]*", piece)
    if not words or len(words) > 16 or re.search(r"\d{1,2}:\d\d|\d{7,}|https?:", piece):
        return False
    if lower_ok:
        return re.search(rf"\b{_TYPE_LAST}\b|\b{_UNIT}|#", piece, re.IGNORECASE) is not None and len(words) <= 11
    if "+" in piece or _PROSE.search(piece) or _NO_STREET.search(piece):
        return False
    lower = [
        w
        for w in words
        if w[0].islower()
        and len(w) > 3
        and not re.fullmatch(rf"(?i:{_TYPE_FIRST}|{_UNIT}|{_TYPE_LAST})|della|dell|piso|sobre|unter|ober|under", w)
    ]
    has_number = re.search(r"\d", piece) is not None
    return len(lower) <= 1 and (has_number or re.match(rf"(?i:{_TYPE_FIRST})\b", piece) is not None)


_STREET_US: Final = (
    rf"[0-9]{{1,6}}[A-Za-z]?,? (?:[NSEW]\.?[EW]?\.? )?(?:(?:\p{{Lu}}[\pL'’.\-]*|[0-9]{{1,3}}(?:st|nd|rd|th)) "
    rf"){{1,4}}(?i:{_TYPE_LAST})\b\.?(?: (?:N|S|E|W|NE|NW|SE|SW|North|South|East|West)\b)?"
    rf"(?:,? (?i:apt|apartment|suite|ste|unit|flat|#)\.? ?#?[0-9A-Za-z\-]{{1,6}}){{0,2}}"
)
_STREET_FIRST: Final = (
    rf"(?:[0-9]{{1,4}}(?: ?(?:bis|ter))?,? )?(?i:{_TYPE_FIRST})(?: (?:de|del|della|delle|degli|dei|di|da|do|"
    rf"dos|das|la|le|les|"
    rf"los|las|du|des|l'|d'|el|al)){{0,3}}(?: ?[\p{{Lu}}0-9][\pL'’.\-0-9]*|,? ?[0-9]{{1,4}}| (?:de|del|la|las|"
    rf"los|du|des|di|da|do|dos|y|e|et)){{1,6}}"
)
_STREET_GLUED: Final = (
    rf"(?:\p{{Lu}}[\pL'’.]*[ \-]){{0,4}}\p{{Lu}}[\p{{Ll}}'’]*(?:-?{_GLUED}|[ \-](?i:{_GLUED}))(?: "
    rf"(?i:{_GLUED}))? ?[0-9]{{1,4}}(?: ?[a-zA-Z]\b)?(?:[/\-][0-9]{{1,4}})?"
)
_MILITARY: Final = (
    r"(?i)(?:psc|cmr|unit) [0-9]{1,5},? box [0-9]{1,5}[ ,\n]{1,3}(?:apo|fpo|dpo)[ ,]{1,2}(?:aa|ae|ap) "
    r"[0-9]{5}(?:-[0-9]{4})?"
)


_UNIT_AFTER: Final = re.compile(
    r"(?:,?[ \n]{1,2}(?i:apt|apartment|suite|ste|unit|flat|floor)\.? ?#?[0-9]{1,5}[A-Za-z]?\b){1,2}"
)
_COUNTRIES: Final = (
    r"(?:United States(?: of America)?|USA|United Kingdom|UK|England|Scotland|Wales|Ireland|Canada|Australia|"
    r"New Zealand|Germany|Deutschland|Austria|Österreich|Switzerland|Schweiz|France|Belgium|Belgique|België|"
    r"Netherlands|Nederland|Luxembourg|Spain|España|Portugal|Italy|Italia|Poland|Polska|Denmark|Danmark|"
    r"Sweden|Sverige|Norway|Norge|Finland|Suomi|Iceland|Estonia|Latvia|Lithuania|Czech Republic|Slovakia|"
    r"Slovenia|Hungary|Croatia|"
    r"Serbia|Romania|Bulgaria|Greece|Cyprus|Turkey|India|Brazil|Brasil|Mexico|México|Argentina|Chile|Colombia|"
    r"South Africa|Tunisia|Morocco|Japan|Singapore)"
)
_TOWN_AFTER: Final = re.compile(
    rf"(?:,? ?\n? ?[^\W\d_a-z][\w'’.\-]*(?: [^\W\d_][\w'’.\-]*){{0,4}}){{0,2}}(?:(?:,? ?\n? ?|(?<=[a-z]) "
    rf"){_COUNTRIES}\b(?: \([A-Z][a-z]+\))?)(?:,? ?\d{{4,5}}\b)?"
)


def _widen(text: str, start: int, end: int) -> tuple[int, int]:
    """A street line with the number that may stand before it, its unit, and town and country when a country ends it."""
    lead = re.search(r"(?<![\w.,#/\-])\d{2,5} $", text[max(0, start - 8) : start])
    if lead:
        start -= len(lead.group())
    for pattern in (_UNIT_AFTER, _TOWN_AFTER):
        more = pattern.match(text, end, min(len(text), end + 120))
        end = more.end() if more else end
    return start, end


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
    if not re.search(r"\d", value):
        return
    yield Finding(*_widen(text, start, end), 0.7)


def _street_first(candidate: Candidate) -> Iterator[Finding]:
    text = candidate.text
    if not re.match(rf"(?:\d{{1,4}}(?: ?(?:bis|ter))?,? )?(?i:{_TYPE_FIRST})(?:(?=[ ,])|(?<=[./]))", text):
        return
    # "via" and "place" are words as well as streets: the house number and a capital must be there
    if not re.search(r"\d", text) or not re.search(r"[A-ZÀ-Þ][\w'’]+", text):
        return
    if re.match(r"(?i:via|place|largo|al|pl|av|vale|campo|área|cours|villa|parque|square)\b", text) and not re.match(
        r"[A-Z].*[A-Z].*\d", text
    ):
        return
    value = text.rstrip(" ,")
    tail = re.search(r"(?: (?:de|del|la|las|los|du|des|di|da|do|dos|y|e|et))+$", value)
    finish = candidate.start + len(value[: tail.start()] if tail else value)
    yield from _street(Candidate(candidate.passage, candidate.start, finish))


_LABEL: Final = (
    "(?i)(?:"
    + alternation(
        tuple(
            w
            for w in words("label-address")
            if w not in {"via", "rua", "rue", "street", "strada", "calle", "ulica", "straße", "strasse", "straat"}
        )
    )
    + r")[ \t\x{A0}]{0,8}(?:\([^()\n]{1,20}\)[ \t]{0,4})?[::][ \t]*(?:\r?\n[ \t]*)?"
)
_NEXT_FIELD: Final = re.compile(r"^[ \t]*[^\W\d_][\w .'/()-]{1,28}[ \t]*:")


_LINE_END: Final = re.compile(
    r"\t| {3,}|[;|·]| - (?=[A-Z])|\.(?: ?$| \.| (?=[A-Z][a-z]{3}))|,? (?:Tel|Tél|Phone|Mobile|Ph|E-?mail)\b"
    r"|(?: before | until | by the )"
)
_GOES_ON: Final = re.compile(
    r"[ \t]*(?:[A-Z]{1,2}-)?\d{4,6}\b|[ \t]*\d{2}-\d{3}"
    r"|.*(?:\b\d{5}(?:-\d{4})?|[A-Z]\d[A-Z\d]? ?\d[A-Z]{2}|\d{6})[ \t]*$"
    rf"|[ \t]*(?i:{_UNIT})"
)


def _labelled(candidate: Candidate) -> Iterator[Finding]:
    """The rest of a label's line, and the lines below it that still belong to an address."""
    if not label_stands(candidate):
        return
    text, start = candidate.passage.text, candidate.end
    lines = text[start : start + 200].split("\n")
    first = _LINE_END.split(lines[0])[0].rstrip(" ,.")
    below = re.match(r"[ \t]*\d", lines[1]) if len(lines) > 1 else None
    if not (re.search(r"\d", first) or below) or "@" in first or len(first) < 4:
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


DETECTORS: Final = (
    Detector("postal-address", "address", 58, _ANCHOR, _postal),
    Detector("military-address", "address", 59, _MILITARY, lambda c: [Finding(c.start, c.end, 0.9)]),
    Detector("street", "address", 46, _STREET_US, _street),
    Detector("street-name-first", "address", 45, _STREET_FIRST, _street_first),
    Detector("street-glued", "address", 46, _STREET_GLUED, _street),
    Detector("address-label", "address", 44, _LABEL, _labelled),
)
