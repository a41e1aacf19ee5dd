"""Values in page content, however its bytes are written: filters, escapes, cuts, names, nested and unused drawings."""

from __future__ import annotations

import base64
import zlib

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, Stream

from .hiding import SECRET, Place, check, form, picture, resource
from .making import page_stream


def _at(text: str) -> int:
    """A height for the secret and one for its twin."""
    return 500 if SECRET in text or "Marja" in text else 300


def _show(text: str, y: int = 500) -> bytes:
    return f"BT /F1 12 Tf 72 {y} Td ({text}) Tj ET".encode()


def _add(pdf: pikepdf.Pdf, data: bytes, *filters: str) -> Stream:
    """Encoded content as it is."""
    made = Stream(pdf, b"")
    given = [Name("/" + name) for name in filters]
    made.write(data, filter=given[0] if len(given) == 1 else Array(given))
    pdf.pages[0].contents_add(made)
    return made


def _lzw(data: bytes) -> bytes:
    """Nine-bit codes, the table cleared before it would need a tenth."""
    codes = []
    for start in range(0, len(data), 200):
        codes += [256, *data[start : start + 200]]
    bits = "".join(f"{code:09b}" for code in [*codes, 257])
    bits += "0" * (-len(bits) % 8)
    return int(bits, 2).to_bytes(len(bits) // 8, "big")


def _run_lengths(data: bytes) -> bytes:
    return (
        b"".join(bytes([len(data[at : at + 100]) - 1]) + data[at : at + 100] for at in range(0, len(data), 100))
        + b"\x80"
    )


def chain_deflated_ascii(pdf: pikepdf.Pdf, text: str) -> None:
    _add(pdf, base64.a85encode(zlib.compress(_show(text, _at(text)))) + b"~>", "ASCII85Decode", "FlateDecode")


def chain_hexadecimal(pdf: pikepdf.Pdf, text: str) -> None:
    digits = _show(text, _at(text)).hex().upper()
    spaced = "\n".join(digits[at : at + 7] for at in range(0, len(digits), 7))
    _add(pdf, spaced.encode() + b">", "ASCIIHexDecode")


def chain_run_lengths(pdf: pikepdf.Pdf, text: str) -> None:
    _add(pdf, zlib.compress(_run_lengths(_show(text, _at(text)))), "FlateDecode", "RunLengthDecode")


def chain_lzw(pdf: pikepdf.Pdf, text: str) -> None:
    _add(pdf, _lzw(_show(text, _at(text))), "LZWDecode")


def chain_twice_deflated(pdf: pikepdf.Pdf, text: str) -> None:
    _add(pdf, zlib.compress(zlib.compress(_show(text, _at(text)))), "FlateDecode", "FlateDecode")


def chain_crypt(pdf: pikepdf.Pdf, text: str) -> None:
    _add(pdf, zlib.compress(_show(text, _at(text))), "Crypt", "FlateDecode")


def abbreviated_filters(pdf: pikepdf.Pdf, text: str) -> None:
    _add(pdf, base64.a85encode(zlib.compress(_show(text, _at(text)))) + b"~>", "A85", "Fl")


def damaged_end(pdf: pikepdf.Pdf, text: str) -> None:
    """A deflated stream cut before its checksum."""
    _add(pdf, zlib.compress(_show(text, _at(text)) + b" " * 50)[:-4], "FlateDecode")


def after_the_deflated_end(pdf: pikepdf.Pdf, text: str) -> None:
    _add(pdf, zlib.compress(b"q Q") + b"\n" + text.encode() + b"\n", "FlateDecode")


def after_a_pictures_end(pdf: pikepdf.Pdf, text: str) -> None:
    made = picture(pdf, b"")
    made.write(zlib.compress(bytes(70)) + text.encode(), filter=Name.FlateDecode)
    name = resource(pdf, "/XObject", pdf.make_indirect(made), 0)
    page_stream(pdf, f"q 9 0 0 9 0 0 cm {name} Do Q".encode())


def octal(pdf: pikepdf.Pdf, text: str) -> None:
    page_stream(pdf, _show("".join(f"\\{ord(letter):03o}" for letter in text), _at(text)))


def short_octal(pdf: pikepdf.Pdf, text: str) -> None:
    page_stream(pdf, _show("".join(f"\\{ord(c):o}" if c == " " else c for c in text), _at(text)))


def line_continued(pdf: pikepdf.Pdf, text: str) -> None:
    page_stream(pdf, _show("\\\n".join(text), _at(text)))


def line_continued_by_return(pdf: pikepdf.Pdf, text: str) -> None:
    page_stream(pdf, _show("\\\r\n".join(text), _at(text)))


def idle_escapes(pdf: pikepdf.Pdf, text: str) -> None:
    page_stream(pdf, _show("".join(f"\\{c}" if c in "Mjdlqsv" else c for c in text), _at(text)))


def hex_odd(pdf: pikepdf.Pdf, text: str) -> None:
    digits = (text + "p").encode().hex()[:-1]
    page_stream(pdf, f"BT /F1 12 Tf 72 {_at(text)} Td <{digits}> Tj ET".encode())


def hex_spaced(pdf: pikepdf.Pdf, text: str) -> None:
    digits = "\n".join(text.encode().hex().upper())
    page_stream(pdf, f"BT /F1 12 Tf 72 {_at(text)} Td <{digits}> Tj ET".encode())


def over_text_objects(pdf: pikepdf.Pdf, text: str) -> None:
    shows = " ".join(f"BT /F1 12 Tf {72 + 7 * at} {_at(text)} Td ({c}) Tj ET" for at, c in enumerate(text))
    page_stream(pdf, shows.encode())


def over_streams(pdf: pikepdf.Pdf, text: str) -> None:
    first, last = text[:9], text[9:]
    page_stream(pdf, f"BT /F1 12 Tf 72 {_at(text)} Td ({first})".encode())
    page_stream(pdf, f"Tj ({last})".encode())
    page_stream(pdf, b"Tj ET")


def over_streams_inside_a_string(pdf: pikepdf.Pdf, text: str) -> None:
    """No token may go over streams' ends; readers put a space between them."""
    first, last = text.split()
    page_stream(pdf, f"BT /F1 12 Tf 72 {_at(text)} Td ({first}".encode())
    page_stream(pdf, f"{last}) Tj ET".encode())


def by_quotes(pdf: pikepdf.Pdf, text: str) -> None:
    first, last = text.split()
    page_stream(pdf, f"BT /F1 12 Tf 14 TL 72 {_at(text)} Td ({first}) ' 0 0 ({last}) \" ET".encode())


def by_word_space(pdf: pikepdf.Pdf, text: str) -> None:
    first, last = text.split()
    page_stream(pdf, f"BT /F1 12 Tf 72 {_at(text)} Td [({first}) -600 ({last})] TJ ET".encode())


def property_names(pdf: pikepdf.Pdf, text: str) -> None:
    name = text.replace(" ", "#20")
    page_stream(pdf, f"/{name} MP /{name} BMC EMC /Span /{name} DP".encode())


def property_resource(pdf: pikepdf.Pdf, text: str) -> None:
    name = "/" + text.replace(" ", "_")
    resource(pdf, "/Properties", Dictionary(ActualText=pikepdf.String(text), Lang=pikepdf.String(text)), 0, name)
    page_stream(pdf, f"/Span {name} BDC BT /F1 12 Tf 72 {_at(text)} Td (words) Tj ET EMC".encode())


def spoken(pdf: pikepdf.Pdf, text: str) -> None:
    """Alternative texts, expansions and languages of marked content."""
    tags = f"/Alt ({text}) /E ({text}) /Lang ({text})"
    page_stream(pdf, f"/Span <<{tags}>> BDC BT /F1 12 Tf 72 {_at(text)} Td (words) Tj ET EMC".encode())


def spoken_wide(pdf: pikepdf.Pdf, text: str) -> None:
    escaped = "".join(f"\\000\\{ord(letter):03o}" for letter in text)
    page_stream(pdf, f"/Span <</ActualText (\\376\\377{escaped})>> BDC (words) Tj EMC".encode())


def spoken_low(pdf: pikepdf.Pdf, text: str) -> None:
    digits = ("\ufeff" + text).encode("utf-16-le").hex()
    page_stream(pdf, f"/Span <</ActualText <{digits}>>> BDC EMC".encode())


def resource_names(pdf: pikepdf.Pdf, text: str) -> None:
    """What a page draws is named after the value, in the resources and in the content."""
    name = "/" + text.replace(" ", "_")
    resource(pdf, "/XObject", pdf.make_indirect(form(pdf, b"0 0 9 9 re f")), 0, name)
    page_stream(pdf, f"q {name} Do Q".encode())


def nested_forms(pdf: pikepdf.Pdf, text: str) -> None:
    inner = pdf.make_indirect(form(pdf, f"BT /F9 12 Tf 2 4 Td ({text}) Tj ET".encode()))
    for _ in range(4):
        outer = form(pdf, b"q /In Do Q")
        outer.Resources.XObject = Dictionary(In=inner)
        inner = pdf.make_indirect(outer)
    name = resource(pdf, "/XObject", inner, 0)
    page_stream(pdf, f"q 1 0 0 1 72 {_at(text)} cm {name} Do Q".encode())


def form_without_resources(pdf: pikepdf.Pdf, text: str) -> None:
    """A form that uses its page's fonts."""
    made = form(pdf, f"BT /F1 12 Tf 2 4 Td ({text}) Tj ET".encode())
    del made["/Resources"]
    name = resource(pdf, "/XObject", pdf.make_indirect(made), 0)
    page_stream(pdf, f"q 1 0 0 1 72 {_at(text)} cm {name} Do Q".encode())


def uncoloured_pattern(pdf: pikepdf.Pdf, text: str) -> None:
    made = form(pdf, f"BT /F9 12 Tf ({text}) Tj ET".encode())
    del made["/Subtype"]
    made.Type, made.PatternType, made.PaintType, made.TilingType = Name.Pattern, 1, 2, 2
    made.XStep, made.YStep = 200, 20
    name = resource(pdf, "/Pattern", pdf.make_indirect(made), 0)
    resource(pdf, "/ColorSpace", Array([Name.Pattern, Name.DeviceGray]), 0, "/Cp")
    page_stream(pdf, f"q /Cp cs 0 {name} scn 0 0 300 300 re f Q".encode())


def drawn_glyphs(pdf: pikepdf.Pdf, text: str) -> None:
    """A Type 3 font whose one glyph shows the value."""
    inner = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica)
    glyph = pdf.make_indirect(Stream(pdf, f"90 0 d0 BT /F9 1 Tf ({text}) Tj ET".encode()))
    font = Dictionary(
        Type=Name.Font,
        Subtype=Name.Type3,
        FontBBox=Array([0, 0, 9, 9]),
        FontMatrix=Array([1, 0, 0, 1, 0, 0]),
        CharProcs=Dictionary(a=glyph),
        Encoding=Dictionary(Differences=Array([65, Name.a])),
        FirstChar=65,
        LastChar=65,
        Widths=Array([9]),
        Resources=Dictionary(Font=Dictionary(F9=inner)),
    )
    name = resource(pdf, "/Font", pdf.make_indirect(font), 0)
    page_stream(pdf, f"BT {name} 12 Tf 72 {_at(text)} Td (A) Tj ET".encode())


def whole_value_a_code(pdf: pikepdf.Pdf, text: str) -> None:
    """One code of a font stands for the whole value."""
    digits = text.encode("utf-16-be").hex()
    held = f"1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfchar <41> <{digits}> endbfchar"
    font = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica, ToUnicode=Stream(pdf, held.encode()))
    name = resource(pdf, "/Font", pdf.make_indirect(font), 0)
    page_stream(pdf, f"BT {name} 12 Tf 72 {_at(text)} Td (A) Tj ET".encode())


def switched_off(pdf: pikepdf.Pdf, text: str) -> None:
    """A layer shown by no configuration, by an expression."""
    group = pdf.make_indirect(Dictionary(Type=Name.OCG, Name=pikepdf.String("Layer")))
    pdf.Root.OCProperties = Dictionary(OCGs=Array([group]), D=Dictionary(BaseState=Name.OFF))
    rule = pdf.make_indirect(Dictionary(Type=Name.OCMD, VE=Array([Name.And, group])))
    name = resource(pdf, "/Properties", rule, 0)
    page_stream(pdf, f"/OC {name} BDC ".encode() + _show(text, _at(text)) + b" EMC")


def off_by_its_form(pdf: pikepdf.Pdf, text: str) -> None:
    group = pdf.make_indirect(Dictionary(Type=Name.OCG, Name=pikepdf.String("Layer")))
    pdf.Root.OCProperties = Dictionary(OCGs=Array([group]), D=Dictionary(OFF=Array([group])))
    made = form(pdf, f"BT /F9 12 Tf 2 4 Td ({text}) Tj ET".encode())
    made.OC = group
    name = resource(pdf, "/XObject", pdf.make_indirect(made), 0)
    page_stream(pdf, f"q 1 0 0 1 72 {_at(text)} cm {name} Do Q".encode())


def behind_a_picture(pdf: pikepdf.Pdf, text: str) -> None:
    page_stream(pdf, _show(text, _at(text)))
    name = resource(pdf, "/XObject", pdf.make_indirect(picture(pdf, b"\x80" * 40)), 0)
    page_stream(pdf, f"q 595 0 0 842 0 0 cm {name} Do Q".encode())


def outside_the_crop(pdf: pikepdf.Pdf, text: str) -> None:
    page_stream(pdf, f"BT /F1 12 Tf 72 20 Td ({text}) Tj ET".encode())
    pdf.pages[0].CropBox = Array([0, 100, 595, 842])


def compatibility(pdf: pikepdf.Pdf, text: str) -> None:
    page_stream(pdf, f"BX ({text}) whatever EX".encode())


def after_damage(pdf: pikepdf.Pdf, text: str) -> None:
    """Content that no strict parser reads to its end."""
    page_stream(pdf, b"q ] >> ) " + _show(text, _at(text)))


def without_a_font(pdf: pikepdf.Pdf, text: str) -> None:
    page_stream(pdf, f"BT 72 {_at(text)} Td ({text}) Tj ET".encode())


PLACES = {
    function.__name__: Place(function, twin=twin, hard=hard)
    for function, twin, hard in (
        (chain_deflated_ascii, True, False),
        (chain_hexadecimal, True, False),
        (chain_run_lengths, True, True),
        (chain_lzw, True, False),
        (chain_twice_deflated, True, False),
        (chain_crypt, False, True),
        (abbreviated_filters, True, False),
        (damaged_end, False, False),
        (after_the_deflated_end, False, False),
        (after_a_pictures_end, False, False),
        (octal, True, False),
        (short_octal, True, False),
        (line_continued, True, False),
        (line_continued_by_return, True, False),
        (idle_escapes, True, False),
        (hex_odd, True, False),
        (hex_spaced, True, False),
        (over_text_objects, True, False),
        (over_streams, True, False),
        (over_streams_inside_a_string, True, False),
        (by_quotes, True, False),
        (by_word_space, True, False),
        (property_names, False, True),
        (property_resource, False, False),
        (spoken, False, False),
        (spoken_wide, False, False),
        (spoken_low, False, True),
        (resource_names, False, False),
        (nested_forms, True, False),
        (form_without_resources, True, False),
        (uncoloured_pattern, False, False),
        (drawn_glyphs, False, False),
        (whole_value_a_code, True, False),
        (switched_off, True, False),
        (off_by_its_form, True, False),
        (behind_a_picture, True, False),
        (outside_the_crop, False, False),
        (compatibility, False, False),
        (after_damage, False, False),
        (without_a_font, False, False),
    )
}
"""Where, whether the neighbour stays, whether the readers here do not see it in the source either."""


@pytest.mark.parametrize("name", PLACES)
def test_a_value_is_gone_from_content(name: str) -> None:
    check(PLACES[name])
