"""Removing values from one markup part, in place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from . import html, xml
from .collector import Collector
from .edits import Address, PreciseEdit, Rewriter, is_mixed
from .glance import beginning, look, stretches
from .streams import Scanner
from .sweep import Sweeper
from .tokens import Reader
from .xml import Change, Tag

__all__ = ["sweep_part"]

_WHOLE: Final = 1 << 20
"""Code points of a part that is first looked at as a whole."""


def _scan(text: str, scanner: Scanner, collector: Collector, sweeper: Sweeper, *, mixed: bool) -> None:
    """Read what may hold a value or is edited."""
    reader = Reader(text, scanner)
    root = beginning(text, reader.first)
    seen = look(text[root:], sweeper, 0) if len(text) <= _WHOLE else None
    if (seen is None or seen.is_silent or not mixed) and collector.may_pass_over(root, len(text), 0, seen):
        collector.pass_over(root, len(text))
        return
    if mixed:
        reader.feed(reader.first, len(text))
        reader.finish()
        return
    for start, stop in stretches(text, reader.first):
        seen = None
        if start >= reader.done and reader.depth and scanner.is_between:
            seen = look(text[start:stop], sweeper, reader.depth)
        if seen is not None and collector.may_pass_over(start, stop, scanner.count, seen):
            collector.pass_over(start, stop)
            scanner.skip(seen.paragraphs)
            reader.skip(stop)
        else:
            reader.feed(start, stop)
    reader.finish()


def sweep_part(
    text: str,
    sweeper: Sweeper,
    edits: Mapping[Address, list[PreciseEdit]],
    *,
    drop_rsids: bool = False,
    markup: str = "xml",
    skip: Callable[[Tag, str], bool] = lambda _tag, _name: False,
    rewriter: Rewriter | None = None,
) -> tuple[list[Change], int]:
    """The changes that rid a part of every value, and how many precise edits are among them.

    Args:
        markup: `xml` or `html`.
        skip: attributes that are dealt with elsewhere.
        rewriter: looks at texts and attributes of Office's vocabularies first.

    Raises:
        FatalError: `malformed` or `too-complex`.
    """
    lenient = markup == "html"
    escapes = html.HTML if lenient else xml.XML
    mixed = lenient or is_mixed(text)
    collector = Collector(
        text, sweeper, edits, drop_rsids=drop_rsids, escapes=escapes, office=not mixed, skip=skip, rewriter=rewriter
    )
    scanner = Scanner(
        text,
        collector.group,
        collector.attributes,
        collector.aside,
        mixed=mixed,
        escapes=escapes,
    )
    if lenient:
        html.tokenize(text, scanner)
    elif rewriter:
        xml.tokenize(text, scanner)
    else:
        _scan(text, scanner, collector, sweeper, mixed=mixed)
    collector.finish()
    if not lenient and ((sweeper.active and not sweeper.keeps) or rewriter):
        collector.names.elements |= scanner.names
        collector.changes += collector.names.changes(text, sweeper)
    return collector.changes, collector.edited
