"""Recognisers of text in pictures, behind one interface.  Pure like `documents`: pixels in, words out.

RECOGNISE  pages of a model whose pixels nobody has read → the same pages with their words
REREAD     an artifact's redacted pages → which accepted values can still be seen, and where
"""

from .again import reread_artifact
from .left import leaves_out
from .model import OcrOptions, RecogniseArgs, Recogniser, Word
from .pipeline import Reading, recognise_document
from .shelf import Shelf, SpoolLike
from .tasks import RECOGNISE, REREAD, Recognised, Reread, RereadArgs, Seen
from .words import UNSURE

__all__ = [
    "RECOGNISE",
    "REREAD",
    "UNSURE",
    "OcrOptions",
    "Reading",
    "RecogniseArgs",
    "Recognised",
    "Recogniser",
    "Reread",
    "RereadArgs",
    "Seen",
    "Shelf",
    "SpoolLike",
    "Word",
    "leaves_out",
    "recognise_document",
    "reread_artifact",
]
