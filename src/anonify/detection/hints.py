"""Which languages and regions a text is likely of, from its commonest words and marks.  Cheap and rough on purpose: it
only orders the regions whose national numbers are tried."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from anonify.documents.model import ModelReader

from .detectors.base import Hints
from .unseen import shown

__all__ = ["SAMPLE", "guess", "hints_of"]

SAMPLE: Final = 64 * 1024
"""Code points that are looked at."""

_WORDS: Final = {
    "en": "the and of to with for you your from is are was dear phone address name date please",
    "de": "der die das und mit nicht für sehr geehrte von straße ist wir sie ein telefon datum geburtsdatum anschrift",
    "fr": "le la les des et est pour vous dans avec du une téléphone adresse naissance madame monsieur nom prénom",
    "es": "el los las del y para con por una teléfono dirección nacimiento señor señora fecha nombre correo",
    "it": "il di che per con della gli una telefono indirizzo nascita signor signora nome cognome data gentile",
    "nl": "het een van en voor met niet dat telefoon adres geboortedatum mevrouw meneer naam datum geachte",
    "pt": "o os as do da para com uma não telefone endereço nascimento senhor senhora nome data prezada e-mail",
    "pl": "i w na z się do nie jest telefon adres data urodzenia pan pani szanowna nr numer ulica imię nazwisko",
    "sv": "och att det som en är för med inte telefon adress personnummer namn",
    "da": "og at det er en til på af ikke telefon adresse navn cpr",
    "fi": "ja on ei se että puhelin osoite nimi henkilötunnus",
    "no": "og er det som på til ikke av telefon adresse navn fødselsnummer",
}
_LOOKUP: Final = {
    word: [code for code, words in _WORDS.items() if word in words.split()]
    for words in _WORDS.values()
    for word in words.split()
}

_REGIONS: Final = {
    "en": ("US", "GB", "CA", "IN", "AU", "IE", "NZ", "ZA"),
    "de": ("DE", "AT", "CH"),
    "fr": ("FR", "BE", "CH", "CA", "LU"),
    "es": ("ES", "MX", "AR", "CO", "CL", "PE"),
    "it": ("IT", "CH"),
    "nl": ("NL", "BE"),
    "pt": ("BR", "PT"),
    "pl": ("PL",),
    "sv": ("SE", "FI"),
    "da": ("DK",),
    "fi": ("FI",),
    "no": ("NO",),
}

_MARKS: Final = (
    (re.compile(r"\b[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}\b|£|\+44|\.co\.uk\b"), "GB"),
    (re.compile(r"\b[A-Z]{2} \d{5}(?:-\d{4})?\b|\+1[ -.(]"), "US"),
    (re.compile(r"\+91|₹|\bIN-|\b[A-Z]{5}\d{4}[A-Z]\b|\.in\b"), "IN"),
    (re.compile(r"\+61|\b(?:NSW|VIC|QLD|TAS) \d{4}\b|\.com\.au\b"), "AU"),
    (re.compile(r"\+353|\.ie\b|\bEircode\b"), "IE"),
    (re.compile(r"\+43|\.at\b"), "AT"),
    (re.compile(r"\+41|\.ch\b|\bCHF\b"), "CH"),
    (re.compile(r"\+32|\.be\b"), "BE"),
    (re.compile(r"\+351|\.pt\b|\bNIF\b"), "PT"),
    (re.compile(r"\+55|\bCPF\b|\bCNPJ\b|R\$|\.br\b"), "BR"),
    (re.compile(r"\+52|\bCURP\b|\.mx\b"), "MX"),
)


def guess(text: str) -> Hints:
    """Likely languages and regions of `text`, from its first :data:`SAMPLE` code points."""
    sample = shown(text[:SAMPLE])
    words = Counter(re.findall(r"[^\W\d_]+", sample.lower()))
    scores: Counter[str] = Counter()
    for word, codes in _LOOKUP.items():
        if count := words.get(word):
            for code in codes:
                scores[code] += min(count, 20)
    languages = tuple(code for code, _ in scores.most_common(3)) or ("en",)
    regions: list[str] = []
    marked = Counter({region: len(pattern.findall(sample)) for pattern, region in _MARKS})
    likely = list(_REGIONS[languages[0]])
    likely.sort(key=lambda region: -marked.get(region, 0))
    regions += likely[:3]
    regions += [region for region, count in marked.most_common(2) if count and region not in regions]
    for code in languages[1:]:
        regions += [region for region in _REGIONS[code][:1] if region not in regions]
    return Hints(tuple(regions), languages)


def hints_of(model: ModelReader) -> Hints:
    """Likely languages and regions of a document, from the beginning of its text."""
    sample: list[str] = []
    size = 0
    for page in model:
        sample.append(page.text[: SAMPLE - size])
        size += len(sample[-1])
        if size >= SAMPLE:
            break
    return guess("\n".join(sample))
