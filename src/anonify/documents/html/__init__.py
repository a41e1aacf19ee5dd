"""HTML by offsets: what a person reads in it, everything else it says, and edits that leave its markup alone.

This works on decoded text (`str`); a caller that holds bytes maps code points to them.

    html = read(text)                 # raises FatalError `too-complex` above Limits
    html.text, html.sections          # review text: shown text first, then what a viewer does not show
    result = redact(text, edits, sweep, marker)     # -> Redacted(text, edited, swept)
    for piece in own_pieces(result.text): ...       # (place, text): everything it says, with our tokenizer
    for piece in independent_pieces(result.text): . # the same with the standard library's, sharing no code
    same_structure(text, result.text, values)       # tags and attribute names are the same, in order

Edits (:class:`TextEdit`) are in coordinates of `html.text`; stretches that belong to the markup (`- `, ` | `, breaks)
may be inside an edit and stay.  :func:`edit` gives the cuts of one round in source offsets; :func:`redact` repeats it
until nothing is found.
"""

from .editing import Redacted, edit, redact
from .independent import independent_pieces
from .model import Atom, Cut, Edited, Html, Limits, Section, TextEdit
from .reading import read
from .strands import Run, Strand
from .verify import own_pieces, same_structure

__all__ = [
    "Atom",
    "Cut",
    "Edited",
    "Html",
    "Limits",
    "Redacted",
    "Run",
    "Section",
    "Strand",
    "TextEdit",
    "edit",
    "independent_pieces",
    "own_pieces",
    "read",
    "redact",
    "same_structure",
]
