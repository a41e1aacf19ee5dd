"""Places where a value hides in a PDF.  In each stands a secret and, beside it, a twin that must survive."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from dataclasses import dataclass

import pikepdf
import pypdfium2 as pdfium
import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from pikepdf import Array, Dictionary, Name, Stream, String
from PIL import Image
from reportlab.pdfgen import canvas

from .making import KEPT, SECRET, drawn, gate, holds, page_stream, pdftotext, plan_for, redact, saved

Plant = Callable[[pikepdf.Pdf, str, float], None]


@dataclass(frozen=True)
class Place:
    """How to hide a text, and what is expected of its twin.

    Attributes:
        plant: hides the text; the number is a height on the page.
        twin: whether the twin survives (a place that is removed whole loses it too).
        keep: whether the user asked to keep metadata.
    """

    plant: Plant
    twin: bool = True
    keep: bool = False


def _show(pdf: pikepdf.Pdf, text: str, y: float, before: bytes = b"", after: bytes = b"") -> None:
    page_stream(pdf, b"q " + before + f" BT /F1 12 Tf 72 {y} Td ({text}) Tj ET ".encode("latin-1") + after + b" Q")


def plain(pdf: pikepdf.Pdf, text: str, y: float) -> None:
    _show(pdf, text, y)


def white(pdf: pikepdf.Pdf, text: str, y: float) -> None:
    _show(pdf, text, y, b"1 1 1 rg")


def invisible(pdf: pikepdf.Pdf, text: str, y: float) -> None:
    _show(pdf, text, y, b"BT 3 Tr ET 3 Tr")


def clipped(pdf: pikepdf.Pdf, text: str, y: float) -> None:
    _show(pdf, text, y, b"0 0 10 10 re W n")


def covered(pdf: pikepdf.Pdf, text: str, y: float) -> None:
    _show(pdf, text, y, b"", f"0 0 0 rg 60 {y - 5} 300 20 re f".encode())


def kerned(pdf: pikepdf.Pdf, text: str, y: float) -> None:
    pieces = " ".join(f"({c}) {-20 + i % 7}" for i, c in enumerate(text))
    page_stream(pdf, f"BT /F1 12 Tf 72 {y} Td [{pieces}] TJ ET".encode())


def letter_by_letter(pdf: pikepdf.Pdf, text: str, y: float) -> None:
    shows = " ".join(f"1 0 0 1 {72 + 8 * i} {y} Tm ({c}) Tj" for i, c in enumerate(text))
    page_stream(pdf, f"BT /F1 12 Tf {shows} ET".encode())


def over_lines(pdf: pikepdf.Pdf, text: str, y: float) -> None:
    first, last = text.split(" ")
    page_stream(pdf, f"BT /F1 12 Tf 72 {y} Td ({first}) Tj 0 -14 Td ({last} said so) Tj ET".encode())


def hyphenated(pdf: pikepdf.Pdf, text: str, y: float) -> None:
    head, tail = text[:-4], text[-4:]
    page_stream(pdf, f"BT /F1 12 Tf 72 {y} Td (It was {head}-) Tj 0 -14 Td ({tail} who came) Tj ET".encode())


def hex_string(pdf: pikepdf.Pdf, text: str, y: float) -> None:
    page_stream(pdf, f"BT /F1 12 Tf 72 {y} Td <{text.encode().hex()}> Tj ET".encode())


def sideways(pdf: pikepdf.Pdf, text: str, y: float) -> None:
    page_stream(pdf, f"BT /F1 12 Tf 0 1 -1 0 {500 - y / 4} 100 Tm ({text}) Tj ET".encode())


def slanted(pdf: pikepdf.Pdf, text: str, y: float) -> None:
    page_stream(pdf, f"BT /F1 12 Tf 0.866 0.5 -0.5 0.866 200 {y / 2} Tm ({text}) Tj ET".encode())


def off_the_page(pdf: pikepdf.Pdf, text: str, y: float) -> None:
    page_stream(pdf, f"BT /F1 12 Tf 700 {y} Td ({text}) Tj ET".encode())


def hidden_layer(pdf: pikepdf.Pdf, text: str, y: float) -> None:
    group = pdf.make_indirect(Dictionary(Type=Name.OCG, Name=String("Layer")))
    pdf.Root.OCProperties = Dictionary(OCGs=Array([group]), D=Dictionary(OFF=Array([group]), Order=Array([group])))
    page = pdf.pages[0]
    if "/Properties" not in page.Resources:
        page.Resources.Properties = Dictionary()
    page.Resources.Properties[f"/L{int(y)}"] = group
    _show(pdf, text, y, f"/OC /L{int(y)} BDC".encode(), b"EMC")


def layer_name(pdf: pikepdf.Pdf, text: str, y: float) -> None:
    group = pdf.make_indirect(Dictionary(Type=Name.OCG, Name=String(f"Notes on {text}")))
    if "/OCProperties" not in pdf.Root:
        pdf.Root.OCProperties = Dictionary(OCGs=Array(), D=Dictionary(Order=Array()))
    pdf.Root.OCProperties.OCGs.append(group)


def _form(pdf: pikepdf.Pdf, text: str) -> Stream:
    font = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica)
    form = Stream(pdf, f"BT /F9 12 Tf 2 4 Td ({text}) Tj ET".encode())
    form.Type, form.Subtype, form.BBox = Name.XObject, Name.Form, Array([0, 0, 200, 20])
    form.Resources = Dictionary(Font=Dictionary(F9=font))
    return form


def shared_form(pdf: pikepdf.Pdf, text: str, y: float) -> None:
    form = pdf.make_indirect(_form(pdf, text))
    for page in pdf.pages:
        if "/XObject" not in page.Resources:
            page.Resources.XObject = Dictionary()
        page.Resources.XObject[f"/X{int(y)}"] = form
        page.contents_add(Stream(pdf, f"q 1 0 0 1 72 {y} cm /X{int(y)} Do Q".encode()))


def unused_form(pdf: pikepdf.Pdf, text: str, y: float) -> None:
    page = pdf.pages[0]
    if "/XObject" not in page.Resources:
        page.Resources.XObject = Dictionary()
    page.Resources.XObject[f"/X{int(y)}"] = pdf.make_indirect(_form(pdf, text))


def tiling_pattern(pdf: pikepdf.Pdf, text: str, y: float) -> None:
    pattern = _form(pdf, text)
    del pattern["/Subtype"]
    pattern.Type, pattern.PatternType, pattern.PaintType, pattern.TilingType = Name.Pattern, 1, 1, 1
    pattern.XStep, pattern.YStep = 200, 20
    page = pdf.pages[0]
    if "/Pattern" not in page.Resources:
        page.Resources.Pattern = Dictionary()
    page.Resources.Pattern[f"/P{int(y)}"] = pdf.make_indirect(pattern)
    page.contents_add(Stream(pdf, f"q /Pattern cs /P{int(y)} scn 0 {y} 200 20 re f Q".encode()))


def glyph_numbers(pdf: pikepdf.Pdf, text: str, y: float) -> None:
    letters = sorted(set(text))
    codes = {letter: 7 + 3 * place for place, letter in enumerate(letters)}
    entries = "\n".join(f"<{code:04X}> <{ord(letter):04X}>" for letter, code in codes.items())
    mapping = Stream(
        pdf,
        f"1 begincodespacerange <0000> <FFFF> endcodespacerange {len(codes)} beginbfchar {entries} endbfchar".encode(),
    )
    below = Dictionary(
        Type=Name.Font,
        Subtype=Name.CIDFontType2,
        BaseFont=Name.Helvetica,
        CIDSystemInfo=Dictionary(Registry=String("Adobe"), Ordering=String("Identity"), Supplement=0),
        DW=600,
        FontDescriptor=Dictionary(
            Type=Name.FontDescriptor, FontName=Name.Helvetica, Flags=4, FontBBox=Array([0, -200, 1000, 900]), Ascent=800
        ),
    )
    font = Dictionary(
        Type=Name.Font,
        Subtype=Name.Type0,
        BaseFont=Name.Helvetica,
        Encoding=Name("/Identity-H"),
        DescendantFonts=Array([pdf.make_indirect(below)]),
        ToUnicode=pdf.make_indirect(mapping),
    )
    page_stream(pdf, b"")
    pdf.pages[0].Resources.Font[f"/G{int(y)}"] = pdf.make_indirect(font)
    shown = "".join(f"{codes[letter]:04X}" for letter in text)
    pdf.pages[0].contents_add(Stream(pdf, f"BT /G{int(y)} 12 Tf 72 {y} Td <{shown}> Tj ET".encode()))


def actual_text(pdf: pikepdf.Pdf, text: str, y: float) -> None:
    _show(pdf, "--", y, f"/Span <</ActualText ({text})>> BDC".encode(), b"EMC")


def content_comment(pdf: pikepdf.Pdf, text: str, y: float) -> None:
    page_stream(pdf, f"% {text}\nq Q".encode())


def split_actual_text(pdf: pikepdf.Pdf, text: str, y: float) -> None:
    letters = "".join(f"/Span <</ActualText ({letter})>> BDC (x) Tj EMC " for letter in text)
    page_stream(pdf, f"BT /F1 12 Tf 72 {y} Td {letters}ET".encode())


def hex_property(pdf: pikepdf.Pdf, text: str, y: float) -> None:
    digits = ("\ufeff" + text).encode("utf-16-be").hex()
    page_stream(pdf, f"/Span <</A <</B [1 <{digits}>]>>>> BDC BT /F1 12 Tf 72 {y} Td (words) Tj ET EMC".encode())


def stray_hex(pdf: pikepdf.Pdf, text: str, y: float) -> None:
    page_stream(pdf, f"% {y}\n<{text.encode().hex()}> pop".encode())


def hex_picture(pdf: pikepdf.Pdf, text: str, y: float) -> None:
    digits = text.encode().ljust(32, b"\0").hex()
    head = f"q 10 0 0 10 72 {y} cm BI /W 32 /H 1 /CS /G /BPC 8 /F /AHx ID "
    page_stream(pdf, f"{head}{digits}>\nEI Q".encode())


def untrue_font(pdf: pikepdf.Pdf, text: str, y: float) -> None:
    page_stream(pdf, b"")
    font = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica, Encoding=Name.WinAnsiEncoding)
    font.ToUnicode = Stream(
        pdf, b"1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfrange <20> <7e> <0061> endbfrange"
    )
    pdf.pages[0].Resources.Font["/F7"] = pdf.make_indirect(font)
    page_stream(pdf, f"BT /F7 12 Tf 72 {y} Td ({text}) Tj ET".encode())


def structure(pdf: pikepdf.Pdf, text: str, y: float) -> None:
    if "/StructTreeRoot" not in pdf.Root:
        pdf.Root.StructTreeRoot = pdf.make_indirect(Dictionary(Type=Name.StructTreeRoot, K=Array()))
    element = Dictionary(
        Type=Name.StructElem,
        S=Name.Figure,
        P=pdf.Root.StructTreeRoot,
        Pg=pdf.pages[1].obj,
        K=0,
        Alt=String(f"Photo of {text}"),
    )
    pdf.Root.StructTreeRoot.K.append(pdf.make_indirect(element))


def field(pdf: pikepdf.Pdf, text: str, y: float) -> None:
    look = pdf.make_indirect(_form(pdf, text))
    widget = pdf.make_indirect(
        Dictionary(
            Type=Name.Annot,
            Subtype=Name.Widget,
            FT=Name.Tx,
            F=4,
            T=String(f"field{int(y)}"),
            V=String(text),
            DV=String(text),
            RV=String(f"<p>{text}</p>"),
            TU=String(f"Name, for example {text}"),
            Opt=Array([String(text), String("other")]),
            Rect=Array([72, y, 272, y + 20]),
            AP=Dictionary(N=look),
            DA=String("/Helv 12 Tf 0 g"),
            P=pdf.pages[0].obj,
        )
    )
    _annotate(pdf, widget)
    if "/AcroForm" not in pdf.Root:
        pdf.Root.AcroForm = Dictionary(Fields=Array(), DA=String("/Helv 12 Tf 0 g"))
    pdf.Root.AcroForm.Fields.append(widget)


def field_without_look(pdf: pikepdf.Pdf, text: str, y: float) -> None:
    field(pdf, text, y)
    del pdf.pages[0].Annots[-1]["/AP"]
    pdf.Root.AcroForm.NeedAppearances = True


def sibling_field(pdf: pikepdf.Pdf, text: str, y: float) -> None:
    """Two widgets, on two pages, of one field that holds the value."""
    parent = pdf.make_indirect(Dictionary(FT=Name.Tx, T=String(f"both{int(y)}"), V=String(text), Kids=Array()))
    for page in pdf.pages[:2]:
        widget = pdf.make_indirect(
            Dictionary(
                Type=Name.Annot,
                Subtype=Name.Widget,
                Parent=parent,
                F=4,
                Rect=Array([72, y, 272, y + 20]),
                AP=Dictionary(N=pdf.make_indirect(_form(pdf, text))),
                P=page.obj,
            )
        )
        parent.Kids.append(widget)
        if "/Annots" not in page:
            page.Annots = Array()
        page.Annots.append(widget)
    if "/AcroForm" not in pdf.Root:
        pdf.Root.AcroForm = Dictionary(Fields=Array(), DA=String("/Helv 12 Tf 0 g"))
    pdf.Root.AcroForm.Fields.append(parent)


def xfa(pdf: pikepdf.Pdf, text: str, y: float) -> None:
    data = f"<xfa:data><name>{text}</name></xfa:data>".encode()
    half = len(data) // 2
    packets = Array()
    for name, piece in (("datasets", data[:half]), ("more", data[half:])):
        packets.append(String(name))
        packets.append(pdf.make_indirect(Stream(pdf, piece)))
    if "/AcroForm" not in pdf.Root:
        pdf.Root.AcroForm = Dictionary(Fields=Array(), XFA=Array())
    pdf.Root.AcroForm.XFA.extend(packets)


def _annotate(pdf: pikepdf.Pdf, annotation: pikepdf.Object) -> None:
    page = pdf.pages[0]
    if "/Annots" not in page:
        page.Annots = Array()
    page.Annots.append(annotation)


def free_text(pdf: pikepdf.Pdf, text: str, y: float) -> None:
    _annotate(
        pdf,
        pdf.make_indirect(
            Dictionary(
                Type=Name.Annot,
                Subtype=Name.FreeText,
                F=4,
                Rect=Array([72, y, 272, y + 20]),
                Contents=String(text),
                DA=String("/Helv 12 Tf 0 g"),
                AP=Dictionary(N=pdf.make_indirect(_form(pdf, text))),
            )
        ),
    )


def note(pdf: pikepdf.Pdf, text: str, y: float) -> None:
    popup = pdf.make_indirect(Dictionary(Type=Name.Annot, Subtype=Name.Popup, Rect=Array([300, y, 400, y + 50])))
    _annotate(
        pdf,
        pdf.make_indirect(
            Dictionary(
                Type=Name.Annot,
                Subtype=Name.Text,
                Rect=Array([500, y, 520, y + 20]),
                Contents=String(f"Ask {text}"),
                T=String(text),
                RC=String(f"<body><p>{text}</p></body>"),
                Subj=String(text),
                Popup=popup,
            )
        ),
    )


def hidden_stamp(pdf: pikepdf.Pdf, text: str, y: float) -> None:
    _annotate(
        pdf,
        pdf.make_indirect(
            Dictionary(
                Type=Name.Annot,
                Subtype=Name.Stamp,
                F=2,
                Rect=Array([72, y, 272, y + 20]),
                AP=Dictionary(N=pdf.make_indirect(_form(pdf, text))),
            )
        ),
    )


def link(pdf: pikepdf.Pdf, text: str, y: float) -> None:
    target = "https://example.org/?who=" + text.replace(" ", "%20")
    _annotate(
        pdf,
        pdf.make_indirect(
            Dictionary(
                Type=Name.Annot,
                Subtype=Name.Link,
                Rect=Array([300, y, 400, y + 20]),
                Border=Array([0, 0, 0]),
                A=Dictionary(S=Name.URI, URI=String(target)),
            )
        ),
    )


def outline(pdf: pikepdf.Pdf, text: str, y: float) -> None:
    with pdf.open_outline() as tree:
        tree.root.append(pikepdf.OutlineItem(f"About {text}", 1))


def named_destination(pdf: pikepdf.Pdf, text: str, y: float) -> None:
    target = Array([pdf.pages[1].obj, Name.Fit])
    if "/Names" not in pdf.Root:
        pdf.Root.Names = Dictionary()
    if "/Dests" not in pdf.Root.Names:
        pdf.Root.Names.Dests = Dictionary(Names=Array())
    pdf.Root.Names.Dests.Names.append(String(text))
    pdf.Root.Names.Dests.Names.append(target)


def old_destination(pdf: pikepdf.Pdf, text: str, y: float) -> None:
    if "/Dests" not in pdf.Root:
        pdf.Root.Dests = Dictionary()
    pdf.Root.Dests["/" + text.replace(" ", "_")] = Array([pdf.pages[1].obj, Name.Fit])


def page_label(pdf: pikepdf.Pdf, text: str, y: float) -> None:
    if "/PageLabels" not in pdf.Root:
        pdf.Root.PageLabels = Dictionary(Nums=Array())
    pdf.Root.PageLabels.Nums.append(len(pdf.Root.PageLabels.Nums) // 2)
    pdf.Root.PageLabels.Nums.append(Dictionary(P=String(f"{text}-"), S=Name.D))


def info(pdf: pikepdf.Pdf, text: str, y: float) -> None:
    if "/Info" not in pdf.trailer:
        pdf.trailer.Info = pdf.make_indirect(Dictionary())
    key = "/Author" if text == SECRET else "/Subject"
    pdf.trailer.Info[key] = String(text)


def xmp(pdf: pikepdf.Pdf, text: str, y: float) -> None:
    packet = f'<?xpacket begin=""?><x:xmpmeta xmlns:x="adobe:ns:meta/"><dc:creator>{text}</dc:creator></x:xmpmeta>'
    page = pdf.pages[0 if text == SECRET else 1]
    page.Metadata = pdf.make_indirect(Stream(pdf, packet.encode(), Type=Name.Metadata, Subtype=Name.XML))


def piece_info(pdf: pikepdf.Pdf, text: str, y: float) -> None:
    page = pdf.pages[0 if text == SECRET else 1]
    page.PieceInfo = Dictionary(App=Dictionary(Private=Dictionary(Who=String(text))))


def attached_text(pdf: pikepdf.Pdf, text: str, y: float) -> None:
    _attach(pdf, f"notes{int(y)}.txt", f"Meeting with {text}\r\nat noon\r\n".encode())


def attached_pdf(pdf: pikepdf.Pdf, text: str, y: float) -> None:
    _attach(pdf, f"inner{int(y)}.pdf", drawn(lambda board: board.drawString(72, 500, f"Inside: {text}")))


def attached_unknown(pdf: pikepdf.Pdf, text: str, y: float) -> None:
    _attach(pdf, f"data{int(y)}.xyz", b"\x00\x01\x02" + text.encode() + b"\x00\xff")


def attachment_name(pdf: pikepdf.Pdf, text: str, y: float) -> None:
    _attach(pdf, f"{text}.txt", b"Nothing in here\n")


def _attach(pdf: pikepdf.Pdf, name: str, data: bytes) -> None:
    pdf.attachments[name] = pikepdf.AttachedFileSpec(pdf, data, filename=name, description=f"about {name}")


def script(pdf: pikepdf.Pdf, text: str, y: float) -> None:
    action = Dictionary(S=Name.JavaScript, JS=String(f"app.alert('{text}')"))
    if "/Names" not in pdf.Root:
        pdf.Root.Names = Dictionary()
    if "/JavaScript" not in pdf.Root.Names:
        pdf.Root.Names.JavaScript = Dictionary(Names=Array())
    pdf.Root.Names.JavaScript.Names.append(String(f"script{int(y)}"))
    pdf.Root.Names.JavaScript.Names.append(pdf.make_indirect(action))
    pdf.Root.OpenAction = action


def utf16_string(pdf: pikepdf.Pdf, text: str, y: float) -> None:
    pdf.Root[f"/Note{int(y)}"] = Array([String(b"\xfe\xff" + text.encode("utf-16-be"))])


def unmarked_utf16(pdf: pikepdf.Pdf, text: str, y: float) -> None:
    pdf.Root[f"/Note{int(y)}"] = Array([String(text.encode("utf-16-be"))])


def utf8_string(pdf: pikepdf.Pdf, text: str, y: float) -> None:
    pdf.Root[f"/Note{int(y)}"] = Dictionary(Deep=Array([String(b"\xef\xbb\xbf" + text.encode())]))


def font_program(pdf: pikepdf.Pdf, text: str, y: float) -> None:
    builder = FontBuilder(1000, isTTF=True)
    builder.setupGlyphOrder([".notdef", "A"])
    builder.setupCharacterMap({65: "A"})
    builder.setupGlyf({".notdef": TTGlyphPen(None).glyph(), "A": TTGlyphPen(None).glyph()})
    builder.setupHorizontalMetrics({".notdef": (500, 0), "A": (500, 0)})
    builder.setupHorizontalHeader()
    builder.setupNameTable({"familyName": "Own", "styleName": "Regular", "designer": f"Drawn by {text}"})
    builder.setupOS2()
    builder.setupPost()
    buffer = io.BytesIO()
    builder.save(buffer)
    descriptor = Dictionary(
        Type=Name.FontDescriptor,
        FontName=Name("/Own"),
        Flags=4,
        FontBBox=Array([0, 0, 1000, 1000]),
        ItalicAngle=0,
        Ascent=800,
        Descent=-200,
        CapHeight=700,
        StemV=80,
        FontFile2=pdf.make_indirect(Stream(pdf, buffer.getvalue())),
    )
    font = Dictionary(
        Type=Name.Font,
        Subtype=Name.TrueType,
        BaseFont=Name("/Own"),
        FirstChar=65,
        LastChar=65,
        Widths=Array([500]),
        FontDescriptor=pdf.make_indirect(descriptor),
    )
    pdf.pages[1].Resources.Font[f"/O{int(y)}"] = pdf.make_indirect(font)


def picture_comment(pdf: pikepdf.Pdf, text: str, y: float) -> None:
    buffer = io.BytesIO()
    Image.new("RGB", (8, 8), "red").save(buffer, format="JPEG", comment=f"Seen by {text}".encode())
    picture = Stream(pdf, b"")
    picture.write(buffer.getvalue(), filter=Name.DCTDecode)
    for key, value in {"Type": Name.XObject, "Subtype": Name.Image, "Width": 8, "Height": 8}.items():
        picture[f"/{key}"] = value
    picture.ColorSpace, picture.BitsPerComponent = Name.DeviceRGB, 8
    page = pdf.pages[1]
    if "/XObject" not in page.Resources:
        page.Resources.XObject = Dictionary()
    page.Resources.XObject[f"/I{int(y)}"] = pdf.make_indirect(picture)
    page.contents_add(Stream(pdf, f"q 50 0 0 50 72 {y} cm /I{int(y)} Do Q".encode()))


PLACES = {
    "plain": Place(plain),
    "white": Place(white),
    "invisible": Place(invisible),
    "clipped": Place(clipped),
    "covered": Place(covered),
    "kerned": Place(kerned),
    "letter-by-letter": Place(letter_by_letter),
    "over-lines": Place(over_lines),
    "hyphenated": Place(hyphenated, twin=False),
    "hex-string": Place(hex_string),
    "sideways": Place(sideways),
    "slanted": Place(slanted),
    "off-the-page": Place(off_the_page, twin=False),
    "hidden-layer": Place(hidden_layer),
    "layer-name": Place(layer_name),
    "shared-form": Place(shared_form),
    "unused-form": Place(unused_form, twin=False),
    "tiling-pattern": Place(tiling_pattern, twin=False),
    "glyph-numbers": Place(glyph_numbers),
    "actual-text": Place(actual_text, twin=False),
    "split-actual-text": Place(split_actual_text, twin=False),
    "hex-property": Place(hex_property, twin=False),
    "stray-hex": Place(stray_hex, twin=False),
    "hex-picture": Place(hex_picture, twin=False),
    "untrue-font": Place(untrue_font, twin=False),
    "content-comment": Place(content_comment, twin=False),
    "structure": Place(structure),
    "field": Place(field),
    "field-without-look": Place(field_without_look, twin=False),
    "sibling-field": Place(sibling_field),
    "xfa": Place(xfa, twin=False),
    "free-text": Place(free_text),
    "note": Place(note),
    "hidden-stamp": Place(hidden_stamp),
    "link": Place(link, twin=False),
    "outline": Place(outline),
    "named-destination": Place(named_destination),
    "old-destination": Place(old_destination),
    "page-label": Place(page_label),
    "info": Place(info, twin=False),
    "info-kept": Place(info, keep=True),
    "xmp": Place(xmp, twin=False),
    "xmp-kept": Place(xmp, keep=True),
    "piece-info": Place(piece_info, keep=True),
    "attached-text": Place(attached_text),
    "attached-pdf": Place(attached_pdf),
    "attached-unknown": Place(attached_unknown, twin=False),
    "attachment-name": Place(attachment_name),
    "script": Place(script, twin=False),
    "utf16-string": Place(utf16_string),
    "unmarked-utf16": Place(unmarked_utf16),
    "utf8-string": Place(utf8_string),
    "font-program": Place(font_program),
    "picture-comment": Place(picture_comment, twin=False),
    "picture-comment-kept": Place(picture_comment, keep=True),
}


def _host(draw: Callable[[canvas.Canvas], object] | None = None) -> bytes:
    return drawn(draw or (lambda board: board.drawString(72, 780, "A letter about somebody")), pages=2)


@pytest.mark.parametrize("name", PLACES)
def test_a_value_is_gone_from_where_it_hid_and_its_twin_is_not(name: str) -> None:
    place = PLACES[name]
    with pikepdf.open(io.BytesIO(_host())) as pdf:
        place.plant(pdf, SECRET, 600.0)
        place.plant(pdf, KEPT, 400.0)
        source = saved(pdf)
    plan = plan_for(SECRET, keep_metadata=place.keep)
    assert holds(source, SECRET) or name in ("link", "xfa", "hyphenated", "attached-unknown", "split-actual-text")

    artifact, result = redact(source, plan)

    assert holds(artifact, SECRET) == []
    gate(source, artifact, plan)
    assert result.swept + sum(named.count for named in result.named) >= 1
    if place.twin:
        assert holds(artifact, KEPT)


def test_all_places_in_one_file() -> None:
    with pikepdf.open(io.BytesIO(_host())) as pdf:
        for number, (name, place) in enumerate(PLACES.items()):
            if name not in ("xfa", "info-kept", "xmp-kept", "picture-comment-kept"):
                place.plant(pdf, SECRET, 30.0 + 15 * number)
        source = saved(pdf)
    plan = plan_for(SECRET)

    artifact, _ = redact(source, plan)

    assert holds(artifact, SECRET) == []
    gate(source, artifact, plan)


def test_earlier_revisions_stray_objects_and_trailing_bytes_are_gone() -> None:
    host = _host(lambda board: board.drawString(72, 700, f"Kept: {KEPT}"))
    older = _host(lambda board: board.drawString(72, 700, f"Once: {SECRET}"))
    stray = f"\n99 0 obj\n({SECRET})\nendobj\n".encode()
    start = host.rfind(b"startxref")
    source = host[:start] + host[start:] + stray + b"\n% " + SECRET.encode() + older[-20:]

    artifact, _ = redact(source, plan_for(SECRET))

    assert holds(artifact, SECRET) == []
    assert holds(artifact, KEPT)
    assert artifact.count(b"%%EOF") == 1


def test_an_incremental_update_does_not_keep_the_first_version() -> None:
    first = _host(lambda board: board.drawString(72, 700, f"Once: {SECRET}"))
    with pikepdf.open(io.BytesIO(first)) as pdf:
        number = pdf.pages[0].Contents.objgen[0]
    body = b"BT ET"
    update = f"\n{number} 0 obj\n<</Length {len(body)}>>\nstream\n".encode() + body + b"\nendstream\nendobj\n"
    place = len(first)
    before = int(first[first.rfind(b"startxref") :].split()[1])
    with pikepdf.open(io.BytesIO(first)) as pdf:
        root, size = pdf.Root.objgen[0], len(pdf.objects) + 1
    table = f"xref\n{number} 1\n{place + 1:010d} 00000 n \ntrailer\n<</Size {size}/Root {root} 0 R/Prev {before}>>\n"
    source = first + update + table.encode() + f"startxref\n{place + len(update)}\n%%EOF\n".encode()

    artifact, _ = redact(source, plan_for(SECRET))

    assert holds(artifact, SECRET) == []
    assert artifact.count(b"%%EOF") == 1


def test_pages_that_share_resources_lose_only_what_they_draw() -> None:
    pdf = pikepdf.Pdf.new()
    font = pdf.make_indirect(Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica))
    form = _form(pdf, SECRET)
    shared = pdf.make_indirect(Dictionary(Font=Dictionary(F1=font), XObject=Dictionary({"/X#1": form})))
    for number in range(3):
        page = pdf.add_blank_page(page_size=(595, 842))
        page.Resources = shared
        drawing = b"/X#231 Do" if number == 1 else b""
        page.Contents = pdf.make_stream(f"BT /F1 12 Tf 72 700 Td (Words of page {number}) Tj ET ".encode() + drawing)
    source = saved(pdf)
    plan = plan_for(SECRET)
    assert holds(source, SECRET)

    artifact, result = redact(source, plan)

    assert result.rebuilt_pages == (2,)
    assert holds(artifact, SECRET) == []
    assert [number for number in range(3) if f"Words of page {number}" in pdftotext(artifact)] == [0, 1, 2]
    gate(source, artifact, plan)


def test_a_file_that_had_to_be_mended_is_read_as_it_will_be_written() -> None:
    body = b"BT /F1 12 Tf 1 0 0 1 1 1 Tm (Nothing) Tj ET"
    source = (
        b"%PDF-1.4\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n2 0 obj\n<</Type/Pages/Count 1/Kids[3 0 R]"
        b">>\nendobj\n3 0 obj\n<<ources <</ProcSet[/PDF]>>/MediaBox[0 0 1 1]/Type/Page/Parent 2 0 R/Contents 4 0 R>>"
        b"\nendobj\n"
        b"4 0 obj\n<</Length " + str(len(body)).encode() + b">>\nstream\n" + body + b"\nendstream\nendobj\n"
        b"trailer\n<</Size 5/Root 1 0 R>>\nstartxref\n0\n%%EOF\n"
    )
    plan = plan_for(SECRET)
    # PDFium alone misses the page's size here.
    assert pdfium.PdfDocument(source).get_page_size(0) != (1, 1)

    artifact, _ = redact(source, plan)

    gate(source, artifact, plan)


def test_a_value_in_an_encoding_no_font_names_is_found_by_its_bytes() -> None:
    with pikepdf.open(io.BytesIO(_host())) as pdf:
        page_stream(pdf, b"")
        data = "\u3042\u3044\u3046\u3048\u304a".encode("shift_jis")
        page_stream(pdf, b"BT /F1 12 Tf 72 600 Td <" + data.hex().encode() + b"> Tj ET")
        source = saved(pdf)
    plan = plan_for("\u3042\u3044\u3046\u3048\u304a")

    artifact, result = redact(source, plan)

    assert result.rebuilt_pages == (1,)
    with pikepdf.open(io.BytesIO(artifact)) as pdf:
        assert data.hex().encode() not in pdf.pages[0].Contents.read_bytes()
    gate(source, artifact, plan)


def test_the_codes_of_the_text_layer_spell_no_value() -> None:
    kept = "".join(chr(code) for code in range(0x41, 0x5B)) + "".join(chr(code) for code in range(0x61, 0x7B))

    def draw(board: canvas.Canvas) -> None:
        board.drawString(72, 780, f"{kept} and {SECRET}")

    source = _host(draw)
    artifact, _ = redact(source, plan_for(SECRET))

    with pikepdf.open(io.BytesIO(artifact)) as pdf:
        codes = "".join(re.findall(r"<([0-9A-F]+)> Tj", pdf.pages[0].Contents.read_bytes().decode("latin-1")))
    read = bytes.fromhex(codes)
    assert kept in pdftotext(artifact)
    for codec in ("utf-16-be", "latin-1"):
        assert re.findall(r"[0-9A-Za-z]{2,}", read.decode(codec).replace("\0", "")) == []
