"""How a replacement is written at a place, so that it reads as meant and ends nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Final
from urllib.parse import quote

from .strands import Context

__all__ = ["written"]


def written(text: str, context: Context) -> str:
    """`text` as it is written in `context`.

    Names: `text`; `double`, `single`, `unquoted` (an attribute by its quotes); `percent` (a link, a query's value),
    `css` (a string or name of a style sheet), `script` (a string of a script or JSON), `comment`, `raw` (an element
    without references, its own end tag aside), `name` (of a tag).
    """
    for name in context:
        text = _ENCODERS[name](text)
    return text


def _text(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _double(text: str) -> str:
    return _text(text).replace('"', "&quot;")


def _single(text: str) -> str:
    return _text(text).replace("'", "&#39;")


def _unquoted(text: str) -> str:
    return re.sub(r"[\t\n\f\r \"'=`]", lambda match: f"&#{ord(match[0])};", _text(text))


def _css(text: str) -> str:
    return re.sub(r"[^\w\-\[\] .]|\n", lambda match: f"\\{ord(match[0]):06x}", text)


def _script(text: str) -> str:
    quoted = json.dumps(text, ensure_ascii=False)[1:-1]
    return re.sub(r"[<>&'`\u2028\u2029]", lambda match: f"\\u{ord(match[0]):04x}", quoted)


def _comment(text: str) -> str:
    text = text.replace("--", "\u2010\u2010").replace("<", "\u2039").replace(">", "\u203a")
    return "\u2010" + text[1:] if text.startswith("-") else text


def _raw(text: str) -> str:
    return text.replace("<", "\u2039")


def _name(text: str) -> str:
    return re.sub(r"[^0-9A-Za-z]", "", text).lower() or "x"


def _percent(text: str) -> str:
    return quote(text, safe="=")


_ENCODERS: Final[dict[str, Callable[[str], str]]] = {
    "text": _text,
    "double": _double,
    "single": _single,
    "unquoted": _unquoted,
    "percent": _percent,
    "css": _css,
    "script": _script,
    "comment": _comment,
    "raw": _raw,
    "name": _name,
    "plain": lambda text: text,
}
