"""Values in what is no text: samples, palettes, profiles, notes inside compressed pictures, functions."""

from __future__ import annotations

import base64
import io
import zlib

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, Stream, String
from PIL import Image

from .hiding import Place, check, draw_picture, names, picture, resource
from .making import page_stream


def _filtered(made: Stream, data: bytes, *filters: str, **parms: int) -> Stream:
    """Put encoded `data` into a stream as it is."""
    given = [Name("/" + name) for name in filters]
    made.write(data, filter=given[0] if len(given) == 1 else Array(given))
    if parms:
        made.DecodeParms = Dictionary({f"/{key}": value for key, value in parms.items()})
    return made


def samples(pdf: pikepdf.Pdf, text: str) -> None:
    draw_picture(pdf, picture(pdf, text.encode()))


def samples_in_the_middle(pdf: pikepdf.Pdf, text: str) -> None:
    draw_picture(pdf, picture(pdf, bytes(range(200)) * 20 + text.encode() + b"\x07" * 3000))


def wide_samples(pdf: pikepdf.Pdf, text: str) -> None:
    draw_picture(pdf, picture(pdf, b"\x80\x81" + text.encode("utf-16-be") + b"\xf0\xf1"))


def colour_samples(pdf: pikepdf.Pdf, text: str) -> None:
    data = text.encode().ljust(96, b"\x99")
    draw_picture(pdf, picture(pdf, data, ColorSpace=Name.DeviceRGB, Width=len(data + bytes(69)) // 3))


def unused_samples(pdf: pikepdf.Pdf, text: str) -> None:
    resource(pdf, "/XObject", pdf.make_indirect(picture(pdf, text.encode())))


def samples_beyond_the_picture(pdf: pikepdf.Pdf, text: str) -> None:
    draw_picture(pdf, picture(pdf, b"\x99" * 40 + text.encode(), Width=20))


def samples_in_chains(pdf: pikepdf.Pdf, text: str) -> None:
    data = text.encode().ljust(64, b"\x9c")
    for filters, encoded in (
        (("ASCII85Decode", "FlateDecode"), base64.a85encode(zlib.compress(data)) + b"~>"),
        (("ASCIIHexDecode",), data.hex().encode() + b">"),
        (("RunLengthDecode",), bytes([len(data) - 1]) + data + b"\x80"),
    ):
        made = picture(pdf, b"", Width=64)
        draw_picture(pdf, _filtered(made, encoded, *filters))


def predicted_samples(pdf: pikepdf.Pdf, text: str) -> None:
    """PNG's predictors: the file's bytes are differences, the samples spell the value."""
    data = text.encode().ljust(64, b"\x9c")
    made = picture(pdf, b"", Width=64)
    row = b"\1" + bytes((now - before) % 256 for before, now in zip(b"\0" + data, data, strict=False))
    draw_picture(pdf, _filtered(made, zlib.compress(row), "FlateDecode", Predictor=15, Colors=1, Columns=64))


def differences(pdf: pikepdf.Pdf, text: str) -> None:
    """The other way round: the bytes before the predictor spell it."""
    made = picture(pdf, b"", Width=64)
    row = b"\1" + text.encode().ljust(64, b"\0")
    draw_picture(pdf, _filtered(made, zlib.compress(row), "FlateDecode", Predictor=15, Colors=1, Columns=64))


def palette_string(pdf: pikepdf.Pdf, text: str) -> None:
    table = String(text.encode().ljust(48, b"\x90"))
    space = Array([Name.Indexed, Name.DeviceRGB, 15, table])
    draw_picture(pdf, picture(pdf, b"\1\2\3", ColorSpace=space))


def palette_stream(pdf: pikepdf.Pdf, text: str) -> None:
    table = pdf.make_indirect(Stream(pdf, text.encode().ljust(48, b"\x90")))
    draw_picture(pdf, picture(pdf, b"\1\2\3", ColorSpace=Array([Name.Indexed, Name.DeviceRGB, 15, table])))


def profile(pdf: pikepdf.Pdf, text: str) -> None:
    held = bytes(128) + b"text\0\0\0\0Copyright " + text.encode() + b"\0" + bytes(60)
    space = Array([Name.ICCBased, pdf.make_indirect(Stream(pdf, held, N=1))])
    draw_picture(pdf, picture(pdf, b"\1\2\3", ColorSpace=space))


def wide_profile(pdf: pikepdf.Pdf, text: str) -> None:
    held = bytes(129) + b"mluc\0\0\0\0\0\0\0\1\0\0\0\x0cenUS" + text.encode("utf-16-be") + b"\0\0" + bytes(900)
    space = Array([Name.ICCBased, pdf.make_indirect(Stream(pdf, held, N=1))])
    draw_picture(pdf, picture(pdf, b"\1\2\3", ColorSpace=space))


def function_samples(pdf: pikepdf.Pdf, text: str) -> None:
    table = text.encode().ljust(32, b"\x90")
    made = Stream(pdf, table, FunctionType=0, BitsPerSample=8, Size=Array([32]))
    made.Domain, made.Range = Array([0, 1]), Array([0, 1])
    shade = Dictionary(ShadingType=2, ColorSpace=Name.DeviceGray, Coords=Array([0, 0, 1, 0]), Function=made)
    resource(pdf, "/Shading", shade)


def mesh(pdf: pikepdf.Pdf, text: str) -> None:
    made = Stream(pdf, text.encode() + bytes(16), ShadingType=4, ColorSpace=Name.DeviceGray, BitsPerCoordinate=8)
    made.BitsPerComponent, made.BitsPerFlag, made.Decode = 8, 8, Array([0, 1, 0, 1, 0, 1])
    resource(pdf, "/Shading", pdf.make_indirect(made))


def soft_mask(pdf: pikepdf.Pdf, text: str) -> None:
    draw_picture(pdf, picture(pdf, b"\1", SMask=pdf.make_indirect(picture(pdf, text.encode()))))


def stencil(pdf: pikepdf.Pdf, text: str) -> None:
    mask = picture(pdf, text.encode(), Width=400, ImageMask=True, BitsPerComponent=1)
    del mask["/ColorSpace"]
    draw_picture(pdf, picture(pdf, b"\1", Mask=pdf.make_indirect(mask)))


def alternates(pdf: pikepdf.Pdf, text: str) -> None:
    other = Dictionary(Image=pdf.make_indirect(picture(pdf, text.encode())), DefaultForPrinting=True)
    draw_picture(pdf, picture(pdf, b"\1", Alternates=Array([other])))


def picture_entries(pdf: pikepdf.Pdf, text: str) -> None:
    packet = pdf.make_indirect(Stream(pdf, f"<x:xmpmeta><a>{text}</a></x:xmpmeta>".encode(), Type=Name.Metadata))
    name = Name("/" + text.replace(" ", "_"))
    opi = Dictionary({"/2.0": Dictionary(F=String(text), MainImage=String(text))})
    draw_picture(pdf, picture(pdf, b"\1", Metadata=packet, Name=name, ID=String(text), OPI=opi))


def _jpeg(size: int = 16) -> bytes:
    buffer = io.BytesIO()
    Image.linear_gradient("L").resize((size, size)).save(buffer, format="JPEG")
    return buffer.getvalue()


def _segment(marker: int, data: bytes) -> bytes:
    return bytes((0xFF, marker)) + (len(data) + 2).to_bytes(2, "big") + data


def _jpeg_picture(pdf: pikepdf.Pdf, data: bytes, *filters: str) -> Stream:
    made = picture(pdf, b"", Width=16, Height=16)
    return _filtered(made, data, *(filters or ("DCTDecode",)))


def jpeg_segments(pdf: pikepdf.Pdf, text: str) -> None:
    """Every segment a reader of pictures skips or only takes numbers from."""
    plain = _jpeg()
    for marker in (*range(0xE0, 0xF0), 0xFE, 0xC8, 0xF0, 0xFD):
        more = _segment(marker, b"Thing\0" + text.encode())
        draw_picture(pdf, _jpeg_picture(pdf, plain[:20] + more + plain[20:]))


def jpeg_profile(pdf: pikepdf.Pdf, text: str) -> None:
    plain = _jpeg()
    wide = b"ICC_PROFILE\0\1\1" + bytes(128) + b"desc" + text.encode() + b"\0\0mluc" + text.encode("utf-16-be")
    draw_picture(pdf, _jpeg_picture(pdf, plain[:20] + _segment(0xE2, wide) + plain[20:]))


def jpeg_little_picture(pdf: pikepdf.Pdf, text: str) -> None:
    """The thumbnail that JFIF allows in its own first segment."""
    plain = _jpeg()
    row = text.encode().ljust(24, b"\1")
    first = _segment(0xE0, b"JFIF\0\1\1\0\0\1\0\1\x08\x01" + row)
    draw_picture(pdf, _jpeg_picture(pdf, plain[:2] + first + plain[20:]))


def jpeg_after_its_end(pdf: pikepdf.Pdf, text: str) -> None:
    draw_picture(pdf, _jpeg_picture(pdf, _jpeg() + text.encode() + b"\xff\xd9"))


def jpeg_between_segments(pdf: pikepdf.Pdf, text: str) -> None:
    plain = _jpeg()
    draw_picture(pdf, _jpeg_picture(pdf, plain[:20] + text.encode() + plain[20:]))


def jpeg_after_scans(pdf: pikepdf.Pdf, text: str) -> None:
    """A comment between the scans of a progressive picture."""
    buffer = io.BytesIO()
    Image.linear_gradient("L").resize((16, 16)).save(buffer, format="JPEG", progressive=True)
    data = buffer.getvalue()
    last = data.rindex(b"\xff\xda")
    draw_picture(pdf, _jpeg_picture(pdf, data[:last] + _segment(0xFE, text.encode()) + data[last:]))


def jpeg_in_chains(pdf: pikepdf.Pdf, text: str) -> None:
    plain = _jpeg()
    data = plain[:20] + _segment(0xFE, text.encode()) + plain[20:]
    for filters, encoded in (
        (("FlateDecode", "DCTDecode"), zlib.compress(data)),
        (("ASCII85Decode", "DCTDecode"), base64.a85encode(data) + b"~>"),
        (("ASCIIHexDecode", "DCTDecode"), data.hex().encode() + b">"),
    ):
        draw_picture(pdf, _jpeg_picture(pdf, encoded, *filters))


def jpeg_without_marker(pdf: pikepdf.Pdf, text: str) -> None:
    """A stream called a JPEG that is none."""
    draw_picture(pdf, _jpeg_picture(pdf, b"\0\1\2" + text.encode() + bytes(20)))


def _jpx(pdf: pikepdf.Pdf, data: bytes, **entries: object) -> Stream:
    return _filtered(picture(pdf, b"", Width=16, Height=16, **entries), data, "JPXDecode")


def _jp2() -> bytes:
    buffer = io.BytesIO()
    Image.linear_gradient("L").resize((16, 16)).save(buffer, format="JPEG2000")
    return buffer.getvalue()


def _box(kind: bytes, data: bytes) -> bytes:
    return (len(data) + 8).to_bytes(4, "big") + kind + data


def jpx_boxes(pdf: pikepdf.Pdf, text: str) -> None:
    held = text.encode()
    for kind in (b"xml ", b"uuid", b"uinf", b"jp2i", b"asoc", b"lbl ", b"free", b"abcd"):
        draw_picture(pdf, _jpx(pdf, _jp2() + _box(kind, held)))


def jpx_profile(pdf: pikepdf.Pdf, text: str) -> None:
    """In the header's colour box, and in a box of the header nobody knows."""
    data = _jp2()
    at = data.index(b"jp2h") - 4
    size = int.from_bytes(data[at : at + 4], "big")
    colour = _box(b"colr", b"\2\0\0" + bytes(128) + b"desc" + text.encode())
    more = colour + _box(b"xml ", f"<a>{text}</a>".encode())
    header = _box(b"jp2h", data[at + 8 : at + size] + more)
    draw_picture(pdf, _jpx(pdf, data[:at] + header + data[at + size :]))


def jpx_comment(pdf: pikepdf.Pdf, text: str) -> None:
    """The comment segment of the code stream itself, with and without boxes around it."""
    data = _jp2()
    code = data.index(b"\xff\x4f\xff\x51")
    tile = data.index(b"\xff\x90", code)
    comment = b"\xff\x64" + (len(text) + 4).to_bytes(2, "big") + b"\0\1" + text.encode()
    raw = data[code:tile] + comment + data[tile:]
    draw_picture(pdf, _jpx(pdf, raw))
    draw_picture(pdf, _jpx(pdf, data[: code - 8] + _box(b"jp2c", raw)))


def jbig2(pdf: pikepdf.Pdf, text: str) -> None:
    """A comment segment (type 62), in the picture and in its globals."""
    body = b"\x20\0\0\0" + b"who\0" + text.encode() + b"\0\0"
    segment = b"\0\0\0\0\x3e\0\0" + len(body).to_bytes(4, "big") + body
    page = b"\0\0\0\1\x30\0\1\0\0\0\x13" + (16).to_bytes(4, "big") * 2 + bytes(11)
    shared = pdf.make_indirect(Stream(pdf, segment))
    made = picture(pdf, b"", Width=16, Height=16, BitsPerComponent=1)
    made.write(page + segment, filter=Name.JBIG2Decode, decode_parms=Dictionary(JBIG2Globals=shared))
    draw_picture(pdf, made)


def fax(pdf: pikepdf.Pdf, text: str) -> None:
    """Bytes after the end of a fax picture."""
    made = picture(pdf, b"", Width=16, Height=1, BitsPerComponent=1)
    data = b"\x00\x10\x01" + text.encode()
    draw_picture(pdf, _filtered(made, data, "CCITTFaxDecode", K=-1, Columns=16, Rows=1))


def inline_samples(pdf: pikepdf.Pdf, text: str) -> None:
    data = text.encode().ljust(32, b"\x91")
    page_stream(pdf, b"q 10 0 0 10 72 90 cm BI /W 32 /H 1 /CS /G /BPC 8 ID " + data + b"\nEI Q", 1)


def inline_deflated(pdf: pikepdf.Pdf, text: str) -> None:
    data = zlib.compress(text.encode().ljust(32, b"\x91"))
    page_stream(pdf, b"q 10 0 0 10 72 90 cm BI /W 32 /H 1 /CS /G /BPC 8 /F /Fl ID " + data + b"\nEI Q", 1)


def inline_chain(pdf: pikepdf.Pdf, text: str) -> None:
    data = base64.a85encode(zlib.compress(text.encode().ljust(32, b"\x91"))) + b"~>"
    page_stream(pdf, b"q 10 0 0 10 72 90 cm BI /W 32 /H 1 /CS /G /BPC 8 /F [/A85 /Fl] ID " + data + b"\nEI Q", 1)


def inline_palette(pdf: pikepdf.Pdf, text: str) -> None:
    table = text.encode().ljust(48, b"\x90").hex()
    head = f"q 10 0 0 10 72 90 cm BI /W 2 /H 1 /CS [/I /RGB 15 <{table}>] /BPC 8 ID ".encode()
    page_stream(pdf, head + b"\1\2\nEI Q", 1)


def inline_jpeg(pdf: pikepdf.Pdf, text: str) -> None:
    plain = _jpeg()
    data = plain[:20] + _segment(0xFE, text.encode()) + plain[20:]
    page_stream(pdf, b"q 10 0 0 10 72 90 cm BI /W 16 /H 16 /CS /G /BPC 8 /F /DCT ID " + data + b"\nEI Q", 1)


def inline_in_a_form(pdf: pikepdf.Pdf, text: str) -> None:
    data = zlib.compress(text.encode().ljust(32, b"\x91"))
    content = b"q BI /W 32 /H 1 /CS /G /BPC 8 /F /Fl ID " + data + b"\nEI Q"
    made = Stream(pdf, content, Type=Name.XObject, Subtype=Name.Form, BBox=Array([0, 0, 9, 9]))
    name = resource(pdf, "/XObject", pdf.make_indirect(made))
    page_stream(pdf, f"{name} Do".encode(), 1)


def attached_samples(pdf: pikepdf.Pdf, text: str) -> None:
    """A picture in a file in the file."""
    inner = pikepdf.Pdf.new()
    inner.add_blank_page()
    inner.pages[0].Resources = Dictionary()
    draw_picture(inner, picture(inner, text.encode()), 0)
    buffer = io.BytesIO()
    inner.save(buffer)
    held = pdf.make_indirect(Stream(pdf, buffer.getvalue(), Type=Name("/EmbeddedFile")))
    spec = Dictionary(Type=Name.Filespec, F=String("a.pdf"), EF=Dictionary(F=held))
    names(pdf, "/EmbeddedFiles").extend([String("a.pdf"), spec])


PLACES = {
    function.__name__: Place(function, twin=twin, keep=keep, hard=hard)
    for function, twin, keep, hard in (
        (samples, True, False, False),
        (samples_in_the_middle, True, False, False),
        (wide_samples, True, False, False),
        (colour_samples, True, False, False),
        (unused_samples, True, False, False),
        (samples_beyond_the_picture, True, False, False),
        (samples_in_chains, True, False, False),
        (predicted_samples, True, False, False),
        (differences, False, False, True),
        (palette_string, True, False, False),
        (palette_stream, True, False, False),
        (profile, True, False, False),
        (wide_profile, True, False, False),
        (function_samples, True, False, False),
        (mesh, True, False, False),
        (soft_mask, True, False, False),
        (stencil, True, False, False),
        (alternates, True, False, False),
        (picture_entries, False, True, False),
        (jpeg_segments, False, True, False),
        (jpeg_profile, True, True, False),
        (jpeg_little_picture, False, True, False),
        (jpeg_after_its_end, False, True, False),
        (jpeg_between_segments, False, True, False),
        (jpeg_after_scans, False, True, False),
        (jpeg_in_chains, False, True, True),
        (jpeg_without_marker, False, True, False),
        (jpx_boxes, False, True, False),
        (jpx_profile, False, True, False),
        (jpx_comment, False, True, False),
        (jbig2, False, True, False),
        (fax, False, True, False),
        (inline_samples, False, False, False),
        (inline_deflated, False, False, True),
        (inline_chain, False, False, True),
        (inline_palette, False, False, False),
        (inline_jpeg, False, False, False),
        (inline_in_a_form, False, False, True),
        (attached_samples, False, False, False),
    )
}
"""Where, whether the neighbour stays, whether metadata is kept, whether the source must be decoded twice to see it."""


@pytest.mark.parametrize("name", PLACES)
def test_a_value_is_gone_from_pixels_and_tables(name: str) -> None:
    check(PLACES[name])


@pytest.mark.parametrize("name", [name for name, place in PLACES.items() if place.keep])
def test_notes_are_gone_when_metadata_is_not_kept(name: str) -> None:
    check(Place(PLACES[name].plant, hard=PLACES[name].hard))
