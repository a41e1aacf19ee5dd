"""Small safe readings of qpdf's objects: names are bytes, and not every writer makes them UTF-8."""

from __future__ import annotations

import zlib
from typing import Any, Final

import pikepdf

__all__ = [
    "ERRORS",
    "dictionaries",
    "entries",
    "filters",
    "name_text",
    "sub_dictionary",
    "unpredicted",
    "values",
]

ERRORS: Final = (pikepdf.PikepdfError, ValueError, TypeError, AttributeError, LookupError, RuntimeError)
"""What reading a damaged object may raise."""


def entries(holder: Any) -> list[tuple[str, Any]]:
    """Keys and values of a dictionary (or a stream's), in order of keys so that output never depends on hashing."""
    return [(key, holder[key]) for key in sorted(holder.keys())]


def values(holder: Any) -> list[Any]:
    """Values of a dictionary, in order of keys."""
    return [holder[key] for key in sorted(holder.keys())]


def name_text(name: Any) -> str:
    """A name with its slash; bytes that are no UTF-8 become lone surrogates, as in dictionary keys.  "" for no name."""
    return bytes(name).decode("utf-8", "surrogateescape") if isinstance(name, pikepdf.Name) else ""


def filters(stream: Any) -> tuple[str, ...]:
    """The names of a stream's filters, outermost first."""
    given = stream.get("/Filter")
    return tuple(name_text(name) for name in (given if isinstance(given, pikepdf.Array) else [given]))


def unpredicted(stream: Any) -> bytes:
    """A deflated stream's bytes before its predictor is undone; empty when it has none or does not inflate."""
    parms = stream.get("/DecodeParms")
    if filters(stream) not in (("/FlateDecode",), ("/Fl",)) or parms is None:
        return b""
    first = parms[0] if isinstance(parms, pikepdf.Array) and len(parms) else parms
    if not isinstance(first, pikepdf.Dictionary) or first.get("/Predictor", 1) == 1:
        return b""
    try:
        raw: bytes = stream.read_raw_bytes()
        return zlib.decompress(raw)
    except (*ERRORS, zlib.error):
        return b""


def dictionaries(pdf: pikepdf.Pdf) -> list[Any]:
    """Every dictionary and stream the trailer reaches, those inside other objects included."""
    found: list[Any] = []
    seen: set[tuple[int, int]] = set()
    stack: list[Any] = [pdf.trailer]
    while stack:
        holder = stack.pop()
        if holder.is_indirect:
            if holder.objgen in seen:
                continue
            seen.add(holder.objgen)
        if isinstance(holder, pikepdf.Array):
            below = list(holder)
        else:
            found.append(holder)
            below = values(holder)
        stack += [item for item in below if isinstance(item, (pikepdf.Array, pikepdf.Dictionary, pikepdf.Stream))]
    return found


def sub_dictionary(holder: Any, key: str) -> Any:
    """The dictionary at `key`, or an empty one."""
    value = holder.get(key)
    return value if isinstance(value, pikepdf.Dictionary) else pikepdf.Dictionary()
