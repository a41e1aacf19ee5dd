"""How often suggestions of a given confidence are right, on labelled text.

    python -m benchmarks.calibration --gold DIR [DIR …]

A suggestion is right when it touches a labelled value.  Left out, as `score.py` does: what touches only ignored spans,
and categories a document is not labelled for.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from .table import show

__all__ = ["main"]

BANDS: Final = (0.95, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.0)
"""Lower ends of the bands, the surest first."""

Span = dict[str, Any]


def main() -> None:
    """Print a table for people and one for everything else."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--gold", type=Path, nargs="+", required=True)
    options = parser.parse_args()
    seen: dict[str, tuple[Counter[float], Counter[float]]] = {}
    for document, found in _judged(options.gold):
        for one in found:
            group = _group(one)
            right = _touches(one, document["spans"])
            if not right and (_touches(one, document["ignore"]) or one["category"] not in document["scored"]):
                continue
            band = next(low for low in BANDS if one["confidence"] >= low)
            every, good = seen.setdefault(group, (Counter(), Counter()))
            every[band] += 1
            good[band] += right
    for group, (every, good) in sorted(seen.items()):
        rows = [[f"{band:.2f}–", every[band], f"{good[band] / every[band]:.3f}"] for band in BANDS if every[band]]
        show(group, ["confidence", "suggestions", "right"], rows)


def _group(one: Span) -> str:
    if one["category"] == "person":
        return "people, " + ("by the names model" if one["detector"].startswith("names-model") else "by a pattern")
    return "addresses" if one["category"] == "address" else "everything else"


def _touches(one: Span, others: Sequence[Span]) -> bool:
    return any(one["start"] < other["end"] and other["start"] < one["end"] for other in others)


def _judged(folders: Sequence[Path]) -> Iterator[tuple[dict[str, Any], list[Span]]]:
    """Labelled documents with what is suggested in them."""
    documents = [
        json.loads(line)
        for folder in folders
        for path in sorted(folder.glob("*.jsonl"))
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as texts:
        for number, document in enumerate(documents):
            texts.write(json.dumps({"id": str(number), "text": document["text"]}) + "\n")
        texts.flush()
        command = [sys.executable, "-m", "anonify", "detect", "--jsonl", texts.name]
        lines = subprocess.run(command, capture_output=True, check=True).stdout.splitlines()
    for document, line in zip(documents, lines, strict=True):
        yield document, json.loads(line)["detections"]


if __name__ == "__main__":
    main()
