"""What is to be changed in a part, and what in a part is nobody's text."""

from __future__ import annotations

import re
from typing import Final, NamedTuple, Protocol

from .vocabulary import is_keyword, is_standard

__all__ = ["Address", "PreciseEdit", "Rewriter", "exempt", "is_mixed"]

_OFFICE: Final = re.compile(
    r"xmlns(?::\w+)?\s*=\s*[\"']http://(?:schemas\.openxmlformats\.org/(?:wordprocessingml|spreadsheetml|drawingml|presentationml)"
    r"|schemas\.microsoft\.com/office|purl\.oclc\.org/ooxml)"
)
_CONSTANT: Final = frozenset({"Requires", "Ignorable", "mc:Ignorable"})
_ROOT: Final = re.compile(r"<[^!?<][^<>]*+>")
_BEFORE: Final = re.compile(r"(?:\s|\ufeff|<\?.*?\?>|<!--.*?-->)*+", re.DOTALL)
_PREFIX: Final = re.compile(r"<([^\s:/>]+):")

Address = tuple[str, int, int]
"""`("p", stream, node)` or `("a", place, 0)`: see :mod:`.reader`."""


class PreciseEdit(NamedTuple):
    """Replace code points `[start, end)` at an address."""

    start: int
    end: int
    new: str


class Rewriter(Protocol):
    """Texts that mean something beside what they say, such as formulas and the names formulas use."""

    def text(self, owner: str, text: str, /) -> str | None:
        """What an element's text becomes; None when it is to be searched like any other."""

    def attribute(self, element: str, attribute: str, value: str, /) -> str | None:
        """What an attribute becomes; None when it is to be searched like any other."""


def exempt(element: str, attribute: str, value: str, *, office: bool) -> bool:
    """Whether an attribute is a standard's own vocabulary: namespaces, media types, relationship types, keywords.

    Args:
        element: name as written, or as :func:`is_keyword` takes it.
        attribute: name as written.
        value: the whole value.
        office: whether the part is in Office's vocabularies.
    """
    local, name = element.rpartition(":")[2], attribute.rpartition(":")[2]
    if attribute == "xmlns" or attribute.startswith("xmlns:") or name == "uri":
        return is_standard(value)
    if attribute in _CONSTANT:
        return True
    if (name == "Type" and local == "Relationship") or (name == "ContentType" and local in ("Override", "Default")):
        return is_standard(value)
    return office and is_keyword(local, name, value)


def is_mixed(text: str) -> bool:
    """Whether a part's text belongs to its elements, as in custom XML, and not to Office's text elements."""
    before = _BEFORE.match(text)
    root = _ROOT.search(text, before.end() if before else 0)
    if root is None:
        return True
    prefix = _PREFIX.match(root[0])
    own = re.search(rf"\sxmlns{':' + prefix[1] if prefix else ''}\s*=\s*[\"'][^\"']*", root[0])
    if own:  # other namespaces may be declared for what is quoted inside
        return not _OFFICE.search(own[0])
    return not _OFFICE.search(text, root.start(), root.end() + 4000)
