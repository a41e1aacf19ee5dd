"""What goes over the wire about the list of everything and about turns."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from .schemas import DocumentOut, In, Out

__all__ = ["State", "TurnOut", "WorkBatchOut", "WorkIn", "WorkItemOut", "WorkOut"]

State = Literal["all", "working", "ready", "failed", "incomplete"]


class WorkIn(In):
    """Which stretch of the list: under the heading `show`, of files whose names hold `q` in any case."""

    show: State = "all"
    q: str = Field(default="", max_length=200)
    offset: int = Field(default=0, ge=0, le=1_000_000)
    limit: int = Field(default=50, ge=1, le=200)


class WorkBatchOut(Out):
    """A batch in the list.  `names` are the first of its `files`; `counts` as in a list of batches."""

    id: str
    files: int
    names: list[str]
    created_at: int
    expires_at: int
    counts: dict[str, int]


class WorkItemOut(Out):
    """One line: a document or a batch; the other is null."""

    document: DocumentOut | None
    batch: WorkBatchOut | None


class WorkOut(Out):
    """A stretch of the list.

    `total` counts all that is yours, `matching` what `show` and `q` leave of it, `counts` what each `show` would leave.
    """

    items: list[WorkItemOut]
    total: int
    matching: int
    counts: dict[str, int]


class TurnOut(Out):
    """How far a document is from its turn.

    `ahead` documents of yours and `others` of everybody else were queued earlier and still wait; `working` of yours
    are being worked on, of `slots` at once; `worker` is false when none has given a sign of life.
    """

    waiting: bool
    ahead: int
    others: int
    working: int
    slots: int
    worker: bool
