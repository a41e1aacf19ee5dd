"""The report that goes with an artifact: counts, never content.

Its JSON schema is `docs/report.schema.json`.  The same source and decisions give the same bytes, so it holds no time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any, Final, Literal

import msgspec

from anonify.detection import CATEGORIES, DEGRADED, PRESETS, detector_names
from anonify.documents import Extraction, Matcher, Named, RedactionPlan, RedactionResult, reported_words
from anonify.errors import FAILURES

from .decisions import Decision
from .methods import METHODS
from .surrogates import MASKS, Surrogates

__all__ = [
    "Applied",
    "Check",
    "Enclosure",
    "FileFacts",
    "HiddenCount",
    "Ledger",
    "LookedFor",
    "Report",
    "Resolved",
    "ReviewFacts",
    "Software",
    "foreign_texts",
    "make_report",
    "own_words",
    "quotes_value",
    "report_bytes",
    "report_schema",
]


class Software(msgspec.Struct, frozen=True, rename="camel"):
    """What made the artifact."""

    version: str
    name: str = "anonify"


class FileFacts(msgspec.Struct, frozen=True, rename="camel"):
    """A file's length in bytes and its SHA-256 in hex."""

    sha256: str
    size: int


class HiddenCount(msgspec.Struct, frozen=True, rename="camel"):
    """How much content of one kind a viewer does not show the source held."""

    kind: str
    count: int


class LookedFor(msgspec.Struct, frozen=True, rename="camel"):
    """What the analysis was told to look for, and what it could not do."""

    preset: str
    detectors: dict[str, int]
    degraded: tuple[str, ...]


class Ledger(msgspec.Struct, frozen=True, rename="camel"):
    """How many decisions were made, by kind of decision."""

    accepted: int
    rejected: int
    undecided: int
    by_origin: dict[str, int]


class Applied(msgspec.Struct, frozen=True, rename="camel"):
    """How the accepted decisions were carried out.

    Attributes:
        values: distinct values removed everywhere and searched for afterwards.
        by_style: `text`, `box`, `cell`, `row`, `column`, `region`, and `swept` for occurrences nobody pointed at.
        rebuilt_pages: pages made anew from pixels.
    """

    values: int
    by_category: dict[str, int]
    by_method: dict[str, int]
    by_style: dict[str, int]
    rebuilt_pages: int


class Resolved(msgspec.Struct, frozen=True, rename="camel"):
    """Decisions whose method was not available and became another."""

    asked: str
    became: str
    count: int


class Enclosure(msgspec.Struct, frozen=True, rename="camel"):
    """Documents inside this one, by what became of them.

    Attributes:
        disposition: `substituted` by a verified artifact of their own, or `removed`.
        reason: why they were removed: a failure code, or `not-ready`; empty for the others.
        count: how many.
    """

    disposition: Literal["substituted", "removed"]
    reason: str
    count: int


class Check(msgspec.Struct, frozen=True, rename="camel"):
    """One check of the artifact.  All of them held, or there would be no report.

    Attributes:
        name: `opens`, `no-survivor`, `nothing-seen`, or the structure check's name.
        reader: which reader looked: `own` or `independent` of the code that wrote the artifact, or `ocr`.
        pieces: stretches of text searched, for `no-survivor`; pages read, for `nothing-seen`.
    """

    name: str
    reader: Literal["own", "independent", "ocr"]
    pieces: int = 0


class ReviewFacts(msgspec.Struct, frozen=True):
    """What only the record of the review knows.

    Attributes:
        preset: the preset the document was analysed with.
        detectors: suggestions by detector.
        rejected: suggestions turned down.
        undecided: suggestions nobody decided; they are still in the artifact.
        degraded: reasons why an analysis fell short.
    """

    preset: str = "everything"
    detectors: dict[str, int] = {}
    rejected: int = 0
    undecided: int = 0
    degraded: tuple[str, ...] = ()


class Report(msgspec.Struct, frozen=True, rename="camel"):
    """The whole report."""

    format: Literal["anonify-report"]
    format_version: Literal[1]
    software: Software
    kind: str
    pages: int
    source: FileFacts
    artifact: FileFacts
    looked_for: LookedFor
    decisions: Ledger
    applied: Applied
    resolved: tuple[Resolved, ...]
    hidden: tuple[HiddenCount, ...]
    enclosures: tuple[Enclosure, ...]
    named: tuple[Named, ...]
    metadata_kept: bool
    checks: tuple[Check, ...]
    notes: tuple[str, ...]


def make_report(
    *,
    version: str,
    kind: str,
    source: FileFacts,
    artifact: FileFacts,
    decisions: Sequence[Decision],
    extraction: Extraction,
    plan: RedactionPlan,
    result: RedactionResult,
    checks: Sequence[Check],
    facts: ReviewFacts,
    surrogates: Surrogates = MASKS,
) -> Report:
    """Put the report together."""
    methods = Counter((surrogates.asked(one), surrogates.carried_out(one)) for one in decisions)
    return Report(
        format="anonify-report",
        format_version=1,
        software=Software(version),
        kind=kind,
        pages=extraction.pages,
        source=source,
        artifact=artifact,
        looked_for=LookedFor(facts.preset, _sorted(facts.detectors), tuple(sorted(facts.degraded))),
        decisions=Ledger(
            len(decisions), facts.rejected, facts.undecided, _sorted(Counter(one.origin for one in decisions))
        ),
        applied=Applied(
            values=len(plan.sweep),
            by_category=_sorted(Counter(one.category for one in decisions)),
            by_method=_sorted(Counter(surrogates.carried_out(one) for one in decisions)),
            by_style=_styles(plan, result),
            rebuilt_pages=len(result.rebuilt_pages),
        ),
        resolved=tuple(
            Resolved(asked, carried, methods[asked, carried])
            for asked in METHODS
            for carried in METHODS
            if asked != carried and methods[asked, carried]
        ),
        hidden=tuple(HiddenCount(one.kind, one.count) for one in extraction.hidden),
        enclosures=_enclosures(plan),
        named=result.named,
        metadata_kept=plan.keep_metadata,
        checks=tuple(checks),
        notes=extraction.notes,
    )


def _sorted(counts: dict[str, int]) -> dict[str, int]:
    return {name: counts[name] for name in sorted(counts)}


def _enclosures(plan: RedactionPlan) -> tuple[Enclosure, ...]:
    counts = Counter((part.disposition, part.reason) for part in plan.parts)
    return tuple(Enclosure(*kind, counts[kind]) for kind in sorted(counts, reverse=True))


def _styles(plan: RedactionPlan, result: RedactionResult) -> dict[str, int]:
    styles: Counter[str] = Counter()
    for edit in plan.edits:
        styles["box" if edit.boxes else "text"] += 1
    for cell in plan.cells:
        styles["column" if cell.row is None else "row" if cell.column is None else "cell"] += 1
    styles["region"] += len(plan.regions)
    styles["swept"] += result.swept
    return _sorted({name: count for name, count in styles.items() if count})


def report_bytes(report: Report) -> bytes:
    """The report as indented UTF-8 JSON."""
    return msgspec.json.format(msgspec.json.encode(report), indent=2) + b"\n"


def report_schema() -> dict[str, Any]:
    """JSON Schema (2020-12) of the report."""
    schema = msgspec.json.schema(Report)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "anonify report",
        **schema,
    }


STYLES: Final = ("text", "box", "cell", "row", "column", "region", "swept")
ORIGINS: Final = ("detection", "person", "rule")
_OWN: Final = frozenset(
    (
        *("anonify", "anonify-report", "own", "independent", "ocr", "opens", "no-survivor", "nothing-seen", "rule"),
        *("removed", "redacted", "carried-through", "emptied", "substituted", "not-ready"),
        *FAILURES,
        *METHODS,
        *ORIGINS,
        *STYLES,
    )
)


@cache
def _constants() -> frozenset[str]:
    return frozenset((*_OWN, *CATEGORIES, *PRESETS, *DEGRADED, *detector_names()))


def own_words() -> frozenset[str]:
    """Every fixed identifier a report may hold: the parts that write them declare them.

    Somebody may accept the value `comments`; that a report uses the word quotes nobody.
    """
    return _constants() | reported_words()


def foreign_texts(report: Report) -> set[str]:
    """The texts of a report that nobody has declared, its checksums and numbers aside."""
    own = {*own_words(), report.source.sha256, report.artifact.sha256, report.software.version}
    return {text for text in _texts(msgspec.to_builtins(report)) if text not in own}


def quotes_value(report: Report, values: Sequence[str]) -> bool:
    """Whether a text of the report, other than its own words, its checksums and numbers, holds one of `values`."""
    matcher = Matcher(values)
    return any(matcher.found(text) for text in foreign_texts(report))


def _texts(item: Any) -> Iterator[str]:
    """Every string in the report, except the fixed names of its fields."""
    if isinstance(item, str):
        yield item
    elif isinstance(item, dict):
        for name, part in item.items():
            if name not in _FIELDS:
                yield str(name)
            yield from _texts(part)
    elif isinstance(item, Iterable):
        for part in item:
            yield from _texts(part)


def _field_names(struct: type[msgspec.Struct]) -> Iterator[str]:
    for field in msgspec.structs.fields(struct):
        yield field.encode_name


_FIELDS: Final = frozenset(
    name
    for struct in (
        Report,
        Software,
        FileFacts,
        HiddenCount,
        LookedFor,
        Ledger,
        Applied,
        Resolved,
        Enclosure,
        Check,
        Named,
    )
    for name in _field_names(struct)
)
