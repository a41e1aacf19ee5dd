"""XFA forms (ISO 32000-1, 12.7.8): a form described again, in XML, which some viewers show instead of the pages."""

from __future__ import annotations

import re
from typing import Any, Final

import pikepdf

from anonify.errors import Code, FatalError

from .objects import ERRORS

__all__ = ["drop_xfa", "refuse_dynamic"]

_DYNAMIC: Final = re.compile(rb"<dynamicRender\s*>\s*required\s*<")
MAX_PACKETS: Final = 64 << 20
"""Bytes of packets that are looked through for what kind of form they make."""


def refuse_dynamic(pdf: pikepdf.Pdf) -> None:
    """Refuse a form whose pages exist only in its XML: what is in the file's own pages is a notice to wait.

    Raises:
        FatalError: `unsupported-type`.
    """
    form = pdf.Root.get("/AcroForm")
    if not isinstance(form, pikepdf.Dictionary) or "/XFA" not in form:
        return
    if bool(pdf.Root.get("/NeedsRendering")) or _DYNAMIC.search(_packets(form.XFA)):
        raise FatalError(Code.UNSUPPORTED_TYPE)


def drop_xfa(pdf: pikepdf.Pdf) -> int:
    """Take the XML out of a form that has pages as well; the plain form remains.  Returns how many there were."""
    form = pdf.Root.get("/AcroForm")
    if "/NeedsRendering" in pdf.Root:
        del pdf.Root["/NeedsRendering"]
    if not isinstance(form, pikepdf.Dictionary) or "/XFA" not in form:
        return 0
    del form["/XFA"]
    return 1


def _packets(packets: Any) -> bytes:
    found = b""
    for packet in list(packets) if isinstance(packets, pikepdf.Array) else [packets]:
        if isinstance(packet, pikepdf.Stream) and len(found) < MAX_PACKETS:
            try:
                found += packet.read_bytes()
            except ERRORS:
                continue
    return found
