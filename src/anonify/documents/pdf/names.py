"""Names that belong to the format, not to a document."""

from __future__ import annotations

from typing import Final

__all__ = ["STANDARD"]

STANDARD: Final = frozenset(
    ["/Annot", "/Annots", "/Author", "/Background", "/Black", "/Bold", "/Border", "/Caption", "/Catalog", "/Center", "/Circle", "/Code", "/Color", "/Contents", "/Count", "/Creator", "/Date", "/Default", "/Dest", "/Document", "/Figure", "/Fields", "/Filter", "/First", "/Font", "/Form", "/Formula", "/Group", "/Height", "/Helvetica", "/Highlight", "/Image", "/Indent", "/Index", "/Info", "/Keywords", "/Kids", "/Label", "/Language", "/Last", "/Length", "/Line", "/Link", "/List", "/Mask", "/Matrix", "/Metadata", "/Name", "/Names", "/Next", "/Note", "/Outlines", "/Page", "/Pages", "/Parent", "/Part", "/Pattern", "/Popup", "/Prev", "/Private", "/Producer", "/Quote", "/Rect", "/Reference", "/Resources", "/Role", "/Root", "/Rotate", "/Section", "/Shading", "/Size", "/Sound", "/Span", "/Square", "/Stamp", "/Start", "/State", "/Status", "/Subject", "/Subtype", "/Table", "/Text", "/Thread", "/Title", "/Trapped", "/Type", "/Underline", "/Version", "/Volume", "/Watermark", "/White", "/Widget", "/Width", "/Cyan", "/Magenta", "/Yellow", "/Green", "/Blue", "/Category", "/Component", "/Primary", "/Print", "/View", "/Export", "/Zoom", "/User", "/Design", "/Order", "/Usage", "/Event"]
)
"""Names the standard itself gives, which say nothing about a document.  They are neither renamed nor reported."""
