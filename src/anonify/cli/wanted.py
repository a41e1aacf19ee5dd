"""From flags to wishes, checked before any work begins."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final, Literal

from anonify.local import Wanted

__all__ = ["WantedProblem", "check_preset", "make_wanted", "read_values"]

MAX_VALUES_FILE: Final = 16 << 20


class WantedProblem(Exception):
    """A flag's value cannot be used; the text is for the person who typed it and quotes no value."""


def make_wanted(
    *,
    values: Sequence[str],
    values_file: Path | None,
    patterns: Sequence[str],
    accept: Literal["none", "high", "all"],
    category: str | None,
    preset: str,
    keep_metadata: bool,
    labels: bool,
) -> Wanted:
    """The wishes that the flags of `anonify redact` express.

    Raises:
        WantedProblem: with the sentence to show.
    """
    check_preset(preset)
    named = [*values, *(read_values(values_file) if values_file is not None else ())]
    distinct = tuple(dict.fromkeys(value.strip() for value in named if value.strip()))
    _check_rules(distinct, "literal")
    _check_rules(patterns, "regex")
    categories = frozenset(part.strip() for part in (category or "").split(",") if part.strip())
    _check_categories(categories, accept)
    return Wanted(
        values=distinct,
        patterns=tuple(dict.fromkeys(patterns)),
        accept=accept,
        categories=categories,
        preset=preset,
        keep_metadata=keep_metadata,
        labels=labels,
    )


def check_preset(preset: str) -> None:
    """Refuse an unknown preset.

    Raises:
        WantedProblem: with the known ones.
    """
    from anonify.detection import PRESETS

    if preset not in PRESETS:
        raise WantedProblem(f"There is no such preset. Known: {', '.join(PRESETS)}.")


def read_values(path: Path) -> tuple[str, ...]:
    """The lines of a UTF-8 file, without blank ones.

    Raises:
        WantedProblem: the file cannot be read or is not UTF-8.
    """
    try:
        with path.open("rb") as file:
            raw = file.read(MAX_VALUES_FILE + 1)
    except OSError as error:
        raise WantedProblem(f"The file of values cannot be read: {error.strerror}.") from None
    if len(raw) > MAX_VALUES_FILE:
        raise WantedProblem("The file of values is longer than 16 MiB.")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise WantedProblem("The file of values is not UTF-8.") from None
    return tuple(line.strip() for line in text.splitlines() if line.strip())


def _check_categories(categories: Iterable[str], accept: str) -> None:
    from anonify.detection import CATEGORIES

    if set(categories) - set(CATEGORIES):
        raise WantedProblem(f"There is no such category. Known: {', '.join(CATEGORIES)}.")
    if categories and accept == "none":
        raise WantedProblem("--category narrows what --accept takes; add --accept high or --accept all.")


def _check_rules(patterns: Sequence[str], kind: Literal["literal", "regex"]) -> None:
    from anonify.detection import RuleSpec, compile_rules

    for number, pattern in enumerate(patterns, 1):
        try:
            compile_rules([RuleSpec(str(number), kind, pattern)])
        except ValueError as error:
            what = "Text" if kind == "literal" else "Pattern"
            raise WantedProblem(f"{what} {number} of those to remove cannot be used: {error}") from None
