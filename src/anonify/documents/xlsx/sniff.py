"""Whether bytes are a workbook."""

from __future__ import annotations

from typing import Final

from anonify.documents.ooxml.family import Family

__all__ = ["FAMILY"]

FAMILY: Final = Family(
    main_types=(
        "spreadsheetml.sheet.main",
        "spreadsheetml.template.main",
        "ms-excel.sheet.macro",
        "ms-excel.template.macro",
        "ms-excel.addin.macro",
    ),
    other_types=(
        "wordprocessingml",
        "presentationml",
        "ms-word",
        "ms-powerpoint",
        "ms-visio",
        "ms-excel.sheet.binary",
    ),
    namespace=b"/spreadsheetml/",
    folder="xl",
)
