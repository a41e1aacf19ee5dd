"""Every place in which a picture file can hold text beside its pixels, with a value planted there.

Each builder returns a file and how the value stands in it: as bytes that a plain search finds, or None where it is
compressed, split or coded otherwise.
"""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Callable

from PIL import Image

from tests.documents.image.making import photo, saved

VALUE = "Planted-Value-8812"
RAW = VALUE.encode()
WIDE = VALUE.encode("utf-16-le")

Built = tuple[bytes, bytes | None]


def tiff_block(entries: list[tuple[int, int, bytes]], following: int = 0) -> bytes:
    """A little-endian TIFF directory at 8, with its values after it."""
    table, values = struct.pack("<H", len(entries)), b""
    start = 8 + 2 + 12 * len(entries) + 4
    for tag, kind, value in sorted(entries):
        count = len(value) // {1: 1, 2: 1, 3: 2, 4: 4, 7: 1}[kind]
        if len(value) > 4:
            table += struct.pack("<2H2L", tag, kind, count, start + len(values))
            values += value + bytes(len(value) % 2)
        else:
            table += struct.pack("<2HL", tag, kind, count) + value.ljust(4, b"\0")
    return b"II*\0\x08\0\0\0" + table + struct.pack("<L", following) + values


def exif_of(tag: int, value: bytes, kind: int = 7) -> bytes:
    """EXIF whose Exif directory holds one entry."""
    inner_at = 8 + 2 + 12 + 4
    outer = struct.pack("<H2H2LL", 1, 34665, 4, 1, inner_at, 0)
    data_at = inner_at + 2 + 12 + 4
    inner = struct.pack("<H2H2LL", 1, tag, kind, len(value), data_at, 0) + value
    return b"II*\0\x08\0\0\0" + outer + inner


def exif_thumbnail() -> bytes:
    """EXIF whose second directory holds a small JPEG of the picture, with a comment in it."""
    small = saved(photo(32, 24), "jpeg", comment=RAW)
    first = struct.pack("<HL", 0, 14)
    second = struct.pack("<H2H2L2H2LL", 2, 513, 4, 1, 14 + 2 + 24 + 4, 514, 4, 1, len(small), 0)
    return b"II*\0\x08\0\0\0" + first + second + small


XMP = f"<x:xmpmeta xmlns:x='adobe:ns:meta/'><dc:creator>{VALUE}</dc:creator></x:xmpmeta>".encode()


# ---- PNG


def png_chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">L", len(body)) + kind + body + struct.pack(">L", zlib.crc32(kind + body))


def png_with(chunk: bytes, *, late: bool = False, after: bytes = b"") -> bytes:
    data = saved(photo(), "png")
    place = data.index(b"IEND") - 4 if late else 33
    return data[:place] + chunk + data[place:] + after


def _idat_surplus() -> bytes:
    data = saved(Image.new("L", (8, 8), 200), "png")
    start = data.index(b"IDAT") - 4
    (length,) = struct.unpack_from(">L", data, start)
    pixels = zlib.decompress(data[start + 8 : start + 8 + length])
    return data[:start] + png_chunk(b"IDAT", zlib.compress(pixels + RAW)) + data[start + 12 + length :]


def _unused_palette() -> bytes:
    image = photo().convert("L").quantize(16)
    data = saved(image, "png")
    place = data.index(b"PLTE") - 4
    (length,) = struct.unpack_from(">L", data, place)
    table = data[place + 8 : place + 8 + 48].ljust(48, b"\0") + RAW
    table += bytes(-len(table) % 3)
    return data[:place] + png_chunk(b"PLTE", table) + data[place + 12 + length :]


PNG: dict[str, Callable[[], Built]] = {
    "tEXt": lambda: (png_with(png_chunk(b"tEXt", b"Comment\0" + RAW)), RAW),
    "tEXt after the pixels": lambda: (png_with(png_chunk(b"tEXt", b"Author\0" + RAW), late=True), RAW),
    "zTXt": lambda: (png_with(png_chunk(b"zTXt", b"Author\0\0" + zlib.compress(RAW))), None),
    "iTXt": lambda: (png_with(png_chunk(b"iTXt", b"Title\0\0\0en\0\0" + RAW)), RAW),
    "iTXt, compressed": lambda: (png_with(png_chunk(b"iTXt", b"Title\0\1\0\0\0" + zlib.compress(RAW))), None),
    "XMP": lambda: (png_with(png_chunk(b"iTXt", b"XML:com.adobe.xmp\0\0\0\0\0" + XMP)), RAW),
    "EXIF": lambda: (png_with(png_chunk(b"eXIf", exif_of(37510, b"UNICODE\0" + WIDE))), WIDE),
    "EXIF thumbnail": lambda: (png_with(png_chunk(b"eXIf", exif_thumbnail())), RAW),
    "EXIF as a raw profile": lambda: (
        png_with(png_chunk(b"tEXt", b"Raw profile type exif\0\nexif\n 18\n" + RAW.hex().encode())),
        RAW.hex().encode(),
    ),
    "keyword": lambda: (png_with(png_chunk(b"tEXt", RAW + b"\0x")), RAW),
    "ICC description": lambda: (png_with(png_chunk(b"iCCP", RAW + b"\0\0" + zlib.compress(icc(RAW)))), RAW),
    "suggested palette": lambda: (png_with(png_chunk(b"sPLT", RAW + b"\0\x08")), RAW),
    "private chunk": lambda: (png_with(png_chunk(b"prVt", RAW)), RAW),
    "time": lambda: (png_with(png_chunk(b"tIME", RAW)), RAW),
    "after IEND": lambda: (png_with(b"", after=RAW), RAW),
    "after the rows": lambda: (_idat_surplus(), None),
    "unused colours": lambda: (_unused_palette(), RAW),
    "chromaticities": lambda: (png_with(png_chunk(b"cHRM", RAW.ljust(32))), RAW),
}


def icc(text: bytes) -> bytes:
    """An sRGB profile whose description is `text`."""
    from PIL import ImageCms

    made = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    (count,) = struct.unpack_from(">L", made, 128)
    for number in range(count):
        name, start, length = struct.unpack_from(">4s2L", made, 132 + 12 * number)
        if name in (b"desc", b"cprt"):
            made[start + 8 : start + length] = text.ljust(length - 8, b" ")[: length - 8]
    return bytes(made)


# ---- JPEG


def segment(marker: int, body: bytes) -> bytes:
    return bytes((0xFF, marker)) + struct.pack(">H", len(body) + 2) + body


def jpeg_with(*segments: bytes, after: bytes = b"") -> bytes:
    data = saved(photo(), "jpeg", quality=88)
    return data[:20] + b"".join(segments) + data[20:] + after


def resource(number: int, body: bytes) -> bytes:
    return b"8BIM" + struct.pack(">H2x", number) + struct.pack(">L", len(body)) + body + bytes(len(body) % 2)


def _extended() -> list[bytes]:
    packet = b"<x>" + b" " * 70 + XMP + b"</x>"
    cut = packet.index(RAW) + 6
    head = b"http://ns.adobe.com/xmp/extension/\0" + b"0" * 32
    parts = ((0, packet[:cut]), (cut, packet[cut:]))
    return [segment(0xE1, head + struct.pack(">2L", len(packet), at) + part) for at, part in reversed(parts)]


JPEG: dict[str, Callable[[], Built]] = {
    "comment": lambda: (jpeg_with(segment(0xFE, RAW)), RAW),
    "EXIF user comment": lambda: (jpeg_with(segment(0xE1, b"Exif\0\0" + exif_of(37510, b"ASCII\0\0\0" + RAW))), RAW),
    "EXIF description": lambda: (jpeg_with(segment(0xE1, b"Exif\0\0" + tiff_block([(270, 2, RAW + b"\0")]))), RAW),
    "EXIF author, wide": lambda: (jpeg_with(segment(0xE1, b"Exif\0\0" + tiff_block([(40093, 1, WIDE)]))), WIDE),
    "maker note": lambda: (jpeg_with(segment(0xE1, b"Exif\0\0" + exif_of(37500, b"Maker\0" + RAW))), RAW),
    "EXIF thumbnail": lambda: (jpeg_with(segment(0xE1, b"Exif\0\0" + exif_thumbnail())), RAW),
    "JFIF thumbnail": lambda: (
        jpeg_with(segment(0xE0, b"JFIF\0\1\2\0\0\1\0\1\x06\x01" + RAW)),
        RAW,
    ),
    "JFXX thumbnail": lambda: (jpeg_with(segment(0xE0, b"JFXX\0\x10" + RAW)), RAW),
    "XMP": lambda: (jpeg_with(segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0" + XMP)), RAW),
    "XMP, escaped": lambda: (
        jpeg_with(segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0<a>" + VALUE.replace("-", "&#45;").encode() + b"</a>")),
        None,
    ),
    "extended XMP": lambda: (jpeg_with(*_extended()), None),
    "IPTC": lambda: (
        jpeg_with(segment(0xED, b"Photoshop 3.0\0" + resource(1028, b"\x1c\2\x50" + struct.pack(">H", 18) + RAW))),
        RAW,
    ),
    "Photoshop thumbnail": lambda: (jpeg_with(segment(0xED, b"Photoshop 3.0\0" + resource(1036, RAW))), RAW),
    "ICC description": lambda: (jpeg_with(segment(0xE2, b"ICC_PROFILE\0\1\1" + icc(RAW))), RAW),
    "multi-picture": lambda: (jpeg_with(segment(0xE2, b"MPF\0" + RAW), after=saved(photo(), "jpeg", comment=RAW)), RAW),
    "private segment": lambda: (jpeg_with(segment(0xEB, RAW)), RAW),
    "after the end": lambda: (jpeg_with(after=RAW), RAW),
}


# ---- WebP


def webp_with(*chunks: tuple[bytes, bytes], after: bytes = b"") -> bytes:
    still = saved(photo(), "webp", quality=80)
    body = still[12:]
    flags = sum({b"EXIF": 8, b"XMP ": 4, b"ICCP": 32}.get(kind, 0) for kind, _ in chunks)
    head = b"VP8X" + struct.pack("<L4B", 10, flags, 0, 0, 0) + (159).to_bytes(3, "little") + (119).to_bytes(3, "little")
    packed = [(k, k + struct.pack("<L", len(b)) + b + bytes(len(b) % 2)) for k, b in chunks]
    early = b"".join(data for kind, data in packed if kind == b"ICCP")
    late = b"".join(data for kind, data in packed if kind != b"ICCP")
    whole = b"WEBP" + head + early + body + late
    return b"RIFF" + struct.pack("<L", len(whole)) + whole + after


WEBP: dict[str, Callable[[], Built]] = {
    "EXIF": lambda: (webp_with((b"EXIF", exif_of(37510, b"ASCII\0\0\0" + RAW))), RAW),
    "XMP": lambda: (webp_with((b"XMP ", XMP)), RAW),
    "ICC description": lambda: (webp_with((b"ICCP", icc(RAW))), RAW),
    "unknown chunk": lambda: (webp_with((b"NOTE", RAW)), RAW),
    "after the end": lambda: (webp_with(after=RAW), RAW),
}


# ---- TIFF


def tiff_with(tag: int, value: bytes, kind: int) -> bytes:
    buffer = io.BytesIO()
    from PIL import TiffImagePlugin

    info = TiffImagePlugin.ImageFileDirectory_v2()
    info[tag] = value.decode("latin-1") if kind == 2 else value
    info.tagtype[tag] = kind
    photo().save(buffer, "TIFF", compression="tiff_lzw", tiffinfo=info)
    return buffer.getvalue()


def _second_directory(*, reduced: bool) -> bytes:
    """A page and a second directory: a smaller copy, whose strip holds the value."""
    first = saved(photo(), "tiff")
    strip_at = len(first)
    strip = RAW.ljust(32 * 24, b"x")
    entries = [
        (254, 4, struct.pack("<L", 1 if reduced else 0)),
        (256, 3, struct.pack("<H", 32)),
        (257, 3, struct.pack("<H", 24)),
        (258, 3, struct.pack("<H", 8)),
        (259, 3, struct.pack("<H", 1)),
        (262, 3, struct.pack("<H", 1)),
        (273, 4, struct.pack("<L", strip_at)),
        (277, 3, struct.pack("<H", 1)),
        (278, 3, struct.pack("<H", 24)),
        (279, 4, struct.pack("<L", len(strip))),
    ]
    directory = tiff_block(entries)[8:]
    data = bytearray(first + strip + directory)
    at = struct.unpack_from("<L", data, 4)[0]
    count = struct.unpack_from("<H", data, at)[0]
    struct.pack_into("<L", data, at + 2 + 12 * count, strip_at + len(strip))
    return bytes(data)


def _gap() -> bytes:
    data = bytearray(saved(photo(), "tiff"))
    return bytes(data) + RAW


TIFF: dict[str, Callable[[], Built]] = {
    "description": lambda: (tiff_with(270, RAW, 2), RAW),
    "artist": lambda: (tiff_with(315, RAW, 2), RAW),
    "software": lambda: (tiff_with(305, RAW, 2), RAW),
    "page name": lambda: (tiff_with(285, RAW, 2), RAW),
    "XMP": lambda: (tiff_with(700, XMP, 1), RAW),
    "IPTC": lambda: (tiff_with(33723, RAW, 7), RAW),
    "Photoshop": lambda: (tiff_with(34377, resource(1028, RAW), 1), RAW),
    "ICC description": lambda: (tiff_with(34675, icc(RAW), 7), RAW),
    "private tag": lambda: (tiff_with(65000, RAW, 7), RAW),
    "smaller copy": lambda: (_second_directory(reduced=True), RAW),
    "between the parts": lambda: (_gap(), RAW),
}


# ---- GIF


def gif_with(extension: bytes, *, after: bytes = b"") -> bytes:
    data = saved(photo().quantize(64), "gif")
    flags = data[10]
    place = 13 + (3 << ((flags & 7) + 1))
    return data[:place] + extension + data[place:] + after


def blocks(data: bytes, size: int = 255) -> bytes:
    return b"".join(bytes((len(data[i : i + size]),)) + data[i : i + size] for i in range(0, len(data), size)) + b"\0"


GIF: dict[str, Callable[[], Built]] = {
    "comment": lambda: (gif_with(b"\x21\xfe" + blocks(RAW)), RAW),
    "comment in parts": lambda: (gif_with(b"\x21\xfe" + blocks(RAW, 4)), None),
    "plain text": lambda: (gif_with(b"\x21\x01" + b"\x0c" + bytes(12) + blocks(RAW)), RAW),
    "XMP": lambda: (gif_with(b"\x21\xff\x0bXMP DataXMP" + blocks(XMP)), RAW),
    "application": lambda: (gif_with(b"\x21\xff\x0bPRIVATE 1.0" + blocks(RAW)), RAW),
    "after the trailer": lambda: (gif_with(b"", after=RAW), RAW),
}


# ---- BMP


def _bmp_gap() -> bytes:
    data = saved(photo(), "bmp")
    start = struct.unpack_from("<L", data, 10)[0]
    moved = bytearray(data[:start] + RAW + data[start:])
    struct.pack_into("<L", moved, 10, start + len(RAW))
    return bytes(moved)


BMP: dict[str, Callable[[], Built]] = {
    "before the pixels": lambda: (_bmp_gap(), RAW),
    "after the pixels": lambda: (saved(photo(), "bmp") + RAW, RAW),
}


PLACES: dict[str, dict[str, Callable[[], Built]]] = {
    "png": PNG,
    "jpeg": JPEG,
    "webp": WEBP,
    "tiff": TIFF,
    "gif": GIF,
    "bmp": BMP,
}
