"""Places that rules and searches find."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Hit", "Place"]

Place = tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class Hit:
    """A place that a rule matches: code points of a page, and the cell they lie in on grid pages."""

    page: int
    start: int
    end: int
    text: str
    sheet: int | None = None
    row: int | None = None
    column: int | None = None

    @property
    def place(self) -> Place:
        """What tells places apart."""
        return (self.page, self.start, self.end, self.sheet, self.row, self.column)
