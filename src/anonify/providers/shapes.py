"""The shapes a model's answers have.  Everything else it says is not read."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from anonify.detection.model import Category

__all__ = [
    "Answered",
    "Boxes",
    "Classified",
    "Column",
    "Columns",
    "Judged",
    "Proposed",
    "Seen",
    "Spans",
    "Thing",
    "Verdicts",
    "Verified",
]

Thing = Literal["face", "signature", "plate", "screen"]
"""What is looked for in a picture."""


class Classified(BaseModel):
    """What kind of document a sample is from."""

    kind: str = Field(description="such as letter, invoice, medical report, log file")
    language: str = Field(description="ISO 639 code of the main language")
    density: Literal["none", "low", "high"] = Field(description="how much of the text is about identifiable people")


class Proposed(BaseModel):
    """One sensitive value, word for word as it stands in the text."""

    text: str = Field(description="copied exactly from the text, nothing added")
    category: Category
    confidence: float = Field(ge=0, le=1)
    everywhere: bool = Field(description="whether the same words are sensitive wherever they stand in the document")


class Spans(BaseModel):
    """All sensitive values of a passage that were not known."""

    values: list[Proposed] = Field(max_length=1000)


class Judged(BaseModel):
    """Whether a candidate is what it was taken for."""

    number: int
    sensitive: bool


class Verdicts(BaseModel):
    """One verdict for each candidate."""

    verdicts: list[Judged] = Field(max_length=200)


class Column(BaseModel):
    """What the cells of a column hold."""

    number: int
    category: Category | None = Field(description="null when the column holds nothing sensitive")
    confidence: float = Field(ge=0, le=1)


class Columns(BaseModel):
    """One judgement for each column."""

    columns: list[Column] = Field(max_length=400)


class Seen(BaseModel):
    """Something a picture shows, in a box of whole numbers; the picture's right and bottom edges are 1000."""

    thing: Thing
    left: int = Field(ge=0, le=1000)
    top: int = Field(ge=0, le=1000)
    right: int = Field(ge=0, le=1000)
    bottom: int = Field(ge=0, le=1000)
    confidence: float = Field(ge=0, le=1)


class Boxes(BaseModel):
    """All that a picture shows of what is looked for."""

    boxes: list[Seen] = Field(max_length=200)


class Verified(BaseModel):
    """The answer to the call that shows whether a model can answer in a shape at all."""

    word: str = Field(description="the word that was asked for")
    number: int


Answered = Classified | Spans | Verdicts | Columns | Boxes | Verified
"""Any answer."""
