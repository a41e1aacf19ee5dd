"""What a reviewer may ask to look for.  Data, checked when it is imported."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from .model import CATEGORIES, Category

__all__ = ["DEFAULT_PRESET", "DISCLAIMER", "PRESETS", "Preset", "categories_of", "check_preset"]

DISCLAIMER: Final = "A preset changes what is looked for, not what you are responsible for."
"""Shown wherever a preset is chosen or named."""

DEFAULT_PRESET: Final = "everything"


@dataclass(frozen=True, slots=True)
class Preset:
    """A named choice of categories.

    Attributes:
        id: stable name in the API and on the command line.
        label: for people.
        text: one sentence: what is looked for.
        categories: what may be suggested; everything else is dropped, whoever proposes it.
    """

    id: str
    label: str
    text: str
    categories: frozenset[Category]


_FORBIDDEN: Final = [
    "gdpr",
    "dsgvo",
    "rgpd",
    "avg",
    "lgpd",
    "ccpa",
    "cpra",
    "hipaa",
    "phi",
    "pci",
    "pci-dss",
    "foia",
    "foi",
    "ferpa",
    "glba",
    "sox",
    "pipeda",
    "popia",
    "pdpa",
    "appi",
    "dpdp",
    "iso",
    "nist",
    "fedramp",
    "soc",
    "compliance",
    "compliant",
    "comply",
    "complies",
    "conform",
    "conforms",
    "conformant",
    "certified",
    "certification",
    "regulation",
    "regulations",
    "regulatory",
    "legal",
    "legally",
    "lawful",
    "law",
    "act",
    "directive",
    "anonymised",
    "anonymized",
    "anonymous",
    "anonymisation",
    "anonymization",
    "safe",
    "harbor",
    "harbour",
]


def check_preset(preset: Preset) -> None:
    """Refuse a preset that promises more than a search.

    Raises:
        ValueError: its id, label or text names a regulation or claims compliance, or its categories are unknown.
    """
    words = f"{preset.id} {preset.label} {preset.text}".lower()
    for mark in "-_/.,;:()":
        words = words.replace(mark, " ")
    named = set(words.split()) & set(_FORBIDDEN)
    if named:
        raise ValueError("a preset names no regulation and claims no compliance")
    if not preset.categories or not preset.categories <= set(CATEGORIES):
        raise ValueError("a preset looks for known categories")


def _presets(*presets: Preset) -> dict[str, Preset]:
    for preset in presets:
        check_preset(preset)
    return {preset.id: preset for preset in presets}


PRESETS: Final = _presets(
    Preset("everything", "Everything", "Every kind of value that can be looked for.", frozenset(CATEGORIES)),
    Preset(
        "names-and-contacts",
        "Names and contacts",
        "People, addresses, telephone numbers and e-mail addresses.",
        frozenset({"person", "address", "phone", "email", "face", "signature"}),
    ),
    Preset(
        "identifiers-and-dates",
        "Identifiers and dates of birth",
        "National identifiers, customer and case references, and dates of birth.",
        frozenset({"government-id", "customer-id", "date-of-birth", "other"}),
    ),
    Preset(
        "payments-and-accounts",
        "Payments and accounts",
        "Payment cards, bank accounts, and amounts tied to a person.",
        frozenset({"bank-account", "financial"}),
    ),
    Preset(
        "credentials",
        "Credentials",
        "Passwords, keys, tokens, and links that carry one.",
        frozenset({"api-key", "url"}),
    ),
)
"""Every preset by its id."""


def categories_of(preset: str) -> frozenset[Category]:
    """What a preset looks for.

    Raises:
        ValueError: there is no such preset.
    """
    if preset not in PRESETS:
        raise ValueError("no such preset")
    return PRESETS[preset].categories
