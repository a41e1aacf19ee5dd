"""Reading a text back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from anonify.documents.matching import Matcher

from .names import is_attribute, is_tag
from .reading import read
from .tokens import Token, tokenize

__all__ = ["own_pieces", "same_structure"]


def own_pieces(text: str) -> Iterator[tuple[str, str]]:
    """Every text in `text` with a name of its place: as reviewed, without breaks, decoded once and more often."""
    html = read(text)
    for section in html.sections:
        yield section.name, html.text[section.start : section.end]
    yield from (("text", strand.text) for strand in html.strands)
    yield "codes", html.coded.text


def same_structure(before: str, after: str, values: Sequence[str]) -> bool:
    """Whether tags and attribute names are the same, in order; names HTML does not know may lose a value."""
    matcher = Matcher(values)
    olds, news = _tags(before), _tags(after)
    for old, new in zip(olds, news, strict=False):
        if old.kind != new.kind:
            return False
        same = old.name == new.name and [each.name for each in old.attributes] == [each.name for each in new.attributes]
        if not same and not _renamed(before, old, matcher):
            return False
    return next(olds, None) is None and next(news, None) is None


def _tags(text: str) -> Iterator[Token]:
    return (token for token in tokenize(text) if token.kind in ("start", "end", "comment", "doctype"))


def _renamed(text: str, token: Token, matcher: Matcher) -> bool:
    known = is_tag(token.name) and all(is_attribute(each.name) for each in token.attributes)
    return not known and matcher.found(text[token.start : token.end])
