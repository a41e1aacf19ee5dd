"""Real files nobody here made: no leak, no wrong refusal, the other words kept."""

from __future__ import annotations

import statistics
from typing import Any

import pytest

from tests import zoo
from tests.shared import SHARED

pytestmark = pytest.mark.skipif(SHARED is None, reason="the shared zoo is absent: set ANONIFY_SHARED to its folder")

PDF_PARTS = 3
LARGE = 1_000_000
"""PDFs take most of the time, and one of more bytes as much as all others."""


def share_of(number: int, row: dict[str, Any]) -> str:
    if row["kind"] != "pdf":
        return str(row["kind"])
    file = zoo.file_of(row)
    return file.stem if file.stat().st_size > LARGE else f"pdf-{number % PDF_PARTS}"


def shares() -> dict[str, list[dict[str, Any]]]:
    """Every file of the zoo, once, by the name of its share."""
    shared: dict[str, list[dict[str, Any]]] = {}
    for number, row in enumerate(zoo.rows() if SHARED is not None else []):
        shared.setdefault(share_of(number, row), []).append(row)
    return shared


SHARES = shares()


@pytest.mark.timeout(900)
@pytest.mark.parametrize("share", SHARES or ["absent"])
def test_zoo_files_lose_every_value_and_keep_the_rest(share: str) -> None:
    outcomes = list(zoo.run(SHARES[share]))

    print(zoo.summary(outcomes))
    assert [(o.path, o.verdict, o.code) for o in outcomes if o.verdict not in ("ok", "refused")] == []
    recalls = [o.recall for o in outcomes if o.recall is not None and o.kind != "pdf"]
    assert not recalls or statistics.median(recalls) >= 0.99
