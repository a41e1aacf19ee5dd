"""Word documents, templates and their macro-enabled kin (ECMA-376, ISO/IEC 29500), strict and transitional."""

from anonify.documents.format import Format
from anonify.documents.ooxml.gather import own_reader
from anonify.documents.ooxml.independent import independent_reader
from anonify.documents.ooxml.media import UNREAD
from anonify.documents.ooxml.shown import CHECK, open_package_pictures

from .check import check_structure
from .extract import extract
from .redact import redact
from .sniff import FAMILY

__all__ = ["FORMAT"]

FORMAT = Format(
    kind="docx",
    label="Word document",
    mime_types=(
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.template",
        "application/vnd.ms-word.document.macroEnabled.12",
        "application/vnd.ms-word.template.macroEnabled.12",
    ),
    extensions=(".docx", ".docm", ".dotx", ".dotm"),
    unit="pages",
    sniff=FAMILY.sniff,
    extract=extract,
    redact=redact,
    own_reader=own_reader,
    independent_reader=independent_reader,
    check_structure=check_structure,
    pictures=open_package_pictures,
    words=frozenset(
        (
            *("alternative-text", "comments", "custom-xml", "embedded-object", "field-codes", "form", "hidden-text"),
            *("image", "macros", "markup-comments", "metadata", "revisions", "signature", "signed", "thumbnail"),
            *("same-parts", "same-paragraphs", "relationships", "well-formed", CHECK, UNREAD),
        )
    ),
)
