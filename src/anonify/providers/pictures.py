"""The contextual pass over pictures: what a model that sees finds on a page and text does not tell.

Faces, signatures, number plates and screens, as boxes on a grid of 1000 by 1000.  A page's pixels and its words are a
stranger's: an answer can only name boxes on the page it was shown.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from anonify.detection.model import VISION_MODEL, Category, Detection
from anonify.documents import Box

from .contextual import SUREST
from .work import Progress, Work

if TYPE_CHECKING:
    from .shapes import Seen, Thing

__all__ = ["LONGEST_SIDE", "MOST_PICTURES", "Picture", "Sight", "see"]

LONGEST_SIDE: Final = 1568
"""Pixels of a picture's longer side, at most: providers make larger ones smaller before a model sees them."""

MOST_PICTURES: Final = 20
"""Pages of one document that are shown: each is a call with some 2,000 tokens."""

MOST_WORDS: Final = 2_000
"""Code points of a page's words that are shown beside it."""

GRID: Final = 1000
"""Width and height of a page in the units of an answer."""

MARGIN: Final = 5
"""Grid units added around a box: models see places roughly."""

TINY: Final = 4
"""Grid units of a side below which a box shows nothing that could be told apart."""

ALL: Final = 0.95
"""Share of the page from which a box is no place on it."""

THINGS: Final[dict[Thing, tuple[Category, str]]] = {
    "face": ("face", ""),
    "signature": ("signature", ""),
    "plate": ("other", "plate"),
    "screen": ("other", "screen"),
}
"""What is looked for: its category, and the reason it is suggested for where its category does not say it."""

_ASKED: Final[dict[Thing, str]] = {
    "face": "face: a person's face, boxed as the whole head with its hair and beard",
    "signature": "signature: a handwritten signature or initials",
    "plate": "plate: a vehicle's number plate",
    "screen": "screen: a display that shows somebody's data",
}


@dataclass(frozen=True, slots=True)
class Picture:
    """A page that is shown.

    Attributes:
        page: its number, from 1.
        width: page units, as displayed.
        height: page units.
        words: what was recognised on it.
        draw: PNG bytes of the whole page, its longer side at most :data:`LONGEST_SIDE`; None when it cannot be drawn.
    """

    page: int
    width: float
    height: float
    words: str
    draw: Callable[[], bytes | None]


@dataclass(frozen=True, slots=True)
class Sight:
    """Suggestions in order of page, and numbers of pages that could not be drawn."""

    found: tuple[Detection, ...] = ()
    undrawn: tuple[int, ...] = ()


def see(
    work: Work,
    pictures: Sequence[Picture],
    categories: frozenset[Category],
    progress: Progress = lambda _done, _total: None,
) -> Sight:
    """Suggestions for what `pictures` show.

    Never raises for what a provider does: what could not be asked is among the skips of `work`, with its reason.

    Args:
        pictures: of one document; only the first :data:`MOST_PICTURES` are shown.
        categories: what is looked for; whatever else a model proposes is dropped.
        progress: called with (pictures seen, pictures in all) on the calling thread; what it raises ends the pass.
    """
    wanted = tuple(thing for thing, (category, _) in THINGS.items() if category in categories)
    if not pictures:
        return Sight()
    if not wanted:
        work.skip("image", "off", len(pictures))
        return Sight()
    if not work.client.provider.structured or "image" not in work.client.provider.can:
        work.skip("image", "unsupported", len(pictures))
        return Sight()
    if left := len(pictures[MOST_PICTURES:]):
        work.skip("image", "too-many", left)
    viewer = _Viewer(work, wanted)
    found: list[Detection] = []
    undrawn: list[int] = []
    shown = pictures[:MOST_PICTURES]
    for picture, seen in zip(shown, work.each(viewer.see, shown, progress), strict=True):
        if seen is None:
            undrawn.append(picture.page)
        else:
            found += seen
    return Sight(tuple(found), tuple(undrawn))


@dataclass(frozen=True, slots=True)
class _Viewer:
    """Asks what a page shows."""

    work: Work
    wanted: tuple[Thing, ...]

    def see(self, picture: Picture) -> list[Detection] | None:
        """Suggestions for one page; None when it cannot be drawn."""
        from pydantic_ai import BinaryContent

        from .shapes import Boxes

        if self.work.gives_up("image"):
            return []
        png = picture.draw()
        if png is None:
            return None
        instructions = (
            "List what the picture of a page shows of these: "
            f"{'; '.join(_ASKED[thing] for thing in self.wanted)}. Give each a box in whole numbers from 0 to {GRID}, "
            f"counted from the picture's left and top edges, whatever its size: its right edge is {GRID} and so is its "
            "bottom edge. Printed text is none of them. An empty list is an answer."
        )
        words = f"The words recognised on it:\n{picture.words[:MOST_WORDS]}"
        answer = self.work.ask("image", instructions, [words, BinaryContent(png, media_type="image/png")], Boxes)
        seen = () if answer is None else answer.boxes
        placed = (_suggestion(picture, one) for one in seen if one.thing in self.wanted)
        return [one for one in placed if one is not None]


def _suggestion(picture: Picture, seen: Seen) -> Detection | None:
    """What was seen in page units; None when it is no place on the page."""
    width, height = seen.right - seen.left, seen.bottom - seen.top
    if width < TINY or height < TINY or width * height >= ALL * GRID * GRID:
        return None
    category, reason = THINGS[seen.thing]
    across, down = picture.width / GRID, picture.height / GRID
    box = Box(
        round(max(0, seen.left - MARGIN) * across, 2),
        round(max(0, seen.top - MARGIN) * down, 2),
        min(picture.width, round((seen.right + MARGIN) * across, 2)),
        min(picture.height, round((seen.bottom + MARGIN) * down, 2)),
    )
    sure = round(min(SUREST, seen.confidence), 3)
    return Detection(picture.page, 0, 0, "", category, sure, "vision", VISION_MODEL, False, box=box, reason=reason)
