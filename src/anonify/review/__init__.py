"""Layer C: redactions.  The record of what a person decided, and the only thing an export is made from."""

from .acts import MAX_IDS, METHODS, STATUSES, Decided, decide, occurrences, remove
from .manual import MAX_FOUND, Created, create_manual, create_value, find_value
from .places import CellPlace, Place, RegionPlace, TextPlace, WrongPlace, cell_text, read_value, sheet_rows
from .values import group_key

__all__ = [
    "MAX_FOUND",
    "MAX_IDS",
    "METHODS",
    "STATUSES",
    "CellPlace",
    "Created",
    "Decided",
    "Place",
    "RegionPlace",
    "TextPlace",
    "WrongPlace",
    "cell_text",
    "create_manual",
    "create_value",
    "decide",
    "find_value",
    "group_key",
    "occurrences",
    "read_value",
    "remove",
    "sheet_rows",
]
