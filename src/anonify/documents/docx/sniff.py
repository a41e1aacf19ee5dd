"""Whether bytes are a Word document."""

from __future__ import annotations

from typing import Final

from anonify.documents.ooxml.family import Family

__all__ = ["FAMILY"]

FAMILY: Final = Family(
    main_types=(
        "wordprocessingml.document.main",
        "wordprocessingml.template.main",
        "ms-word.document.macro",
        "ms-word.template.macro",
    ),
    other_types=("spreadsheetml", "presentationml", "ms-excel", "ms-powerpoint", "ms-visio", "drawingml"),
    namespace=b"/wordprocessingml/",
    folder="word",
)
