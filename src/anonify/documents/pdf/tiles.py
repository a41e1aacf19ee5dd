"""Pictures of one page joined where they touch: scanners and drivers cut one picture into strips and squares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ..model import Box
from .things import Thing

__all__ = ["Tile", "merged"]

TOUCH: Final = 1.0
"""Points between two pictures that belong together all the same: strips are placed to rounded numbers."""


@dataclass(frozen=True, slots=True)
class Tile:
    """A picture, or several that touch.

    Attributes:
        box: as displayed.
        density: its own pixels a point; infinite for what is drawn at any size.
        things: PDFium's objects.
    """

    box: Box
    density: float
    things: tuple[Thing, ...] = ()


def merged(tiles: Sequence[Tile], limit: int) -> list[Tile]:
    """`tiles` joined until none touches another; one over all of them when there are more than `limit`."""
    if len(tiles) > limit:
        return [_joined(tiles)]
    current, before = list(tiles), len(tiles) + 1
    while 1 < len(current) < before:
        before = len(current)
        current = [_joined(group) for group in _groups(current)]
    return sorted(current, key=lambda tile: (tile.box.y0, tile.box.x0))


def _groups(tiles: Sequence[Tile]) -> list[list[Tile]]:
    order = sorted(tiles, key=lambda tile: tile.box.y0)
    leader = list(range(len(order)))

    def lead(place: int) -> int:
        while leader[place] != place:
            leader[place] = leader[leader[place]]
            place = leader[place]
        return place

    open_ones: list[int] = []
    for place, tile in enumerate(order):
        open_ones = [other for other in open_ones if order[other].box.y1 + TOUCH >= tile.box.y0]
        for other in open_ones:
            box = order[other].box
            if box.x0 <= tile.box.x1 + TOUCH and tile.box.x0 <= box.x1 + TOUCH:
                leader[lead(other)] = lead(place)
        open_ones.append(place)
    groups: dict[int, list[Tile]] = {}
    for place, tile in enumerate(order):
        groups.setdefault(lead(place), []).append(tile)
    return list(groups.values())


def _joined(tiles: Sequence[Tile]) -> Tile:
    if len(tiles) == 1:
        return tiles[0]
    return Tile(
        Box(
            min(tile.box.x0 for tile in tiles),
            min(tile.box.y0 for tile in tiles),
            max(tile.box.x1 for tile in tiles),
            max(tile.box.y1 for tile in tiles),
        ),
        max(tile.density for tile in tiles),
        tuple(thing for tile in tiles for thing in tile.things),
    )
