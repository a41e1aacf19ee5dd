"""Which attributes of a presentation's parts people wrote or see (ECMA-376 part 1, 19 to 21; [MS-PPTX])."""

from __future__ import annotations

import re
from typing import Final

from anonify.documents.ooxml.presented import is_written
from anonify.documents.ooxml.reader import Manner, Told

__all__ = ["MANNER"]

_ALTERNATIVE: Final = frozenset({"descr", "title", "alt"})
_NAME: Final = frozenset({"name"})
_FILE: Final = re.compile(r".*\.\w{3,4}")
_AUTOMATIC: Final = re.compile(
    r"(?:.*\D)?\d+|Google Shape;.*"
    r"|(?:[\w ]+ )?(?:Placeholder|Connector|Shape|Text|Title|Subtitle|Picture|Group|Table|Chart|Diagram|Frame|Object"
    r"|Image|Line|Rectangle|Oval|TextBox|Text Box|Notes|Footer|Header|Date)",
    re.DOTALL,
)
"""Names applications give shapes: numbered in any language, or the bare kind of thing."""
_OWN_THEMES: Final = re.compile(
    r"(?:\d+_)?(?:Office(?: \d{4}(?:\s*-\s*\d{4})?)? Theme|Default Design|Custom Design|Office)"
)
_PROMPT: Final = re.compile(r"\[.*\]", re.DOTALL)
_TELLING: Final = re.compile(r"[^\W\d_]")

_PEOPLE: Final = {
    "cmAuthor": frozenset({"name", "initials"}),
    "author": frozenset({"name", "initials", "userId"}),
    "presenceInfo": frozenset({"userId"}),
    "chgData": frozenset({"name", "userId"}),
}
_NAMED: Final = {
    **dict.fromkeys(("cNvPr", "cSld", "section", "custShow", "theme", "bmk", "snd", "wavAudioFile", "oleObj"), _NAME),
    "track": frozenset({"label"}),
}
_VALUED: Final = {
    "tag": frozenset({"val"}),
    "designTag": frozenset({"val"}),
    "ocxPr": frozenset({"value"}),
    "prSet": frozenset({"phldrT"}),
    **dict.fromkeys(("hlinkClick", "hlinkHover", "hlinkMouseOver"), frozenset({"action", "invalidUrl"})),
}


def _tell(element: str, attribute: str, value: str) -> Told | None:
    if attribute == "hidden":
        return Told("", "hidden-shapes") if value in ("1", "true") else None
    if element in _PEOPLE:
        return Told("People", once=True)
    if element in _NAMED and attribute in _NAMED[element]:
        return Told("Names", once=True) if _is_telling(element, value) else None
    if element in _VALUED and attribute in _VALUED[element]:
        idle = _PROMPT.fullmatch(value) or is_written(element, attribute, value) or not _TELLING.search(value)
        return (
            None if idle else Told("Values and actions", "tags" if element in ("tag", "designTag") else "", once=True)
        )
    return Told("Alternative text", "alternative-text" if attribute in _ALTERNATIVE else "")


def _is_telling(element: str, name: str) -> bool:
    """Whether a person chose a name, or it is a file's."""
    if _FILE.fullmatch(name):
        return True
    if element == "oleObj":
        return False  # the name of the kind of object
    if element == "theme":
        return _OWN_THEMES.fullmatch(name) is None
    return element != "cNvPr" or _AUTOMATIC.fullmatch(name) is None


MANNER: Final = Manner(
    anywhere=_ALTERNATIVE | {"tooltip"},
    within={**_PEOPLE, **_NAMED, **_VALUED, "cNvPr": _NAME | {"hidden"}},
    tell=_tell,
    sections=("People", "Names", "Alternative text", "Values and actions"),
    comments=frozenset({"cm", "reply"}),
)
