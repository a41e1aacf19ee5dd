"""Pictures in Office files: each is a page; what is painted on its page is painted in the part; nothing else moves."""

from __future__ import annotations

import io
import zipfile
from collections import Counter
from collections.abc import Mapping

import pikepdf
import pytest
from PIL import Image, ImageDraw

from anonify.documents import (
    Box,
    BytesSource,
    Edit,
    Extraction,
    MemorySink,
    ModelReader,
    ModelWriter,
    Named,
    Page,
    PagePicture,
    RedactionPlan,
    RedactionResult,
    RegionEdit,
    SweepValue,
    by_kind,
    pictures_of,
)
from anonify.documents.format import ExtractOptions
from anonify.documents.gate import read_back
from anonify.documents.ooxml import media
from anonify.errors import FatalError
from anonify.export import Decision, build_plan
from anonify.ocr import OcrOptions, Word
from anonify.ocr.tasks import PageReader

from .build import docx, paragraph, relationships

NAME = "Marja Nordlund"
BOX = Box(30.0, 20.0, 90.0, 60.0)
CROPPED = (
    '<w:p><w:r><w:drawing><wp:inline><a:graphic><a:graphicData><a:blip r:embed="rId7"/>'
    '<a:srcRect l="50000" t="50000"/></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>'
)


def picture(seed: int = 0, size: tuple[int, int] = (160, 120), mode: str = "RGB") -> Image.Image:
    """Coloured squares, none of them black."""
    image = Image.new("RGB", size)
    draw = ImageDraw.Draw(image)
    for x in range(0, size[0], 20):
        for y in range(0, size[1], 20):
            draw.rectangle((x, y, x + 19, y + 19), fill=(90 + x % 160, 80 + y % 170, 100 + (seed * 40) % 150))
    return image.convert(mode)


def saved(image: Image.Image, form: str = "PNG", **options: object) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, form, **options)
    return buffer.getvalue()


def with_pictures(parts: Mapping[str, bytes], body: str = CROPPED, more: Mapping[str, bytes] | None = None) -> bytes:
    """A Word document whose body is related to pictures, the first as `rId7`."""
    links = ((f"rId{number}", "image", name.removeprefix("word/"), "") for number, name in enumerate(parts, 7))
    rels = {"word/_rels/document.xml.rels": relationships(*links)}
    return docx(paragraph("Body") + body, {**rels, **parts, **(more or {})})


def extracted(data: bytes, kind: str = "docx") -> tuple[list[Page], ModelReader, Extraction]:
    sink = MemorySink()
    writer = ModelWriter(sink)
    extraction = by_kind(kind).extract(BytesSource(data), writer, ExtractOptions())
    model = ModelReader(BytesSource(sink.getvalue()), writer.lengths)
    assert extraction.pages == len(model)
    return [model.page(number) for number in extraction.pictures], model, extraction


def plan_for(
    pages: list[Page], *numbers: int, values: tuple[str, ...] = (), keep_metadata: bool = False
) -> RedactionPlan:
    """Paints :data:`BOX` on the pictures with these places in `pages`."""
    return RedactionPlan(
        regions=tuple(RegionEdit(pages[number].number, BOX) for number in numbers),
        sweep=tuple(SweepValue(value, "[REDACTED]") for value in values),
        keep_metadata=keep_metadata,
        pictures=tuple(PagePicture(page.number, page.picture) for page in pages),
    )


def redacted(data: bytes, plan: RedactionPlan, kind: str = "docx") -> tuple[bytes, RedactionResult]:
    sink = MemorySink()
    result = by_kind(kind).redact(BytesSource(data), sink, plan)
    return sink.getvalue(), result


def members(data: bytes) -> dict[str, bytes]:
    archive = zipfile.ZipFile(io.BytesIO(data))
    return {name: archive.read(name) for name in archive.namelist()}


def opened(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data))


def dispositions(result: RedactionResult, kind: str = "image") -> dict[str, int]:
    return {item.disposition: item.count for item in result.named if item.kind == kind}


def test_every_distinct_picture_is_a_page_after_the_text() -> None:
    one, two = saved(picture(1)), saved(picture(2, (300, 90)), "JPEG")
    data = with_pictures({"word/media/image1.png": one, "word/media/image2.jpeg": two, "word/media/again.png": one})
    pages, model, extraction = extracted(data)
    assert model.page(1).text.startswith("Body")
    assert [page.number for page in pages] == [len(model) - 1, len(model)]
    assert [page.sections[0].name for page in pages] == [
        "Picture word/media/image1.png",
        "Picture word/media/image2.jpeg",
    ]
    assert [(page.width, page.height) for page in pages] == [(160.0, 120.0), (300.0, 90.0)]
    assert all(page.needs_ocr and page.text == "" for page in pages)
    assert extraction.units == 1
    assert extraction.notes == ()


def test_what_nobody_can_read_is_counted_and_named_and_never_refused() -> None:
    whole = saved(picture())
    parts = {
        "word/media/image1.png": whole,
        "word/media/broken.png": whole[: len(whole) // 2],
        "word/media/drawn.emf": b"\x01\0\0\0" + bytes(200),
        "word/media/photo.wdp": b"II\xbc\x01" + bytes(200),
        "word/media/bullet.png": saved(picture(3, (16, 16))),
    }
    data = with_pictures(parts)
    pages, _, extraction = extracted(data)
    assert [page.picture for page in pages] == ["word/media/image1.png#1"]
    assert extraction.notes == ("unread-pictures",)
    artifact, result = redacted(data, plan_for(pages, values=(NAME,)))
    assert dispositions(result) == {"carried-through": 3}
    assert members(artifact)["word/media/drawn.emf"] == parts["word/media/drawn.emf"]


def test_a_picture_nobody_has_read_is_named() -> None:
    data = with_pictures({"word/media/image1.png": saved(picture())})
    pages, _, _ = extracted(data)
    plan = RedactionPlan(pictures=(PagePicture(pages[0].number, pages[0].picture, read=False),))
    assert dispositions(redacted(data, plan)[1]) == {"carried-through": 1}
    assert dispositions(redacted(data, plan_for(pages))[1]) == {}


@pytest.mark.parametrize(
    ("form", "name", "mode"),
    [
        ("PNG", "image1.png", "RGB"),
        ("PNG", "image1.png", "P"),
        ("JPEG", "image1.jpeg", "RGB"),
        ("JPEG", "image1.jpg", "L"),
        ("GIF", "image1.gif", "P"),
        ("BMP", "image1.bmp", "RGB"),
        ("TIFF", "image1.tiff", "RGB"),
        ("WEBP", "image1.webp", "RGB"),
        ("PNG", "image1.jpeg", "RGB"),
    ],
)
def test_boxes_are_painted_in_the_part_and_nothing_else_changes(form: str, name: str, mode: str) -> None:
    part = f"word/media/{name}"
    source = saved(picture(1, mode=mode), form, **({"lossless": True} if form == "WEBP" else {}))
    data = with_pictures({part: source, "word/media/other.png": saved(picture(2))})
    pages, _, _ = extracted(data)
    plan = plan_for(pages, 0)
    artifact, result = redacted(data, plan)
    before, after = members(data), members(artifact)
    assert list(before) == list(after)
    assert [name for name in before if before[name] != after[name]] == [part]
    image, was = opened(after[part]), opened(source)
    assert (image.format, image.size) == (form, was.size)
    new, old = image.convert("RGB"), was.convert("RGB")
    assert max(high for _, high in new.crop((34, 24, 86, 56)).getextrema()) < 24  # type: ignore[misc]  # three bands
    if form != "JPEG":
        for lost in (new, old):
            lost.paste((0, 0, 0), (30, 20, 90, 60))
        assert new.tobytes() == old.tobytes()
    assert result.rebuilt_pages == (pages[0].number,)
    assert result.edited == 1
    assert dispositions(result) == {"redacted": 1}
    for reader in ("own", "independent"):
        verdict = read_back(by_kind("docx"), BytesSource(data), BytesSource(artifact), plan, reader)
        assert verdict.opened
        assert not verdict.failed
    assert (
        "painted-pictures" in read_back(by_kind("docx"), BytesSource(data), BytesSource(artifact), plan, "own").passed
    )


def test_the_same_picture_is_painted_in_every_part_that_holds_it() -> None:
    one = saved(picture(1))
    data = with_pictures({"word/media/a.png": one, "word/media/b.png": one, "word/header/c.bin": one})
    pages, _, _ = extracted(data)
    assert len(pages) == 1
    after = members(redacted(data, plan_for(pages, 0))[0])
    painted = {after[name] for name in ("word/media/a.png", "word/media/b.png", "word/header/c.bin")}
    assert len(painted) == 1
    assert opened(painted.pop()).getpixel((50, 40)) == (0, 0, 0)


def test_what_a_document_crops_away_is_read_and_painted() -> None:
    """The box lies in the quarter that the `srcRect` of the body hides."""
    data = with_pictures({"word/media/image1.png": saved(picture(1, (400, 300)))})
    pages, model, _ = extracted(data)
    assert (pages[0].width, pages[0].height) == (400.0, 300.0)
    with pictures_of("docx", BytesSource(data), model) as pictures:
        assert pictures.picture(pages[0].number, 1.0).size == (400, 300)
    artifact, _ = redacted(data, plan_for(pages, 0))
    assert opened(members(artifact)["word/media/image1.png"]).getpixel((50, 40)) == (0, 0, 0)
    assert b"srcRect" in members(artifact)["word/document.xml"]


def test_each_frame_of_an_animation_is_a_page() -> None:
    frames = [picture(seed, mode="RGB") for seed in (1, 2, 3)]
    data = with_pictures(
        {"word/media/image1.gif": saved(frames[0], "GIF", save_all=True, append_images=frames[1:], duration=90)}
    )
    pages, model, _ = extracted(data)
    assert [page.picture for page in pages] == [f"word/media/image1.gif#{frame}" for frame in (1, 2, 3)]
    assert pages[1].sections[0].name == "Picture word/media/image1.gif (2)"
    artifact, _ = redacted(data, plan_for(pages, 1))
    with pictures_of("docx", BytesSource(artifact), model, BytesSource(data)) as after:
        shown = [after.picture(page.number, 1.0).convert("L").getpixel((50, 40)) for page in pages]
    assert shown[1] == 0
    assert shown[0] != 0
    assert shown[2] != 0


def test_a_turned_photo_keeps_its_pixels_where_office_looks_for_them() -> None:
    """Office shows the stored pixels, whichever way up the metadata says they are, and the metadata goes anyway."""
    image = picture(1, (200, 120))
    exif = image.getexif()
    exif[274] = 6
    data = with_pictures({"word/media/image1.jpeg": saved(image, "JPEG", exif=exif, quality=95)})
    pages, _, _ = extracted(data)
    assert (pages[0].width, pages[0].height) == (200.0, 120.0)
    plan = plan_for(pages, 0)
    artifact, _ = redacted(data, plan)
    after = opened(members(artifact)["word/media/image1.jpeg"])
    assert after.size == (200, 120)
    assert after.getexif().get(274) is None
    assert max(after.getpixel((60, 40))) < 24  # type: ignore[arg-type]  # three bands
    assert not read_back(by_kind("docx"), BytesSource(data), BytesSource(artifact), plan, "own").failed


def test_a_picture_whose_name_held_a_value_is_found_again() -> None:
    data = with_pictures({"word/media/first.png": saved(picture(1)), f"word/media/{NAME}.png": saved(picture(2))})
    pages, model, _ = extracted(data)
    plan = plan_for(pages, 1, values=(NAME,))
    artifact, _ = redacted(data, plan)
    assert not any(NAME in name for name in members(artifact))
    with pictures_of("docx", BytesSource(artifact), model, BytesSource(data)) as after:
        assert after.picture(pages[1].number, 1.0).getpixel((50, 40)) == (0, 0, 0)
        assert after.picture(pages[0].number, 1.0).getpixel((50, 40)) != (0, 0, 0)
    assert not read_back(by_kind("docx"), BytesSource(data), BytesSource(artifact), plan, "own").failed


def test_a_picture_that_was_taken_out_shows_nothing() -> None:
    """An object's preview goes with what the object loses."""
    inner = docx(paragraph(NAME))
    body = (
        '<w:p><w:object><v:shape><v:imagedata r:id="rId8"/></v:shape><o:OLEObject xmlns:o="urn:o" r:id="rId7"/>'
        "</w:object></w:p>"
    )
    links = (("rId7", "package", "embeddings/inner.docx", ""), ("rId8", "image", "media/image1.png", ""))
    data = docx(
        body,
        {
            "word/_rels/document.xml.rels": relationships(*links),
            "word/embeddings/inner.docx": inner,
            "word/media/image1.png": saved(picture(1)),
        },
    )
    pages, model, _ = extracted(data)
    plan = plan_for(pages, 0, values=(NAME,))
    artifact, _ = redacted(data, plan)
    assert opened(members(artifact)["word/media/image1.png"]).size == (1, 1)
    with pictures_of("docx", BytesSource(artifact), model, BytesSource(data)) as after:
        assert after.picture(pages[0].number, 1.0, BOX).convert("L").getextrema() == (255, 255)
    assert not read_back(by_kind("docx"), BytesSource(data), BytesSource(artifact), plan, "own").failed


def test_the_gate_fails_a_picture_that_was_not_painted() -> None:
    data = with_pictures({"word/media/image1.png": saved(picture(1))})
    pages, _, _ = extracted(data)
    verdict = read_back(by_kind("docx"), BytesSource(data), BytesSource(data), plan_for(pages, 0), "own")
    assert verdict.failed == ("painted-pictures",)


def test_the_gate_fails_a_picture_that_changed_elsewhere() -> None:
    data = with_pictures({"word/media/image1.png": saved(picture(1))})
    pages, _, _ = extracted(data)
    other = picture(1)
    other.paste((0, 0, 0), (30, 20, 90, 60))
    other.putpixel((150, 110), (1, 2, 3))
    changed = with_pictures({"word/media/image1.png": saved(other)})
    verdict = read_back(by_kind("docx"), BytesSource(data), BytesSource(changed), plan_for(pages, 0), "own")
    assert verdict.failed == ("painted-pictures",)


def test_a_picture_of_the_document_goes_when_anything_of_it_does() -> None:
    """It shows the first page as it was, whether metadata is kept or not."""
    more = {
        "_rels/.rels": relationships(
            ("rId1", "officeDocument", "word/document.xml", ""),
            ("rId2", "metadata/thumbnail", "docProps/thumbnail.jpeg", ""),
        ),
        "docProps/thumbnail.jpeg": saved(picture(1), "JPEG"),
    }
    data = docx(paragraph(NAME), more)
    pages, _, extraction = extracted(data)
    assert pages == []
    assert extraction.notes == ()
    kept, _ = redacted(data, RedactionPlan(keep_metadata=True))
    assert "docProps/thumbnail.jpeg" in members(kept)
    gone, _ = redacted(data, RedactionPlan(sweep=(SweepValue(NAME, "x"),), keep_metadata=True))
    assert "docProps/thumbnail.jpeg" not in members(gone)


def test_pictures_beyond_the_limits_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = {f"word/media/image{number}.png": saved(picture(number)) for number in range(4)}
    data = with_pictures(parts)
    for limit, pages in (("MAX_PICTURES", 3), ("MAX_PIXELS", 0), ("MAX_TOTAL", 2)):
        with monkeypatch.context() as patch:
            patch.setattr(media, limit, {"MAX_PICTURES": 3, "MAX_PIXELS": 160 * 119, "MAX_TOTAL": 160 * 300}[limit])
            found, _, extraction = extracted(data)
            assert (len(found), extraction.notes) == (pages, ("unread-pictures",)), limit
            named = redacted(data, plan_for(found))[1]
            assert dispositions(named) == {"carried-through": 4 - pages}, limit


def test_more_pictures_than_pages_are_no_reason_to_refuse() -> None:
    data = with_pictures({f"word/media/image{number}.png": saved(picture(number)) for number in range(4)})
    sink = MemorySink()
    extraction = by_kind("docx").extract(BytesSource(data), ModelWriter(sink), ExtractOptions(max_pages=3))
    assert extraction.pages == 3
    assert extraction.notes == ("unread-pictures",)


def test_a_picture_that_cannot_be_painted_is_taken_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        from anonify.errors import Code

        raise FatalError(Code.TOO_COMPLEX)

    data = with_pictures({"word/media/image1.png": saved(picture(1))})
    pages, _, _ = extracted(data)
    monkeypatch.setattr("anonify.documents.ooxml.painting.redact_picture", refuse)
    artifact, _ = redacted(data, plan_for(pages, 0))
    assert opened(members(artifact)["word/media/image1.png"]).size == (1, 1)


class _Reads:
    """A recogniser that says the same of every picture."""

    def __init__(self) -> None:
        self.sizes: list[tuple[int, int]] = []

    def recognise(self, image: Image.Image, _dpi: int) -> list[Word]:
        self.sizes.append(image.size)
        return [Word("Marja", (30, 20, 60, 60), 0.95, 0), Word("Nordlund", (62, 20, 90, 60), 0.95, 0)]


def test_words_of_a_picture_are_found_and_become_edits_of_its_page() -> None:
    """The first page has no geometry; the value stands in no text."""
    data = with_pictures({"word/media/image1.png": saved(picture(1))})
    pages, model, extraction = extracted(data)
    reader = _Reads()
    with pictures_of("docx", BytesSource(data), model) as pictures:
        read = PageReader(pictures, reader, OcrOptions()).read(pages[0])
    assert reader.sizes == [(160, 120)]
    assert read.text == NAME
    assert [(part.name, part.start, part.end) for part in read.sections] == [("Picture word/media/image1.png", 0, 14)]
    assert not read.needs_ocr
    sink = MemorySink()
    writer = ModelWriter(sink)
    for number in range(1, len(model)):
        writer.page(model.page(number))
    writer.page(read)
    known = ModelReader(BytesSource(sink.getvalue()), writer.lengths)
    decision = Decision("1", value=NAME)
    plan = build_plan([decision], known, extraction)
    assert plan.pictures == (PagePicture(len(model), "word/media/image1.png#1"),)
    assert [(edit.page, edit.boxes) for edit in plan.edits] == [(len(model), (Box(30.0, 20.0, 90.0, 60.0),))]
    artifact, result = redacted(data, plan)
    assert opened(members(artifact)["word/media/image1.png"]).getpixel((50, 40)) == (0, 0, 0)
    assert result.rebuilt_pages == (len(model),)


def test_pictures_are_left_alone_where_pictures_among_text_are_not_read() -> None:
    data = with_pictures({"word/media/image1.png": saved(picture(1))})
    pages, model, _ = extracted(data)
    reader = _Reads()
    with pictures_of("docx", BytesSource(data), model) as pictures:
        read = PageReader(pictures, reader, OcrOptions(pictures=False)).read(pages[0])
    assert reader.sizes == []
    assert read == pages[0]
    assert read.needs_ocr  # which the review says


def test_an_edit_of_a_page_no_plan_knows_is_refused() -> None:
    data = with_pictures({"word/media/image1.png": saved(picture(1))})
    plan = RedactionPlan(edits=(Edit("page#2o0", 0, 5, "x", 2, (BOX,)),))
    with pytest.raises(FatalError, match="internal-state"):
        redacted(data, plan)


def test_pages_of_text_have_no_picture() -> None:
    data = with_pictures({"word/media/image1.png": saved(picture(1))})
    pages, model, _ = extracted(data)
    with pictures_of("docx", BytesSource(data), model) as pictures:
        assert not pictures.explained(1).pictures
        assert pictures.explained(pages[0].number).pictures
        with pytest.raises(FatalError, match="malformed"):
            pictures.picture(1, 1.0)
        with pytest.raises(FatalError, match="malformed"):
            pictures.picture(99, 1.0)


def test_pictures_in_workbooks_and_presentations_are_pages_too() -> None:
    for kind, data in (("xlsx", workbook()), ("pptx", presentation())):
        pages, model, extraction = extracted(data, kind)
        assert [page.number for page in pages] == [len(model)], kind
        assert extraction.units == {"xlsx": 2, "pptx": 1}[kind]
        plan = plan_for(pages, 0, values=("Somebody Else",))
        artifact, result = redacted(data, plan, kind)
        part = pages[0].picture.rpartition("#")[0]
        before, after = members(data), members(artifact)
        assert opened(after[part]).getpixel((50, 40)) == (0, 0, 0), kind
        assert after[part] != before[part]
        assert result.rebuilt_pages == (len(model),)
        assert dispositions(result) == {"redacted": 1}
        for reader in ("own", "independent"):
            verdict = read_back(by_kind(kind), BytesSource(data), BytesSource(artifact), plan, reader)
            assert (verdict.opened, verdict.failed) == (True, ()), kind
    # nothing but regions was asked for
    pages, _, _ = extracted(workbook(), "xlsx")
    artifact, _ = redacted(workbook(), plan_for(pages, 0), "xlsx")
    assert opened(members(artifact)["xl/media/image1.png"]).getpixel((50, 40)) == (0, 0, 0)


def workbook() -> bytes:
    import openpyxl  # type: ignore[import-untyped]  # it has no stubs
    from openpyxl.drawing.image import Image as Placed  # type: ignore[import-untyped]  # it has no stubs

    book = openpyxl.Workbook()
    book.active["A1"], book.active["A2"] = "Name", "Somebody"
    book.active.add_image(Placed(io.BytesIO(saved(picture(1)))), "C3")
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def presentation() -> bytes:
    import pptx

    show = pptx.Presentation()
    slide = show.slides.add_slide(show.slide_layouts[6])
    slide.shapes.add_picture(io.BytesIO(saved(picture(1))), 0, 0)
    buffer = io.BytesIO()
    show.save(buffer)
    return buffer.getvalue()


def test_names_of_parts_count_once_in_the_report() -> None:
    """Two painted pictures and one that nobody can read."""
    parts = {
        "word/media/a.png": saved(picture(1)),
        "word/media/b.png": saved(picture(2)),
        "word/media/c.emf": b"\x01\0\0\0" + bytes(200),
    }
    data = with_pictures(parts)
    pages, _, _ = extracted(data)
    named = Counter(
        {(item.kind, item.disposition): item.count for item in redacted(data, plan_for(pages, 0, 1))[1].named}
    )
    assert named == {("image", "redacted"): 2, ("image", "carried-through"): 1}
    assert Named("image", "redacted", 2) in redacted(data, plan_for(pages, 0, 1))[1].named


def test_pictures_of_an_embedded_document_are_named() -> None:
    """Only the document's own pictures are read."""
    inner = with_pictures({"word/media/image1.png": saved(picture(1))}, paragraph(NAME))
    rels = relationships(("rId7", "package", "embeddings/inner.docx", ""))
    data = docx(paragraph(NAME), {"word/_rels/document.xml.rels": rels, "word/embeddings/inner.docx": inner})
    pages, _, _ = extracted(data)
    assert pages == []
    _, result = redacted(data, plan_for(pages, values=(NAME,)))
    assert dispositions(result) == {"carried-through": 1}


def test_a_document_attached_to_a_pdf_stays_though_it_has_pictures() -> None:
    """As a PDF attached does whose text has pictures in it; a file that is nothing but a picture goes."""
    pdf = pikepdf.new()
    pdf.add_blank_page()
    pdf.attachments["a.docx"] = with_pictures({"word/media/image1.png": saved(picture(1))}, paragraph(NAME))
    pdf.attachments["b.png"] = saved(picture(1))
    buffer = io.BytesIO()
    pdf.save(buffer)
    plan = RedactionPlan(sweep=(SweepValue(NAME, "[REDACTED]"),))
    artifact, _ = redacted(buffer.getvalue(), plan, "pdf")
    with pikepdf.open(io.BytesIO(artifact)) as after:
        assert list(after.attachments) == ["a.docx"]
        assert NAME.encode() not in members(after.attachments["a.docx"].get_file().read_bytes())["word/document.xml"]
