"""The notes that stand in the place of parts that are gone."""

from __future__ import annotations

from anonify.errors import FAILURES, Code

from .search import Searcher

__all__ = ["notice"]


def notice(what: str, marker: str, searcher: Searcher, reason: str = "") -> bytes:
    """`[attachment removed: <sentence>]`, or less where an accepted value stands in the words themselves."""
    sentence = FAILURES[Code(reason)].sentence if reason in {code.value for code in Code} else ""
    if reason == "not-ready":
        sentence = "It was not ready when this message was exported."
    if reason == "value":
        sentence = "It holds an accepted value and cannot be edited."
    for text in (f"[{what} removed: {sentence}]", f"[{what} removed]", marker, "[removed]", "[-]"):
        if (sentence or ":" not in text) and not searcher.finder.found(text):
            return text.encode("utf-8")
    return b""
