"""Putting the original values back into an artifact, with its vault.

    recognise → look for surrogates, with both readers → documents inside first, each put back in its place
    → values in the place of surrogates → read back, counted

The other way round of a redaction, by the same redactors: they find a surrogate wherever it stands, and are told to
leave everything else alone (:attr:`RedactionPlan.restoring`).  What has no surrogate in it stays as it is; so does a
document inside that nobody can read, or that cannot be restored, as PDF and pictures.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Final, Literal

import msgspec

from anonify.closing import Closing
from anonify.documents import (
    DEPTH,
    ChildPart,
    Format,
    PartEdit,
    RedactionPlan,
    Source,
    SweepValue,
    Window,
    by_kind,
    iter_chunks,
)
from anonify.documents.tasks import (
    EXPAND,
    REDACT,
    SNIFF,
    UNPACK,
    ExpandArgs,
    RedactArgs,
    SniffArgs,
    UnpackArgs,
    Verified,
)
from anonify.errors import Code, FatalError, VerificationFailed
from anonify.ocr import SpoolLike
from anonify.sandbox import Sink, TaskRunner

from .deliver import READERS, read_artifact, sha256_of
from .vault import Vault, originals

__all__ = ["Restored", "restore"]

MOST: Final = 256 << 20
"""Characters of values that are put into one file: a vault may be a stranger's, with long values for short words."""

LINED: Final = frozenset(("txt", "csv", "tsv", "xlsx"))
"""Kinds in which a value may have line ends: their redactors leave them behind the surrogate, or have a place for
them."""

GROUP_BYTES: Final = 64 << 20
"""Bytes of documents inside that are unpacked together, a single larger one aside."""

GROUP_PARTS: Final = 64
"""Documents inside that are unpacked together."""


@dataclass(frozen=True, slots=True)
class Restored(Closing):
    """A file with its values in it again.  Use it as a context manager, or close it.

    Attributes:
        artifact: the bytes, still in their spool.
        kind: the file's format.
        restored: how many surrogates of the vault were found in the file and are gone from it.
        unresolved: how many others the vault has.
        matches: whether the vault was made with this very file.
    """

    artifact: SpoolLike
    kind: str
    restored: int
    unresolved: int
    matches: bool

    def close(self) -> None:
        """Lose the file."""
        self.artifact.close()


def restore(
    runner: TaskRunner,
    source: Source,
    filename: str,
    vault: Vault,
    spool_factory: Callable[[], SpoolLike],
    *,
    timeout: float | None = None,
) -> Restored:
    """Put the values of `vault` back into `source`.

    Args:
        runner: where the tasks run.
        source: the artifact's bytes; they may have been edited since.
        filename: what it is called, a hint only.
        vault: what stands for what.
        spool_factory: makes a new spool.
        timeout: seconds one task may take.

    Raises:
        FatalError: `not-restorable` for kinds that show values as pictures; `vault-unreadable`; `too-complex` when more
            would be put in than a file may hold; what reading the file raises.
        VerificationFailed: `opens`, or a structure check's name: what came of it is no whole file of its kind.
    """
    values = originals(vault)
    kind = runner.run(SNIFF, SniffArgs(filename), sources={"source": source}, timeout=timeout).kind
    if not by_kind(kind).restorable:
        raise FatalError(Code.NOT_RESTORABLE)
    work = _Restorer(runner, spool_factory, timeout)
    plan = _plan(values)
    before = work.found(kind, source, plan)
    plan = _plan({text: values[text] for text in before})
    if sum(before[text] * len(values[text]) for text in before) > MOST:
        raise FatalError(Code.TOO_COMPLEX)
    spool = work.made(kind, source, plan) or _copied(source, spool_factory())
    try:
        after = work.found(kind, spool, plan)
        matches = vault.artifact.sha256.lower() == sha256_of(source)
    except BaseException:
        spool.close()
        raise
    restored = len(before.keys() - after.keys())
    return Restored(spool, kind, restored, len(values) - restored, matches)


def _plan(values: dict[str, str]) -> RedactionPlan:
    """The plan that puts `values` in the place of their surrogates, the longest first."""
    ordered = sorted(values, key=lambda text: (-len(text), text))
    sweep = tuple(SweepValue(text, values[text]) for text in ordered)
    return RedactionPlan(sweep=sweep, keep_metadata=True, restoring=True)


def _fitting(plan: RedactionPlan, kind: str) -> RedactionPlan:
    """The plan for a kind: where a line end would end a header or a row, values stand on one line."""
    if kind in LINED:
        return plan
    sweep = tuple(SweepValue(one.value, " ".join(one.replacement.splitlines())) for one in plan.sweep)
    return msgspec.structs.replace(plan, sweep=sweep)


def _copied(source: Source, spool: SpoolLike) -> SpoolLike:
    """The bytes of `source` in a spool."""
    try:
        _copy(source, spool)
        spool.finish()
    except BaseException:
        spool.close()
        raise
    return spool


def _copy(source: Source, sink: Sink) -> None:
    for chunk in iter_chunks(source):
        sink.write(chunk)


@dataclass(frozen=True, slots=True)
class _Restorer:
    """Restores a file and what is in it."""

    runner: TaskRunner
    spool_factory: Callable[[], SpoolLike]
    timeout: float | None

    def found(self, kind: str, source: Source, plan: RedactionPlan) -> Counter[str]:
        """How often each surrogate stands in a file, with what is inside it.

        Raises:
            FatalError: `malformed`: a reader cannot open it.
        """
        counts: Counter[str] = Counter()
        for reader in READERS:
            verified = self._read(kind, source, source, plan, reader)
            if not verified.opened:
                raise FatalError(Code.MALFORMED)
            counts |= Counter({plan.values[one.value]: one.count for one in verified.survivors})
        return counts

    def made(self, kind: str, source: Source, plan: RedactionPlan, depth: int = 0) -> SpoolLike | None:
        """The file restored, or None when there is nothing to restore in it.

        Raises:
            FatalError: what the redactor raises.
            VerificationFailed: what came of it is no whole file.
        """
        if not plan.sweep:
            return None
        children, artifact = self.spool_factory(), self.spool_factory()
        try:
            edits = tuple(self._children(by_kind(kind), source, plan, depth, children))
            children.finish()
            plan = _fitting(msgspec.structs.replace(plan, parts=edits), kind)
            sources: dict[str, Source] = {"source": source}
            if edits:
                sources["children"] = children
            args = RedactArgs(kind, plan)
            self.runner.run(REDACT, args, sources=sources, sinks={"artifact": artifact}, timeout=self.timeout)
            artifact.finish()
            _judge(self._read(kind, source, artifact, plan, "own"))
        except BaseException:
            artifact.close()
            raise
        finally:
            children.close()
        return artifact

    def _children(
        self, form: Format, source: Source, plan: RedactionPlan, depth: int, sink: Sink
    ) -> Iterator[PartEdit]:
        """Restore the documents inside, write them to `sink` and say where each goes; the others are left out."""
        if form.expand is None or depth >= DEPTH:
            return
        args = ExpandArgs(form.kind)
        listed = self.runner.run(EXPAND, args, sources={"source": source}, timeout=self.timeout).children
        for group in _groups([part for part in listed if not part.skipped]):
            with closing(self.spool_factory()) as unpacked:
                for part, content in self._unpacked(form.kind, source, group, unpacked):
                    child = self._child(part.name, content, plan, depth + 1)
                    if child is not None:
                        with closing(child):
                            _copy(child, sink)
                            yield PartEdit(part.path, "substituted", child.size, sha256_of(child))

    def _unpacked(
        self, kind: str, source: Source, parts: Sequence[ChildPart], spool: SpoolLike
    ) -> Iterator[tuple[ChildPart, Source]]:
        args = UnpackArgs(kind, tuple(parts))
        sinks = {"children": spool}
        lengths = self.runner.run(UNPACK, args, sources={"source": source}, sinks=sinks, timeout=self.timeout).lengths
        spool.finish()
        if len(lengths) != len(parts) or sum(lengths) != spool.size or min(lengths, default=0) < 0:
            raise FatalError(Code.PARSER_CRASHED)
        start = 0
        for part, length in zip(parts, lengths, strict=True):
            yield part, Window(spool, start, start + length)
            start += length

    def _child(self, name: str, source: Source, plan: RedactionPlan, depth: int) -> SpoolLike | None:
        """A document inside another restored, or None when it stays as it is."""
        try:
            kind = self.runner.run(SNIFF, SniffArgs(name), sources={"source": source}, timeout=self.timeout).kind
            if not by_kind(kind).restorable or not self._read(kind, source, source, plan, "own").survivors:
                return None
            return self.made(kind, source, plan, depth)
        except (FatalError, VerificationFailed):
            return None  # nobody can read it or write it anew: its surrogates stay, and count as unresolved

    def _read(
        self, kind: str, source: Source, artifact: Source, plan: RedactionPlan, reader: Literal["own", "independent"]
    ) -> Verified:
        return read_artifact(
            self.runner, kind, source=source, artifact=artifact, plan=plan, reader=reader, timeout=self.timeout
        )


def _judge(verified: Verified) -> None:
    if not verified.opened:
        raise VerificationFailed("opens")
    if verified.failed:
        raise VerificationFailed(verified.failed[0], len(verified.failed))


def _groups(parts: Sequence[ChildPart]) -> Iterator[list[ChildPart]]:
    """`parts` in order, as many at a time as are unpacked together."""
    group: list[ChildPart] = []
    size = 0
    for part in parts:
        if group and (len(group) >= GROUP_PARTS or size + part.size > GROUP_BYTES):
            yield group
            group, size = [], 0
        group.append(part)
        size += part.size
    if group:
        yield group
