"""The workbook part: names, paths of whoever saved it, and when formulas are computed again."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from anonify.documents.ooxml.edits import Address, PreciseEdit, Rewriter
from anonify.documents.ooxml.part import sweep_part
from anonify.documents.ooxml.sweep import Sweeper
from anonify.documents.ooxml.xml import Change

__all__ = ["main_changes"]

_PATH: Final = re.compile(
    r"<mc:AlternateContent\b[^<>]*>\s*<mc:Choice\b[^<>]*>\s*<x15ac:absPath\b[^<>]*/>\s*</mc:Choice>\s*</mc:AlternateContent>"
)
_REVISION: Final = re.compile(r"<xr:revisionPtr\b[^<>]*/>")
_SAVER: Final = re.compile(r"<(?:\w+:)?fileSharing\b[^<>]*?\suserName\s*=\s*\"([^\"]*)\"")
_CALCULATE: Final = re.compile(r"<((?:\w+:)?)calcPr\b([^<>]*?)(/?)>")
_FULL: Final = re.compile(r"\sfullCalcOnLoad\s*=\s*\"[^\"]*\"")
_BEFORE: Final = re.compile(r"</(?:\w+:)?definedNames>|</(?:\w+:)?externalReferences>|</((?:\w+:)?)sheets>")


def main_changes(
    text: str,
    sweeper: Sweeper,
    renames: Rewriter,
    edits: Mapping[Address, list[PreciseEdit]],
    *,
    keep_metadata: bool,
    stale: bool,
) -> tuple[list[Change], list[Change], int]:
    """The changes to the workbook part for values, the others, and how many precise edits are among the first.

    Args:
        text: the part.
        stale: whether formulas have lost their results.
    """
    changes, edited = sweep_part(text, sweeper, edits, rewriter=renames)
    others: list[Change] = []
    if not keep_metadata:
        for pattern in (_PATH, _REVISION):
            others += [Change(match.start(), match.end(), "") for match in pattern.finditer(text)]
        others += [Change(*match.span(1), "") for match in _SAVER.finditer(text) if match[1]]
    if stale:
        others += _calculate(text)
    return changes, others, edited


def _calculate(text: str) -> list[Change]:
    """Have every formula computed when the workbook is opened (18.2.2)."""
    match = _CALCULATE.search(text)
    if match:
        full = _FULL.search(text, match.start(), match.end())
        if full:
            return [Change(full.start(), full.end(), ' fullCalcOnLoad="1"')]
        return [Change(match.end(2), match.end(2), ' fullCalcOnLoad="1"')]
    ends = list(_BEFORE.finditer(text))
    if not ends:
        return []
    prefix = next((end[1] for end in ends if end[1]), "")
    return [Change(ends[-1].end(), ends[-1].end(), f'<{prefix}calcPr fullCalcOnLoad="1"/>')]
