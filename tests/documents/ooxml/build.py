"""Small Office packages made by hand, and everything an adversary reads out of one."""

# ruff: noqa: E501  # tables of markup are read whole

from __future__ import annotations

import io
import re
import struct
import unicodedata
import zipfile
from collections.abc import Iterator, Mapping

from lxml import etree
from PIL import Image

from anonify.documents.ooxml.redact import redact_package
from anonify.documents.plan import RedactionPlan, SweepValue
from anonify.sandbox.source import BytesSource, MemorySink

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
RELS = "http://schemas.openxmlformats.org/package/2006/relationships"
MAIN_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
NAMESPACES = (
    f'xmlns:w="{W}" xmlns:r="{R}" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" '
    'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:v="urn:schemas-microsoft-com:vml" xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" '
    'xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"'
)


def run(text: str, properties: str = "", tag: str = "t") -> str:
    return f'<w:r>{properties}<w:{tag} xml:space="preserve">{text}</w:{tag}></w:r>'


def paragraph(*runs: str) -> str:
    return "<w:p>" + "".join(piece if piece.startswith("<") else run(piece) for piece in runs) + "</w:p>"


def part(root: str, body: str) -> bytes:
    head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
    return f"{head}<w:{root} {NAMESPACES}>{body}</w:{root}>".encode()


def document(body: str) -> bytes:
    return part("document", f"<w:body>{body}<w:sectPr/></w:body>")


def relationships(*items: tuple[str, str, str, str]) -> bytes:
    """Each as (id, type's last step, target, mode)."""
    rows = "".join(
        f'<Relationship Id="{id_}" Type="{R}/{kind}" Target="{target}"'
        + (f' TargetMode="{mode}"' if mode else "")
        + "/>"
        for id_, kind, target, mode in items
    )
    return f'<Relationships xmlns="{RELS}">{rows}</Relationships>'.encode()


def parts_of(body: str = "<w:p/>", more: Mapping[str, bytes | str] | None = None) -> dict[str, bytes]:
    types = (
        f'<Types xmlns="{TYPES}"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.'
        'relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Default Extension="bin" '
        f'ContentType="application/octet-stream"/><Override PartName="/word/document.xml" ContentType="{MAIN_TYPE}"/></Types>'
    )
    parts: dict[str, bytes] = {
        "[Content_Types].xml": types.encode(),
        "_rels/.rels": relationships(("rId1", "officeDocument", "word/document.xml", "")),
        "word/document.xml": document(body),
    }
    for name, data in (more or {}).items():
        parts[name] = data.encode() if isinstance(data, str) else data
    return parts


def zipped(parts: Mapping[str, bytes], comment: bytes = b"", before: bytes = b"", after: bytes = b"") -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
        archive.comment = comment
    return before + buffer.getvalue() + after


def docx(body: str = "<w:p/>", more: Mapping[str, bytes | str] | None = None) -> bytes:
    return zipped(parts_of(body, more))


def swept(data: bytes, *values: str, keep_metadata: bool = False, marker: str = "[REDACTED]") -> bytes:
    sink = MemorySink()
    plan = RedactionPlan(sweep=tuple(SweepValue(value, marker) for value in values), keep_metadata=keep_metadata)
    redact_package(BytesSource(data), sink, plan)
    return sink.getvalue()


def read(data: bytes, name: str) -> bytes:
    return zipfile.ZipFile(io.BytesIO(data)).read(name)


def folded(text: str) -> str:
    text = unicodedata.normalize("NFKC", text).casefold().replace("\u00ad", "").replace("\u200b", "")
    return re.sub(r"\s+", "", text)


def seen(data: bytes) -> str:
    """Everything readable in the bytes of a package by zipfile and lxml, white space gone."""
    return folded("\u241e".join(_texts(data)))


def _texts(data: bytes) -> Iterator[str]:
    archive = zipfile.ZipFile(io.BytesIO(data))
    yield archive.comment.decode("latin-1")
    end = data.rfind(b"PK\x05\x06")
    yield data[: max(0, data.find(b"PK\x03\x04"))].decode("latin-1")
    yield data[end:].decode("latin-1")
    for info in archive.infolist():
        yield info.filename
        yield (info.extra + info.comment).decode("latin-1")
        content = archive.read(info)
        if content[:4] == b"PK\x03\x04":
            yield from _texts(content)
        elif info.filename.endswith((".xml", ".rels", ".vml")):
            yield from _xml_texts(content)
        else:
            for codec in ("latin-1", "utf-8", "utf-16-le", "utf-16-be"):
                yield content.decode(codec, "ignore")
                yield content[1:].decode(codec, "ignore")


def _xml_texts(content: bytes) -> Iterator[str]:
    root = etree.fromstring(content, etree.XMLParser(resolve_entities=False, huge_tree=True))
    tree = root.getroottree()
    for node in tree.iter():
        if not isinstance(node.tag, str):
            yield str(node.text)
            continue
        for value in node.attrib.values():
            yield str(value)
            yield re.sub("%([0-9A-Fa-f]{2})", lambda match: chr(int(match[1], 16)), str(value))
        yield node.text or ""
        if etree.QName(node).localname in ("p", "si", "comment", "text"):
            yield "".join(map(str, node.itertext()))


def jpeg_with_exif(text: str) -> bytes:
    """A photograph whose artist and comment are `text`."""
    image = Image.new("RGB", (8, 8))
    exif = image.getexif()
    exif[0x013B] = text
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", exif=exif, comment=text)
    return buffer.getvalue()


def emf(text: str) -> bytes:
    """An Enhanced Metafile that draws `text` ([MS-EMF] 2.3.5.8)."""
    body = text.encode("utf-16-le")
    body += b"\0" * (-len(body) % 4)
    record = struct.pack("<2L4lL2f2l2L", 84, 76 + len(body), 0, 0, 1, 1, 1, 1.0, 1.0, 0, 0, len(text), 76)
    record += struct.pack("<L4lL", 0, 0, 0, 1, 1, 0) + body
    header = struct.pack("<2L4l4l4s3L2H3L2l2l", 1, 88, *(0,) * 8, b" EMF", 0x10000, 0, 3, 1, *(0,) * 4, 1, 1, 1, 1)
    return header + record + struct.pack("<5L", 14, 20, 0, 16, 20)
