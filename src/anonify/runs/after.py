"""A verified artifact as pages, to be looked at beside the original.

It is read in the sandbox as an upload would be, when somebody first looks, and kept sealed beside the artifact.
"""

from __future__ import annotations

from typing import Final

from anonify.database import ArtifactRow, DocumentRow
from anonify.documents import ModelReader, RenderOptions, Source, by_kind
from anonify.documents.tasks import EXTRACT, RENDER, ExtractArgs, Extracted, RenderArgs
from anonify.errors import Code, FatalError
from anonify.sandbox import MemorySink, Sink, read_all
from anonify.storage import ObjectMissing, open_sealed

from .access import data_key, pack_lengths, unpack_lengths
from .deliver import open_artifact
from .objects import folder, put_once, seal_object
from .services import Services

__all__ = ["after_image", "open_after"]

MAX_LENGTHS: Final = 64 << 20


def open_after(services: Services, row: DocumentRow, artifact: ArtifactRow) -> ModelReader:
    """The pages of the artifact.

    Raises:
        FatalError: what a reader says about a file it cannot read; none of a verified artifact.
    """
    model, lengths = _read(services, row, artifact)
    return ModelReader(model, lengths)


def _read(services: Services, row: DocumentRow, artifact: ArtifactRow) -> tuple[Source, tuple[int, ...]]:
    if row.kind is None:
        raise FatalError(Code.INTERNAL_STATE)
    store, sealing = services.stores.default, data_key(services, row)
    name = f"{folder(row.id)}after/{artifact.id}"
    try:
        packed = read_all(open_sealed(store, name + ".lengths.bin", sealing), MAX_LENGTHS)
        return open_sealed(store, name + ".bin", sealing), tuple(unpack_lengths(packed))
    except ObjectMissing:
        result: list[Extracted] = []
    source, kind = open_artifact(services, row, artifact), row.kind

    def write(sink: Sink) -> None:
        result.append(services.pool.run(EXTRACT, ExtractArgs(kind), sources={"source": source}, sinks={"model": sink}))

    sealed = seal_object(store, name + ".bin", sealing, write)
    lengths = tuple(result[0].lengths)
    if sum(lengths) != sealed.size:
        raise FatalError(Code.PARSER_CRASHED)  # the child's word about what it wrote is not what arrived
    put_once(store, name + ".lengths.bin", sealing, pack_lengths(lengths))
    return open_sealed(store, name + ".bin", sealing), lengths


def after_image(services: Services, row: DocumentRow, artifact: ArtifactRow, page: int, scale: float) -> bytes:
    """PNG bytes of a page of the artifact.

    Args:
        page: from 1.
        scale: pixels a page unit.

    Raises:
        FatalError: `unsupported-type` when the kind or the page has no picture; `internal-state` when there is no such
            page.
    """
    model, lengths = _read(services, row, artifact)
    if row.kind is None or not 1 <= page <= len(lengths):
        raise FatalError(Code.INTERNAL_STATE)
    sources = {"source": open_artifact(services, row, artifact)}
    options = RenderOptions(scale=scale)
    if by_kind(row.kind).render is None:
        sources["model"] = model
    else:
        lengths = ()
    sink = MemorySink()
    services.pool.run(RENDER, RenderArgs(row.kind, page, options, lengths), sources=sources, sinks={"image": sink})
    return sink.getvalue()
