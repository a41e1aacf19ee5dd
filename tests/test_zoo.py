"""Real files nobody here made: no leak, no wrong refusal, the other words kept."""

from __future__ import annotations

import statistics

import pytest

from tests import zoo
from tests.shared import SHARED

pytestmark = pytest.mark.skipif(SHARED is None, reason="the shared zoo is absent: set ANONIFY_SHARED to its folder")


@pytest.mark.timeout(900)
def test_zoo_files_lose_every_value_and_keep_the_rest() -> None:
    outcomes = list(zoo.run(zoo.rows()))

    print(zoo.summary(outcomes))
    assert [(o.path, o.verdict, o.code) for o in outcomes if o.verdict not in ("ok", "refused")] == []
    recalls = [o.recall for o in outcomes if o.recall is not None and o.kind != "pdf"]
    assert statistics.median(recalls) >= 0.99
