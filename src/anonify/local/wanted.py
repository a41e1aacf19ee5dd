"""What a caller of the local pipeline wants, and what it is told."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal

if TYPE_CHECKING:
    from anonify.export import ExportOptions

__all__ = ["NOBODY", "Result", "Told", "Wanted", "chosen_methods"]


class Told:
    """Hears how far a document is.  Nobody listens here; who wants to know overrides."""

    def reading(self, done: int, total: int) -> None:
        """So many pages' pictures have been read."""

    def documents(self, what: str, done: int, total: int) -> None:
        """So many of the documents inside have been `read`, or `redacted`.  Called from several threads."""


NOBODY: Final = Told()


def chosen_methods(method: str, single: Mapping[str, str]) -> dict[str, str]:
    """Method by category, in the order of the categories; what is masked anyway is not in it.

    Args:
        method: for every category; those that may not have it are masked when the document is exported.
        single: methods of single categories, which may have them.

    Raises:
        ValueError: with a sentence.
    """
    from anonify.detection import CATEGORIES
    from anonify.export import METHODS, methods_of

    if method not in METHODS:
        raise ValueError(f"There is no such method. Known: {', '.join(METHODS)}.")
    if set(single) - set(CATEGORIES):
        raise ValueError(f"There is no such category. Known: {', '.join(CATEGORIES)}.")
    for category, own in single.items():
        if own not in METHODS:
            raise ValueError(f"There is no such method. Known: {', '.join(METHODS)}.")
        if own not in methods_of(category):
            raise ValueError(f"{category} cannot be given the method {own}, only {' or '.join(methods_of(category))}.")
    chosen = {category: single.get(category, method) for category in CATEGORIES}
    return {category: one for category, one in chosen.items() if one != "mask"}


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to do with a document.

    Attributes:
        values: texts to remove, every occurrence.
        patterns: regular expressions (RE2) to remove.
        keep: texts that are not to be suggested; what `values` or `patterns` match of them is removed all the same.
        accept: which suggestions are accepted besides: `none`, `high` (certain: confidence 0.85 and more) or `all`.
        categories: of those, only suggestions of these categories; empty means every one.
        preset: what to look for.
        keep_metadata: leave author, title and the like where they hold no accepted value.
        labels: `[PERSON]` instead of `[REDACTED]`.
        image_style: how rectangles without text are painted.
        methods: method by category, from :func:`chosen_methods`; other categories are masked.
        together: the same value has the same surrogate in everything one state redacts so.
    """

    values: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()
    accept: Literal["none", "high", "all"] = "none"
    categories: frozenset[str] = frozenset()
    preset: str = "everything"
    keep_metadata: bool = False
    labels: bool = False
    image_style: Literal["solid", "blur", "pixelate"] = "solid"
    methods: Mapping[str, str] = field(default_factory=dict)
    together: bool = False

    @property
    def vaulted(self) -> bool:
        """Whether a vault may come of it."""
        from anonify.export.methods import VAULTED, resolve_method

        return any(resolve_method(method, category) in VAULTED for category, method in self.methods.items())

    def check(self) -> None:
        """Refuse wishes that cannot be fulfilled, before any work begins.

        Raises:
            ValueError: with a sentence that quotes no value.
        """
        from anonify.detection import CATEGORIES, PRESETS, RuleSpec, compile_rules

        if self.preset not in PRESETS:
            raise ValueError(f"There is no such preset. Known: {', '.join(PRESETS)}.")
        if self.accept not in ("none", "high", "all"):
            raise ValueError("What to accept is none, high or all.")
        if self.categories - set(CATEGORIES):
            raise ValueError(f"There is no such category. Known: {', '.join(CATEGORIES)}.")
        named: list[tuple[Literal["literal", "regex"], str]] = [("literal", value) for value in self.values]
        named += [("regex", pattern) for pattern in self.patterns]
        named += [("literal", value) for value in self.keep]
        specs = [RuleSpec(str(number), kind, pattern) for number, (kind, pattern) in enumerate(named, 1)]
        with contextlib.suppress(ValueError):
            compile_rules(specs)
            return
        for spec in specs:  # one by one, which is slow, to say which it is
            try:
                compile_rules([spec])
            except ValueError as error:
                raise ValueError(f"Number {spec.id} of what is to be removed or kept cannot be used: {error}") from None

    def options(self) -> ExportOptions:
        """The export's options."""
        from anonify.export import ExportOptions

        return ExportOptions(
            keep_metadata=self.keep_metadata,
            labels=self.labels,
            image_style=self.image_style,
            methods=self.methods,
            together=self.together,
        )


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one input.

    Attributes:
        input: path of the input, as given; of a document inside it `PATH!PART`, and so on inwards.
        kind: its format, or None when it was not recognised.
        status: `ready`, `expanded` or `failed`.
        error_code: why it failed (see docs/failures.md), or None.
        error: that code's sentence.
        retryable: whether trying again may help.
        pages: number of pages.
        suggestions: how many places analysis suggested.
        undecided: how many of the suggested places nobody decided about; they are still in the output.
        accepted: how many places were accepted for removal.
        verified_values: distinct values that two readers looked for in the output and did not find.
        output: path of the redacted file, or None.
        report: path of the report, or None.
        vault: path of the vault, or None when no value of the output can be had back.
        checksum: SHA-256 of the output, in hex.
        degraded: reasons why the analysis fell short.
        children: results of the documents inside.  The counts of places (`suggestions`, `undecided`, `accepted`,
            `removed`) include theirs, and the pages of a container are theirs.
        name: what a document inside is called there; None for an input.
        seconds: wall time; 0 for a document inside.
        removed: accepted places by category; a whole column of a table as `CATEGORY column`.
        methods: distinct values by what became of them, when not all were masked; in those of a container, the values
            of everything in it that were not.
    """

    input: str
    kind: str | None = None
    status: Literal["ready", "expanded", "failed"] = "failed"
    error_code: str | None = None
    error: str | None = None
    retryable: bool = False
    pages: int | None = None
    suggestions: int = 0
    undecided: int = 0
    accepted: int = 0
    verified_values: int = 0
    output: str | None = None
    report: str | None = None
    vault: str | None = None
    checksum: str | None = None
    degraded: tuple[str, ...] = ()
    children: tuple[Result, ...] = ()
    seconds: float = 0.0
    removed: dict[str, int] | None = None
    name: str | None = None
    methods: dict[str, int] | None = None

    def each(self) -> Iterator[Result]:
        """This one and every one inside."""
        yield self
        for child in self.children:
            yield from child.each()

    def as_json(self) -> dict[str, Any]:
        """The line that `anonify redact --json` prints."""
        return {
            "input": self.input,
            **({} if self.name is None else {"name": self.name}),
            "kind": self.kind,
            "status": self.status,
            "errorCode": self.error_code,
            "error": self.error,
            "retryable": self.retryable,
            "pages": self.pages,
            "suggestions": self.suggestions,
            "accepted": self.accepted,
            "verifiedValues": self.verified_values,
            "output": self.output,
            "report": self.report,
            "vault": self.vault,
            "checksum": self.checksum,
            "degraded": list(self.degraded),
            "children": [child.as_json() for child in self.children],
            "seconds": round(self.seconds, 3),
        }
