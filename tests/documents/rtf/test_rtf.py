"""RTF: reading, redacting, and the places where it hides text."""

from __future__ import annotations

import io
import random
import re
import zipfile
import zlib
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from PIL.PngImagePlugin import PngInfo
from striprtf.striprtf import rtf_to_text

from anonify.documents import BytesSource, Edit, MemorySink, RedactionPlan, SweepValue
from anonify.documents.format import ExtractOptions
from anonify.documents.gate import read_back
from anonify.documents.model import Page
from anonify.documents.register import by_kind, recognise
from anonify.documents.rtf.reading import read
from anonify.errors import Code, FatalError

V, TWIN = "Marisol Quenby", "Tobias Wren"
RTF = by_kind("rtf")
READERS: tuple[Literal["own", "independent"], ...] = ("own", "independent")


class Pages:
    def __init__(self) -> None:
        self.pages: list[Page] = []

    def page(self, page: Page, /) -> None:
        self.pages.append(page)


def extracted(data: bytes) -> list[Page]:
    sink = Pages()
    RTF.extract(BytesSource(data), sink, ExtractOptions())
    return sink.pages


def plan_for(keep: bool, values: tuple[str, ...] = (V, "Quenby")) -> RedactionPlan:
    return RedactionPlan(sweep=tuple(SweepValue(value, "[REDACTED]") for value in values), keep_metadata=keep)


def redacted(data: bytes, keep: bool = False) -> bytes:
    sink = MemorySink()
    RTF.redact(BytesSource(data), sink, plan_for(keep))
    return sink.getvalue()


def verified(data: bytes, out: bytes, keep: bool = False) -> bool:
    """What the gate says."""
    seen = [read_back(RTF, BytesSource(data), BytesSource(out), plan_for(keep), reader) for reader in READERS]
    return all(one.opened and not one.survivors and not one.failed for one in seen)


def swept(data: bytes, keep: bool = False) -> bytes:
    out = redacted(data, keep)
    assert verified(data, out, keep)
    return out


def rtf(body: str, head: str = "") -> bytes:
    return (
        "{\\rtf1\\ansi\\ansicpg1252\\deff0{\\fonttbl{\\f0 Times;}{\\f1\\fcharset128 Mincho;}{\\f2\\fcharset204 Arial;}}"
        + head
        + "\\pard "
        + body
        + "\\par Tobias Wren stays.\\par}"
    ).encode("latin-1")


def hexed(data: bytes) -> str:
    return "\n".join(data.hex()[start : start + 64] for start in range(0, 2 * len(data), 64))


def packed(text: str) -> bytes:
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", f"<w>{text * 3}</w>")
    return sink.getvalue()


def remarked(text: str) -> bytes:
    """A picture with a compressed remark."""
    sink, notes = io.BytesIO(), PngInfo()
    notes.add_text("Author", text * 2, zip=True)
    Image.new("L", (9, 9)).save(sink, "PNG", pnginfo=notes)
    return sink.getvalue()


def every(text: str, form: str) -> str:
    return "".join(form % ord(character) for character in text)


PLACES = {
    "plain": V,
    "split by formatting": "Mari{\\b sol Qu\\i en}by",
    "split by lines of the file": "Mari\r\nsol Quen\nby",
    "split by empty groups": "Mar{}isol{\\*\\rubbish}{} Quenby",
    "split by a hidden destination": "Marisol{\\*\\bkmkstart a}{\\*\\bkmkend a} Quenby",
    "hexadecimal": every(V, "\\'%02x"),
    "unicode": every(V, "\\u%d?"),
    "unicode without fallback": "\\uc0 " + every(V, "\\u%d ") + "\\uc1 ",
    "unicode with two fallback bytes": "\\uc2 " + every(V, "\\u%d\\'3f\\'3f") + "\\uc1 ",
    "the fallback spells it": "".join(f"\\u{9000 + n}{c}" for n, c in enumerate(V) if c != " "),
    "soft hyphens": "Mari\\-sol Quen\\-by",
    "no-break space": "Marisol\\~Quenby",
    "tab between": "Marisol\\tab Quenby",
    "over a line": "Marisol\\line Quenby",
    "hidden": "{\\v " + V + "}",
    "deleted": "{\\deleted " + V + "}",
    "header": "{\\header " + V + "}",
    "first footer": "{\\footerf " + V + "}",
    "footnote": "{\\footnote a note on " + V + "}",
    "comment": "{\\*\\atnid MQ}{\\*\\atnauthor " + V + "}{\\*\\annotation see " + V + "}",
    "field instruction": "{\\field{\\*\\fldinst HYPERLINK mailto:Marisol%20Quenby@x.example}{\\fldrslt x}}",
    "field result": "{\\field{\\*\\fldinst MERGEFIELD name}{\\fldrslt " + V + "}}",
    "bookmark": "{\\*\\bkmkstart Marisol_Quenby}x{\\*\\bkmkend Marisol_Quenby}",
    "text box": "{\\shp{\\*\\shpinst{\\sp{\\sn wz}{\\sv " + V + "}}{\\shptxt " + V + "}}{\\shprslt " + V + "}}",
    "old drawing": "{\\*\\do\\dptxbx{\\dptxbxtext " + V + "}}",
    "index entry": "{\\xe " + V + "}",
    "form field": "{\\*\\formfield{\\fftype0{\\*\\ffname " + V + "}{\\*\\ffdeftext " + V + "}}}",
    "unknown destination": "{\\*\\whatever " + V + "}",
    "unknown destination without a star": "{\\whatever " + V + "}",
    "both spellings": "{\\upr{" + V + "}{\\*\\ud{" + every(V, "\\u%d?") + "}}}",
    "list text": "{\\listtext " + V + "\\tab}",
    "picture's bytes": "{\\pict\\pngblip " + hexed(b"\x89PNG\r\n\x1a\n" + b"tEXt" + V.encode() + bytes(40)) + "}",
    "picture in two-byte text": "{\\pict\\emfblip " + hexed(bytes(11) + V.encode("utf-16-le") + bytes(40)) + "}",
    "picture raw": "{\\pict\\jpegblip\\bin34 " + "\xff\xd8" + "a" * 18 + V + "}",
    "plain text in a picture": "{\\pict " + V + "}",
    "object": "{\\object\\objemb{\\*\\objclass Word}{\\*\\objdata " + hexed(packed(V)) + "}{\\result x}}",
    "object's class": "{\\object{\\*\\objclass " + V + "}{\\*\\objdata 0105}{\\result " + V + "}}",
    "raw bytes in the text": "\\bin14 " + V,
    "cells": "\\trowd Marisol\\cell Quenby\\cell\\row",
    "capitals": V.upper(),
    "two fonts": "{\\f2 Marisol }{\\f1 Quenby}",
    "interrupted by hidden text": "Mari{\\v xx}sol Quen{\\deleted yy}by",
    "a name joined by a line": "{\\*\\bkmkstart Marisol_Quenby}x{\\*\\bkmkend Marisol_Quenby}",
    "a word between a code and its fallback": "\\u77\\b Marisol Quenby",
    "a picture's packed remark": "{\\pict\\pngblip " + hexed(remarked(V)) + "}",
    "a word that would swallow what follows": "\\b\\'4darisol Quenby \\b0 next",
}  # fmt: skip

HEADS = {
    "author": "{\\info{\\author " + V + "}{\\operator " + V + "}{\\title " + V + "}{\\doccomm " + V + "}}",
    "company": "{\\info{\\*\\company " + V + "}{\\*\\manager " + V + "}}",
    "properties": "{\\*\\userprops{\\propname " + V + "}\\proptype30{\\staticval " + V + "}}",
    "style": "{\\stylesheet{\\s1 " + V + ";}}",
    "font": "{\\fonttbl{\\f9 " + V + ";}}",
    "revisions": "{\\*\\revtbl{Unknown;}{" + V + ";}}",
    "generator": "{\\*\\generator " + V + ";}",
    "template": "{\\*\\template C:\\\\" + V + ".dot}",
    "variable": "{\\*\\docvar{name}{" + V + "}}",
    "theme": "{\\*\\themedata " + hexed(packed(V)) + "}",
    "data store": "{\\*\\datastore " + hexed(V.encode("utf-16-le")) + "}",
    "list name": "{\\*\\listtable{\\list{\\listname " + V + ";}}}",
    "mail merge": "{\\*\\mailmerge{\\mmconnectstrdata " + V + "}}",
    "files": "{\\*\\filetbl{\\file\\fid0 C:\\\\" + V + "}}",
}


@pytest.mark.parametrize("keep", [False, True], ids=["sanitised", "kept"])
@pytest.mark.parametrize("place", [*PLACES, *HEADS])
def test_gone_from_every_place(place: str, keep: bool) -> None:
    data = rtf(PLACES[place]) if place in PLACES else rtf("x", HEADS[place])
    assert gone(swept(data, keep=keep)), place


def gone(out: bytes) -> bool:
    """Looked for by readers that are not the product's, and the twin is there."""
    joined = out.decode("latin-1").replace("\r", "").replace("\n", "").casefold()
    return TWIN in shown(out) and not seen_elsewhere(out) and "quenby" not in joined


def shown(out: bytes) -> str:
    return str(rtf_to_text(out.decode("latin-1"), errors="replace"))  # type: ignore[no-untyped-call]  # it has no types


def seen_elsewhere(out: bytes) -> bool:
    joined = re.sub(rb"\s", b"", out).decode("latin-1").casefold()
    if any(form in joined for form in (V.encode().hex(), V.encode("utf-16-le").hex())):
        return True
    try:
        text = shown(out).casefold()
    except (ValueError, IndexError, OverflowError):
        return False  # striprtf reads less than programs do
    return re.search(r"(?<![a-z])marisol quenby(?![a-z])", text) is not None


def test_text_after_the_end_goes_too() -> None:
    assert b"Quenby" not in swept(rtf("x") + b"\r\ntrailing Marisol Quenby")


def test_reads_as_a_person_does() -> None:
    pages = extracted(rtf("Dear {\\b Mari}sol, \\'e9\\u233?\\u8364\\'80 \\'93so\\'94\\page next{\\footnote a note}"))
    assert [page.text.split("\n")[0] for page in pages[:2]] == ["Dear Marisol, éé€ “so”", "next"]
    assert [section.name for page in pages for section in page.sections] == ["footnote"]


def test_code_pages_of_fonts_and_of_the_document() -> None:
    pages = extracted(rtf("{\\f1\\'93\\'fa\\'96\\'7b} {\\f2\\'cc\\'ee\\'f1\\'ea\\'e2\\'e0} \\u-10179?\\u-8704?"))
    assert pages[0].text.startswith("日本 Москва 😀")


def test_an_accepted_place_goes_and_every_other_byte_stays() -> None:
    data = rtf("Ann and Ann, {\\b A}nn\\'e9 and \\u233?t\\'e9")
    page = extracted(data)[0]
    start = page.text.index("été")
    span = next(span for span in page.spans if span.start <= start < span.end)
    sink = MemorySink()
    plan = RedactionPlan(
        edits=(Edit(span.id, start - span.start, start - span.start + 3, "[X]", 1),), keep_metadata=True
    )
    result = RTF.redact(BytesSource(data), sink, plan)
    assert sink.getvalue() == data.replace(b"\\u233?t\\'e9", b"[X]")
    assert result.edited == 1


def test_a_replacement_of_any_script_is_read_back() -> None:
    for width in ("", "\\uc0 ", "\\uc2 "):
        data = rtf(width + V + " here")
        sink = MemorySink()
        RTF.redact(BytesSource(data), sink, RedactionPlan(sweep=(SweepValue(V, "[Łódź {x} 日本 😀]"),)))
        assert "[Łódź {x} 日本 😀] here" in extracted(sink.getvalue())[0].text


def test_author_and_machine_go_unless_they_are_kept() -> None:
    data = rtf("x", "{\\info{\\author Wren}}{\\*\\generator Riched20;}")
    assert b"Riched20" not in swept(data)
    assert b"Riched20" in swept(data, keep=True)


@pytest.mark.parametrize("place", PLACES)
def test_the_whole_name_goes_where_nobody_named_a_part_of_it(place: str) -> None:
    data, sink = rtf(PLACES[place]), MemorySink()
    plan = plan_for(False, (V,))
    RTF.redact(BytesSource(data), sink, plan)
    out = sink.getvalue()
    for reader in READERS:
        seen = read_back(RTF, BytesSource(data), BytesSource(out), plan, reader)
        assert (seen.opened, seen.survivors, seen.failed) == (True, (), ()), reader
    assert not seen_elsewhere(out)
    assert "marisol" not in re.sub(r"[\r\n]", "", out.decode("latin-1")).casefold()


def test_an_open_group_does_not_take_the_document_along() -> None:
    data = rtf("{\\*\\generator Riched20 " + V + " and the rest")
    assert any(TWIN in flow.text for flow in read(swept(data)).flows)


def test_sessions_and_remarks_of_pictures_go_unless_they_are_kept() -> None:
    picture = remarked("made by somebody")
    data = rtf("\\insrsid123456 x\\b\\charrsid77 y {\\pict\\pngblip " + hexed(picture) + "}")
    out = swept(data)
    assert b"rsid" not in out
    assert "xy " in read(out).flows[0].text.replace(" y", "y")
    assert zlib.compress(b"made by somebody" * 2)[4:12].hex().encode() not in out
    assert swept(data, keep=True) == data


def test_pictures_without_a_value_stay_as_they_are() -> None:
    picture = "{\\pict\\pngblip " + hexed(bytes(range(256))) + "}"
    assert picture.encode() in swept(rtf(picture + V))


def test_kinds_are_told_by_their_bytes() -> None:
    assert recognise(BytesSource(rtf("x")), "letter.rtf").kind == "rtf"
    assert recognise(BytesSource(rtf("x")), "letter").kind == "rtf"
    with pytest.raises(FatalError) as caught:
        recognise(BytesSource(b"just text"), "letter.rtf")
    assert caught.value.code is Code.EXTENSION_MISMATCH


def test_deep_groups_are_refused() -> None:
    with pytest.raises(FatalError) as caught:
        extracted(b"{\\rtf1 " + b"{" * 100_000)
    assert caught.value.code is Code.TOO_COMPLEX


WORDS = st.text(st.characters(exclude_categories=("Cs", "Cc", "Cn", "Co")), min_size=1, max_size=30)


def encoded(text: str, choose: random.Random) -> bytes:
    """`text` as some writer would put it."""
    out = bytearray()
    for character in text:
        raw = character.encode("cp1252", "ignore")
        form = choose.randrange(3)
        if character in "\\{}":
            out += b"\\" + raw
        elif raw and (form == 0 or (form == 1 and len(raw) == 1)):
            out += raw if form == 0 and raw < b"\x80" else b"\\'%02x" % raw[0]
        else:
            units = character.encode("utf-16-le")
            for place in range(0, len(units), 2):
                out += b"\\u%d?" % int.from_bytes(units[place : place + 2], "little", signed=True)
        if choose.random() < 0.1:
            out += choose.choice((b"{}", b"\\b0 ", b"\r\n", b"{\\*\\x y}"))
    return bytes(out)


@settings(max_examples=150, deadline=None)
@given(WORDS, WORDS, st.integers(0, 2**32))
def test_any_text_is_read_and_any_stretch_goes(before: str, value: str, seed: int) -> None:
    choose = random.Random(seed)
    body = b"".join(encoded(piece, choose) for piece in (before, "|", value, "|"))
    data = b"{\\rtf1\\ansi\\ansicpg1252 " + body + b"\\par}"
    text = read(data).flows[0].text
    assert text == f"{before}|{value}|\n"
    page = extracted(data)[0]
    edits = [
        Edit(
            span.id, max(0, start - span.start), min(end, span.end) - span.start, "" if start < span.start else "[X]", 1
        )
        for start, end in [(len(before) + 1, len(before) + 1 + len(value))]
        for span in page.spans
        if span.start < end and start < span.end
    ]
    sink = MemorySink()
    RTF.redact(BytesSource(data), sink, RedactionPlan(edits=tuple(edits)))
    left = read(sink.getvalue()).flows[0].text
    assert left.startswith(f"{before}|")
    assert left.endswith("|\n")
    assert len(left) - len(before) - 3 <= len("[X]") + sum(character in "\r\n\u2028\u2029\x85" for character in value)


def test_mutants_never_leak_nor_break() -> None:
    choose = random.Random(20261202)
    parts = (
        b"{",
        b"}",
        b"\\",
        b"\\u",
        b"\\'4",
        b"\\bin9 ",
        b"\\*",
        b"\0",
        b"\\uc3 ",
        b"\\v",
        b"\\f1 ",
        b"{\\pict ",
        b"\x93",
    )
    made = refused = 0
    for body in PLACES.values():
        data = rtf(body, HEADS["author"])
        for _ in range(12):
            mutant = bytearray(data)
            for _ in range(choose.randint(1, 6)):
                at = choose.randrange(8, len(mutant))
                if choose.random() < 0.5:
                    mutant[at:at] = choose.choice(parts)
                else:
                    del mutant[at : at + choose.randint(1, 9)]
            made += 1
            try:
                out = redacted(bytes(mutant))
            except FatalError:
                continue  # refused: nothing leaves
            if verified(bytes(mutant), out):
                assert seen_elsewhere(out) is False
            else:
                refused += 1
    assert refused <= made // 50, (refused, made)
