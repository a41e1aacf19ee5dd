"""What leaves a file by rule, values or not: metadata, signatures, scripts, and whatever hung on rebuilt pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence, Set
from typing import Any, Final

import pikepdf

from .tags import Pruner

__all__ = ["clean_metadata", "drop_scripts", "drop_signatures", "drop_stray_pages", "forget_pages", "is_signature"]

_PRIVATE: Final = ("/Metadata", "/PieceInfo", "/LastModified", "/Thumb")
_MAX_DEPTH: Final = 64


def clean_metadata(pdf: pikepdf.Pdf, holders: Sequence[Any], named: Counter[str]) -> None:
    """Take out Info, XMP, thumbnails, private application data and web capture records."""
    trailer = pdf.trailer
    if "/Info" in trailer:
        del trailer["/Info"]
        named["metadata"] += 1
    for key in ("/SpiderInfo", "/PieceInfo"):
        if key in pdf.Root:
            del pdf.Root[key]
            named["metadata"] += 1
    for holder in holders:
        for key in _PRIVATE:
            if key in holder:
                del holder[key]
                named["thumbnail" if key == "/Thumb" else "metadata"] += 1


def drop_signatures(pdf: pikepdf.Pdf, holders: Sequence[Any], named: Counter[str]) -> None:
    """A rewritten file no longer matches its signatures: take them out rather than let them look valid.

    Their fields stay, unsigned.
    """
    root = pdf.Root
    for key in ("/Perms", "/DSS"):
        if key in root:
            del root[key]
            named["signature"] += 1
    form = root.get("/AcroForm")
    if isinstance(form, pikepdf.Dictionary) and "/SigFlags" in form:
        del form["/SigFlags"]
    known = _needed(pdf)
    signatures = [holder for holder in holders if is_signature(holder) and holder.objgen not in known]
    for holder in holders:
        value = holder.get("/V")
        held = isinstance(value, pikepdf.Dictionary) and is_signature(value)
        if held or (value is not None and holder.get("/FT") == "/Sig"):
            del holder["/V"]
            named["signature"] += not held
    for signature in signatures:
        # Emptied too: another way than by a field may lead there.
        for key in list(signature.keys()):
            del signature[key]
        named["signature"] += 1


def _needed(pdf: pikepdf.Pdf) -> set[tuple[int, int]]:
    """Object numbers of the catalog and the pages, which stay whatever a damaged file says they are."""
    return {pdf.Root.objgen, *(page.obj.objgen for page in pdf.pages)}


def is_signature(holder: Any) -> bool:
    """Whether a dictionary is a signature or a time stamp (ISO 32000-2, table 255)."""
    if isinstance(holder, pikepdf.Stream):
        return False
    return holder.get("/Type") in ("/Sig", "/DocTimeStamp") or ("/ByteRange" in holder and "/Contents" in holder)


def drop_scripts(pdf: pikepdf.Pdf, holders: Sequence[Any], named: Counter[str]) -> None:
    """Scripts can put a value together from parts that no search finds."""
    names = pdf.Root.get("/Names")
    if isinstance(names, pikepdf.Dictionary) and "/JavaScript" in names:
        del names["/JavaScript"]
        named["javascript"] += 1
    for holder in holders:
        if "/JS" in holder:
            del holder["/JS"]
            holder["/S"] = pikepdf.Name("/None")
            named["javascript"] += 1


def drop_stray_pages(pdf: pikepdf.Pdf, holders: Sequence[Any], named: Counter[str]) -> None:
    """Pages outside the page tree (deleted ones a bookmark still leads to, templates) keep their text: empty them."""
    known = _needed(pdf)
    for holder in holders:
        if isinstance(holder, pikepdf.Stream) or holder.objgen in known or "/Kids" in holder:
            continue
        if holder.get("/Type") in ("/Page", "/Template") or ("/Contents" in holder and "/MediaBox" in holder):
            for key in list(holder.keys()):
                if key != "/Type":
                    del holder[key]
            named["stray-page"] += 1


def forget_pages(pdf: pikepdf.Pdf, pages: Set[tuple[int, int]], removed: Set[tuple[int, int]]) -> bool:
    """Cut every way from the document to content that rebuilt pages no longer have.

    Returns whether the document was tagged: its rebuilt pages are not any more.

    Args:
        pages: object numbers of the rebuilt pages.
        removed: object numbers of annotations that are gone.
    """
    root = pdf.Root
    if "/Threads" in root:
        del root["/Threads"]
    form = root.get("/AcroForm")
    if isinstance(form, pikepdf.Dictionary):
        for key in ("/Fields", "/CO"):
            if isinstance(form.get(key), pikepdf.Array):
                form[key] = _without_fields(form[key], removed, 0)
    tree = root.get("/StructTreeRoot")
    if not isinstance(tree, pikepdf.Dictionary):
        return False
    if Pruner(pages, removed).prune(tree):
        # Some content of the document is without a tag now, and readers are told so (ISO 32000-2, table 353).
        if isinstance(root.get("/MarkInfo"), pikepdf.Dictionary):
            root.MarkInfo.Suspects = True
    else:
        del root["/StructTreeRoot"]
        if "/MarkInfo" in root:
            del root["/MarkInfo"]
    return True


def _without_fields(fields: Any, removed: Set[tuple[int, int]], depth: int) -> Any:
    kept = pikepdf.Array()
    for field in fields:
        if not isinstance(field, pikepdf.Dictionary) or field.objgen in removed:
            continue
        children = field.get("/Kids")
        if isinstance(children, pikepdf.Array) and depth < _MAX_DEPTH:
            field.Kids = _without_fields(children, removed, depth + 1)
            if len(children) and not len(field.Kids):
                continue
        kept.append(field)
    return kept
