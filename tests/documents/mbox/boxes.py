"""Making mailboxes and taking them through the whole way."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from anonify.documents import RedactionPlan, SweepValue
from anonify.documents.enclosures import ExpandOptions, PartEdit, Parts
from anonify.documents.gate import read_back
from anonify.documents.mbox import FORMAT
from anonify.documents.plan import RedactionResult
from anonify.documents.tasks import Verified
from anonify.sandbox import BytesSource, MemorySink

SEPARATOR = b"From somebody@example.com Tue Mar  4 03:33:20 2003"


def mailbox(*messages: bytes, separator: bytes = SEPARATOR, end: bytes = b"\n") -> bytes:
    """Messages as they are, each behind a separator, with a blank line behind it."""
    return b"".join(separator + end + message + end for message in messages)


def split(box: bytes, options: ExpandOptions | None = None) -> list[bytes]:
    """The messages of a mailbox."""
    source, sink = BytesSource(box), MemorySink()
    children = FORMAT.expand(source, options or ExpandOptions()).children  # type: ignore[misc]  # it is set
    lengths = list(FORMAT.unpack(source, children, sink))  # type: ignore[misc]  # it is set
    data, found = sink.getvalue(), []
    for length in lengths:
        found.append(data[:length])
        data = data[length:]
    return found


def edits_of(artifacts: Sequence[bytes | None]) -> tuple[PartEdit, ...]:
    """What becomes of the messages: their artifact, or nothing."""
    return tuple(
        PartEdit(f"msg-{number}", "removed", reason="not-ready")
        if data is None
        else PartEdit(f"msg-{number}", "substituted", len(data), hashlib.sha256(data).hexdigest())
        for number, data in enumerate(artifacts, 1)
    )


def rebuilt(
    box: bytes, artifacts: Sequence[bytes | None], values: Sequence[str] = ()
) -> tuple[bytes, RedactionPlan, RedactionResult]:
    """The mailbox made of the artifacts, the plan and what was said about it."""
    edits = edits_of(artifacts)
    plan = RedactionPlan(parts=edits, sweep=tuple(SweepValue(value, "[REDACTED]") for value in values))
    sink = MemorySink()
    handed = BytesSource(b"".join(data for data in artifacts if data is not None))
    result = FORMAT.redact_parts(BytesSource(box), sink, plan, Parts(edits, handed))  # type: ignore[misc]  # it is set
    return sink.getvalue(), plan, result


def verdicts(box: bytes, artifact: bytes, plan: RedactionPlan) -> list[Verified]:
    """What both readers say."""
    source, made = BytesSource(box), BytesSource(artifact)
    return [read_back(FORMAT, source, made, plan, reader) for reader in ("own", "independent")]


def passes(box: bytes, artifact: bytes, plan: RedactionPlan) -> bool:
    """Whether both readers are content."""
    return all(seen.opened and not seen.survivors and not seen.failed for seen in verdicts(box, artifact, plan))
