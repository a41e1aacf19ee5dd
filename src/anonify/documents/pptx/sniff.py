"""Whether bytes are a presentation."""

from __future__ import annotations

from typing import Final

from anonify.documents.ooxml.family import Family

__all__ = ["FAMILY"]

FAMILY: Final = Family(
    main_types=(
        "presentationml.presentation.main",
        "presentationml.template.main",
        "presentationml.slideshow.main",
        "ms-powerpoint.presentation.macro",
        "ms-powerpoint.template.macro",
        "ms-powerpoint.slideshow.macro",
        "ms-powerpoint.addin.macro",
    ),
    other_types=("wordprocessingml", "spreadsheetml", "ms-word", "ms-excel", "ms-visio", "drawingml"),
    namespace=b"/presentationml/",
    folder="ppt",
)
