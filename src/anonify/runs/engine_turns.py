"""Whose turn it is while all owners together are bounded (`ANONIFY_PROCESSING_GLOBAL_MAX`).

The engine visits the owners who wait in random order and lets one visit take every free slot.  Here a visit takes one
slot, and for the owner who has waited longest: since their last run started, or since their oldest waiting one was
queued when that was later.  So a batch of fifty cannot starve another owner's single file.

The bounds themselves stay the engine's: each claim counts again in its own transaction.
"""

from __future__ import annotations

import copy
from typing import Any

from .engine_tables import EngineTables

__all__ = ["Turns"]


class Turns:
    """Steps between the engine's polling and its claiming.

    Args:
        system: the engine's system database; two of its methods are replaced, on this object only.
        own: slots of one owner.
        whole: slots of all owners.
    """

    def __init__(self, system: Any, tables: EngineTables, own: int, whole: int) -> None:
        self._tables = tables
        self._own, self._whole = own, whole
        self._list, self._claim = system.get_queue_partitions, system.start_queued_workflows
        system.get_queue_partitions = self._visits
        system.start_queued_workflows = self._claim_one

    def _visits(self, queue_name: str) -> list[str]:
        """As many visits as slots could be free; the names do not matter, see :meth:`_claim_one`."""
        waiting: list[str] = self._list(queue_name)
        return waiting[:1] * self._whole

    def _claim_one(
        self, queue: Any, executor_id: str, version: str, owner: str | None, running: int = 0, *rest: Any, **named: Any
    ) -> tuple[list[str], str | None]:
        if owner is not None:
            owner = self._tables.longest_waiting(queue.name, self._own)
            if owner is None:
                return [], "concurrency"  # whoever waits has all their slots: no need for further visits
            queue = copy.copy(queue)
            queue._worker_concurrency = min(running + 1, queue._worker_concurrency or running + 1)
        claimed: tuple[list[str], str | None] = self._claim(queue, executor_id, version, owner, running, *rest, **named)
        return claimed
