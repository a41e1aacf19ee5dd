"""Exemption codes a redaction can carry as its reason, as data: one set a law.  Any other short text may be one."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import msgspec

__all__ = ["CodeSet", "ExemptionCode", "exemption_codes"]


class ExemptionCode(msgspec.Struct, frozen=True, array_like=True):
    """One ground for withholding.

    Attributes:
        code: as it is written on a redaction.
        title: what it is for, in a few words.
    """

    code: str
    title: str


class CodeSet(msgspec.Struct, frozen=True):
    """The codes of one law.

    Attributes:
        id: stable name.
        name: for people.
        law: where the codes stand.
    """

    id: str
    name: str
    law: str
    codes: tuple[ExemptionCode, ...]


class _File(msgspec.Struct):
    sets: tuple[CodeSet, ...]


@cache
def exemption_codes() -> tuple[CodeSet, ...]:
    """The sets that come with the product, in the order they are offered."""
    return msgspec.json.decode((files(__package__) / "codes.json").read_bytes(), type=_File).sets
