"""The pool of limited processes that touch strangers' bytes."""

from .pool import Limits, Pool
from .source import CHUNK, BytesSource, MemorySink, Sink, Source, SourceFile, iter_chunks, read_all
from .task import Task, TaskIO, TaskRunner, run_inline

__all__ = [
    "CHUNK",
    "BytesSource",
    "Limits",
    "MemorySink",
    "Pool",
    "Sink",
    "Source",
    "SourceFile",
    "Task",
    "TaskIO",
    "TaskRunner",
    "iter_chunks",
    "read_all",
    "run_inline",
]
