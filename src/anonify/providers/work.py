"""What is asked about one document: the calls of all tasks together, what they cost, and what was left out.

The tasks share it, so that a provider that is away is given up once for the whole document.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

from .client import Client
from .model import Skip, SkipReason, Task, Usage
from .throttle import Skipped

if TYPE_CHECKING:
    from pydantic import BaseModel

__all__ = ["Answers", "Progress", "Work"]

Answer = TypeVar("Answer", bound="BaseModel")
ItemT = TypeVar("ItemT")
ResultT = TypeVar("ResultT")

Progress = Callable[[int, int], None]
"""Called with (parts done, parts in all)."""

GIVE_UP: Final = 3
"""Calls left out one after the other after which a document asks nothing more: the provider is away."""

_SMALL: Final = frozenset[SkipReason]({"malformed", "unsupported"})
"""Reasons that say something about one question, and nothing about the next."""


class Answers(Protocol):
    """Where the answers of a document that is worked on are kept, so that none is paid for twice.

    Used by several threads.
    """

    def get(self, question: str, /) -> bytes | None:
        """The answer to a question, which is named by its digest (hex)."""
        ...

    def put(self, question: str, answer: bytes, /) -> None:
        """Keep an answer; what it raises ends the document's work."""
        ...


class _Nowhere:
    """Keeps nothing."""

    def get(self, _question: str, /) -> bytes | None:
        return None

    def put(self, _question: str, _answer: bytes, /) -> None:
        """Nothing is kept."""


class Work:
    """One document's calls.  Used by several threads.

    Attributes:
        client: who is asked.
        usages: every call that was made.
        unlocated: how many proposed values were dropped because they do not stand in the text.
    """

    def __init__(self, client: Client, answers: Answers | None = None) -> None:
        self.client = client
        self.usages: list[Usage] = []
        self.unlocated = 0
        self._answers = answers or _Nowhere()
        self._skips: dict[tuple[Task, SkipReason], int] = {}
        self._in_a_row = 0
        self._away: SkipReason | None = None
        self._lock = threading.Lock()

    @property
    def skips(self) -> list[Skip]:
        """Everything that was left out, with its reason; empty when everything was asked."""
        with self._lock:
            return [Skip(task, reason, calls) for (task, reason), calls in self._skips.items()]

    def ask(self, task: Task, instructions: str, passage: str | list[Any], shape: type[Answer]) -> Answer | None:
        """The answer, or None with the reason written down.  As :meth:`Client.ask` otherwise."""
        if self.gives_up(task):
            return None
        question = _digest(self.client, task, instructions, passage, shape)
        known = self._known(question, shape)
        if known is not None:
            return known
        try:
            answer, usages = self.client.ask(task, instructions, passage, shape)
        except Skipped as skipped:
            self._left_out(task, skipped)
            return None
        self._answers.put(question, answer.model_dump_json().encode())
        with self._lock:
            self._in_a_row = 0
            self.usages += usages
        return answer

    def gives_up(self, task: Task) -> bool:
        """Whether the provider is away, so that preparing the question would be in vain; then it counts as left out."""
        away = self._away
        if away is not None:
            self.skip(task, away)
        return away is not None

    def skip(self, task: Task, reason: SkipReason, calls: int = 1) -> None:
        """Write down that calls were left out."""
        with self._lock:
            self._skips[task, reason] = self._skips.get((task, reason), 0) + calls

    def misplaced(self, values: int) -> None:
        """Write down that so many proposed values do not stand in the text."""
        with self._lock:
            self.unlocated += values

    def each(self, call: Callable[[ItemT], ResultT], items: Sequence[ItemT], progress: Progress) -> Iterator[ResultT]:
        """Results of `call` for each of `items`, in order, as many at once as the throttle is wide.

        Args:
            progress: called on the calling thread; what it or `call` raises ends everything that has not begun.
        """
        progress(0, len(items))
        with ThreadPoolExecutor(self.client.throttle.width) as pool:
            try:
                for done, result in enumerate(pool.map(call, items), 1):
                    yield result
                    progress(done, len(items))
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise

    def _known(self, question: str, shape: type[Answer]) -> Answer | None:
        """The answer that was kept, unless it is not of this shape any more."""
        kept = self._answers.get(question)
        try:
            return None if kept is None else shape.model_validate_json(kept)
        except ValueError:
            return None

    def _left_out(self, task: Task, skipped: Skipped) -> None:
        self.skip(task, skipped.reason)
        with self._lock:
            self.usages += skipped.usages
            self._in_a_row += 1
            if self._in_a_row >= GIVE_UP and skipped.reason not in _SMALL:
                self._away = skipped.reason


def _digest(client: Client, task: Task, instructions: str, passage: str | list[Any], shape: type[BaseModel]) -> str:
    """SHA-256 (hex) of a question and of whom it is asked; a part that is no text is a picture."""
    provider = client.provider
    digest = hashlib.sha256()
    asked = (task, provider.kind, provider.model, provider.address, shape.__name__, instructions)
    for part in (*asked, *([passage] if isinstance(passage, str) else passage)):
        data = part.encode() if isinstance(part, str) else part.data
        digest.update(len(data).to_bytes(8, "little") + data)
    return digest.hexdigest()
