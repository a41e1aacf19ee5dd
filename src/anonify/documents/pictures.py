"""What a format shows as pixels, for recognisers of text and of faces."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from anonify.sandbox.source import Source

from .model import Box, Pages

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["Explained", "Opener", "Part", "Pictures"]


@dataclass(frozen=True, slots=True)
class Part:
    """A picture on a page.

    Attributes:
        box: where it lies, in page units, cut to the page.
        key: the same for the same picture drawn in the same size and direction, so that it is read once.
    """

    box: Box
    key: str


@dataclass(frozen=True, slots=True)
class Explained:
    """Where a page's ink comes from: what a reader of its text knows about, and what only its pixels tell.

    Attributes:
        fonts: identities of the fonts its visible text is drawn with, stable within the file.
        pictures: it shows pictures large enough to hold text.
        drawings: it shows so many or such curved strokes that they may be letters.
        unknown: it shows characters whose meaning the file does not say.
    """

    fonts: frozenset[str] = frozenset()
    pictures: bool = False
    drawings: bool = False
    unknown: bool = False


class Pictures(Protocol):
    """An open file's pages as pixels.  Page numbers count from 1; a page that cannot be drawn raises `malformed`."""

    def scale_of(self, dpi: float) -> float:
        """Pixels a page unit at `dpi`; 1.0 for formats whose unit is the pixel."""
        ...

    def picture(self, page: int, scale: float, box: Box | None = None) -> Image:
        """The page as displayed, or the part of it under `box`; mode L or RGB.

        Args:
            scale: pixels a page unit; drawn more coarsely when it would be larger than a limit.
            box: page units.
        """
        ...

    def bare(self, page: int, scale: float, box: Box) -> Image | None:
        """As :meth:`picture`, without the text that is drawn across the pictures there; None where there is none."""
        ...

    def parts(self, page: int) -> tuple[Part, ...]:
        """Pictures on the page large enough to hold text or a face."""
        ...

    def explained(self, page: int) -> Explained:
        """Where the page's ink comes from."""
        ...


class Opener(Protocol):
    """Opens a file to take its pages as pixels."""

    def __call__(
        self, source: Source, /, model: Pages | None = None, original: Source | None = None
    ) -> AbstractContextManager[Pictures]:
        """Open `source`.

        Args:
            source: the file, or what was made of it.
            model: the file's pages, for formats in which they say where their pictures lie (`Page.picture`).
            original: the file itself, when `source` is what was made of it.

        Raises:
            FatalError: on entering it, what the format raises.
        """
        ...
