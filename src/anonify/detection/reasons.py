"""Why something is suggested, as data: a reason is an id and at most one short argument, `check-digit`, `follows:Dear`.

The argument is a word of the document that is not sensitive (a label), a region's code or a page's number; never the
value.  One function, :func:`explain`, makes an English sentence fragment of it: `card number: passes its check digit`.
"""

from __future__ import annotations

import re
from typing import Final, Literal

from .kinds import CATEGORY_NOUNS, REGIONS, Kind, kind_of

__all__ = [
    "ARGUMENT",
    "CERTAIN",
    "CERTAINTIES",
    "LIKELY",
    "REASONS",
    "REASON_LENGTH",
    "Certainty",
    "certainty",
    "expanded",
    "explain",
    "filled",
    "follows",
    "reason",
]

ARGUMENT: Final = 40
"""Characters an argument has at most: longer text before a value is no label."""

REASON_LENGTH: Final = 64
"""Characters a reason has at most; the column that stores it is as wide."""

REASONS: Final = {
    "form": "",
    "form-only": "written in its form",
    "check-digit": "passes its check digit",
    "check-digits": "passes its check digits",
    "valid-in": "valid in {}",
    "valid-number": "valid with its country's prefix",
    "phone-form": "written like one",
    "follows": 'follows "{}"',
    "labelled": "a label stands before it",
    "names-model": "found by the names model",
    "context-model": "found by the language model",
    "above-address": "stands above an address",
    "before-mailbox": "stands before an e-mail address",
    "chat": "writes a message in a chat",
    "street-and-place": "street, number and postcode stand together",
    "street": "a street and its number",
    "secret-form": "has the form its provider gives it",
    "in-link": "the link lets in whoever has it",
    "per-period": "an amount for a month or a year",
    "table-header": "the header of its table column says so",
    "header": 'its header says "{}"',
    "cells": "most of its cells are such values",
    "picture": "found by the face detector",
    "vision-model": "seen by the language model",
    "plate": "a number plate, seen by the language model",
    "screen": "a screen, seen by the language model",
    "same": "same as a value found on page {}",
    "same-anywhere": "same as a value found elsewhere",
    "form-of": "another form of a name found on page {}",
    "form-of-several": "may be short for any of {} names found",
    "detector": "a detector recognised it",
    "rule": "matches a rule",
}
"""Every reason: its id, and what is said after the thing's name; `{}` is where the argument goes."""

_BARE: Final = {
    "follows": "labelled",
    "valid-in": "valid-number",
    "header": "table-header",
    "same": "same-anywhere",
    "form-of": "same-anywhere",
    "form-of-several": "same-anywhere",
}
"""What is said of a reason that lost its argument."""

_EDGES: Final = " \t\r\n\u00a0:=>-,;!?|\"'\u201c\u201d\u201e\u2018\u2019`[]{}()*#"
_CUT: Final = re.compile(r"[(:\uff1a=&\n\r<]")
_LABEL: Final = re.compile(r"[\w .,'\u2019/#°º&+-]+")


def reason(what: str, argument: str | int = "") -> str:
    """The reason `what` with its argument.

    Raises:
        ValueError: there is no such reason, or it takes an argument and has none, or the other way round.
    """
    if what not in REASONS or ("{}" in REASONS[what]) != (argument != ""):
        raise ValueError("no such reason")
    return f"{what}:{argument}"[:REASON_LENGTH] if argument != "" else what


def follows(label: str, value: str, what: str = "follows") -> str:
    """The reason that `value` stands behind (or below, for `what="header"`) `label`, as the document writes it.

    What is too long to be a label, is no words, or holds some of the value is left out.
    """
    shown = " ".join(_CUT.split(label.lstrip(_EDGES), maxsplit=1)[0].strip(_EDGES).split())
    known = value.casefold().split()
    inside = any(part in shown.casefold() for part in known if len(part) > 2)
    if not shown or len(shown) > ARGUMENT or inside or not _LABEL.fullmatch(shown):
        return reason(_BARE[what])
    return reason(what, shown)


def filled(given: str, detector: str) -> str:
    """`given`, or why `detector` suggests anything when it says nothing more."""
    return given or kind_of(detector).reason


def expanded(page: int, *, form: bool = False) -> str:
    """The reason of a further occurrence of a value that stands on `page`; `form`: written in another form."""
    return reason("form-of" if form else "same", page)


def explain(given: str, detector: str, category: str, *, column: bool = False) -> str:
    """A reason in English, without a capital or a full stop.

    Args:
        given: as :func:`reason` made it; empty for the detector's own.
        detector: the suggestion's detector.
        category: its category.
        column: whether it stands for a whole column.
    """
    kind = kind_of(detector)
    what, _, argument = filled(given, detector).partition(":")
    text = REASONS.get(what, REASONS["detector"])
    if what == "valid-in":
        argument = REGIONS.get(argument, "")
    if "{}" in text:
        text = text.replace("{}", argument) if argument else REASONS[_BARE[what]]
    subject = "whole column" if column else _subject(kind, category)
    return f"{subject}: {text}" if text else subject


def _subject(kind: Kind, category: str) -> str:
    """What it is: as its detector calls it, unless a person has put it into another category."""
    noun = CATEGORY_NOUNS.get(category, CATEGORY_NOUNS["other"])
    return kind.noun if kind.noun and kind.category in ("", category) else noun


# How sure

Certainty = Literal["certain", "likely", "possible"]

CERTAINTIES: Final[tuple[Certainty, ...]] = ("certain", "likely", "possible")
"""Words for confidence, surest first."""

CERTAIN: Final = 0.85
"""Confidence from which a suggestion is called certain; what `accept="high"` takes."""

LIKELY: Final = 0.65
"""Confidence from which it is called likely; below it is possible."""


def certainty(confidence: float) -> Certainty:
    """`confidence` in a word."""
    if confidence >= CERTAIN:
        return "certain"
    return "likely" if confidence >= LIKELY else "possible"
