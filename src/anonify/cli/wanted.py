"""From flags to wishes, checked before any work begins."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final, Literal

from anonify.local.wanted import Wanted, chosen_methods

__all__ = ["WantedProblem", "check_preset", "make_wanted", "read_values"]

MAX_VALUES_FILE: Final = 16 << 20


class WantedProblem(Exception):
    """A flag's value cannot be used; the text is for the person who typed it and quotes no value."""


def make_wanted(
    *,
    values: Sequence[str],
    values_file: Path | None,
    patterns: Sequence[str],
    keep: Sequence[str],
    accept: Literal["none", "high", "all"],
    category: str | None,
    preset: str,
    method: str,
    method_for: Sequence[str],
    image_style: Literal["solid", "blur", "pixelate"],
    keep_metadata: bool,
    labels: bool,
) -> Wanted:
    """The wishes that the flags of `anonify redact` express.

    Raises:
        WantedProblem: with the sentence to show.
    """
    if not all(value.strip() for value in values):
        raise WantedProblem("A --redact without text names nothing to remove.")
    if not all(value.strip() for value in keep):
        raise WantedProblem("A --keep without text names nothing to keep.")
    named = [*values, *(read_values(values_file) if values_file is not None else ())]
    categories = frozenset(part.strip() for part in (category or "").split(",") if part.strip())
    single = _single_methods(method_for)
    try:
        methods = chosen_methods(method, single)
    except ValueError as error:
        raise WantedProblem(f"--method-for: {error}") from None
    wanted = Wanted(
        values=tuple(dict.fromkeys(value.strip() for value in named if value.strip())),
        patterns=tuple(dict.fromkeys(patterns)),
        keep=tuple(dict.fromkeys(value.strip() for value in keep)),
        accept=accept,
        categories=categories,
        preset=preset,
        keep_metadata=keep_metadata,
        labels=labels,
        image_style=image_style,
        methods=methods,
    )
    try:
        wanted.check()
    except ValueError as error:
        raise WantedProblem(str(error)) from None
    if categories and accept == "none":
        raise WantedProblem("--category narrows what --accept takes; add --accept high or --accept all.")
    return wanted


def _single_methods(pairs: Sequence[str]) -> dict[str, str]:
    """What `--method-for` says of each category; the last word counts."""
    if not all("=" in pair for pair in pairs):
        raise WantedProblem("--method-for is CAT=METHOD, as in person=tokenize.")
    named = (pair.partition("=") for pair in pairs)
    return {category.strip(): method.strip() for category, _, method in named}


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
        WantedProblem: the file cannot be read, is not UTF-8 or holds no value.
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
    lines = tuple(line.strip() for line in text.splitlines() if line.strip())
    if not lines:
        raise WantedProblem("The file of values holds none.")
    return lines
