"""A second reading of a package, by the standard library's zip reader and libxml2: no code shared with the writer."""

from __future__ import annotations

import html
import io
import re
import zipfile
from collections.abc import Iterable, Iterator
from typing import Any, Final, cast

from ahocorasick_rs import BytesAhoCorasick
from lxml import etree

from anonify.documents.format import Piece
from anonify.documents.plan import RedactionPlan, SweepValue
from anonify.sandbox.source import Source, SourceFile

from .known import HTML_NAME
from .nested import read_nested
from .reading import Texts
from .remarks import remarks

__all__ = ["independent_reader"]

_APART: Final = "\u241e"
_LIMIT: Final = 64 << 20
_DEEPEST: Final = 5
_TAG: Final = re.compile(r"<[^<>]*+>")
_STYLING: Final = re.compile(r"(?s)<!--.*?(?:-->|\Z)|</?(?:b|i|u|span|font|em|strong|a)\b[^<>]*+>")
_HTML_NAME: Final = re.compile(HTML_NAME)
_HTML_BYTES: Final = re.compile(HTML_NAME.encode())
_SVG_NAME: Final = re.compile(r"</?(?:svg:)?[A-Za-z]+(?=[\s/>])")
_END_TAG: Final = re.compile(r"</(?:\w+:)?(?:p|si|is|text|comment|pt)\s*>")
_CODECS: Final = ("utf-8", "utf-16-le", "utf-16-be", "cp1252")


def independent_reader(artifact: Source, plan: RedactionPlan) -> Iterator[Piece]:
    """Every text of every entry, packages inside included, and of the archive's own fields.

    Raises:
        ValueError: the archive or a part does not open.
    """
    with io.BufferedReader(SourceFile(artifact)) as file:
        yield from _archive(file, _Forms(plan.values), "", 0)


def _archive(file: io.BufferedIOBase, forms: _Forms, prefix: str, depth: int) -> Iterator[Piece]:
    try:
        archive = zipfile.ZipFile(file)
    except zipfile.BadZipFile as error:
        raise ValueError("not a zip archive") from error
    with archive:
        yield from _found(archive.comment, forms, prefix + "comment")
        yield from _found(_outside(file, archive), forms, prefix + "outside")
        yield Piece(prefix + "names", _APART.join(info.filename for info in archive.infolist()))
        for info in archive.infolist():
            place = prefix + info.filename
            yield from _found(info.extra + b"\0" + info.comment, forms, place + " fields")
            if info.is_dir():
                continue
            if info.file_size > _LIMIT and info.filename.lower().endswith(".xml"):
                with archive.open(info) as stream:
                    yield from _xml(iter(lambda: stream.read(1 << 20), b""), place)
                continue
            if info.file_size > _LIMIT:
                yield from _large(archive, info, forms, place)
                continue
            try:
                data = archive.read(info)
            except (zipfile.BadZipFile, RuntimeError, NotImplementedError) as error:
                raise ValueError("an entry does not open") from error
            yield from _part(data, forms, place, depth)


def _outside(file: io.BufferedIOBase, archive: zipfile.ZipFile) -> bytes:
    """What stands before the first entry, and everything behind the last."""
    first = min((info.header_offset for info in archive.infolist()), default=0)
    file.seek(0)
    before = file.read(min(first, _LIMIT))
    file.seek(archive.start_dir)
    return before + b"\0" + file.read(_LIMIT)


def _large(archive: zipfile.ZipFile, info: zipfile.ZipInfo, forms: _Forms, place: str) -> Iterator[Piece]:
    tail = b""
    with archive.open(info) as stream:
        while chunk := stream.read(1 << 20):
            yield from _found(tail + chunk, forms, place)
            tail = chunk[-4096:]


def _part(data: bytes, forms: _Forms, place: str, depth: int) -> Iterator[Piece]:
    lowered = place.lower()
    if data.startswith(b"PK\x03\x04") and depth < _DEEPEST:
        yield from _archive(io.BufferedReader(io.BytesIO(data)), forms, place + "!", depth + 1)
    elif lowered.endswith((".html", ".htm", ".xhtml")):
        yield Piece(place, html.unescape(_HTML_NAME.sub("<", _STYLING.sub("", _loose(data)))))
        yield from _found(_HTML_BYTES.sub(b"<", data), forms, place)
    elif lowered.endswith(".svg"):
        text = _SVG_NAME.sub("<", _STYLING.sub("", _loose(data)))
        yield Piece(place, html.unescape(_APART.join((text, _TAG.sub("", _END_TAG.sub(_APART, _loose(data)))))))
        yield from _found(text.encode(), forms, place)
    elif lowered.endswith((".xml", ".rels", ".vml")) or data.lstrip(b"\xef\xbb\xbf\xff\xfe \r\n\t").startswith(
        (b"<?xml", b"<\0?\0")
    ):
        yield from _xml((data[start : start + (1 << 20)] for start in range(0, len(data), 1 << 20)), place, data)
    elif lowered.endswith((".txt", ".csv", ".tsv", ".json")) or _is_text(data[:512]):
        text = _loose(data)
        yield Piece(place, html.unescape(_APART.join((text, _TAG.sub("", text)))))
        yield from _found(data, forms, place)
    elif b"%PDF-" in data[:1024] and (pieces := read_nested(data, forms.plan, "independent")) is not None:
        for piece in pieces:
            yield Piece(f"{place}!{piece.place}", piece.text)
    else:
        for said in (data, *remarks(data)):
            yield from _found(said, forms, place)


def _is_text(head: bytes) -> bool:
    return bool(head) and not any(byte < 9 or 13 < byte < 32 for byte in head) and b"\xff" not in head


def _xml(chunks: Iterable[bytes], place: str, data: bytes | None = None) -> Iterator[Piece]:
    """An XML part's texts; one that is not well-formed, as the source's must have been, is read as it is written."""
    target: Any = Texts()  # the stubs want names of parameters, libxml2 does not
    parser = etree.XMLParser(
        target=target, resolve_entities=False, no_network=True, load_dtd=False, huge_tree=True, strip_cdata=False
    )
    try:
        for chunk in chunks:
            parser.feed(chunk)
        texts: list[str] = cast("list[str]", parser.close())
    except etree.XMLSyntaxError:
        if data is None:
            raise ValueError("a large part is not well-formed") from None
        text = _loose(data)
        texts = [html.unescape(_APART.join((text, *_TAG.split(text), _TAG.sub("", _END_TAG.sub(_APART, text)))))]
    for text in texts:
        yield Piece(place, text)


def _loose(data: bytes) -> str:
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


class _Forms:
    """The values' bytes in the usual encodings, ASCII case ignored."""

    def __init__(self, values: Iterable[str]) -> None:
        values = tuple(values)
        self.plan = RedactionPlan(sweep=tuple(SweepValue(value, "") for value in values))
        self._values: list[str] = []
        forms: list[bytes] = []
        for value in values:
            for form in _forms_of(value) if len(value.strip()) >= 4 else ():
                forms.append(form)
                self._values.append(value)
        self._search = BytesAhoCorasick(forms) if forms else None

    def within(self, data: bytes) -> Iterator[str]:
        """The values whose bytes stand in `data`, each once."""
        if self._search is not None and data:
            yield from dict.fromkeys(
                self._values[index]
                for index, _, _ in self._search.find_matches_as_indexes(data.lower(), overlapping=True)
            )


def _forms_of(value: str) -> set[bytes]:
    return {
        form.lower()
        for codec in _CODECS
        for variant in (value, value.lower(), value.upper())
        if len(form := variant.encode(codec, "ignore")) >= 4 and form.decode(codec) == variant
    }


def _found(data: bytes, forms: _Forms, place: str) -> Iterator[Piece]:
    """A piece for each value whose bytes stand in `data`."""
    for value in forms.within(data):
        yield Piece(place, value)
