"""What a header block says about the body behind it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from .model import Field, Parameter
from .parameters import main_value, parameters_of

__all__ = ["Description", "described"]

_TYPE: Final = re.compile(r"[^/]+/[^/]+")
_COMMENT: Final = re.compile(rb"\([^()]*\)")


class Description(NamedTuple):
    """See :class:`~anonify.documents.mime.model.Part`."""

    type: str
    declared: bool
    parameters: tuple[Parameter, ...]
    coding: str
    disposition: str
    filename: str
    content_id: str
    boundaries: tuple[bytes, ...]


def described(fields: Sequence[Field], default: str) -> Description:
    """The description; where a field is there twice the first one counts, as in the standard library.

    A type declared twice is the exception: a multipart among them wins, and the boundaries of all of them delimit, for
    a reader that takes the last would see parts where others see text.
    """
    types = [one for one in fields if one.name == "content-type"]
    split = [one for one in types if main_value(one).startswith("multipart/")]
    chosen = types[0] if types else None
    boundaries = tuple(dict.fromkeys(bound for one in split for bound in _boundaries(one)))
    if chosen is not None and chosen not in split and boundaries:
        chosen = split[0]
    parameters = () if chosen is None else parameters_of(chosen)
    placed = _first(fields, "content-disposition")
    given = () if placed is None else parameters_of(placed)
    return Description(
        type=default if chosen is None else _type(main_value(chosen)),
        declared=chosen is not None,
        parameters=parameters,
        coding=_word(_first(fields, "content-transfer-encoding")),
        disposition="" if placed is None else main_value(placed),
        filename=_best(given, "filename") or _best(parameters, "name") or _best(given, "name"),
        content_id=_word(_first(fields, "content-id")).strip("<>"),
        boundaries=boundaries,
    )


def _first(fields: Sequence[Field], name: str) -> Field | None:
    return next((one for one in fields if one.name == name), None)


def _type(value: str) -> str:
    return value if _TYPE.fullmatch(value) else "text/plain"


def _word(field: Field | None) -> str:
    if field is None:
        return ""
    value = _COMMENT.sub(b"", field.raw[field.value :]).split(b";")[0].strip().decode("latin-1")
    return value if value.startswith("<") else value.lower()


def _best(parameters: Sequence[Parameter], name: str) -> str:
    """A parameter's text; the extended form goes before the plain one (RFC 6266)."""
    found = sorted((one for one in parameters if one.name == name and one.text), key=lambda one: not one.extended)
    return found[0].text.strip() if found else ""


def _boundaries(field: Field) -> list[bytes]:
    texts = [one.text.rstrip() for one in parameters_of(field) if one.name == "boundary"]
    found = [text.encode("utf-8", "replace") for text in texts]
    found += [text.encode("latin-1") for text in texts if not text.isascii() and max(text) <= "\xff"]
    return found
