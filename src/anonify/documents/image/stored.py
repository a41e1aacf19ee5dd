"""How decoded pixels lie in a picture's file: frames cut to their canvas, low bytes of samples, pages among copies."""

from __future__ import annotations

from typing import Any

from PIL import Image

from anonify.sandbox.source import Source

from .layout.base import Bytes
from .layout.tiff import Tree, is_reduced

__all__ = ["cut", "main_pages", "swapped"]


def cut(image: Image.Image, size: tuple[int, int]) -> Image.Image:
    """A frame that reaches over its animation's canvas, as viewers show it: cut to the canvas."""
    part = image.crop((0, 0, *size))
    part.info = image.info
    return part


def swapped(file: Any) -> str | None:
    """The raw mode that gives the low bytes of a TIFF's samples of sixteen bits and more than one channel, or None."""
    raws = {tile.args[0] for tile in file.tile if isinstance(tile.args, tuple)}
    if len(raws) != 1 or file.mode not in ("RGB", "RGBA", "CMYK"):
        return None
    raw = str(raws.pop())
    base, mark, ending = raw.partition(";16")
    if not mark or base != file.mode or ending not in ("B", "L", "N"):
        return None
    return f"{base};16{'B' if ending != 'B' else 'L'}"


def main_pages(source: Source, count: int) -> list[int]:
    """Which directories of the chain are pages; smaller copies and masks are not, unless there is nothing else."""
    tree = Tree(Bytes(source))
    reduced = {number for name, number, entries in tree.walk() if name == "main" and is_reduced(tree, entries)}
    return [number for number in range(count) if number not in reduced] or list(range(count))
