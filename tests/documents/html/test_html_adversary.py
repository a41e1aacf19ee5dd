"""Every place where HTML can hide text: the value goes, its twin beside it stays, the markup is the same."""

# ruff: noqa: E501  # a table of markup is read whole

from __future__ import annotations

import base64
import html
import re
from collections.abc import Callable
from urllib.parse import quote, unquote

import pytest
from lxml import etree

from anonify.documents.html import independent_pieces, own_pieces, read, redact, same_structure
from anonify.documents.matching import Matcher
from anonify.documents.plan import SweepValue

V = "Zebulon Quarkman"
K = "Petronella Vandersloot"
SWEEP = [SweepValue(V, "[NAME 1]")]


def coded(name: str) -> str:
    return base64.b64encode(f"user={name};id=1".encode()).decode()


def cut(name: str, between: str) -> str:
    return name[:3] + between + name[3:]


def numbered(name: str) -> str:
    return "".join(f"&#{ord(char)};" for char in name)


def hexed(name: str) -> str:
    return "".join(
        f"&#X{ord(char):x}" + ";" * (not char.isalnum()) + ("" if not char.isalnum() else ";") for char in name
    )


def odd_percent(name: str) -> str:
    return "".join(char if place % 3 else f"%{ord(char):02x}" for place, char in enumerate(name))


def script_escaped(name: str) -> str:
    return "".join(f"\\x{ord(char):02x}" if place % 2 else f"\\u{ord(char):04X}" for place, char in enumerate(name))


def css_escaped(name: str) -> str:
    return "".join(f"\\{ord(char):x} " if place % 4 == 0 else char for place, char in enumerate(name))


PLACES: dict[str, Callable[[str], str]] = {
    "paragraph": lambda n: f"<p>Dear {n}, hello</p>",
    "no tags": lambda n: f"Dear {n}, hello",
    "split over tags": lambda n: "<p>Dear " + cut(n, "</b><i>").join(("<b>", "</i>")) + ", hello</p>",
    "each word in a span": lambda n: "<p>" + " ".join(f"<span>{word}</span>" for word in n.split()) + "</p>",
    "words over lines": lambda n: "<p>" + n.replace(" ", "\r\n\t  ") + "</p>",
    "words over a break": lambda n: "<p>" + n.replace(" ", "<br>") + "</p>",
    "words in cells": lambda n: "<table><tr><td>1</td><td>" + n.replace(" ", " </td><td>") + "</td><td>2</table>",
    "words in blocks": lambda n: "<div>" + n.replace(" ", "</div> <div>") + "</div>",
    "comment in a word": lambda n: f"<p>{cut(n, '<!-- - -->')}</p>",
    "soft hyphen": lambda n: f"<p>{cut(n, '&shy;')}</p>",
    "zero width": lambda n: f"<p>{cut(n, '&#8203;')}</p>",
    "zero width joiner": lambda n: f"<p>{cut(n, '&zwnj;')}</p>",
    "wbr": lambda n: f"<p>{cut(n, '<wbr>')}</p>",
    "picture in a word": lambda n: f"<p>{cut(n, '<img src=cid:1 alt=x>')}</p>",
    "hidden element in a word": lambda n: f"<p>{cut(n, '<span style=display:none>q</span>')}</p>",
    "empty hidden in a word": lambda n: f"<p>{cut(n, '<span hidden></span>')}</p>",
    "NUL in a word": lambda n: f"<p>{cut(n, chr(0))}</p>",
    "no-break space": lambda n: f"<p>{n.replace(' ', '&nbsp;')}</p>",
    "no-break without semicolon": lambda n: f"<p>{n.replace(' ', '&nbsp ')}</p>",
    "decimal references": lambda n: f"<p>{numbered(n)}</p>",
    "hexadecimal references": lambda n: f"<p>{hexed(n)}</p>",
    "some references": lambda n: f"<p>&#{ord(n[0])}{n[1:]}</p>",
    "references with zeros": lambda n: f"<p>&#x0000000000{ord(n[0]):x};{n[1:]}</p>",
    "twice escaped": lambda n: f"<p>{html.escape(numbered(n))}</p>",
    "comment": lambda n: f"<!-- for {n} -->",
    "comment, ended oddly": lambda n: f"<!-- for {n} --!>",
    "comment with markup": lambda n: f"<!-- <p>{cut(n, '</p><b>')}</b> -->",
    "comment with references": lambda n: f"<!-- <p>{numbered(n)}</p> -->",
    "conditional comment": lambda n: f"<!--[if mso]><table><tr><td>{cut(n, '<b></b>')}</td></tr></table><![endif]-->",
    "downlevel-revealed": lambda n: f"<![if !mso]><p>{n}</p><![endif]>",
    "bogus comment": lambda n: f"<! {n}>",
    "processing instruction": lambda n: f"<?x {n}?>",
    "bogus end tag": lambda n: f"</ {n}>",
    "CDATA in HTML": lambda n: f"<p><![CDATA[{n}]]></p>",
    "CDATA in SVG": lambda n: f"<svg><text><![CDATA[{n}]]></text></svg>",
    "doctype": lambda n: f'<!DOCTYPE html PUBLIC "-//{n}//EN">',
    "display none": lambda n: f"<div style='display : NONE'>{n}</div>",
    "visibility": lambda n: f"<div style='visibility:hidden'>{n}</div>",
    "no font size": lambda n: f"<div style='font-size:0px'>{n}</div>",
    "white on white": lambda n: f"<div style='color:#fff;background:white'>{n}</div>",
    "off screen": lambda n: f"<div aria-hidden=true style='position:absolute;left:-9999px'>{n}</div>",
    "hidden attribute": lambda n: f"<div hidden>{n}</div>",
    "hidden by a rule": lambda n: f"<style>.pre {{display:none !important}}</style><div class='a pre'>{n}</div>",
    "title": lambda n: f"<title>{n}</title>",
    "noscript": lambda n: f"<noscript><p>{n}</p></noscript>",
    "template": lambda n: f"<template><p>{n}</p></template>",
    "textarea": lambda n: f"<textarea>{n}</textarea>",
    "xmp": lambda n: f"<xmp>{n}</xmp>",
    "iframe": lambda n: f"<iframe><p>{n}</p></iframe>",
    "noembed": lambda n: f"<noembed>{numbered(n)}</noembed>",
    "select": lambda n: f"<select><option>{n}<option>b</select>",
    "datalist": lambda n: f"<datalist><option>{n}</datalist>",
    "alt": lambda n: f'<img src="cid:1" alt="{n}">',
    "alt of references": lambda n: f"<img src=cid:1 alt={numbered(n)}>",
    "title attribute": lambda n: f"<p title='Of {n}'>a</p>",
    "aria-label": lambda n: f'<p aria-label="{n}">a</p>',
    "placeholder": lambda n: f'<input placeholder="{n}">',
    "value": lambda n: f'<input type=hidden value="{n}">',
    "data": lambda n: f'<p data-user="{n}">a</p>',
    "data with JSON": lambda n: f"""<p data-user='{{"n":"{script_escaped(n)}"}}'>a</p>""",
    "second attribute of a name": lambda n: f'<p title="a" title="{n}">a</p>',
    "attribute of an end tag": lambda n: f'<p>a</p title="{n}">',
    "attribute with angle brackets": lambda n: f'<p title="<b>{n}</b>">a</p>',
    "attribute of no name": lambda n: f'<p ="{n}">a</p>',
    "class": lambda n: f'<p class="{n.replace(" ", "-")}">a</p>',
    "id": lambda n: f'<p id="{n.replace(" ", "-").lower()}">a</p>',
    "href": lambda n: f'<a href="https://example.test/{quote(n)}">a</a>',
    "href in capitals": lambda n: f'<A HREF="https://example.test/{quote(n)}">a</A>',
    "href, some encoded": lambda n: f'<a href="https://example.test/{odd_percent(n)}">a</a>',
    "href, twice encoded": lambda n: f'<a href="https://example.test/?u={quote(quote(odd_percent(n), safe=""), safe="")}">a</a>',
    "href with plus": lambda n: f'<a href="https://example.test/?a=1&amp;n={n.replace(" ", "+")}&amp;b=2">a</a>',
    "href, encoded with plus": lambda n: f'<a href="https://example.test/?n={"+".join(map(odd_percent, n.split()))}">a</a>',
    "href with base64": lambda n: f'<a href="https://example.test/?d={coded(n)}&amp;b=2">a</a>',
    "href with base64 for links": lambda n: f'<a href="https://example.test/?d={quote(coded(n), safe="")}">a</a>',
    "href without quotes": lambda n: f"<a href=https://example.test/{quote(n)}>a</a>",
    "mailto": lambda n: f'<a href="mailto:a@example.test?subject={quote("For " + n)}&amp;body=x">a</a>',
    "script link": lambda n: f"""<a href="javascript:f('{script_escaped(n)}')">a</a>""",
    "src": lambda n: f'<img src="https://example.test/p.gif?u={quote(n)}" width=1 height=1>',
    "srcset": lambda n: f'<img srcset="a.png 1x, {quote(n)}.png 2x">',
    "action": lambda n: f'<form action="/{quote(n)}"></form>',
    "cite": lambda n: f'<blockquote cite="https://example.test/{quote(n)}">a</blockquote>',
    "background": lambda n: f'<table background="/{quote(n)}.png"><tr><td>a</table>',
    "srcdoc": lambda n: f'<iframe srcdoc="&lt;p>{cut(n, "&lt;/p>&lt;b>")}&lt;/b>"></iframe>',
    "data link": lambda n: f'<a href="data:text/html;base64,{coded(n)}">a</a>',
    "meta": lambda n: f'<meta name=author content="{n}">',
    "style attribute": lambda n: f"<p style=\"background:url('/{quote(n)}.png')\">a</p>",
    "CSS content": lambda n: f'<style>p:before{{content:"{n}"}}</style>',
    "CSS content, escaped": lambda n: f'<style>p:before{{content:"{css_escaped(n)}"}}</style>',
    "CSS comment": lambda n: f"<style>/* {n} */ p{{color:red}}</style>",
    "CSS link": lambda n: f"<style>p{{background:url(/{quote(n)}.png)}}</style>",
    "script string": lambda n: f'<script>var n = "{n}";</script>',
    "script string, escaped": lambda n: f'<script>var n = "{script_escaped(n)}";</script>',
    "script strings, added": lambda n: f'<script>var n = "{n[:3]}" + "{n[3:]}";</script>',
    "script comment": lambda n: f"<script>// {n}\nf()</script>",
    "JSON-LD": lambda n: f'<script type="application/ld+json">{{"@type":"Person","name":"{n}"}}</script>',
    "event": lambda n: f"""<p onclick="f('{n}')">a</p>""",
    "microdata": lambda n: f'<p itemscope><meta itemprop=name content="{n}"></p>',
    "SVG text": lambda n: f"<svg><title>{n}</title><text>{n}</text></svg>",
    "MathML": lambda n: f"<math><mtext>{n}</mtext><annotation>{n}</annotation></math>",
    "Office": lambda n: f"<p class=MsoNormal>{cut(n, '<o:p></o:p>')}<o:p>{n}</o:p></p>",
    "unknown tag": lambda n: f"<x-card><{n}></x-card>",
    "unknown attribute": lambda n: f"<p {n.lower().replace(' ', '-')}=1>a</p>",
    "unknown prefix attribute": lambda n: f"<p data-{n.lower().replace(' ', '-')}=1>a</p>",
    "after a lone bracket": lambda n: f"<p>1 < 2 {n} & <</p>",
    "unclosed all over": lambda n: f"<b><ul><li><p>{n}<table><td>",
    "stray end tags": lambda n: f"</td></p></b>{n}</table>",
}  # fmt: skip
LAST: dict[str, Callable[[str], str]] = {
    "unclosed comment": lambda n: f"<!-- {n}",
    "unclosed tag": lambda n: f'<p title="{n}" b',
    "unclosed attribute": lambda n: f'<p title="{n}',
    "unclosed bogus comment": lambda n: f"<!x {n}",
    "unclosed script": lambda n: f"<script>{n}",
    "unclosed title": lambda n: f"<title>{n}",
    "plaintext": lambda n: f"<plaintext>{n}</plaintext>",
}  # fmt: skip


def said(text: str) -> str:
    """What is in a text by any decoding, without letter case, tags and what cannot be seen; shares no code."""
    forms = [text, re.sub(r"<!--|-->|<[^<>]*>", "", text)]
    tree = etree.fromstring(f"<body>{text}</body>".replace("\0", "").encode(), etree.HTMLParser(encoding="utf-8"))
    forms.append("".join(map(str, tree.itertext())))
    for form in list(forms):
        for _ in range(3):
            form = unquote(html.unescape(form))  # noqa: PLW2901  # decoded again and again
            forms.append(form)
        unescaped = re.sub(r"\\(?:x|u00)([0-9a-fA-F]{2})", lambda match: chr(int(match[1], 16)), form)
        forms += [
            unescaped,
            re.sub(r"\\([0-9a-f]{2}) ?", lambda match: chr(int(match[1], 16)), form),
            re.sub(r'"\s*\+\s*"', "", form),
        ]
        for match in re.finditer(r"[A-Za-z0-9+/]{12,}=*", form):
            forms.append(base64.b64decode(match[0].rstrip("=")[: len(match[0].rstrip("=")) // 4 * 4]).decode("latin-1"))
    return re.sub(r"[\W_]", "", "\n".join(forms)).lower()


def squeezed(name: str) -> str:
    return name.replace(" ", "").lower()


@pytest.mark.parametrize("place", [*PLACES, *LAST])
def test_value_goes_and_its_twin_stays(place: str) -> None:
    make = {**PLACES, **LAST}[place]
    for source in (make(K) + "<hr>" + make(V), make(V) + ("<hr>" + make(K) if place in PLACES else "")):
        assert squeezed(V) in said(source) or place in ("hidden element in a word", "srcdoc"), "no plant"
        done = redact(source, (), SWEEP)
        assert squeezed(V) not in said(done.text)
        assert "quarkman" not in said(done.text)
        assert (squeezed(K) in said(done.text)) is (squeezed(K) in said(source))
        assert Matcher([V]).found("\n|\n".join(text for _place, text in own_pieces(source)))
        for pieces in (own_pieces, independent_pieces):
            for name, text in pieces(done.text):
                assert not Matcher([V]).found(text), (pieces, name)
        assert same_structure(source, done.text, [V])


def test_all_places_in_one_text() -> None:
    source = "<hr>".join([*(make(V) + make(K) for make in PLACES.values()), LAST["unclosed tag"](V)])
    done = redact(source, (), SWEEP)
    for pieces in (own_pieces, independent_pieces):
        for name, text in pieces(done.text):
            assert not Matcher([V]).found(text), name
    assert same_structure(source, done.text, [V])
    assert "".join(source[atom.start : atom.end] for atom in read(source).atoms) == source
