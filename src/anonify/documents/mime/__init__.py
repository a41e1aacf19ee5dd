"""MIME by byte offsets: a message's tree, its header fields and transfer codings (RFC 5322, 2045 to 2047, 2231).

part = scan(source)                     the tree, each part with its fields and byte ranges
decoded_field(field)                    a field's text, and which bytes each character stands for
rewritten_field(field, edits)           the field's bytes with edits of that text, legal again
decode(source, part)                    a body's decoded bytes, piece by piece
decoded_source(source, part)            the same as a ranged source, for readers of attachments
"""

from .model import IDENTITY, LIMITS, Field, Limits, Parameter, Part, Span, Stretch
from .parameters import main_value, parameters_of, written_parameter
from .scan import scan

__all__ = [
    "IDENTITY",
    "LIMITS",
    "Field",
    "Limits",
    "Parameter",
    "Part",
    "Span",
    "Stretch",
    "main_value",
    "parameters_of",
    "scan",
    "written_parameter",
]
