"""MIME by byte offsets: a message's tree, its header fields and transfer codings (RFC 5322, 2045 to 2047, 2231).

part = scan(source)                     the tree, each part with its fields and byte ranges
decoded_field(field)                    a field's text, and which bytes each character stands for
rewritten_field(field, edits)           the field's bytes with edits of that text, legal again
decode(source, part)                    a body's decoded bytes, piece by piece
decoded_source(source, part)            the same as a ranged source, for readers of attachments
"""

from .bodymap import Body, body_of
from .codings import decode, decoder, stream
from .encode import collides, encode_base64, encode_quoted_printable, fresh_boundary
from .heads import is_field
from .model import IDENTITY, LIMITS, Field, Limits, Parameter, Part, Span, Stretch
from .parameters import main_value, parameters_of, written_parameter
from .rewrite import FieldEdit, rewritten_field, with_parameter
from .scan import scan
from .stored import DecodedSource, decoded_source
from .tokens import Text, Token, decoded_field
from .words import decoded_words, encoded_words

__all__ = [
    "IDENTITY",
    "LIMITS",
    "Body",
    "DecodedSource",
    "Field",
    "FieldEdit",
    "Limits",
    "Parameter",
    "Part",
    "Span",
    "Stretch",
    "Text",
    "Token",
    "body_of",
    "collides",
    "decode",
    "decoded_field",
    "decoded_source",
    "decoded_words",
    "decoder",
    "encode_base64",
    "encode_quoted_printable",
    "encoded_words",
    "fresh_boundary",
    "is_field",
    "main_value",
    "parameters_of",
    "rewritten_field",
    "scan",
    "stream",
    "with_parameter",
    "written_parameter",
]
