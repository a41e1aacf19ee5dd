"""Detections as people and programs are shown them: counts with reasons, and JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, Final

import msgspec

from anonify.detection import CERTAINTIES, Detection, certainty, explain, filled
from anonify.documents import Page, Sheet, page_spans
from anonify.export import span_boxes

__all__ = ["MOST_REASONS", "counted", "detection_json", "place_json", "reasons", "sheet_json"]

MOST_REASONS: Final = 8
"""Reasons shown for a file: the table of many files stays one a person reads."""


def counted(detections: Iterable[Detection]) -> str:
    """How many of each category, the commonest first."""
    counts = Counter(detection.category for detection in detections)
    return ", ".join(f"{count} {name}" for name, count in counts.most_common()) or "nothing found"


def reasons(detections: Iterable[Detection]) -> str:
    """The commonest reasons, a line each, with how often and how sure; the values stay out of a terminal."""
    counts = Counter((_explained(one, paged=False), certainty(one.confidence)) for one in detections)
    ordered = sorted(counts.items(), key=lambda item: (-item[1], CERTAINTIES.index(item[0][1]), item[0][0]))
    lines = [f"{count} {words} ({sure})" for (words, sure), count in ordered[:MOST_REASONS]]
    left = sum(count for _, count in ordered[MOST_REASONS:])
    return "\n".join([*lines, f"{left} for other reasons, see --json"] if left else lines)


def _explained(one: Detection, *, paged: bool = True) -> str:
    """Why, in words; not `paged`: without the page of the place that it is the same as."""
    reason = one.reason if paged or one.source != "expanded" else ""
    return explain(reason, one.detector, one.category, column=one.is_column)


def _reasoned(one: Detection) -> dict[str, Any]:
    return {
        "confidence": round(one.confidence, 4),
        "certainty": certainty(one.confidence),
        "detector": one.detector,
        "reason": filled(one.reason, one.detector),
        "explanation": _explained(one),
    }


def sheet_json(sheet: Sheet) -> dict[str, Any]:
    """A sheet without its cells."""
    return {
        "name": sheet.name,
        "rows": sheet.rows,
        "columns": sheet.columns,
        "header": list(sheet.header),
        "headerRow": sheet.header_row,
        "hidden": sheet.hidden,
    }


def detection_json(detection: Detection, page: Page | None) -> dict[str, Any]:
    """A detection of a document; with the box around it on pages that are drawn."""
    shown: dict[str, Any] = {
        "page": detection.page,
        "start": detection.start,
        "end": detection.end,
        "text": detection.text,
        "category": detection.category,
        "source": detection.source,
        **_reasoned(detection),
    }
    if detection.person:
        shown["person"] = detection.person
    if detection.box is not None:
        shown["box"] = list(msgspec.structs.astuple(detection.box))
    elif page is not None and page.width is not None:
        boxes = [
            box
            for span in page_spans(page)
            if span.start < detection.end and span.end > detection.start
            for box in span_boxes(
                span, max(detection.start, span.start) - span.start, min(detection.end, span.end) - span.start
            )
        ]
        if boxes:
            shown["box"] = [
                min(box.x0 for box in boxes),
                min(box.y0 for box in boxes),
                max(box.x1 for box in boxes),
                max(box.y1 for box in boxes),
            ]
    place = {"worksheet": detection.sheet, "row": detection.row, "column": detection.column}
    return shown | {name: value for name, value in place.items() if value is not None}


def place_json(detections: Iterable[Detection]) -> list[dict[str, Any]]:
    """Detections of a plain text: where they are, what, and why."""
    return [
        {
            "start": one.start,
            "end": one.end,
            "category": one.category,
            **_reasoned(one),
        }
        for one in detections
    ]
