"""What the patterns alone reach on the labelled text, category by category, over every corpus; and the look-alikes."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

import pytest

from anonify.detection.detectors import Passage
from anonify.detection.engine import Engine
from anonify.detection.hints import guess
from anonify.detection.presets import categories_of
from tests.shared import SHARED

# folder → category → (share of values wholly covered, share of findings that touch a label)
FLOORS: Final[dict[str, dict[str, tuple[float, float]]]] = {
    ".": {
        "email": (0.99, 0.99),
        "phone": (0.98, 0.98),
        "bank-account": (0.99, 0.99),
        "financial": (0.98, 0.98),
        "government-id": (0.98, 0.98),
        "date-of-birth": (0.99, 0.99),
        "customer-id": (0.98, 0.98),
        "api-key": (0.98, 0.98),
        "url": (0.98, 0.98),
        "address": (0.87, 0.98),
    },
    "more": {
        "email": (0.99, 0.99),
        "phone": (0.98, 0.98),
        "bank-account": (0.99, 0.99),
        "financial": (0.98, 0.98),
        "government-id": (0.97, 0.98),
        "date-of-birth": (0.98, 0.99),
        "customer-id": (0.97, 0.98),
        "api-key": (0.94, 0.98),
        "url": (0.98, 0.98),
        "address": (0.95, 0.97),
        "other": (0.97, 0.97),
    },
}


def documents(folder: str) -> Iterator[dict[str, Any]]:
    root = SHARED / "corpora" / "detection" / folder if SHARED else None
    if root is None or not root.exists():
        pytest.skip("the labelled corpora are not on this machine (ANONIFY_SHARED)")
    for file in sorted(root.glob("*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            yield json.loads(line)


def touches(start: int, end: int, spans: list[dict[str, Any]]) -> bool:
    return any(start < span["end"] and span["start"] < end for span in spans)


@pytest.mark.parametrize("folder", FLOORS)
def test_floors(folder: str) -> None:
    engine = Engine.looking_for(categories_of("everything"))
    labels, hits, proposed, right = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    traps = flagged = 0
    for document in documents(folder):
        text, scored = document["text"], set(document.get("scored") or ())
        found = engine.scan(Passage(text, guess(text)))
        for span in document["spans"]:
            left = {at for at in range(span["start"], span["end"]) if not text[at].isspace()}
            for finding in found:
                left.difference_update(range(finding.start, finding.end))
            labels[span["category"]] += 1
            hits[span["category"]] += not left
        for finding in found:
            good = touches(finding.start, finding.end, document["spans"])
            excused = touches(finding.start, finding.end, document.get("ignore", []))
            if good or not (excused or (scored and finding.category not in scored)):
                proposed[finding.category] += 1
                right[finding.category] += good
                flagged += not good and touches(finding.start, finding.end, document.get("negatives", []))
        traps += len(document.get("negatives", []))
    for category, (recall, precision) in FLOORS[folder].items():
        assert hits[category] >= recall * labels[category], (category, hits[category] / labels[category])
        assert right[category] >= precision * proposed[category], (category, right[category] / proposed[category])
    assert flagged <= 0.01 * traps
