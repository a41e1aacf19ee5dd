"""Values that only a label beside them makes sensitive: dates of birth, amounts, account numbers.

A pattern finds the label; a short look ahead, on the same line or the next, finds the value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from stdnum.us import rtn

from .base import Candidate, Detector, Finding, merged
from .dates import DATE
from .vocabulary import alternation, words

__all__ = ["DETECTORS", "FILLER", "code_after", "label_stands", "labels_of"]

FILLER: Final = (
    r"(?:[ \t\u00a0]*(?:\([^()\n]{0,24}\)|/ ?[A-Z]{2,8}(?=[ :.])|[a-zà-ÿ]{1,12}(?=[ .:])|No\b|Nr\b|Number\b|ID\b|"
    r"Id\b|[:.#=|/"
    r"°º*\"'>\-–—]|[Nn]\.?[°º])){0,6}[ \t\u00a0\"']*(?:\r?\n[ \t]*)?"
)
"""What may stand between a label and its value."""

_CODE: Final = re.compile(FILLER + r"(?P<value>[A-Za-z0-9]+(?:[ ./\-–_][A-Za-z0-9]+)*)")
_AMOUNT: Final = re.compile(
    r"[^\d\n€$£¥]{0,30}?(?P<value>(?:[€$£¥]|EUR|USD|GBP|CHF|PLN|BRL|R\$|INR|Rs\.?|₹|zł)[ \u00a0]?\d[\d.,"
    r"'’\u00a0 ]*\d|\d[\d.,'’\u00a0 ]*\d?[ \u00a0]?(?:[€$£¥₹]|EUR|USD|GBP|CHF|PLN|BRL|INR|zł|euros?|dollars?|"
    r"pounds?))"
)


_PLAIN_AMOUNT: Final = re.compile(
    r"[\"']?[ \t]*[:=][ \t]*[\"']?(?P<value>(?!(?:19|20)\d\d\b)\d{4,9}(?:[.,]\d\d)?)(?![\w.,\-/])"
)
_DIGIT: Final = re.compile(r"\d")


def label_stands(candidate: Candidate) -> bool:
    """Whether the label is a word of its own."""
    text = candidate.passage.text
    if candidate.start and (text[candidate.start - 1].isalnum() or text[candidate.start - 1] in "-/'’"):
        return False
    return not (candidate.end < len(text) and text[candidate.end].isalnum() and text[candidate.end - 1].isalnum())


def code_after(candidate: Candidate, *, digits: int, longest: int = 32) -> tuple[int, int] | None:
    """Where the code after a label stands: groups of capitals and digits, ended by the first ordinary word.

    Args:
        digits: how many digits it must have at least.
        longest: code points it may have at most.
    """
    window = candidate.passage.text[candidate.end : candidate.end + 100]
    match = _CODE.match(window) if _DIGIT.search(window) else None
    if not match:
        return None
    end = match.start("value")
    lead = end
    seen = 0
    for token in re.finditer(r"[A-Za-z0-9]+", match.group("value")):
        word = token.group()
        has = sum(char.isdigit() for char in word)
        joined = token.start() and match.group("value")[token.start() - 1] in "-/._–"
        if not has and not (word.isupper() and (len(word) <= 4 or joined)) and not joined:
            break
        if token.end() > longest:
            break
        seen += has
        end = lead + token.end()
    # a trailing group of capitals after a blank is the next word, unless it is a check letter
    value = window[lead:end]
    cut = re.search(r" [A-Z]{2,}$", value)
    if cut and seen:
        end -= len(cut.group())
    if seen < digits:
        return None
    return candidate.end + lead, candidate.end + end


def _dob(candidate: Candidate) -> Iterator[Finding]:
    if not label_stands(candidate):
        return
    label = candidate.text.lower()
    window = candidate.passage.text[candidate.end : candidate.end + 90]
    gap = 40 if len(label) > 7 else 26
    if not _DIGIT.search(window, 0, gap + 16):
        return
    match = DATE.search(window)
    if not match or match.start() > gap or re.search(r"\d", window[: match.start()]):
        return
    between = window[: match.start()]
    if between.count("\n") > 1 or re.search(r"[.!?;]\s+[A-Z]|\w;", between):
        return
    yield Finding(candidate.end + match.start(), candidate.end + match.end(), 0.92, source="label")


_VERBS: Final = r"earns|earned|earning|verdient|verdiente|gagne|gagnait|gana|ganaba|guadagna|ganha|ganhava|zarabia"
_VERB_GAP: Final = 12
_MANY: Final = re.compile(
    r"[ \u00a0]?(?:thousand|million|billion|trillion|bn\b|mn\b|Mio\b|Mrd\b|Million|Milliard|mln\b|mld\b|mille?ones|"
    r"milh|"
    r"mili[oa]n|miljoen|miljard|miliard)\w*",
    re.IGNORECASE,
)

_SALARY: Final = (
    r"(?i)(?:(?:annual|base|gross|net|monthly|current|yearly|starting|take-home|weekly|hourly)[ ])?(?:salary|salaries|"
    r"wages?|remuneration|compensation|bonus|severance|pension)|(?:base|gross|net|monthly|weekly|annual|hourly|"
    r"take-home)"
    r"[ ](?:pay|rate|income|earnings|rent)|household income|loan (?:amount|balance)|credit limit|mortgage balance|"
    r"(?:amount|balance) (?:owed|due|outstanding)|(?:jahres|monats|brutto|netto|grund|stunden)?(?:gehalt|lohn|"
    r"einkommen)|"
    r"arbeitslohn|abfindung|vergütung|(?:kalt|warm)?miete|darlehensbetrag|"
    r"salaire(?: annuel| brut| net| mensuel)?|rémunération|revenus?(?: fiscal| annuels?| mensuels?|"
    r" nets?)(?: de référence)?|"
    r"loyer|salario(?: anual| bruto| neto| mensual)?|sueldo|nómina|ingresos (?:anuales|mensuales|netos|brutos)|"
    r"alquiler|"
    r"retribuzione|stipendio(?: annuo| lordo| netto| mensile)?|reddito(?: annuo| lordo| netto| mensile)|busta paga|"
    r"(?:jaar|maand|bruto|netto|uur)?(?:salaris|inkomen|loon)|huurprijs|salário(?: anual| bruto| líquido| mensal)?|"
    r"remuneração|renda (?:mensal|anual|familiar)|ordenado|wynagrodzenie(?: roczne| miesięczne| brutto| netto)?|pensja|"
    r"roczne wynagrodzenie|doch[oó]d(?: roczny| miesięczny| netto)|zarobki|"
    r"(?:account|opening|closing|current|outstanding|available)[ ]balance|kontostand|saldo|solde|" + _VERBS
)


def _salary(candidate: Candidate) -> Iterator[Finding]:
    if not label_stands(candidate):
        return
    window = candidate.passage.text[candidate.end : candidate.end + 70]
    match = _AMOUNT.match(window) or _PLAIN_AMOUNT.match(window)
    if match:
        start, end = (candidate.end + offset for offset in match.span("value"))
        while candidate.passage.text[end - 1] in " .,\u00a0'’":
            end -= 1
        verb = re.fullmatch(_VERBS, candidate.text, re.IGNORECASE) is not None
        if verb and start - candidate.end > _VERB_GAP:
            return
        many = _MANY.match(candidate.passage.text, end)
        if many and verb:
            return  # what a company earns
        end = many.end() if many else end
        yield Finding(start, end, 0.8, source="label")


_PER_YEAR: Final = (
    r"(?:per annum|per year|a year|p\\.a\\.|pro Jahr|jährlich|par an|al año|anuales|all'anno|annui|per jaar|"
    r"ao ano|rocznie|per month|pro Monat|par mois|al mes|al mese|per maand|por mês|miesięcznie)"
)
_YEARLY: Final = (
    r"(?:[€$£¥]|EUR |USD |GBP |CHF )[  ]?[0-9][0-9.,'’ ]{2,14}[0-9] "
    + _PER_YEAR
    + r"|[0-9][0-9.,'’ ]{2,14}[0-9][  ]?(?:€|EUR|USD|CHF|zł|PLN) "
    + _PER_YEAR
)


def _yearly(candidate: Candidate) -> Iterator[Finding]:
    """An amount a year or a month is somebody's pay, rent or fee."""
    amount = re.match(
        r"[^A-Za-z]*(?:[A-Z]{3}[ \u00a0]?)?[\d.,'’ \u00a0]*\d(?:[ \u00a0]?(?:€|EUR|USD|CHF|zł|PLN))?", candidate.text
    )
    if amount:
        yield Finding(candidate.start, candidate.start + amount.end(), 0.55)


_ACCOUNT: Final = (
    r"(?i)\b(?:account(?:[ _]?(?:number|no\.?|nr\.?|#))|acct\.?(?: no\.?| number)?|a/c(?: no\.?)?|account|"
    r"sort[ \-_]?code|routing(?:[ _]?(?:number|no\.?))?|aba(?: number| routing)?|rtn|kontonummer|konto-nr\.?|"
    r"konto|"
    r"bankleitzahl|blz|numéro de compte|n° de compte|code banque|rib|número de cuenta|nº de cuenta|cuenta|"
    r"numero di conto|conto corrente|c/c|rekeningnummer|rekening|número da conta|conta corrente|conta|"
    r"numer konta|nr konta|numer rachunku|nr rachunku|rachunek|bsb|ifsc(?: code)?|clabe|agência)"
)


def _account(candidate: Candidate) -> Iterator[Finding]:
    if not label_stands(candidate):
        return
    place = code_after(candidate, digits=5, longest=40)
    if place is None:
        return
    start, end = place
    value = candidate.passage.text[start:end]
    compact = re.sub(r"\D", "", value)
    label = candidate.text.lower()
    sort_code = label.startswith("sort")
    if (DATE.fullmatch(value) and not sort_code) or re.search(r"[a-z]", value):
        return
    if label.startswith(("routing", "aba", "rtn")):
        if len(compact) == 9:
            yield Finding(start, end, 0.95 if rtn.is_valid(compact) else 0.7, name="routing-number", source="label")
    elif sort_code:
        if len(compact) >= 6:
            code = re.match(r"\d\d[ \-]?\d\d[ \-]?\d\d", value)
            yield Finding(start, start + code.end() if code else end, 0.92, name="sort-code", source="label")
    elif re.match(r"[A-Z]{3,}-", value):
        return
    else:
        bare = label in {"account", "konto", "cuenta", "conto", "conta", "rekening", "rachunek"}
        if not bare or len(compact) >= 7:
            yield Finding(start, end, 0.75 if bare else 0.88, name="account-number", source="label")


def labels_of(kind: str, *composed: str) -> str:
    """The pattern of a list of labels; the end of a word must stand where one ends with a plain letter."""
    every = words(f"label-{kind}")
    plain = tuple(word for word in every if word[-1].isascii() and word[-1].isalpha())
    other = tuple(word for word in every if word not in plain)
    return r"(?i)\b(?:" + "|".join(filter(None, (*composed, rf"(?:{alternation(plain)})\b", alternation(other)))) + ")"


DETECTORS: Final = (
    Detector("date-of-birth", "date-of-birth", 75, labels_of("dob"), _dob),
    merged(
        Detector("salary", "financial", 60, _SALARY, _salary),
        Detector("yearly-amount", "financial", 48, _YEARLY, _yearly),
        Detector(
            "account",
            "bank-account",
            62,
            _ACCOUNT,
            _account,
            names=("routing-number", "sort-code", "account-number"),
        ),
    ),
)
