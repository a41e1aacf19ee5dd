"""The lines that part messages (RFC 4155, and what programs have written since the seventies).

A separator is `From`, a space, who sent the message and when, as `asctime` writes it:

    From somebody@example.com Tue Mar  4 03:33:20 2003

Real ones leave the sender out, quote it or spell it `user at example.com`; write a time zone before or behind the year,
no seconds, a year of two digits, or the date as a header does; or say `remote from host` behind it.  Netscape and its
heirs write `From - ` and may leave the date out.

A header block must follow: a line that names a field, behind at most a few `>From ` lines of relays.
"""

from __future__ import annotations

import re
from typing import Final

__all__ = ["LOOK_AHEAD", "REBUILT", "SOURCE", "Shape"]

_DAY: Final = rb"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun|\?\?\?)"
_MONTH: Final = rb"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|\?\?\?)"
_TIME: Final = rb"\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?"
_ZONE: Final = rb"(?:\(?[A-Za-z]{1,5}(?:[-+]\d{1,2}:?(?:\d{2})?)?\)?|[-+]\d{2}:?\d{2})"
_YEAR: Final = rb"\d{2}(?:\d{2})?"
_ASCTIME: Final = rb"".join(
    (_DAY, rb",?[ \t]{1,16}", _MONTH, rb"[ \t]{1,16}\d{1,2},?[ \t]{1,16}", _TIME)
) + rb"(?:[ \t]{1,16}%b){0,2}[ \t]{1,16}%b(?:[ \t]{1,16}%b){0,2}" % (_ZONE, _YEAR, _ZONE)
_HEADER_DATE: Final = rb"(?:%b,[ \t]{0,16})?\d{1,2}[ \t]{1,16}%b[ \t]{1,16}%b[ \t]{1,16}%b(?:[ \t]{1,16}%b){0,2}" % (
    *(_DAY, _MONTH, _YEAR, _TIME, _ZONE),
)
_DATE: Final = rb"(?:%b|%b)(?:[ \t]{1,16}remote from [^\r\n]{1,256})?[ \t]{0,16}" % (_ASCTIME, _HEADER_DATE)
_SENDER: Final = rb"(?:[^\r\n]{1,512}?[ \t]{1,16}|[ \t]{0,16})"
_FIELD: Final = rb"[!-9;-~]{1,256}[ \t]{0,16}:"
_RELAYS: Final = rb"(?:>{1,16}From [^\r\n]{0,998}\r?\n){0,4}"
_REST: Final = rb"[^\n]{0,998}\n(?:[ \t][^\n]{0,998}\n){0,4}"

LOOK_AHEAD: Final = 16 << 10
"""Bytes from a line's beginning that decide whether it is a separator; no pattern here is longer."""


class Shape:
    """Which lines are separators.  Patterns begin with the line end before the line, and end where the line ends.

    Args:
        dated: finds lines that are a separator behind a blank line only.
        bare: finds Netscape's, which stand behind any line: it wrote no blank line between messages.
    """

    def __init__(self, dated: bytes, bare: bytes | None = None) -> None:
        self.dated = re.compile(dated)
        self.bare = re.compile(bare) if bare is not None else None


SOURCE: Final = Shape(
    rb"\nFrom %b%b(?=\r?\n%b%b)" % (_SENDER, _DATE, _RELAYS, _FIELD),
    rb"\nFrom -[ \t]{0,16}(?:%b)?(?=\r?\n%b%b%b%b)" % (_DATE, _RELAYS, _FIELD, _REST, _FIELD),
)
"""A stranger's mailbox: two fields must follow where no blank line went before."""

REBUILT: Final = Shape(rb"\nFrom (?:MAILER-DAEMON|-) %b(?=\r?\n)" % _ASCTIME)
"""A mailbox this package wrote: every other line that begins so is quoted, so that no header need follow."""
