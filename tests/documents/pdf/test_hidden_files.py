"""Files in the file, portfolios, forms in XML, signatures: what is redacted, dropped and named, or refused."""

from __future__ import annotations

import io
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path

import docx
import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, Stream, String
from PIL import Image

from anonify.documents.plan import RedactionPlan, RedactionResult
from anonify.errors import AnonifyError, Code

from .hiding import KEPT, SECRET, annotate, form, form_root, host, names, recovered
from .making import drawn, extract, gate, plan_for, redact, saved


def _attach(data: bytes, **files: bytes) -> bytes:
    """`data` with files attached; `a_txt` is called `a.txt`."""
    with pikepdf.open(io.BytesIO(data)) as pdf:
        for name, content in files.items():
            called = name.replace("_", ".")
            pdf.attachments[called] = pikepdf.AttachedFileSpec(pdf, content, filename=called)
        return saved(pdf)


def _attached(data: bytes) -> dict[str, bytes]:
    with pikepdf.open(io.BytesIO(data)) as pdf:
        return {name: spec.get_file().read_bytes() for name, spec in pdf.attachments.items()}


def _counts(result: RedactionResult) -> dict[tuple[str, str], int]:
    return {(named.kind, named.disposition): named.count for named in result.named}


def _note(*values: str) -> bytes:
    return "".join(f"Met {value} at noon\r\n" for value in values).encode()


def _page(*values: str) -> bytes:
    def draw(board: object) -> None:
        for place, value in enumerate(values):
            board.drawString(72, 700 - 40 * place, f"Met {value} at noon")  # type: ignore[attr-defined]  # a canvas

    return drawn(draw)


def _word(*values: str) -> bytes:
    document = docx.Document()
    for value in values:
        document.add_paragraph(f"Met {value} at noon")
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def _picture() -> bytes:
    buffer = io.BytesIO()
    Image.new("L", (40, 40), 200).save(buffer, format="PNG")
    return buffer.getvalue()


def _scan() -> bytes:
    buffer = io.BytesIO()
    Image.effect_noise((400, 500), 90).save(buffer, format="PDF")
    return buffer.getvalue()


def _package() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.txt", SECRET * 20)
    return buffer.getvalue()


def _locked() -> bytes:
    buffer = io.BytesIO()
    with pikepdf.open(io.BytesIO(_page(SECRET))) as pdf:
        pdf.save(buffer, encryption=pikepdf.Encryption(owner="o", user="u", R=6))
    return buffer.getvalue()


def test_files_of_known_kinds_are_redacted_as_documents() -> None:
    rows = f"id,name\r\n1,{SECRET}\r\n2,{KEPT}\r\n".encode()
    source = _attach(
        host(), a_txt=_note(SECRET, KEPT), b_csv=rows, c_docx=_word(SECRET, KEPT), d_pdf=_page(SECRET, KEPT)
    )
    plan = plan_for(SECRET)

    artifact, result = redact(source, plan)

    assert recovered(artifact, SECRET) == []
    gate(source, artifact, plan)
    assert _counts(result)["attachment", "redacted"] == 4
    files = _attached(artifact)
    assert files["a.txt"] == _note("[REDACTED]", KEPT)
    assert files["b.csv"] == f"id,name\r\n1,[REDACTED]\r\n2,{KEPT}\r\n".encode()
    assert [p.text for p in docx.Document(io.BytesIO(files["c.docx"])).paragraphs] == [
        "Met [REDACTED] at noon",
        f"Met {KEPT} at noon",
    ]
    assert recovered(files["d.pdf"], KEPT)


def test_files_in_files_in_files() -> None:
    deepest = _attach(_page(KEPT), notes_txt=_note(SECRET, KEPT))
    for _ in range(2):
        deepest = _attach(_page(SECRET, KEPT), inner_pdf=deepest)
    source = deepest
    plan = plan_for(SECRET)

    artifact, _ = redact(source, plan)

    gate(source, artifact, plan)
    current = artifact
    for _ in range(2):
        assert recovered(current, SECRET) == []
        assert recovered(current, KEPT)
        current = _attached(current)["inner.pdf"]
    assert _attached(current) == {"notes.txt": _note("[REDACTED]", KEPT)}


def test_what_became_of_the_parts_of_an_attached_file_is_named() -> None:
    with pikepdf.open(io.BytesIO(_page(SECRET, KEPT))) as pdf:
        pdf.Root.OpenAction = Dictionary(S=Name.JavaScript, JS=String(f"app.alert('{SECRET}')"))
        inner = _attach(saved(pdf), notes_txt=_note(SECRET), pack_zip=_package())
    source, plan = _attach(host(), inner_pdf=inner), plan_for(SECRET)

    artifact, result = redact(source, plan)

    gate(source, artifact, plan)
    counts = _counts(result)
    assert counts["attachment", "redacted"] == 2
    assert counts["attachment", "removed"] == 1
    assert counts["javascript", "removed"] == 1
    assert recovered(_attached(artifact)["inner.pdf"], KEPT)


def test_what_lies_too_deep_is_removed() -> None:
    source = _attach(_page(KEPT), notes_txt=_note(KEPT))
    for _ in range(5):
        source = _attach(_page(KEPT), inner_pdf=source)

    artifact, _ = redact(source, plan_for(SECRET))

    depth, current = 0, artifact
    while files := _attached(current):
        depth, current = depth + 1, next(iter(files.values()))
    assert depth == 3


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("data_xyz", lambda: b"\0\1\2" + SECRET.encode()),
        ("archive_zip", _package),
        ("photo_png", _picture),
        ("scan_pdf", _scan),
        ("text_pdf", lambda: _note(SECRET)),
        ("broken_docx", lambda: _package()[:80]),
        ("empty_txt", lambda: b""),
        ("locked_pdf", _locked),
    ],
)
def test_what_nobody_can_read_is_removed_and_named(name: str, content: Callable[[], bytes]) -> None:
    source = _attach(host(), **{name: content()})
    plan = plan_for(SECRET)

    artifact, result = redact(source, plan)

    gate(source, artifact, plan)
    assert _attached(artifact) == {}
    assert _counts(result)["attachment", "removed"] == 1


def test_without_anything_accepted_files_are_carried_through_and_named() -> None:
    source = _attach(host(), photo_png=_picture(), notes_txt=_note(KEPT))

    artifact, result = redact(source, RedactionPlan())

    assert _attached(artifact) == {"photo.png": _picture(), "notes.txt": _note(KEPT)}
    assert _counts(result)["attachment", "carried-through"] == 2


def test_a_file_nothing_leads_to_is_emptied() -> None:
    with pikepdf.open(io.BytesIO(host())) as pdf:
        pdf.Root.Extra = pdf.make_indirect(Stream(pdf, _package(), Type=Name("/EmbeddedFile")))
        source = saved(pdf)

    artifact, result = redact(source, plan_for(SECRET))

    assert b"PK\x03\x04" not in b"".join(_streams(artifact))
    assert _counts(result)["attachment", "removed"] == 1


def _streams(data: bytes) -> list[bytes]:
    with pikepdf.open(io.BytesIO(data)) as pdf:
        return [holder.read_bytes() for holder in pdf.objects if isinstance(holder, Stream)]


def test_names_of_files_that_hold_values_stay_apart(tmp_path: Path) -> None:
    """Two names with a marker in their place would be one, and one file could no longer be reached."""
    with pikepdf.open(io.BytesIO(host())) as pdf:
        for value in (SECRET, KEPT, "Plain Name"):
            name = f"{value}.txt"
            pdf.attachments[name] = pikepdf.AttachedFileSpec(pdf, _note("x"), filename=name, description=f"of {value}")
        source = saved(pdf)
    plan = plan_for(SECRET, KEPT)

    artifact, _ = redact(source, plan)

    assert recovered(artifact, SECRET) == []
    assert recovered(artifact, KEPT) == []
    gate(source, artifact, plan)
    assert len(_attached(artifact)) == 3
    assert "Plain Name.txt" in _attached(artifact)
    (tmp_path / "a.pdf").write_bytes(artifact)
    listed = subprocess.run(["pdfdetach", "-list", tmp_path / "a.pdf"], capture_output=True, check=False, text=True)
    assert listed.stdout.startswith("3 embedded files")


def _portfolio() -> bytes:
    """A cover page, three files in folders, columns of their own."""
    with pikepdf.open(io.BytesIO(host())) as pdf:
        schema = Dictionary(
            Type=Name("/CollectionSchema"),
            who=Dictionary(Type=Name("/CollectionField"), Subtype=Name.S, N=String(f"Written by {SECRET}"), O=0),
        )
        folder = pdf.make_indirect(
            Dictionary(Type=Name("/Folder"), ID=1, Name=String(f"From {SECRET}"), Desc=String(SECRET))
        )
        root = pdf.make_indirect(Dictionary(Type=Name("/Folder"), ID=0, Name=String("All"), Child=folder))
        folder.Parent = root
        pdf.Root.Collection = Dictionary(
            Type=Name.Collection,
            Schema=schema,
            Sort=Dictionary(S=Name.who),
            D=String(f"<1>{SECRET}.pdf"),
            View=Name.D,
            Folders=root,
        )
        files = (
            (f"<1>{SECRET}.pdf", _page(SECRET, KEPT)),
            ("<1>notes.txt", _note(SECRET, KEPT)),
            ("<0>photo.png", _picture()),
        )
        for name, data in files:
            held = pdf.make_indirect(Stream(pdf, data, Type=Name("/EmbeddedFile")))
            item = Dictionary(Type=Name("/CollectionItem"), who=Dictionary(D=String(SECRET), P=String(f"Mr {SECRET}")))
            spec = Dictionary(
                Type=Name.Filespec, F=String(name[3:]), UF=String(name[3:]), EF=Dictionary(F=held), CI=item
            )
            names(pdf, "/EmbeddedFiles").extend([String(name), pdf.make_indirect(spec)])
        return saved(pdf)


def test_a_portfolio_keeps_its_cover_and_its_readable_files() -> None:
    source = _portfolio()
    plan = plan_for(SECRET)
    assert recovered(source, SECRET)

    artifact, result = redact(source, plan)

    assert recovered(artifact, SECRET) == []
    gate(source, artifact, plan)
    assert _counts(result)["attachment", "redacted"] == 2
    assert _counts(result)["attachment", "removed"] == 1
    with pikepdf.open(io.BytesIO(artifact)) as pdf:
        first = pikepdf.NameTree(pdf.Root.Names.EmbeddedFiles)[str(pdf.Root.Collection.D)]
        assert first.EF.F.read_bytes().startswith(b"%PDF-")
        assert "A letter about somebody" in _text(artifact)


def _text(data: bytes) -> str:
    return "\n".join(page.text for page in extract(data)[0])


def test_links_by_names_that_hold_values_still_lead_to_their_pages() -> None:
    """Two values become the same marker: their places must not become one."""
    with pikepdf.open(io.BytesIO(host())) as pdf:
        links = [(KEPT, 0), (SECRET, 1), ("plain", 1)]
        for value, number in links:
            names(pdf, "/Dests").extend([String(value), Array([pdf.pages[number].obj, Name.Fit])])
        for value, _ in links:
            annotate(pdf, 0, Subtype=Name.Link, Dest=String(value))
            annotate(pdf, 1, Subtype=Name.Link, A=Dictionary(S=Name.GoTo, D=String(value)))
        with pdf.open_outline() as tree:
            for value, _ in links:
                tree.root.append(pikepdf.OutlineItem(f"on {value}", String(value)))
        source = saved(pdf)
    plan = plan_for(SECRET, KEPT)

    artifact, _ = redact(source, plan)

    assert recovered(artifact, SECRET) == []
    gate(source, artifact, plan)
    with pikepdf.open(io.BytesIO(artifact)) as pdf:
        places_by_name = pikepdf.NameTree(pdf.Root.Names.Dests)
        for page in pdf.pages:
            led = [link.get("/Dest", link.get("/A", Dictionary()).get("/D")) for link in page.Annots]
            places = [places_by_name[str(name)][0].objgen for name in led]
            assert places == [pdf.pages[number].obj.objgen for _, number in links]


def _with_xfa(template: bytes, *, renders: bool) -> bytes:
    with pikepdf.open(io.BytesIO(host())) as pdf:
        packets = ("template", b"<template/>"), ("config", template), ("datasets", f"<a>{SECRET}</a>".encode())
        form_root(pdf).XFA = Array()
        for name, data in packets:
            pdf.Root.AcroForm.XFA.extend([String(name), pdf.make_indirect(Stream(pdf, data))])
        if renders:
            pdf.Root.NeedsRendering = True
        return saved(pdf)


@pytest.mark.parametrize(
    ("template", "renders"),
    [
        (b"<config/>", True),
        (b"<config><acrobat7><dynamicRender\n>required</dynamicRender\n></acrobat7></config>", False),
    ],
)
def test_a_form_whose_pages_are_only_in_its_xml_is_refused(template: bytes, renders: bool) -> None:
    source = _with_xfa(template, renders=renders)

    for work in (extract, lambda data: redact(data, plan_for(SECRET)), lambda data: redact(data, RedactionPlan())):
        with pytest.raises(AnonifyError) as refused:
            work(source)
        assert refused.value.code is Code.UNSUPPORTED_TYPE


def test_a_form_with_pages_loses_its_xml() -> None:
    source = _with_xfa(b"<config><dynamicRender>forbidden</dynamicRender></config>", renders=False)
    plan = plan_for(SECRET)

    artifact, result = redact(source, plan)

    assert recovered(artifact, SECRET) == []
    gate(source, artifact, plan)
    assert _counts(result)["xfa", "removed"] == 1
    with pikepdf.open(io.BytesIO(artifact)) as pdf:
        assert "/XFA" not in pdf.Root.AcroForm
    assert "xfa" in extract(source)[1].notes


def _signed(*, announced: bool) -> bytes:
    with pikepdf.open(io.BytesIO(host())) as pdf:
        value = pdf.make_indirect(
            Dictionary(
                Type=Name.Sig,
                Filter=Name("/Adobe.PPKLite"),
                Contents=String(b"\x30\x80" + b"\0" * 50),
                ByteRange=Array([0, 10, 20, 30]),
            )
        )
        look = pdf.make_indirect(form(pdf, b"BT /F9 9 Tf (Signed by somebody) Tj ET"))
        field = annotate(
            pdf, 1, Subtype=Name.Widget, FT=Name.Sig, T=String("Signature1"), V=value, AP=Dictionary(N=look)
        )
        form_root(pdf).Fields.append(field)
        if announced:
            pdf.Root.AcroForm.SigFlags = 3
        pdf.Root.DSS = Dictionary(Certs=Array([pdf.make_indirect(Stream(pdf, b"\x30\x80certificate"))]))
        return saved(pdf)


@pytest.mark.parametrize("announced", [True, False])
@pytest.mark.parametrize("plan", [plan_for(SECRET), RedactionPlan()])
def test_a_signature_is_said_to_be_there_and_leaves_an_unsigned_field(plan: RedactionPlan, announced: bool) -> None:
    source = _signed(announced=announced)

    artifact, result = redact(source, plan)

    assert "signed" in extract(source)[1].notes
    assert _counts(result)["signature", "removed"] == 2  # the signature and the store of certificates
    gate(source, artifact, plan)
    with pikepdf.open(io.BytesIO(artifact)) as pdf:
        field = pdf.Root.AcroForm.Fields[0]
        assert Name.Sig == field.FT
        assert "/V" not in field
        assert "/DSS" not in pdf.Root
        assert "/SigFlags" not in pdf.Root.AcroForm
    assert b"/ByteRange" not in artifact
    assert b"certificate" not in b"".join(_streams(artifact))
    assert "signed" not in extract(artifact)[1].notes
