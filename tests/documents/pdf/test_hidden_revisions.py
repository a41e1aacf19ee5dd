"""Values in the file around the objects: earlier states, bytes between objects, encryption, compressed objects."""

from __future__ import annotations

import io
import zlib
from collections.abc import Callable

import pikepdf
import pytest
from pikepdf import Dictionary, Name, Stream, String

from .hiding import KEPT, SECRET, found_in_source, host, recovered
from .making import gate, plan_for, redact, saved

_HIDDEN = SECRET.encode()


def _objects(*more: bytes) -> list[bytes]:
    """The objects of a one page file that shows the neighbour."""
    content = f"BT /F1 12 Tf 72 700 Td ({KEPT} was here today) Tj ET".encode()
    font = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F1 " + font + b">>>>>>"
    return [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        page,
        b"<</Length %d>>\nstream\n" % len(content) + content + b"\nendstream",
        *more,
    ]


def _file(
    objects: list[bytes],
    *,
    before: bytes = b"",
    between: bytes = b"",
    free: bytes = b"",
    trailer: bytes = b"",
    after: bytes = b"",
) -> bytes:
    """A file written by hand, with bytes where no object is."""
    out = bytearray(before + b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
    offsets = []
    for number, body in enumerate(objects, 1):
        out += between
        offsets.append(len(out) - len(before))
        out += b"%d 0 obj\n" % number + body + b"\nendobj\n"
    gone = len(out) - len(before)
    if free:
        out += b"%d 0 obj\n" % (len(objects) + 1) + free + b"\nendobj\n"
    place = len(out) - len(before)
    size = len(objects) + 1 + bool(free)
    out += b"xref\n0 %d\n" % size + b"%010d 65535 f \n" % (size - 1 if free else 0)
    out += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    if free:
        out += b"%010d 00001 f \n" % (gone * 0)
    out += b"trailer\n<</Size %d/Root 1 0 R" % size + trailer + b">>\nstartxref\n%d\n%%%%EOF\n" % place
    return bytes(out + after)


def before_the_header() -> bytes:
    return _file(_objects(), before=b"Forwarded by " + _HIDDEN + b"\n")


def between_objects() -> bytes:
    return _file(_objects(), between=b"\n% made by " + _HIDDEN + b"\n" + _HIDDEN + b"\n")


def comments_in_objects() -> bytes:
    objects = _objects()
    objects[2] = objects[2].replace(b"/MediaBox", b"% " + _HIDDEN + b"\n/MediaBox")
    return _file(objects)


def free_object() -> bytes:
    return _file(_objects(), free=b"(" + _HIDDEN + b")")


def unused_objects() -> bytes:
    packed = zlib.compress(_HIDDEN * 3)
    stream = b"<</Length %d/Filter/FlateDecode>>\nstream\n" % len(packed) + packed + b"\nendstream"
    return _file(_objects(b"(" + _HIDDEN + b")", stream))


def after_the_end() -> bytes:
    return _file(_objects(), after=b"\n" + _HIDDEN + b"\n" + zlib.compress(_HIDDEN))


def trailer_entries() -> bytes:
    identity = b"<" + _HIDDEN.hex().encode() + b">"
    return _file(_objects(), trailer=b"/ID[" + identity + identity + b"]/Note(" + _HIDDEN + b")")


def padding_in_streams() -> bytes:
    """A stream's length says less than what stands before its end."""
    objects = _objects()
    objects[3] = objects[3].replace(b"\nendstream", b"\n" + _HIDDEN + b"\nendstream")
    return _file(objects)


def odd_names() -> bytes:
    name = b"/" + "".join(f"#{byte:02x}" for byte in _HIDDEN).encode()
    objects = _objects()
    objects[0] = objects[0].replace(b"/Pages", name + b" 1/Pages", 1).replace(b"<</Type", b"<</Own " + name + b"/Type")
    return _file(objects)


def odd_strings() -> bytes:
    octal = "".join(f"\\{byte:03o}" for byte in _HIDDEN).encode()
    broken = b"\\\n".join(bytes([byte]) for byte in _HIDDEN)
    digits = b" ".join(b"%02x" % byte for byte in _HIDDEN)
    wide = ("\ufeff" + SECRET).encode("utf-16-be").hex().encode()
    low = ("\ufeff" + SECRET).encode("utf-16-le").hex().encode()
    marked = b"\xef\xbb\xbf" + _HIDDEN
    spoken = ("\ufeff\x1ben\x1b" + SECRET).encode("utf-16-be").hex().encode()
    odd = (SECRET + "p").encode().hex().encode()[:-1]
    held = b"(%s)(%s)<%s><%s><%s>(%s)<%s><%s>" % (octal, broken, digits, wide, low, marked, spoken, odd)
    objects = _objects()
    objects[0] = objects[0].replace(b"/Type", b"/Own[" + held + b"]/Type", 1)
    return _file(objects)


def _revised(change: Callable[[pikepdf.Pdf], None]) -> bytes:
    """The host with a later state on top that only overwrites what `change` says is gone."""
    first = host()
    with pikepdf.open(io.BytesIO(first)) as pdf:
        change(pdf)
        old = saved(pdf)
    with pikepdf.open(io.BytesIO(old)) as pdf:
        number, root, size = pdf.pages[0].Contents.objgen[0], pdf.Root.objgen[0], len(pdf.objects) + 1
    before = int(old[old.rfind(b"startxref") :].split()[1])
    body = b"\n%d 0 obj\n<</Length 2>>\nstream\nq \nendstream\nendobj\n" % number
    place = len(old) + len(body)
    table = b"xref\n%d 1\n%010d 00000 n \n" % (number, len(old) + 1)
    end = b"trailer\n<</Size %d/Root %d 0 R/Prev %d>>\nstartxref\n%d\n%%%%EOF\n" % (size, root, before, place)
    return old + body + table + end


def earlier_revision() -> bytes:
    def change(pdf: pikepdf.Pdf) -> None:
        pdf.pages[0].Contents = Stream(pdf, f"BT /F1 12 Tf 72 700 Td ({SECRET}) Tj ET".encode())

    return _revised(change)


def _written(pdf: pikepdf.Pdf, **options: object) -> bytes:
    buffer = io.BytesIO()
    pdf.save(buffer, **options)  # type: ignore[arg-type]  # what pikepdf takes
    return buffer.getvalue()


def _with_values(**options: object) -> bytes:
    with pikepdf.open(io.BytesIO(host())) as pdf:
        pdf.Root.Own = Dictionary(Who=String(SECRET), Other=String(KEPT))
        pdf.docinfo["/Author"] = SECRET
        return _written(pdf, **options)


def compressed_objects() -> bytes:
    return _with_values(object_stream_mode=pikepdf.ObjectStreamMode.generate)


def linearised() -> bytes:
    return _with_values(linearize=True)


def restricted() -> bytes:
    """Opens without a password; everything in it is encrypted, and its permissions are restricted."""
    rights = pikepdf.Permissions(extract=False, modify_other=False)
    return _with_values(encryption=pikepdf.Encryption(owner="owner", user="", R=6, allow=rights))


def old_encryption() -> bytes:
    return _with_values(encryption=pikepdf.Encryption(owner="owner", user="", R=3, aes=False, metadata=False))


def deleted_page() -> bytes:
    """A page no tree leads to; a bookmark, a name and a thread do."""
    with pikepdf.open(io.BytesIO(host())) as pdf:
        gone = pdf.make_indirect(
            Dictionary(
                Type=Name.Page,
                MediaBox=[0, 0, 9, 9],
                Contents=pdf.make_indirect(Stream(pdf, f"BT ({SECRET}) Tj ET".encode())),
            )
        )
        with pdf.open_outline() as tree:
            tree.root.append(pikepdf.OutlineItem("there", pikepdf.Array([gone, Name.Fit])))
        pdf.Root.Dests = Dictionary(there=pikepdf.Array([gone, Name.Fit]))
        return saved(pdf)


CASES = (
    before_the_header,
    between_objects,
    comments_in_objects,
    free_object,
    unused_objects,
    after_the_end,
    trailer_entries,
    padding_in_streams,
    odd_names,
    odd_strings,
    earlier_revision,
    compressed_objects,
    linearised,
    restricted,
    old_encryption,
    deleted_page,
)


@pytest.mark.parametrize("make", CASES, ids=lambda make: make.__name__)
def test_a_value_is_gone_from_around_the_objects(make: Callable[[], bytes]) -> None:
    source = make()
    plan = plan_for(SECRET)
    if make is not before_the_header and SECRET.encode() not in source:  # the readers of this folder mend files first
        found_in_source(source)

    artifact, _ = redact(source, plan)

    assert recovered(artifact, SECRET) == []
    gate(source, artifact, plan)
    assert artifact.startswith(b"%PDF-")
    assert artifact.count(b"%%EOF") == 1
    assert artifact.endswith(b"%%EOF\n")
    with pikepdf.open(io.BytesIO(artifact)) as pdf:
        assert not pdf.is_encrypted
        assert not pdf.get_warnings()


@pytest.mark.parametrize("make", [compressed_objects, linearised, restricted, old_encryption, odd_strings, free_object])
def test_the_neighbour_stays(make: Callable[[], bytes]) -> None:
    artifact, _ = redact(make(), plan_for(SECRET))

    assert recovered(artifact, KEPT)
