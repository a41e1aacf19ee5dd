"""Health: what a diagnosis or a prescription announces.  The rest a text says about health is a model's work."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from .base import Candidate, Detector, Finding
from .labelled import label_stands

__all__ = ["DETECTORS"]

_LABEL: Final = (
    r"(?i)(?:diagnosed with|diagnosis of|suffers from|suffering from|treated for|patient with|living with|"
    r"takes|is on|has been prescribed|prescribed"
    r"|diagnosis|diagnoses|medication|allergies|medical condition|diagnose|diagnosen|medikation|leidet an|"
    r"leidet unter|erkrankt an|diagnostic|souffre de"
    r"|atteint de|atteinte de|diagnóstico|diagnosticado de|diagnosticada de|padece|diagnosi|affetto da|"
    r"affetta da|soffre di|medicatie|lijdt aan"
    r"|sofre de|diagnosticado com|diagnosticada com|rozpoznanie|choruje na|pour)[ \t]*:?[ \t]+"
)
_PHRASE: Final = re.compile(
    r"[^\W\d_][\w\-]*(?: (?!and\b|who\b|which\b|but\b|und\b|et\b|y\b|e\b|en\b|i\b|since\b|seit\b|depuis\b|"
    r"desde\b)[\w\-%]+){0,5}(?: \([A-Z]\d\d(?:\.\d)?\))?"
)
_CONDITION: Final = re.compile(
    r"\b(?:\d+ ?(?:mg|µg|mcg|ml|IE|IU)\b|[A-Z]\d\d\.\d\b|\w*(?:itis|osis|oses|oma|emia|aemia|ämie|émie|pathy|"
    r"pathie|patía|algia|algie|plegia|phobia|phrenia|cardia|trophy|uria)\b"
    r"|HIV|AIDS|diab[eè]t\w*|diabete\w*|cancer|krebs|kanker|rak\b|cáncer|cancro|carcinom\w*|tumou?r\w*|"
    r"leuk\w+|asth?m\w*|epilep\w*|depress\w*|dépress\w*|depres\w*|bipolar\w*|bipolaire|schizo\w*|disorder|"
    r"syndrome?|sclero\w*|sclér\w*|parkinson\w*"
    r"|alzheimer\w*|crohn\w*|hepatit\w*|hépatit\w*|epatit\w*|anxiety|migraine|stroke|fracture|infection|"
    r"pregnan\w*|schwanger\w*|hypert\w*|insulin\w*|metformin\w*|sertraline|allerg\w*|disease|krankheit|"
    r"störung|maladie|enfermedad|malattia|ziekte|doença|choroba|dementia|demenz|autis\w*|adhd|adhs)",
    re.IGNORECASE,
)
_LEAD: Final = re.compile(
    r"(?:(?:clínico|definitivo|histológico|provisional|fue|probable|compatible) ?)*(?:de|of|di|con|von|van) "
)
_EXPLICIT: Final = re.compile(r"diagnos|diagnós|rozpoznanie|medikation|medication", re.IGNORECASE)


def _health(candidate: Candidate) -> Iterator[Finding]:
    if not label_stands(candidate):
        return
    text = candidate.passage.text
    match = _PHRASE.match(text, candidate.end, min(len(text), candidate.end + 90))
    if match is None or "\n" in match.group():
        return
    explicit = ":" in candidate.text and _EXPLICIT.search(candidate.text)
    if not explicit and _CONDITION.search(match.group()) is None:
        return
    lead = _LEAD.match(match.group())
    begin = match.start() + (lead.end() if lead else 0)
    yield Finding(begin, match.end(), 0.65, source="label")


DETECTORS: Final = (Detector("health", "health", 47, _LABEL, _health),)
