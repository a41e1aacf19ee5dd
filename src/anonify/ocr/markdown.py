"""The words of a Markdown page, as they stand in the picture it describes."""

from __future__ import annotations

import html
import re
from typing import Final

__all__ = ["words_of"]

_PICTURE: Final = re.compile(r"!\[[^\]\n]*\]\([^)\n]*\)")
_LINK: Final = re.compile(r"\[([^\]\n]+)\]\([^)\n]*\)")
_RULE: Final = re.compile(r"^[\s|:*_-]*-{3}[\s|:*_-]*$", re.MULTILINE)
_HEAD: Final = re.compile(r"^\s{0,3}(?:#{1,6}|>|[-*+])\s+", re.MULTILINE)
_TAG: Final = re.compile(
    r"</?(?:br|sup|sub|table|tr|td|th|thead|tbody|p|div|b|i|u|strong|em)\b[^>\n]{0,200}>", re.IGNORECASE
)
_STRONG: Final = re.compile(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1")
_STRESSED: Final = re.compile(r"(?<!\w)([*_])(?=\S)([^*_\n]+?)(?<=\S)\1(?!\w)")
_ESCAPED: Final = re.compile(r"\\([\\`*_{}\[\]()#+\-.!|<>~$&%@])")
_FENCE: Final = re.compile(r"^\s*(?:```|~~~).*$", re.MULTILINE)


def words_of(text: str) -> list[str]:
    """The words of `text` in its order, without the marks that only lay it out.

    What is no such mark stays: a word too many does less harm than one too few.
    """
    for pattern, put in ((_PICTURE, " "), (_FENCE, " "), (_RULE, " "), (_TAG, " "), (_LINK, r"\1"), (_HEAD, "")):
        text = pattern.sub(put, text)
    text = _STRONG.sub(r"\2", text)
    text = _STRESSED.sub(r"\2", text)
    text = re.sub(r"(?<!\\)\|", " ", text)
    return html.unescape(_ESCAPED.sub(r"\1", text)).split()
