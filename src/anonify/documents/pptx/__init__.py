"""Presentations, shows, templates and their macro-enabled kin (ECMA-376, ISO/IEC 29500), strict and transitional."""

from anonify.documents.format import Format
from anonify.documents.ooxml.gather import own_reader
from anonify.documents.ooxml.independent import independent_reader
from anonify.documents.ooxml.media import UNREAD
from anonify.documents.ooxml.shown import open_package_pictures

from .check import CHECKS, check_structure
from .extract import extract
from .redact import redact
from .sniff import FAMILY

__all__ = ["FORMAT"]

FORMAT = Format(
    kind="pptx",
    label="PowerPoint presentation",
    mime_types=(
        "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        "application/vnd.openxmlformats-officedocument.presentationml.template",
        "application/vnd.openxmlformats-officedocument.presentationml.slideshow",
        "application/vnd.ms-powerpoint.presentation.macroEnabled.12",
        "application/vnd.ms-powerpoint.template.macroEnabled.12",
        "application/vnd.ms-powerpoint.slideshow.macroEnabled.12",
    ),
    extensions=(".pptx", ".pptm", ".potx", ".potm", ".ppsx", ".ppsm"),
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
            *("alternative-text", "comments", "custom-xml", "embedded-object", "field-codes", "hidden-shapes"),
            *("hidden-slides", "hidden-text", "image", "macros", "markup-comments", "metadata", "notes"),
            *("revisions", "signature", "signed", "tags", "thumbnail", UNREAD, *CHECKS),
        )
    ),
)
