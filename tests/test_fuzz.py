"""A bounded run of the fuzzer, and every mutant that once found a fault."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from anonify.sandbox import Limits, Pool
from tests import fuzz


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    made = Pool(1, Limits())
    yield made
    made.close()


@pytest.mark.parametrize("kind", fuzz.KINDS)
def test_mutants_are_refused_with_a_code_or_redacted_clean(pool: Pool, kind: str) -> None:
    outcomes = {fuzz.drive(pool, kind, fuzz.mutant(kind, seed)) for seed in range(20)}

    assert "redacted" in outcomes


@pytest.mark.parametrize(("kind", "seed"), fuzz.SEEDS)
def test_old_findings_stay_fixed(pool: Pool, kind: str, seed: int) -> None:
    fuzz.drive(pool, kind, fuzz.mutant(kind, seed))


@pytest.mark.parametrize("kind", fuzz.KINDS)
def test_the_sound_file_itself_is_redacted(pool: Pool, kind: str) -> None:
    assert fuzz.drive(pool, kind, fuzz.original(kind)) == "redacted"
