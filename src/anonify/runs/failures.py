"""From any exception to a code: what a step raises across the durable border."""

from __future__ import annotations

import functools
import traceback
from collections.abc import Callable
from typing import ParamSpec, TypeVar

import structlog
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from anonify.errors import AnonifyError, Code, FatalError, Transient

__all__ = ["Superseded", "bounded", "classify"]

ArgsT = ParamSpec("ArgsT")
ResultT = TypeVar("ResultT")

log = structlog.get_logger(__name__)


class Superseded(FatalError):
    """The document was deleted, has expired or belongs to a newer run: stop quietly and leave nothing behind."""

    def __init__(self, code: Code = Code.INTERNAL_STATE, **counts: int) -> None:
        super().__init__(code, **counts)


def classify(error: Exception) -> AnonifyError:
    """The error with a code that stands for `error`; what is foreign is told by its type, never by its text."""
    if isinstance(error, AnonifyError):
        return error
    if isinstance(error, (DBAPIError, PoolTimeout)):
        return Transient(Code.DATABASE)
    if isinstance(error, TimeoutError):
        return Transient(Code.TIMEOUT)
    if isinstance(error, OSError):
        return Transient(Code.STORAGE)
    return Transient(Code.UNKNOWN)


def bounded(name: str, function: Callable[ArgsT, ResultT]) -> Callable[ArgsT, ResultT]:
    """`function` as a step body: whatever it raises leaves it as an error with a code and no text, cause or frame."""

    @functools.wraps(function)
    def body(*args: ArgsT.args, **kwargs: ArgsT.kwargs) -> ResultT:
        try:
            return function(*args, **kwargs)
        except Exception as error:
            failure = classify(error)
            log.warning(
                "step.failed", step=name, code=failure.code.value, error=type(error).__name__, where=_where(error)
            )
        # Raised outside the handler: an exception that carries its context would carry the context's text.
        raise failure

    return body


def _where(error: Exception) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    return f"{frames[-1].name}:{frames[-1].lineno}" if frames else ""
