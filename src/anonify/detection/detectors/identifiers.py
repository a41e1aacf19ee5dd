"""National identifiers: with a label in any writing; without one only where form and check digits speak for themselves.

Check digits follow the issuing countries' published rules, through python-stdnum.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any, Final, NamedTuple

from .base import Candidate, Detector, Finding, standalone
from .contact import NOT_A_PHONE
from .labelled import DATE, code_after, label_stands

__all__ = ["DETECTORS"]

# label pattern (RE2, case folded) -> modules of python-stdnum that may check the value
_LABELLED: Final[tuple[tuple[str, str, tuple[str, ...]], ...]] = (
    ("us-ssn", r"ssn|ss#|social security(?: (?:number|no\.?|nr\.?|#))?|social insurance number", ("us.ssn", "ca.sin")),
    ("us-itin", r"itin|individual taxpayer(?: identification(?: number)?)?", ("us.itin",)),
    ("us-ein", r"ein|employer identification(?: number)?|fein|federal tax id", ("us.ein",)),
    (
        "tax-id",
        (
            r"tax id(?:entification)?(?: number| no\.?)?|taxpayer id|tin|tax reference|tax file number|tfn|ird(?: "
            r"number| no\.?)?"
        ),
        ("us.tin", "au.tfn", "nz.ird"),
    ),
    ("gb-nino", r"nino|ni number|ni no\.?|national insurance(?: (?:number|no\.?))?", ("gb.nino",)),
    (
        "gb-nhs",
        (
            r"nhs/insurance|insurance (?:number|no\.?|id|#)|health insurance(?: (?:number|no\.?|id))?|nhs(?: "
            r"(?:number|no\.?))?|chi number"
        ),
        ("gb.nhs",),
    ),
    ("gb-utr", r"utr|unique taxpayer reference", ("gb.utr",)),
    (
        "de-idnr",
        (
            r"steuer-?id(?:-nr\.?|entifikationsnummer)?|steueridentifikationsnummer|steuerliche identifikationsnummer|"
            r"idnr\.?|steuernummer|st\.-nr\.?"
        ),
        ("de.idnr", "de.stnr"),
    ),
    (
        "de-svnr",
        (
            r"sozialversicherungsnummer|sv-nummer|sv-nr\.?|rentenversicherungsnummer|rvnr\.?|"
            r"krankenversichertennummer|kvnr|svnr"
        ),
        ("at.vnr",),
    ),
    (
        "id-card",
        (
            r"personalausweis(?:nummer|-nr\.?)?|ausweisnummer|ausweis-nr\.?|identity card(?: no\.?| number)?|id "
            r"card(?: no\.?| number)?|carte d'identité|cni|carta d'identità|cartão de cidadão|dowód osobisty|seria i "
            r"numer dowodu|numer dowodu|nr dowodu|identiteitskaart|bilhete de identidade|documento de identidad|"
            r"cédula"
        ),
        (),
    ),
    (
        "fr-nir",
        (
            r"nir|n° (?:de )?sécurité sociale|numéro (?:de )?sécurité sociale|sécurité sociale|n° sécu|numéro de sécu|"
            r"numéro fiscal|n° ss"
        ),
        ("fr.nir", "fr.nif"),
    ),
    (
        "es-dni",
        (
            r"dni|d\.n\.i\.|nie|n\.i\.e\.|nif|n\.i\.f\.|dni/nie|nif/nie|nass|n\.?º? ?ss|nuss|número de la seguridad "
            r"social|número de afiliación"
        ),
        ("es.dni", "es.nie", "es.nif", "pt.nif"),
    ),
    ("it-cf", r"codice fiscale|cod\. fisc\.|cod\. fiscale|c\.f\.|cf|partita iva", ("it.codicefiscale",)),
    ("nl-bsn", r"bsn|burgerservicenummer|sofinummer", ("nl.bsn",)),
    ("pl-pesel", r"pesel|nip|nr pesel|numer pesel", ("pl.pesel", "pl.nip")),
    (
        "pt-nif",
        r"contribuinte|número de contribuinte|n\.º (?:de )?contribuinte|niss|n\.º segurança social",
        ("pt.nif",),
    ),
    ("br-cpf", r"cpf|cpf/mf|cnpj|rg|r\.g\.|pis|pis/pasep|cnh|título de eleitor|identidade", ("br.cpf", "br.cnpj")),
    (
        "be-nn",
        r"rijksregisternummer|rijksregister|numéro national|numéro de registre national|registre national|nn",
        ("be.nn",),
    ),
    ("se-pnr", r"personnummer|personnr\.?|pnr|samordningsnummer", ("se.personnummer",)),
    ("dk-cpr", r"cpr(?:-?nummer|-nr\.?| nr\.?)?", ("dk.cpr",)),
    ("no-fnr", r"fødselsnummer|fodselsnummer|fnr", ("no.fodselsnummer",)),
    ("fi-hetu", r"henkilötunnus|hetu|personbeteckning", ("fi.hetu",)),
    (
        "in-id",
        (
            r"aadhaar(?: (?:number|no\.?))?|aadhar(?: (?:number|no\.?))?|uid number|uidai|pan(?: (?:number|no\.?|"
            r"card))|pan"
        ),
        ("in_.aadhaar", "in_.pan"),
    ),
    ("ca-sin", r"sin|n\.?a\.?s\.?", ("ca.sin",)),
    ("au-medicare", r"medicare(?: (?:number|no\.?|card))?", ()),
    ("ch-ahv", r"ahv(?:-?nummer|-nr\.?)?|avs|n° avs|numéro avs", ("ch.ssn",)),
    (
        "other-id",
        (
            r"national id(?:entity|entification)?(?: (?:number|no\.?|card))?|nationale id|national identification "
            r"number|id number|id no\.?|identification number|identity number|identification no\.?|citizen id|[a-z]{2,"
            r"12} id|rut|run|curp|rfc del titular|cuit|cuil|dui|nit|ruc|tc kimlik(?: no)?|teudat zehut|nric|hkid|"
            r"emirates id|oib|jmbg|egn|cnp|rodné číslo|isikukood|asmens kodas|personas kods|kennitala|emšo|amka|afm|"
            r"ppsn?(?: (?:number|no\.?))?|pps number|ausweis-id|nationale identificatienummer|ausweis-kennung|id "
            r"nazionale|identifiant national|identificador nacional|documento nacional|nationaal id|identyfikator "
            r"krajowy|numer identyfikacyjny|documento di identità|documento nacional de identidade|id nacional|id "
            r"national|id krajowe|rrn|resident registration(?: number| no\.?)?"
        ),
        (),
    ),
    (
        "passport",
        (
            r"passport(?: (?:number|no\.?|nr\.?|#))?|reisepass(?:nummer|-nr\.?| nr\.?)?|passnummer|pass-nr\.?|numéro "
            r"de passeport|n° (?:de )?passeport|passeport|pasaporte|número de pasaporte|passaporto|numero di "
            r"passaporto|paspoort(?:nummer)?|passaporte|número do passaporte|paszport|numer paszportu|nr paszportu"
        ),
        (),
    ),
    (
        "driving-licence",
        (
            r"driv(?:er'?s?|ing) (?:license|licence)(?: (?:number|no\.?|#))?|dl(?: (?:number|no\.?|#))|license number|"
            r"licence number|führerschein(?:nummer|-nr\.?)?|permis de conduire|n° (?:de )?permis|carnet de conducir|"
            r"permiso de conducir|patente di guida|patente n\.?|rijbewijs(?:nummer)?|carta de condução|prawo jazdy|"
            r"numer prawa jazdy"
        ),
        (),
    ),
)

_SHORT: Final = frozenset(
    ["ein", "tin", "cf", "rg", "nn", "pan", "sin", "pis", "run", "rut", "nit", "nas", "rfc", "rib", "n.a.s.", "nie"]
)
"""Labels that are ordinary words in some language: their value must look like one at once."""


class _Shape(NamedTuple):
    name: str
    pattern: re.Pattern[str]
    modules: tuple[str, ...]
    regions: tuple[str, ...]
    confidence: float


def _shape(
    name: str, pattern: str, modules: tuple[str, ...], confidence: float, regions: tuple[str, ...] = ()
) -> _Shape:
    return _Shape(name, re.compile(pattern), modules, regions, confidence)


_SHAPES: Final = (
    _shape("us-ssn", r"\d{3}-\d{2}-\d{4}", ("us.ssn", "us.itin"), 0.75),
    _shape("gb-nino", r"[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D]", ("gb.nino",), 0.85),
    _shape("es-dni", r"\d{8}[\- ]?[A-Z]|\d\d\.\d{3}\.\d{3}-?[A-Z]", ("es.dni",), 0.85),
    _shape("es-nie", r"[XYZ][\- ]?\d{7}[\- ]?[A-Z]", ("es.nie",), 0.9),
    _shape(
        "it-cf",
        r"[A-Z]{6}\d[0-9LMNPQRSTUV][A-EHLMPRST][0-9LMNPQRSTUV]{2}[A-Z][0-9LMNPQRSTUV]{3}[A-Z]",
        ("it.codicefiscale",),
        0.95,
    ),
    _shape("br-cpf", r"\d{3}\.\d{3}\.\d{3}-\d{2}", ("br.cpf",), 0.93),
    _shape("br-cnpj", r"\d{2}\.\d{3}\.\d{3}/\d{4}-\d{2}", ("br.cnpj",), 0.8),
    _shape("fr-nir", r"[12] ?\d\d ?\d\d ?(?:\d\d|2[AB]) ?\d{3} ?\d{3} ?\d\d", ("fr.nir",), 0.9),
    _shape("ch-ahv", r"756\.\d{4}\.\d{4}\.\d{2}", ("ch.ssn",), 0.95),
    _shape("be-nn", r"\d{2}\.\d{2}\.\d{2}-\d{3}\.\d{2}", ("be.nn",), 0.93),
    _shape("fi-hetu", r"\d{6}[-+A]\d{3}[0-9A-Z]", ("fi.hetu",), 0.9, ("FI",)),
    _shape("se-pnr", r"(?:19|20)?\d{6}[-+]\d{4}", ("se.personnummer",), 0.8, ("SE",)),
    _shape("dk-cpr", r"\d{6}-\d{4}", ("dk.cpr",), 0.7, ("DK",)),
    _shape("in-pan", r"[A-Z]{3}[PCHFATBLJG][A-Z]\d{4}[A-Z]", ("in_.pan",), 0.85),
    _shape("in-aadhaar", r"[2-9]\d{3} \d{4} \d{4}", ("in_.aadhaar",), 0.8, ("IN",)),
    _shape("ca-sin", r"\d{3}[ \-]\d{3}[ \-]\d{3}", ("ca.sin",), 0.6, ("CA",)),
    _shape("mx-curp", r"[A-Z]{4}\d{6}[HM][A-Z]{5}[0-9A-Z]\d", ("mx.curp",), 0.95),
    _shape("nl-bsn", r"\d{9}", ("nl.bsn",), 0.0),
)
_UNLABELLED: Final = (
    r"[0-9]{3}-[0-9]{2}-[0-9]{4}|[A-Z]{2} ?[0-9]{2} ?[0-9]{2} ?[0-9]{2} ?[A-D]|[0-9]{8}[\- ]?[A-Z]|"
    r"[0-9]{2}\.[0-9]{3}\.[0-9]{3}-?[A-Z]"
    r"|[XYZ][\- ]?[0-9]{7}[\- ]?[A-Z]|[A-Z]{6}[0-9][0-9L-V][A-T][0-9L-V]{2}[A-Z][0-9L-V]{3}[A-Z]|"
    r"[0-9]{3}\.[0-9]{3}\.[0-9]{3}-[0-9]{2}"
    r"|[0-9]{2}\.[0-9]{3}\.[0-9]{3}/[0-9]{4}-[0-9]{2}|[12] ?[0-9]{2} ?[0-9]{2} ?(?:[0-9]{2}|2[AB]) ?[0-9]{3} "
    r"?[0-9]{3} ?[0-9]{2}"
    r"|756\.[0-9]{4}\.[0-9]{4}\.[0-9]{2}|[0-9]{2}\.[0-9]{2}\.[0-9]{2}-[0-9]{3}\.[0-9]{2}|(?:19|"
    r"20)?[0-9]{6}[-+][0-9]{4}|[0-9]{6}[-+A][0-9]{3}[0-9A-Z]"
    r"|[A-Z]{5}[0-9]{4}[A-Z]|[2-9][0-9]{3} [0-9]{4} [0-9]{4}|[0-9]{3}[ \-][0-9]{3}[ \-][0-9]{3}|"
    r"[A-Z]{4}[0-9]{6}[HM][A-Z]{5}[0-9A-Z][0-9]"
)


_NINO: Final = re.compile(r"(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]\d{6}[A-D]")


def _nino(value: str) -> bool:
    """A national insurance number has no check digit; HMRC's manual NIM39110 names the letters it may begin with."""
    return _NINO.fullmatch(value.replace(" ", "").upper()) is not None


def _checks(module: str) -> Callable[[str], bool]:
    if module == "gb.nino":
        return _nino
    found: Any = import_module(f"stdnum.{module}")
    check: Callable[[str], bool] = found.is_valid
    return check


_CHECKS: Final = {
    module: _checks(module)
    for module in sorted(
        {m for _, _, modules in _LABELLED for m in modules} | {m for shape in _SHAPES for m in shape.modules}
    )
}


def _valid(value: str, modules: tuple[str, ...]) -> bool:
    compact = re.sub(r"[ .\-/\u2013]", "", value)
    return any(_CHECKS[module](value) or _CHECKS[module](compact) for module in modules)


_FORMS: Final = tuple((name, re.compile(pattern, re.IGNORECASE), modules) for name, pattern, modules in _LABELLED)


def _labelled(candidate: Candidate) -> Iterator[Finding]:
    if not label_stands(candidate):
        return
    label = candidate.text.lower()
    place = code_after(candidate, digits=4, longest=26)
    if place is None:
        return
    start, end = place
    value = candidate.passage.text[start:end]
    name, _, modules = next(entry for entry in _FORMS if entry[1].fullmatch(label))
    good = _valid(value, modules)
    if not good:
        if DATE.fullmatch(value) or sum(char.isdigit() for char in value) < 5 or re.search(r"[a-z]{3,}", value):
            return
        between = candidate.passage.text[candidate.end : start]
        if label in _SHORT and (not candidate.text.isupper() or len(between.strip(" \t:.#-\n")) > 2):
            return
        if name == "other-id" and re.fullmatch(
            r"(?i)(?:order|part|item|product|build|commit|session|transaction|invoice|sku|message|job|run|device|page|"
            r"event|ticket|test|user|group|process|vendor|paypal|apple|face|touch|client|customer|patient|member|"
            r"employee|student|case|claim|kunden|cust|staff|file) id",
            label,
        ):
            return
    yield Finding(start, end, 0.96 if good else 0.85, name=name, source="label")


def _unlabelled(candidate: Candidate) -> Iterator[Finding]:
    text = candidate.text
    if not standalone(candidate.passage.text, candidate.start, candidate.end, joiners="-_/.\\@#+"):
        return
    if re.search(r"\d[ \-.]$", candidate.passage.text[max(0, candidate.start - 2) : candidate.start]):
        return  # the end of a longer number
    for shape in _SHAPES:
        if shape.confidence and shape.pattern.fullmatch(text) and _valid(text, shape.modules):
            if shape.regions and not set(shape.regions) & set(candidate.passage.hints.regions[:1]):
                continue
            if NOT_A_PHONE.search(candidate.before()):
                continue
            yield Finding(candidate.start, candidate.end, shape.confidence, name=shape.name)
            return


DETECTORS: Final = (
    Detector(
        "national-id",
        "government-id",
        78,
        r"(?i)\b(?:" + "|".join(pattern for _, pattern, _ in _LABELLED) + ")",
        _labelled,
        names=tuple(dict.fromkeys(name for name, _, _ in _LABELLED)),
    ),
    Detector(
        "national-id-form",
        "government-id",
        72,
        _UNLABELLED,
        _unlabelled,
        names=tuple(dict.fromkeys(shape.name for shape in _SHAPES)),
    ),
)
