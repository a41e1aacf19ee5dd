"""National identifiers: with a label in any writing; without one only where form and check digits speak for themselves.

Check digits follow the issuing countries' published rules, through python-stdnum.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any, Final, NamedTuple

from .base import Candidate, Detector, Finding, alternatives, standalone
from .dates import DATE
from .identifier_labels import LABELLED, SHORT
from .labelled import code_after, label_stands
from .phones import NOT_A_PHONE

__all__ = ["DETECTORS"]


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
        {m for _, _, modules in LABELLED for m in modules} | {m for shape in _SHAPES for m in shape.modules}
    )
}


def _valid(value: str, modules: tuple[str, ...]) -> bool:
    compact = re.sub(r"[ .\-/\u2013]", "", value)
    return any(_CHECKS[module](value) or _CHECKS[module](compact) for module in modules)


def _written(pattern: str) -> str:
    """A label's pattern, its words also joined as programs join them: `passport_no`, `passportNumber`."""
    return pattern.replace(" ", r"[ _\-]?")


_FORMS: Final = tuple(
    (name, re.compile(_written(pattern), re.IGNORECASE), modules) for name, pattern, modules in LABELLED
)


_WORD_END: Final = re.compile(r"[A-Za-z]\??\Z|[A-Za-z]\)\?\Z")


def _ended(pattern: str) -> str:
    """A label's pattern, every choice of it ended by the end of a word where it ends with a plain letter."""
    return "|".join(part + r"\b" if _WORD_END.search(part) else part for part in alternatives(pattern))


_LABELS: Final = r"(?i)\b(?:" + "|".join(_ended(_written(pattern)) for _, pattern, _ in LABELLED) + ")|егн|αφμ|αμκα"


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
        if label in SHORT and (not candidate.text.isupper() or len(between.strip(" \t:.#-\n")) > 2):
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
        _LABELS,
        _labelled,
        names=tuple(dict.fromkeys(name for name, _, _ in LABELLED)),
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
