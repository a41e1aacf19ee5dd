"""Loading a recogniser in the sandbox, to see that it can be."""

from __future__ import annotations

from typing import Final

import msgspec

from anonify.sandbox.task import Task, TaskIO

from .model import OcrOptions
from .register import recogniser

__all__ = ["LOAD", "LoadArgs", "Loaded"]


class LoadArgs(msgspec.Struct, frozen=True):
    """Load the recogniser that `options` ask for."""

    options: OcrOptions = OcrOptions()


class Loaded(msgspec.Struct, frozen=True):
    """It was loaded."""


def run_load(args: LoadArgs, _io: TaskIO) -> Loaded:
    """Task body of :data:`LOAD`.

    Raises:
        FatalError: `configuration`.
    """
    recogniser(args.options)
    return Loaded()


LOAD: Final = Task("anonify.ocr.load:run_load", LoadArgs, Loaded)
