"""Log lines: ids, codes, counts and durations.  Never content, never a file's name, never an exception's text."""

from __future__ import annotations

import logging
import sys
from collections.abc import MutableMapping
from typing import Any, Final

import structlog

from anonify.settings import Settings

__all__ = ["set_up_logging"]

_LEVELS: Final = {"debug": 10, "info": 20, "warning": 30, "error": 40}


def set_up_logging(settings: Settings) -> None:
    """Write log lines to standard error in the form and from the level the settings name.

    Libraries log through the standard module; below warnings they are silent, and the text of what they say is
    replaced by where it was said, because it may quote what they were working on.
    """
    renderer: Any = (
        structlog.processors.JSONRenderer()
        if settings.log_format == "json"
        else structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    )
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            _without_exceptions,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(_LEVELS[settings.log_level]),
        logger_factory=lambda *_name: structlog.PrintLogger(sys.stderr),  # whatever it is by then
        cache_logger_on_first_use=False,
    )
    root = logging.getLogger()
    for handler in list(root.handlers):
        if isinstance(handler, _WhereOnly):
            root.removeHandler(handler)
    root.addHandler(_WhereOnly(logging.WARNING))


def _without_exceptions(_logger: object, _name: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Replace an exception by its class: its text and its frames may hold content."""
    shown = event.pop("exc_info", None)
    if shown is True:
        shown = sys.exc_info()[1]
    if isinstance(shown, tuple):
        shown = shown[1]
    if isinstance(shown, BaseException):
        event["error"] = type(shown).__name__
    return event


class _WhereOnly(logging.Handler):
    """Says that a library complained and where in its source, not what it said."""

    def emit(self, record: logging.LogRecord) -> None:
        log = structlog.get_logger("library")
        level = "error" if record.levelno >= logging.ERROR else "warning"
        getattr(log, level)("library", logger=record.name, where=f"{record.module}:{record.lineno}")
