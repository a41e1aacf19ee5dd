"""What detection says: suggestions, never decisions."""

from __future__ import annotations

from typing import Final, Literal, get_args

import msgspec

from anonify.documents import Box

__all__ = [
    "CATEGORIES",
    "CONTEXT_MODEL",
    "DEGRADED",
    "DEGRADED_CUT",
    "DEGRADED_FACES",
    "DEGRADED_MODEL",
    "DEGRADED_NAMES",
    "DEGRADED_NAMES_CUT",
    "DEGRADED_READER",
    "DEGRADED_UNREAD",
    "MAX_DETECTIONS",
    "VISION_MODEL",
    "Category",
    "Detection",
    "Source",
    "from_json_lines",
    "to_json_line",
]

Category = Literal[
    "person",
    "address",
    "phone",
    "email",
    "government-id",
    "bank-account",
    "financial",
    "date-of-birth",
    "customer-id",
    "health",
    "confidential",
    "api-key",
    "url",
    "face",
    "signature",
    "other",
]

CATEGORIES: Final[tuple[Category, ...]] = get_args(Category)
"""Every category, in the order they are shown."""

Source = Literal["pattern", "label", "names-model", "context-model", "column", "expanded", "vision"]

FACE: Final = "face"
"""Detector of suggestions that are faces in pictures."""

CONTEXT_MODEL: Final = "context-model"
"""Detector of suggestions that only a language model proposed."""

VISION_MODEL: Final = "vision-model"
"""Detector of suggestions that only a language model saw in a picture."""

MAX_DETECTIONS: Final = 20_000
"""Suggestions kept for one document.  More cannot be reviewed by a person and would fill the database."""

DEGRADED_NAMES: Final = "names-model-missing"
"""Degraded reason: names were looked for beside labels and salutations only."""

DEGRADED_NAMES_CUT: Final = "names-model-stopped"
"""Degraded reason: the document is so long that the names model read only its beginning."""

DEGRADED_CUT: Final = "too-many-detections"
"""Degraded reason: the document held more than :data:`MAX_DETECTIONS` suggestions; the rest were dropped."""

DEGRADED_UNREAD: Final = "unread-pictures"
"""Degraded reason: the pixels of some pages could not be read."""

DEGRADED_FACES: Final = "faces-model-missing"
"""Degraded reason: pictures were not searched for faces."""

DEGRADED_READER: Final = "reader-away"
"""Degraded reason, and note of an extraction: the reader beyond this machine did not answer for some pages."""

DEGRADED_MODEL: Final = (
    "ai-unsupported", "ai-refused-key", "ai-payment", "ai-budget", "ai-rate-limited", "ai-slow", "ai-unreachable",
    "ai-malformed", "ai-too-many",
)  # fmt: skip
"""Degraded reasons: a language model is set up and was not asked about all of the document."""

DEGRADED: Final = (
    DEGRADED_NAMES, DEGRADED_NAMES_CUT, DEGRADED_CUT, DEGRADED_UNREAD, DEGRADED_FACES, DEGRADED_READER,
    *DEGRADED_MODEL,
)  # fmt: skip
"""Every degraded reason."""


class Detection(msgspec.Struct, frozen=True, omit_defaults=True):
    """One suggestion, located in a page's text.

    A column suggestion of a grid has `sheet` and `column` set, `row` None, `start == end == 0` and an empty `text`;
    it stands for every cell of the column below the header.  A suggestion inside one cell has all three set beside
    its offsets.  A suggestion without text, a face, has `box` set, `start == end == 0` and an empty `text`.

    Attributes:
        page: the page's number, from 1 (for a column, the sheet's first page).
        start: first code point in the page's text.
        end: past the last code point.
        text: exactly `page.text[start:end]`.
        category: one of :data:`CATEGORIES`.
        confidence: 0 to 1.
        source: what kind of part proposed it.
        detector: the part's stable name, e.g. `email`, `iban`, `phone`, `expanded`.
        global_: whether the value is sensitive wherever it stands, so that other occurrences are suggested as well.
        sheet: index of the sheet, from 0, on grid pages.
        row: the row's number in the sheet, from 1.
        column: the column's number, from 1.
        box: rectangle in page units, top-left origin, of what has no text.
        reason: why, as :mod:`.reasons` says; empty for the detector's own reason.
        person: of a name, the text of the fullest form of that person's name; forms of one person share it.
    """

    page: int
    start: int
    end: int
    text: str
    category: Category
    confidence: float
    source: Source
    detector: str
    global_: bool = msgspec.field(default=True, name="global")
    sheet: int | None = None
    row: int | None = None
    column: int | None = None
    box: Box | None = None
    reason: str = ""
    person: str = ""

    @property
    def is_column(self) -> bool:
        """Whether this stands for a whole column of a grid."""
        return self.column is not None and self.row is None


_ENCODER: Final = msgspec.json.Encoder()
_DECODER: Final = msgspec.json.Decoder(Detection)


def to_json_line(detection: Detection) -> bytes:
    """One line of the sink `detections`, newline included."""
    return _ENCODER.encode(detection) + b"\n"


def from_json_lines(data: bytes) -> list[Detection]:
    """What :func:`to_json_line` wrote.

    Raises:
        msgspec.ValidationError: a line is not a detection.
    """
    return [_DECODER.decode(line) for line in data.splitlines() if line]
