"""A value that stands in pieces: over breaks, signs, marks and readings, and over neighbouring paragraphs and cells."""

# ruff: noqa: E501  # tables of markup are read whole

from __future__ import annotations

from pathlib import Path

import pytest
from lxml import etree

from anonify import redact_file
from tests.documents.docx.test_docx_words import redacted
from tests.documents.ooxml.build import docx, paragraph, read, run

V = "Zebulon Quarkman"
FIRST, LAST = V.split(" ")
_BEGIN, _MIDDLE, _END = (f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>' for kind in ("begin", "separate", "end"))


def letter(char: str) -> str:
    return f"<w:r><w:ruby><w:rt>{run('z')}</w:rt><w:rubyBase>{run(char)}</w:rubyBase></w:ruby></w:r>"


WITHIN = {
    "line break": f"{run(FIRST)}<w:r><w:br/></w:r>{run(LAST)}",
    "page break": f'{run(FIRST)}<w:r><w:br w:type="page"/></w:r>{run(LAST)}',
    "column break": f'{run(FIRST)}<w:r><w:br w:type="column"/></w:r>{run(LAST)}',
    "carriage return": f"{run(FIRST)}<w:r><w:cr/></w:r>{run(LAST)}",
    "tab": f"{run(FIRST)}<w:r><w:tab/></w:r>{run(LAST)}",
    "tab to a place": f'{run(FIRST)}<w:r><w:ptab w:alignment="right"/></w:r>{run(LAST)}',
    "rendered page break": f"{run(FIRST + ' ')}<w:r><w:lastRenderedPageBreak/></w:r>{run(LAST)}",
    "space that does not break": run(f"{FIRST}\u00a0{LAST}"),
    "thin space": run(f"{FIRST}\u2009{LAST}"),
    "hyphen at a line's end": f"{run(FIRST + ' Quark-')}<w:r><w:br/></w:r>{run('man')}",
    "soft hyphens": f"{run('Ze')}<w:r><w:softHyphen/></w:r>{run('bulon Quark')}<w:r><w:softHyphen/></w:r>{run('man')}",
    "soft hyphen written": run("Zebu\u00adlon Quark\u00adman"),
    "hyphen that does not break": f"{run(FIRST + ' Quark')}<w:r><w:noBreakHyphen/></w:r>{run('man')}",
    "symbols for letters": f"{run(FIRST + ' Quark')}<w:r><w:sym w:font=\"Symbol\" w:char=\"F06D\"/><w:sym w:font=\"Symbol\" w:char=\"F061\"/><w:sym w:font=\"Symbol\" w:char=\"F06E\"/></w:r>",
    "a picture as a symbol": f"{run(FIRST)}<w:r><w:sym w:font=\"Wingdings\" w:char=\"F04A\"/></w:r>{run(LAST)}",
    "reading over the whole": f"<w:r><w:ruby><w:rt>{run('say so')}</w:rt><w:rubyBase>{run(V)}</w:rubyBase></w:ruby></w:r>",
    "reading over each letter": "".join(map(letter, V)),
    "value as a reading": f"<w:r><w:ruby><w:rt>{run(V)}</w:rt><w:rubyBase>{run('he')}</w:rubyBase></w:ruby></w:r>",
    "number of a note": f'{run(FIRST)}<w:r><w:footnoteReference w:id="1"/></w:r>{run(" " + LAST)}',
    "field between": f"{run(FIRST + ' ')}{_BEGIN}{run(' PAGE ', tag='instrText')}{_MIDDLE}{_END}{run(LAST)}",
    "half in a field's result": f"{run(FIRST + ' ')}{_BEGIN}{run(' REF x ', tag='instrText')}{_MIDDLE}{run(LAST)}{_END}",
    "half in a link": f'{run(FIRST + " ")}<w:hyperlink w:anchor="x">{run(LAST)}</w:hyperlink>',
    "half in a control": f"{run(FIRST + ' ')}<w:sdt><w:sdtContent>{run(LAST)}</w:sdtContent></w:sdt>",
    "half in a formula": f"{run(FIRST + ' ')}<m:oMath><m:r><m:t>{LAST}</m:t></m:r></m:oMath>",
    "half inserted": f"{run(FIRST + ' ')}<w:ins w:id=\"1\" w:author=\"x\">{run(LAST)}</w:ins>",
    "around a box": f"{run(FIRST + ' ')}<w:r><w:pict><v:shape><v:textbox><w:txbxContent>{paragraph('x')}</w:txbxContent></v:textbox></v:shape></w:pict></w:r>{run(LAST)}",
    "around a comment's marks": f'{run("Zebu")}<w:commentRangeStart w:id="1"/>{run("lon Quark")}<w:commentRangeEnd w:id="1"/>{run("man")}',
    "capitals of the font": f"{run('Z')}{run('EBULON ', '<w:rPr><w:smallCaps/></w:rPr>')}{run('quarkman', '<w:rPr><w:caps/></w:rPr>')}",
}  # fmt: skip


def left(artifact: bytes) -> str:
    """The letters of every paragraph in order, readings and instructions too."""
    root = etree.fromstring(read(artifact, "word/document.xml"))
    texts = (node.text or "" for node in root.iter("{*}t", "{*}instrText", "{*}delText"))
    return "".join(texts).casefold()


@pytest.mark.parametrize("pieces", WITHIN)
def test_a_value_in_pieces_goes(pieces: str) -> None:
    source = docx(f"<w:p>{run('met ')}{WITHIN[pieces]}{run(', kept')}</w:p>")
    text = left(redacted(source, V))
    assert not [part for part in ("zebu", "bulon", "quark", "arkm") if part in text]
    assert text.startswith("met ")
    assert text.endswith(", kept")


BETWEEN = {
    "paragraphs": paragraph(f"one {FIRST}") + paragraph(f"{LAST} kept"),
    "paragraphs around an empty one": paragraph(f"two {FIRST}") + "<w:p/>" + paragraph(f"{LAST} kept"),
    "hyphenated paragraphs": paragraph(f"three {FIRST} Quark-") + paragraph("man kept"),
    "cells": f"<w:tbl><w:tr><w:tc>{paragraph('four ' + FIRST)}</w:tc><w:tc>{paragraph(LAST + ' kept')}</w:tc></w:tr></w:tbl>",
    "rows": f"<w:tbl><w:tr><w:tc>{paragraph('five ' + FIRST)}</w:tc></w:tr><w:tr><w:tc>{paragraph(LAST + ' kept')}</w:tc></w:tr></w:tbl>",
    "large first letter": f'<w:p><w:pPr><w:framePr w:dropCap="drop"/></w:pPr>{run("Z")}</w:p>' + paragraph("ebulon Quarkman kept"),
    "paragraph mark deleted": f'<w:p><w:pPr><w:rPr><w:del w:id="1" w:author="x"/></w:rPr></w:pPr>{run("six Zebu")}</w:p>' + paragraph("lon Quarkman kept"),
}  # fmt: skip


def test_a_value_over_neighbouring_paragraphs_and_cells_goes_where_it_is_accepted(tmp_path: Path) -> None:
    source, target = tmp_path / "a.docx", tmp_path / "b.docx"
    source.write_bytes(docx(paragraph("apart").join(BETWEEN.values())))

    result = redact_file(source, target, values=[V])

    assert result.status == "ready"
    text = left(target.read_bytes())
    assert not [part for part in ("zebu", "bulon", "quark", "arkm") if part in text]
    assert text.count("kept") == len(BETWEEN)
    assert all(word in text for word in ("one", "two", "three", "four", "five", "six", "apart"))
