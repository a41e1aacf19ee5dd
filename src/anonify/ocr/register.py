"""The recognisers by name.  Adding one is one module and one entry here."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final

from anonify.errors import Code, FatalError

from .model import OcrOptions, Recogniser

__all__ = ["ENGINES", "recogniser"]


def _tesseract(languages: tuple[str, ...]) -> Recogniser:
    from .tesseract import Tesseract

    return Tesseract(languages)


ENGINES: Final[dict[str, Callable[[tuple[str, ...]], Recogniser]]] = {"tesseract": _tesseract}
"""What finds words and their places inside the sandbox."""


@cache
def _made(engine: str, languages: tuple[str, ...]) -> Recogniser:
    return ENGINES[engine](languages)


def recogniser(options: OcrOptions) -> Recogniser:
    """The recogniser that `options` ask for; made once a process, since loading its data takes time.

    Raises:
        FatalError: `configuration`.
    """
    if options.engine not in ENGINES:
        raise FatalError(Code.CONFIGURATION)
    return _made(options.engine, options.languages)
