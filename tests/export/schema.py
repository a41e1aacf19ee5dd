"""Writes `docs/report.schema.json` from the code.  `python -m tests.export.schema`."""

from __future__ import annotations

import json
from pathlib import Path

from anonify.export import report_schema

if __name__ == "__main__":
    path = Path(__file__).resolve().parents[2] / "docs" / "report.schema.json"
    path.write_text(json.dumps(report_schema(), indent=2) + "\n", encoding="utf-8")
