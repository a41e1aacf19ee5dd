"""Layer C: redactions.  The record of what a person decided, and the only thing an export is made from."""

from .acts import (
    MAX_IDS,
    METHODS,
    STATUSES,
    Changes,
    Decided,
    count_where,
    decide,
    decide_where,
    occurrences,
    remove,
)
from .history import Act, NoSuchAct, Recording, Undone, WasUndone, list_acts, undo
from .inverse import Kept, Removal, keep_only, plan_removal, to_accept
from .manual import MAX_FOUND, Created, Said, create_manual, create_value, find_value, mark_places
from .places import (
    CellPlace,
    Place,
    RegionPlace,
    TextPlace,
    WrongPlace,
    cell_text,
    on_every_page,
    read_value,
    sheet_rows,
)
from .values import group_key
from .where import Where

__all__ = [
    "MAX_FOUND",
    "MAX_IDS",
    "METHODS",
    "STATUSES",
    "Act",
    "CellPlace",
    "Changes",
    "Created",
    "Decided",
    "Kept",
    "NoSuchAct",
    "Place",
    "Recording",
    "RegionPlace",
    "Removal",
    "Said",
    "TextPlace",
    "Undone",
    "WasUndone",
    "Where",
    "WrongPlace",
    "cell_text",
    "count_where",
    "create_manual",
    "create_value",
    "decide",
    "decide_where",
    "find_value",
    "group_key",
    "keep_only",
    "list_acts",
    "mark_places",
    "occurrences",
    "on_every_page",
    "plan_removal",
    "read_value",
    "remove",
    "sheet_rows",
    "to_accept",
    "undo",
]
