"""What a person reads of HTML, and what an edit of it leaves."""

from __future__ import annotations

from anonify.documents.html import TextEdit, read, redact, same_structure
from anonify.documents.plan import SweepValue

MAIL = """<!DOCTYPE html><html><head><title>Mail for Jane Doe</title><style>.x{display:none}</style></head><body>
<h1>Hello <b>Ja</b>ne&nbsp;Doe</h1><p class=x>Preview for Jane Doe</p>
<ul><li>one<li>two <a href="https://x.test/?e=jane%20doe&amp;b=SmFuZSBEb2UgaXMgaGVyZQ==">link</a></ul><ol><li>a<li>b</ol>
<table><tr><td>A<td>B</tr><tr><td>C<td><p>D</table><blockquote>quote<br>more</blockquote>
<img alt='Jane Doe "x"' src=cid:1><!-- Jane Doe --><pre>
 x  y
 z</pre>end"""


def test_reads_as_light_markdown_with_the_unseen_apart() -> None:
    html = read(MAIL)
    shown = html.sections[0]
    assert html.text[shown.start : shown.end] == (
        "# Hello Jane\u00a0Doe\n\n- one\n- two link\n\n1. a\n2. b\n\nA | B\nC | D\n\n> quote\n> more\n\n"
        '![Jane Doe "x"]\n\n x  y\n z\n\nend'
    )
    assert {name: html.text[start:end] for name, start, end in html.sections[1:]} == {
        "hidden": "Preview for Jane Doe",
        "title": "Mail for Jane Doe",
        "comments": " Jane Doe ",
        "descriptions": 'alt: Jane Doe "x"',
        "links": "href: https://x.test/?e=jane doe&b=SmFuZSBEb2UgaXMgaGVyZQ==\nsrc: cid:1",
    }


def test_an_accepted_value_goes_everywhere_and_the_markup_stays() -> None:
    at = read(MAIL).text.index("Jane\u00a0Doe")
    done = redact(MAIL, [TextEdit(at, at + 8, "[NAME 1]")], [SweepValue("Jane Doe", "[NAME 1]")])
    assert "<b>[NAME 1]</b></h1>" in done.text
    assert "?e=%5BNAME%201%5D&amp;b=W05BTUUgMV0gaXMgaGVyZQ==" in done.text
    assert done.edited == 1
    assert done.swept == 6
    assert same_structure(MAIL, done.text, ["Jane Doe"])


def test_white_space_written_as_a_reference_is_read_and_removed_as_one() -> None:
    source = "<p>Jane&#32;Doe and<!-- <p>Jane&#32;Doe</p> --></p>"
    html = read(source)
    assert html.text.count("Jane Doe") == 2
    at = html.text.index(" Doe")
    assert redact(source, [TextEdit(at, at + 1, "")], ()).text == source.replace("&#32;", "", 1)
