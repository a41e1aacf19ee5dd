"""Redacts the zoo's files and judges them with its independent leak checker.

`python -m tests.zoo [--kinds txt,csv,…] [--ocr auto]` prints the figures; `tests/test_zoo.py` asserts them.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from tests.shared import SHARED

__all__ = ["KINDS", "Outcome", "file_of", "rows", "run", "summary"]

KINDS = ("txt", "csv", "tsv", "rtf", "docx", "xlsx", "pptx", "pdf", "eml", "mbox", "png", "jpeg", "webp")
REFUSALS = {
    "unsupported-type": {"unsupported-type"},
    "extension-mismatch": {"extension-mismatch"},
    "empty-file": {"empty-file"},
    "corrupt": {"malformed", "parser-crashed"},
    "too-complex": {"too-complex"},
    "encrypted": {"encrypted"},
}
"""The zoo's refusal classes and the failure codes that fulfil them."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one file.

    Attributes:
        verdict: `ok`, `leak`, `does-not-open`, `wrong-refusal`, `wrongly-accepted` or `refused` (rightly).
        recall: share of the other words kept, or None.
    """

    path: str
    kind: str
    verdict: str
    code: str
    recall: float | None
    leaks: list[dict[str, Any]]
    seconds: float


def _zoo() -> Path:
    if SHARED is None:
        raise FileNotFoundError("the shared zoo is absent")
    return SHARED / "zoo"


def _checker() -> ModuleType:
    spec = importlib.util.spec_from_file_location("leakcheck", _zoo() / "leakcheck.py")
    if spec is None or spec.loader is None:
        raise ImportError("leakcheck")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def rows(kinds: Iterable[str] = KINDS) -> list[dict[str, Any]]:
    """The rows this release must handle: its formats, and every file that is to be refused."""
    wanted = set(kinds)
    listed: list[dict[str, Any]] = json.loads((_zoo() / "zoo.json").read_text(encoding="utf-8"))
    return [row for row in listed if _in_scope(row, wanted)]


def file_of(row: dict[str, Any]) -> Path:
    """Where the file of a row lies."""
    return _zoo() / str(row["path"])


def _in_scope(row: dict[str, Any], wanted: set[str]) -> bool:
    if row["kind"] not in KINDS:
        return row["expected"] in ("extension-mismatch", "unsupported-type")
    return row["kind"] in wanted


def run(chosen: Iterable[dict[str, Any]], ocr: str = "never") -> Iterator[Outcome]:
    """Redact every file and check it."""
    from anonify import redact_file

    check = _checker()
    with tempfile.TemporaryDirectory() as folder:
        for row in chosen:
            source = _zoo() / row["path"]
            out = Path(folder) / Path(row["path"]).name
            start = time.perf_counter()
            values = [entry["value"] for entry in row["values"]]
            result = redact_file(source, out, values=values)
            yield _judge(check, row, source, out, result, values, ocr, time.perf_counter() - start)


def _judge(
    check: ModuleType,
    row: dict[str, Any],
    source: Path,
    out: Path,
    result: Any,
    values: list[str],
    ocr: str,
    seconds: float,
) -> Outcome:
    allowed = {row["expected"], *(row.get("also_ok") or ())}
    code = str(result.error_code or "")
    if result.output is None:
        right = any(code in REFUSALS.get(expected, ()) for expected in allowed)
        return Outcome(row["path"], row["kind"], "refused" if right else "wrong-refusal", code, None, [], seconds)
    if "ok" not in allowed:
        return Outcome(row["path"], row["kind"], "wrongly-accepted", code, None, [], seconds)
    status, leaks, collateral = check.check(
        out.read_bytes(), row["kind"], values, ocr=ocr, original=source.read_bytes()
    )
    verdict = {0: "ok", 1: "leak", 2: "does-not-open"}[status]
    recall = (collateral or {}).get("word_recall")
    return Outcome(row["path"], row["kind"], verdict, code, recall, leaks, seconds)


def summary(outcomes: Iterable[Outcome]) -> str:
    """A table by kind, then every file that is not as it should be."""
    listed = list(outcomes)
    lines = [f"{'kind':6} {'files':>5} {'good':>5} {'median recall':>14} {'least':>7} {'seconds':>8}"]
    for kind in sorted({outcome.kind for outcome in listed}):
        group = [outcome for outcome in listed if outcome.kind == kind]
        recalls = [outcome.recall for outcome in group if outcome.recall is not None]
        good = sum(outcome.verdict in ("ok", "refused") for outcome in group)
        median = f"{statistics.median(recalls):.4f}" if recalls else "-"
        least = f"{min(recalls):.4f}" if recalls else "-"
        seconds = sum(outcome.seconds for outcome in group)
        lines.append(f"{kind:6} {len(group):5} {good:5} {median:>14} {least:>7} {seconds:8.1f}")
    for outcome in listed:
        if outcome.verdict not in ("ok", "refused"):
            lines.append(f"{outcome.verdict}: {outcome.path} {outcome.code} {outcome.leaks[:4]}")
        elif outcome.recall is not None and outcome.recall < 0.99:
            lines.append(f"recall {outcome.recall}: {outcome.path}")
    return "\n".join(lines)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--ocr", default="never", choices=("never", "auto", "all"))
    options = parser.parse_args()
    outcomes = list(run(rows(options.kinds.split(",")), options.ocr))
    print(summary(outcomes))
    sys.exit(any(outcome.verdict not in ("ok", "refused") for outcome in outcomes))


if __name__ == "__main__":
    main()
