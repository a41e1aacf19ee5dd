"""Workbooks, templates and their macro-enabled kin (ECMA-376, ISO/IEC 29500), strict and transitional."""

from anonify.documents.format import Format
from anonify.documents.ooxml.independent import independent_reader
from anonify.documents.ooxml.media import UNREAD
from anonify.documents.ooxml.shown import open_package_pictures

from .check import CHECKS, check_structure, own_reader
from .extract import extract
from .redact import redact
from .sniff import FAMILY
from .texts import HIDDEN_KINDS, NOTES

__all__ = ["FORMAT"]

FORMAT = Format(
    kind="xlsx",
    label="Excel workbook",
    mime_types=(
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.template",
        "application/vnd.ms-excel.sheet.macroEnabled.12",
        "application/vnd.ms-excel.template.macroEnabled.12",
    ),
    extensions=(".xlsx", ".xlsm", ".xltx", ".xltm"),
    unit="cells",
    sniff=FAMILY.sniff,
    extract=extract,
    redact=redact,
    own_reader=own_reader,
    independent_reader=independent_reader,
    check_structure=check_structure,
    pictures=open_package_pictures,
    words=frozenset((*CHECKS, *HIDDEN_KINDS, *NOTES, UNREAD, "image", "signature", "thumbnail")),
)
