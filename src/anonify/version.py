"""The version, where every room can read it without the package's front door."""

from typing import Final

__all__ = ["__version__"]

__version__: Final = "0.1.0"
