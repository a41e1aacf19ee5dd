"""Whatever the markup: text comes back, a removed value is gone, the rest stays, every code point has its place."""

from __future__ import annotations

import time
from html import escape

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonify.documents.html import TextEdit, independent_pieces, own_pieces, read, redact, same_structure
from anonify.documents.html.tokens import tokenize
from anonify.documents.matching import Matcher
from anonify.documents.plan import SweepValue

VALUES = st.sampled_from(
    ["Zebulon Quarkman", "zeb.quarkman@example.test", "48210-77361", "Žižkov & Söhne", "山田太郎次郎"]
)
BITS = st.sampled_from(
    [
        *(
            "<",
            ">",
            "</",
            "<!--",
            "-->",
            "--!>",
            "<!",
            "<?",
            "<![CDATA[",
            "]]>",
            "&",
            "&#",
            "&#x",
            ";",
            '"',
            "'",
            "=",
            "/",
        ),
        *("<b>", "</b>", "<p>", "</p>", "<br>", "<p hidden>", "<td>", "<table>", "<li>", "<pre>", "<a href=", "<x y"),
        *("<script>", "</script>", "<style>", "</style>", "<title>", "</title>", "<svg>", "</svg>", "<textarea>"),
        *("a", "Jane", " ", "\n", "\r\n", "\0", "&amp;", "&nbsp", "&#65;", "%41", "\\x41", "SmFuZSBEb2U=", "é", "+"),
    ]
)
SOUP = st.lists(BITS, max_size=30).map("".join)
AROUND = st.sampled_from(
    [
        "<p>{}</p>",
        "<b>{}</b>",
        "<table><tr><td>{}</table>",
        "<ul><li>{}</ul>",
        "<!-- x --><i>{}</i>",
        "<pre>{}</pre>",
        "<h2>{}</h2>",
        "<div><blockquote>{}</blockquote></div>",
        "<span class=a title='t'>{}</span>",
    ]
)


@given(SOUP)
@settings(max_examples=300, deadline=None)
def test_every_code_point_is_in_one_token_and_in_one_atom(source: str) -> None:
    place = 0
    for token in tokenize(source):
        assert token.start == place < token.end
        place = token.end
    assert place == len(source)
    html = read(source)
    assert [atom.start for atom in html.atoms[1:]] == [atom.end for atom in html.atoms[:-1]]
    assert "".join(source[atom.start : atom.end] for atom in html.atoms) == source
    for strand in html.swept():
        at = 0
        for run in strand.runs:
            assert run.at == at
            at += run.length
            if run.kind == "literal" and run.packed is None:
                assert source[run.start : run.end] == strand.text[run.at : at]
        assert at == len(strand.text)


@given(SOUP, VALUES, SOUP)
@settings(max_examples=300, deadline=None)
def test_a_value_in_any_soup_is_gone_for_both_readers(before: str, value: str, after: str) -> None:
    source = f"{before} {escape(value)} {after}"
    done = redact(source, (), [SweepValue(value, "[X]")])
    matcher = Matcher([value])
    for pieces in (own_pieces, independent_pieces):
        for name, text in pieces(done.text):
            assert not matcher.found(text), (pieces, name)
    assert same_structure(source, done.text, [value])


def test_html_in_comments_in_html_is_undone_once_for_each() -> None:
    source = "<noscript><!--<template></style><style><p>&</style><!-- Jane<b>Doe é\\x41+%41<title><?<b>&amp;a"
    assert len(read(source).coded.text) < 200 * len(source)


@given(st.text(st.characters(exclude_categories=("Cs", "Cc", "Z")), min_size=1, max_size=40), AROUND, AROUND)
@settings(max_examples=200, deadline=None)
def test_text_comes_back_from_markup(text: str, outer: str, inner: str) -> None:
    html = read(outer.replace("{}", inner.replace("{}", escape(text))))
    shown = html.sections[0]
    assert shown.name == "shown"
    assert html.text[shown.start : shown.end].endswith(text)


@given(
    st.lists(st.sampled_from(["alpha", "beta", "gamma", "Zebulon Quarkman", "&eacute;t&eacute;"]), min_size=1), AROUND
)
@settings(max_examples=200, deadline=None)
def test_an_edit_takes_what_it_names_and_nothing_else(words: list[str], around: str) -> None:
    source = "".join(around.replace("{}", word) for word in words)
    html = read(source)
    at = html.text.find("Zebulon Quarkman")
    edits = [TextEdit(at, at + 16, "<&>")] if at >= 0 else []
    done = redact(source, edits, ())
    assert done.edited == len(edits)
    assert read(done.text).text == html.text.replace("Zebulon Quarkman", "<&>", 1)


NASTY = {
    "brackets": "<",
    "ampersands": "&",
    "nested": "<div>",
    "quotes": "<blockquote>x",
    "lists": "<ul><li>x",
    "tables": "<table><td>",
    "comments": "<!--",
    "bogus": "<!x",
    "unclosed tags": "<a ",
    "unclosed quotes": "<a b='",
    "end tags": "</b>",
    "misnested": "<p><b><i></p></b>",
    "style ends": "<style></styl",
    "title references": "<title>&",
    "spaces": " \n",
    "kept": "<pre>\n\n",
    "nothing": "\0",
    "percent": "%40",
    "backslashes": "\\",
    "base64": "SmFuZSBE",
    "links": "<a href='?a=1+%41&amp;SmFuZSBEb2U='>",
}


@pytest.mark.parametrize("unit", NASTY.values(), ids=NASTY)
def test_time_grows_with_length(unit: str) -> None:
    def spent(length: int) -> float:
        source = unit * (length // len(unit))
        start = time.process_time()
        redact(source, (), [SweepValue("Zebulon Quarkman", "[X]")])
        for _piece in independent_pieces(source):
            pass
        return time.process_time() - start

    short = min(spent(8_000) for _ in range(2))
    assert spent(64_000) < 24 * short + 0.3


@pytest.mark.slow
@pytest.mark.parametrize("unit", NASTY.values(), ids=NASTY)
def test_a_megabyte_of_it_is_read(unit: str) -> None:
    source = unit * (1_000_000 // len(unit))
    start = time.process_time()
    redact(source, (), [SweepValue("Zebulon Quarkman", "[X]")])
    for _piece in independent_pieces(source):
        pass
    assert time.process_time() - start < 120
