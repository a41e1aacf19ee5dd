"""Labelled text, when it is there: floors for what patterns can find, with the figures printed."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any, Final

import pytest

from anonify.detection import Detection, detect_text
from tests.shared import SHARED

# corpus → category → (share of values wholly covered, share of detections that touch a label)
FLOORS: Final[dict[str, dict[str, tuple[float, float]]]] = {
    "generated": {
        "email": (0.99, 0.99),
        "phone": (0.95, 0.98),
        "bank-account": (0.98, 0.98),
        "financial": (0.95, 0.98),
        "government-id": (0.95, 0.98),
        "date-of-birth": (0.98, 0.98),
        "customer-id": (0.95, 0.95),
        "api-key": (0.95, 0.95),
        "url": (0.95, 0.95),
        "address": (0.88, 0.95),
        "person": (0.70, 0.97),
    },
    "more/documents": {
        "email": (0.99, 0.99),
        "phone": (0.88, 0.95),
        "bank-account": (0.98, 0.98),
        "financial": (0.95, 0.95),
        "government-id": (0.95, 0.95),
        "date-of-birth": (0.98, 0.98),
        "customer-id": (0.80, 0.85),
        "api-key": (0.95, 0.95),
        "address": (0.83, 0.95),
    },
    "more/identifiers": {"phone": (0.97, 0.98), "bank-account": (0.97, 0.98), "government-id": (0.88, 0.95)},
    "more/secrets": {"api-key": (0.88, 0.95)},
    "more/addresses": {"address": (0.78, 0.95)},
}


def covered(text: str, start: int, end: int, detections: list[Detection]) -> bool:
    left = {i for i in range(start, end) if not text[i].isspace()}
    for detection in detections:
        left.difference_update(range(detection.start, detection.end))
    return not left


def touches(detection: Detection, spans: list[dict[str, Any]]) -> bool:
    return any(detection.start < span["end"] and span["start"] < detection.end for span in spans)


@pytest.mark.parametrize("corpus", FLOORS)
def test_floors(corpus: str, capsys: pytest.CaptureFixture[str]) -> None:
    file = SHARED / "corpora" / "detection" / f"{corpus}.jsonl" if SHARED else None
    if file is None or not file.exists():
        pytest.skip("the labelled corpora are not on this machine (ANONIFY_SHARED)")
    labels, hits, proposed, right = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    for line in file.read_text(encoding="utf-8").splitlines():
        document = json.loads(line)
        text, scored = document["text"], set(document.get("scored") or ())
        detections = detect_text(text)
        for span in document["spans"]:
            labels[span["category"]] += 1
            hits[span["category"]] += covered(text, span["start"], span["end"], detections)
        for detection in detections:
            good = touches(detection, document["spans"])
            excused = touches(detection, document.get("ignore", [])) or (scored and detection.category not in scored)
            if good or not excused:
                proposed[detection.category] += 1
                right[detection.category] += good
    with capsys.disabled():
        print(f"\n{corpus}")
        for category in sorted(labels):
            share = right[category] / proposed[category] if proposed[category] else 1.0
            recall = hits[category] / labels[category]
            print(f"  {category:14}{labels[category]:6} labels {recall:7.3f} covered {share:7.3f} precise")
    for category, (recall, precision) in FLOORS[corpus].items():
        assert hits[category] >= recall * labels[category], category
        assert right[category] >= precision * proposed[category], category
