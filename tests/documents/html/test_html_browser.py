"""What we show against what a real browser says it shows."""

# ruff: noqa: E501  # a table of markup is read whole

from __future__ import annotations

import re
import shutil
import warnings
from collections.abc import Iterator
from typing import Any

import pytest

from anonify.documents.html import read

pytestmark = pytest.mark.browser

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")

SHAPES = {
    "inline": "<p>Dear <b>Ja</b>ne<i> Doe</i> ,<br>hello  <u> you</u></p>",
    "blocks": "a<div>b<p>c</p>d<section>e</section></div>f",
    "implied ends": "<p>a<p>b<ul><li>c<li>d<ul><li>e</ul></ul><dl><dt>f<dd>g</dl>",
    "table": "<table><caption>t<tr><th>a<th>b<tr><td>c<td>d<tbody><tr><td>e</table>",
    "nested tables": "<table><tr><td><table><tr><td>a<td>b</table><td>c</table>d",
    "kept space": "<pre>\n a\n  b\tc\n</pre><p style='white-space:pre-wrap'>d  e\nf</p>",
    "references": "&amp;lt; &notit; &notin; &#x80; &#0; &#xD800; &copy2 &AMP &nosuch; a&nbsp;b &#32; c &shy;d",
    "hidden": "a<span hidden>b</span><span style='display:none'>c<b>d</b></span><style>.x{display:none}</style><i class=x>e</i>f",
    "unseen by visibility": "a<span style='visibility:hidden'>b<i style='visibility:visible'>c</i></span>d",
    "comments": "a<!-- b --!>c<!-->d<!--->e<!-- > -- -->f<! g>h</ i>j<?k>l</>m",
    "raw": "a<script>b<!--<script></script>--></script>c<style>d</style>e<template>f</template>g<iframe>h</iframe>i",
    "attributes": "<p title='>' class=\"a'b\" x=y/z / >a</p><p a=b'c>d</p><p =e f = g>h</p>",
    "misnested": "<b>a<p>b</b>c</p></i>d</div>e<div>f</span>g",
    "letters in brackets": "1 < 2 <3 <jane@example.org> a <4>b < c",
    "SVG": "a<svg><text>b</text><![CDATA[c]]></svg><![CDATA[d]]>e",
    "quotes and rules": "<blockquote>a<blockquote>b</blockquote></blockquote><hr>c<h1>d</h1><h2>e</h2>f",
    "whitespace between blocks": " <div> a </div> <div>\n b <span> c </span> </div> ",
    "end tags without a start": "a</p>b</br>c",
    "NUL": "a\0b<p title='x\0y'>c\0</p>",
    "textarea ends": "a<xmp><b>c</b></xmp>d<title>e</title>f",
}


@pytest.fixture(scope="module")
def page() -> Iterator[Any]:
    if CHROMIUM is None:
        warnings.warn("NO CHROMIUM: shown text was not compared", stacklevel=1)
        pytest.skip("no Chromium on this machine")
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser.new_context(java_script_enabled=True, offline=True).new_page()
        browser.close()


def plain(text: str) -> list[str]:
    """Lines without our marks and without what stands between cells."""
    lines = re.sub(r" \| |\t", "\n", text).split("\n")
    marks = re.compile(r"^(?:> |- |\d+\. |#+ | {2,3}(?=[-\S]))+")
    return [line for line in (marks.sub("", line).strip(" ") for line in lines) if line]


@pytest.mark.parametrize("shape", SHAPES)
def test_shows_what_a_browser_shows(page: Any, shape: str) -> None:
    page.set_content(f"<!DOCTYPE html><body>{SHAPES[shape]}")
    html = read(f"<!DOCTYPE html><body>{SHAPES[shape]}")
    shown = html.sections[0]
    assert plain(html.text[shown.start : shown.end]) == plain(page.evaluate("document.body.innerText"))
