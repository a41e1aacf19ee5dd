"""What a rebuilt page keeps: words in place for every reader, fields, notes, links; and what it loses at its edges."""

from __future__ import annotations

import html
import io
import re
import shutil
import subprocess
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pikepdf
import pypdfium2 as pdfium
import pytest
from pikepdf import Array, Dictionary, Name, Stream, String
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen import canvas

from anonify.documents.model import Box, Page, Span
from anonify.documents.pdf import FORMAT
from anonify.documents.pdf.read import loaded, read_page, words_of
from anonify.documents.plan import RedactionPlan, RegionEdit
from anonify.sandbox.source import BytesSource, MemorySink
from tests.shared import SHARED

from .making import KEPT, SECRET, drawn, extract, gate, holds, page_stream, pdftotext, plan_for, redact, saved

WITHIN = 0.3
"""Points by which a kept word may have moved."""

DEJAVU = Path("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")

Edges = tuple[float, float, float, float]


def boxes_by_pdfium(data: bytes, number: int = 1) -> dict[str, list[Edges]]:
    """Displayed boxes of every word of a page, by word."""
    found: dict[str, list[Edges]] = defaultdict(list)
    document = pdfium.PdfDocument(data)
    document.init_forms()
    with loaded(document, number, flat=True) as page:
        read = read_page(page)
        left, top, right, bottom = read.columns
        for word in words_of(read.text):
            part = slice(word.start, word.end)
            found[read.text[part]].append((min(left[part]), min(top[part]), max(right[part]), max(bottom[part])))
    document.close()
    return found


def boxes_by_poppler(data: bytes, number: int = 1) -> dict[str, list[Edges]]:
    program = shutil.which("pdftotext")
    if program is None:
        pytest.skip("pdftotext is not installed")
    done = subprocess.run([program, "-bbox", "-", "-"], input=data, capture_output=True, check=False)
    found: dict[str, list[Edges]] = defaultdict(list)
    page = done.stdout.decode("utf-8", "replace").split("<page ")[number]
    for x0, y0, x1, y1, word in re.findall(
        r'<word xMin="(.*?)" yMin="(.*?)" xMax="(.*?)" yMax="(.*?)">(.*?)</word>', page
    ):
        found[html.unescape(word)].append((float(x0), float(y0), float(x1), float(y1)))
    return found


def moved(before: dict[str, list[Edges]], after: dict[str, list[Edges]], sides: tuple[int, ...]) -> Iterator[float]:
    """How far each word of `after` is from the nearest of its like in `before`."""
    for word, places in after.items():
        for place in places:
            if before.get(word):
                yield min(max(abs(place[side] - other[side]) for side in sides) for other in before[word])


def prose(font: str, size: float) -> Callable[[canvas.Canvas], object]:
    def draw(board: canvas.Canvas) -> None:
        board.setFont(font, size)
        for row in range(12):
            board.drawString(
                60, 760 - 2.5 * size * row, f"Row {row}: of fifty jumps (quickly) by {SECRET} - no, {KEPT}!"
            )

    return draw


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
@pytest.mark.parametrize(
    ("font", "size"),
    [("Helvetica", 9), ("Times-Italic", 11), ("Courier-Bold", 10), ("Times-Roman", 5), ("Helvetica", 21)],
)
def test_kept_words_stay_where_they_were_for_every_reader(font: str, size: float, turn: int) -> None:
    with pikepdf.open(io.BytesIO(drawn(prose(font, size), size=(1000, 842)))) as pdf:
        pdf.pages[0].Rotate = turn
        source = saved(pdf)

    artifact, _ = redact(source, plan_for(SECRET))

    before, after = boxes_by_pdfium(source), boxes_by_pdfium(artifact)
    apart = list(moved(before, after, (0, 1, 2, 3)))
    assert len(apart) >= 12 * 8
    assert max(apart) <= WITHIN
    if turn == 0:
        across = list(moved(boxes_by_poppler(source), boxes_by_poppler(artifact), (0, 2)))
        assert len(across) >= 12 * 8
        # A letter that leans over its own width makes the other reader's word wider, by that.
        assert sorted(across)[len(across) * 9 // 10] <= WITHIN + 0.02 * size


@pytest.mark.skipif(not DEJAVU.exists(), reason="needs the DejaVu fonts")
def test_ligatures_accents_greek_and_hebrew_stay_whole() -> None:
    pdfmetrics.registerFont(TTFont("DejaVu", str(DEJAVU)))
    lines = ["\ufb01nally o\ufb03ce \ufb02ight", "Zoë naïve Ångström Łódź", "Ελλάδα Кириллица", "םולש םלוע"]

    def draw(board: canvas.Canvas) -> None:
        board.setFont("DejaVu", 12)
        for number, line in enumerate([*lines, f"by {SECRET} here"]):
            board.drawString(72, 700 - 30 * number, line)

    source = drawn(draw)

    artifact, _ = redact(source, plan_for(SECRET))

    before, after = boxes_by_pdfium(source), boxes_by_pdfium(artifact)
    for word in before:
        if word not in SECRET.split():
            assert word in after
    assert max(moved(before, after, (0, 1, 2, 3))) <= WITHIN
    # Letters that are drawn as one are written apart: that is how people search for them.
    said = unicodedata.normalize("NFKC", pdftotext(artifact))
    for word in unicodedata.normalize("NFKC", pdftotext(source)).replace(SECRET, "").split():
        assert word in said


def test_japanese_stays_in_place() -> None:
    pdfmetrics.registerFont(UnicodeCIDFont("HeiseiMin-W3"))

    def draw(board: canvas.Canvas) -> None:
        board.setFont("HeiseiMin-W3", 14)
        board.drawString(72, 760, "東京都に住む山田太郎さんは")
        board.drawString(72, 730, "縦書きの文章です")

    source = drawn(draw)

    artifact, _ = redact(source, plan_for("山田太郎"))

    before, after = boxes_by_pdfium(source), boxes_by_pdfium(artifact)
    assert "縦書きの文章です" in after
    assert max(moved(before, after, (0, 1, 2, 3))) <= WITHIN


@pytest.mark.skipif(SHARED is None, reason="the shared zoo is absent: set ANONIFY_SHARED to its folder")
def test_vertical_writing_stays_in_place() -> None:
    assert SHARED is not None
    source = (SHARED / "zoo" / "pdf" / "pdf.js--issue11555.pdf").read_bytes()
    before = boxes_by_pdfium(source)
    first, *others = before
    place = Box(*before[first][0])

    artifact, result = redact(source, RedactionPlan(regions=(RegionEdit(1, place),)))

    assert result.rebuilt_pages == (1,)
    after = boxes_by_pdfium(artifact)
    assert set(others) <= set(after)
    # Large print: a thousandth of an em is a tenth of a point.
    assert max(moved(before, after, (0, 1, 2, 3))) <= 2 * WITHIN


@pytest.mark.parametrize("angle", [12, 45, -30, 80])
def test_slanted_words_stay_in_place(angle: int) -> None:
    def draw(board: canvas.Canvas) -> None:
        board.translate(300, 400)
        board.rotate(angle)
        board.setFont("Helvetica", 14)
        board.drawString(-150, 0, f"Draft made {' ' * 30} by")
        board.drawString(100, 0, SECRET)

    source = drawn(draw)

    artifact, _ = redact(source, plan_for(SECRET))

    before, after = boxes_by_pdfium(source), boxes_by_pdfium(artifact)
    assert {"Draft", "made"} <= set(after)
    # At 45 degrees the box around a letter does not tell its shape.
    assert max(moved(before, after, (0, 1, 2, 3))) <= (2.5 if angle == 45 else 0.6)


def test_raised_letters_keep_their_own_line() -> None:
    with pikepdf.open(io.BytesIO(drawn(prose("Helvetica", 10)))) as pdf:
        page_stream(pdf, b"BT /F1 24 Tf 72 300 Td (Hello) Tj 12 Ts (Again) Tj ET")
        source = saved(pdf)

    artifact, _ = redact(source, plan_for(SECRET))

    before, after = boxes_by_poppler(source), boxes_by_poppler(artifact)
    assert set(before) - {"Marja", "Nordlund"} <= set(after)


@pytest.mark.skipif(SHARED is None, reason="the shared zoo is absent: set ANONIFY_SHARED to its folder")
def test_kept_words_of_a_real_paper_stay_in_place() -> None:
    assert SHARED is not None
    source = (SHARED / "zoo" / "pdf" / "pdf.js--tracemonkey.pdf").read_bytes()

    artifact, result = redact(source, plan_for("Mozilla", "interpreter"))

    assert len(result.rebuilt_pages) >= 8
    apart: list[float] = []
    kept = total = 0
    for number in result.rebuilt_pages:
        before, after = boxes_by_pdfium(source, number), boxes_by_pdfium(artifact, number)
        apart += moved(before, after, (0, 1, 2, 3))
        total += sum(map(len, before.values()))
        kept += sum(min(len(places), len(after.get(word, ()))) for word, places in before.items())
    assert sum(distance <= WITHIN for distance in apart) >= 0.999 * len(apart)
    assert kept >= 0.97 * total


def test_marks_are_read_where_the_words_stood() -> None:
    artifact, _ = redact(drawn(prose("Helvetica", 10)), plan_for(SECRET))

    with pikepdf.open(io.BytesIO(artifact)) as pdf:
        document = pdfium.PdfDocument(artifact)
        text = document[0].get_textpage().get_text_range()
        document.close()
        assert len(pdf.pages) == 1
    rows = [row for row in text.splitlines() if row.startswith("Row")]
    assert len(rows) == 12
    assert all(re.search(r"by \[redacted\] *- no,", row) for row in rows)


# --- a value cut by a page's end ----------------------------------------------------------------------------------


@pytest.mark.parametrize("noise", [False, True])
def test_both_halves_of_a_value_cut_by_a_page_break_are_gone(noise: bool) -> None:
    def draw(board: canvas.Canvas) -> None:
        board.drawString(72, 90, "The last line of this page says Marja")
        if noise:
            board.drawString(290, 40, "Page 1 of 2")
        board.showPage()
        if noise:
            board.drawString(72, 800, "Running title")
        board.drawString(72, 760, "Nordlund has the rest of it")
        board.drawString(72, 700, "and Nordlund alone stays")

    source = drawn(draw)

    artifact, result = redact(source, plan_for(SECRET))

    first, second = pdftotext(artifact, page=1), pdftotext(artifact, page=2)
    assert result.rebuilt_pages == (1, 2)
    assert "Marja" not in first
    assert "page says" in first
    assert second.count("Nordlund") == 1
    assert "has the rest" in second
    gate(source, artifact, plan_for(SECRET))


def test_names_on_two_pages_that_are_no_value_together_stay() -> None:
    def draw(board: canvas.Canvas) -> None:
        board.drawString(72, 90, "Signed: Marja")
        board.showPage()
        board.drawString(72, 760, "Greta Nordlund")

    _, result = redact(drawn(draw), plan_for(SECRET))

    assert result.rebuilt_pages == ()


# --- fields, notes and links ---------------------------------------------------------------------------------------


def form(value: str, rect: tuple[int, int, int, int], *, name: str = "town", **more: Any) -> bytes:
    with pikepdf.open(io.BytesIO(drawn(prose("Helvetica", 10)))) as pdf:
        look = Stream(
            pdf,
            f"/Tx BMC BT /F1 10 Tf 2 4 Td ({value}) Tj ET EMC".encode("latin-1"),
            Type=Name.XObject,
            Subtype=Name.Form,
            BBox=Array([0, 0, rect[2] - rect[0], rect[3] - rect[1]]),
            Resources=Dictionary(
                Font=Dictionary(F1=Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica))
            ),
        )
        field = pdf.make_indirect(
            Dictionary(
                Type=Name.Annot,
                Subtype=Name.Widget,
                FT=Name.Tx,
                T=String(name),
                V=String(value),
                F=4,
                DA=String("/F1 10 Tf 0 g"),
                Rect=Array(list(rect)),
                AP=Dictionary(N=pdf.make_indirect(look)),
                AA=Dictionary(K=Dictionary(S=Name.JavaScript, JS=String("app.alert('hi')"))),
                PieceInfo=Dictionary(X=Dictionary(Private=String("private"))),
                **more,
            )
        )
        pdf.pages[0].Annots = Array([field])
        pdf.Root.AcroForm = Dictionary(Fields=Array([field]), DA=String("/F1 10 Tf 0 g"))
        return saved(pdf)


def test_a_field_without_a_value_stays_a_field() -> None:
    source = form("Umea", (72, 100, 200, 120))
    plan = plan_for(SECRET)

    artifact, result = redact(source, plan)

    gate(source, artifact, plan)
    with pikepdf.open(io.BytesIO(artifact)) as pdf:
        [field] = pdf.pages[0].Annots
        assert str(field.V) == "Umea"
        assert field.objgen == pdf.Root.AcroForm.Fields[0].objgen
        assert "/AA" not in field
        assert "/PieceInfo" not in field
    assert pdftotext(artifact).split().count("Umea") == 1
    assert ("annotation", "removed") not in {(one.kind, one.disposition) for one in result.named}
    # Not in the picture as well: an edited field would show both.
    with pikepdf.open(io.BytesIO(artifact)) as pdf:
        del pdf.pages[0]["/Annots"]
        bare = pdfium.PdfDocument(saved(pdf))[0].render(scale=2).to_pil().convert("L")
    assert bare.crop((144, 2 * (842 - 120), 400, 2 * (842 - 100))).getextrema() == (255, 255)


@pytest.mark.parametrize(
    "source",
    [
        form(f"by {SECRET}", (72, 100, 300, 120)),
        form("blue", (72, 100, 200, 120), TU=String(f"Ask {SECRET}")),
        form("blue", (72, 100, 200, 120), DV=String(SECRET)),
        form("blue", (72, 100, 200, 120), name=SECRET),
        form("blue", (60, 735, 400, 770)),
    ],
    ids=["value", "tool tip", "default", "name", "under a box"],
)
def test_a_field_with_a_value_anywhere_becomes_part_of_the_picture(source: bytes) -> None:
    plan = plan_for(SECRET)

    artifact, result = redact(source, plan)

    gate(source, artifact, plan)
    assert holds(artifact, SECRET) == []
    with pikepdf.open(io.BytesIO(artifact)) as pdf:
        assert "/Annots" not in pdf.pages[0]
        assert len(pdf.Root.AcroForm.Fields) == 0
    assert ("annotation", "removed") in {(one.kind, one.disposition) for one in result.named}


def test_a_clean_note_stays_and_one_with_a_value_or_a_picture_does_not() -> None:
    with pikepdf.open(io.BytesIO(drawn(prose("Helvetica", 10)))) as pdf:
        dot = Stream(
            pdf, b"\0", Type=Name.XObject, Subtype=Name.Image, Width=1, Height=1, BitsPerComponent=8,
            ColorSpace=Name.DeviceGray,
        )  # fmt: skip
        look = Stream(
            pdf, b"q 20 0 0 20 0 0 cm /I Do Q", Type=Name.XObject, Subtype=Name.Form, BBox=Array([0, 0, 20, 20]),
            Resources=Dictionary(XObject=Dictionary(I=pdf.make_indirect(dot))),
        )  # fmt: skip
        notes = [
            Dictionary(Subtype=Name.Text, Contents=String("Check the dates"), Rect=Array([500, 50, 520, 70])),
            Dictionary(Subtype=Name.Text, Contents=String(f"Ask {SECRET}"), Rect=Array([500, 80, 520, 100])),
            Dictionary(Subtype=Name.Square, Rect=Array([500, 110, 520, 130]), AP=Dictionary(N=pdf.make_indirect(look))),
            Dictionary(
                Subtype=Name.Highlight,
                Rect=Array([60, 300, 200, 320]),
                QuadPoints=Array([60, 320, 200, 320, 60, 300, 200, 300]),
                Popup=Dictionary(
                    Type=Name.Annot, Subtype=Name.Popup, Rect=Array([0, 0, 9, 9]), Contents=String(SECRET)
                ),
            ),
        ]
        for note in notes:
            note.Type = Name.Annot
        pdf.pages[0].Annots = Array([pdf.make_indirect(note) for note in notes])
        source = saved(pdf)
    plan = plan_for(SECRET)

    artifact, result = redact(source, plan)

    gate(source, artifact, plan)
    assert holds(artifact, SECRET) == []
    with pikepdf.open(io.BytesIO(artifact)) as pdf:
        assert [str(note.Subtype) for note in pdf.pages[0].Annots] == ["/Text", "/Highlight"]
        assert "/Popup" not in pdf.pages[0].Annots[1]
    assert {(one.kind, one.disposition): one.count for one in result.named}["annotation", "removed"] == 2


def test_links_by_name_language_and_preferences_survive() -> None:
    with pikepdf.open(io.BytesIO(drawn(prose("Helvetica", 10), pages=3))) as pdf:
        target = Array([pdf.pages[2].obj, Name.Fit])
        pdf.Root.Names = Dictionary(Dests=Dictionary(Names=Array([String("chapter-two"), target])))
        pdf.Root.Dests = Dictionary({"/appendix": target})
        pdf.Root.Lang = String("sv-SE")
        pdf.Root.ViewerPreferences = Dictionary(DisplayDocTitle=True)
        pdf.Root.PageLabels = Dictionary(Nums=Array([0, Dictionary(S=Name.D, P=String("A-"))]))
        pdf.pages[0].UserUnit = 2
        pdf.pages[0].Annots = Array(
            [
                Dictionary(
                    Type=Name.Annot,
                    Subtype=Name.Link,
                    Rect=Array([60, y, 200, y + 12]),
                    Contents=String("Go on"),
                    **where,
                )
                for y, where in (
                    (100, {"Dest": String("chapter-two")}),
                    (130, {"Dest": Name("/appendix")}),
                    (160, {"A": Dictionary(S=Name.GoTo, D=String("chapter-two"))}),
                )
            ]
        )
        source = saved(pdf)

    artifact, _ = redact(source, plan_for(SECRET))

    with pikepdf.open(io.BytesIO(artifact)) as pdf:
        links = list(pdf.pages[0].Annots)
        assert str(links[0].Dest) == "chapter-two"
        assert links[1].Dest == Name("/appendix")
        assert str(links[2].A.D) == "chapter-two"
        assert all(str(link.Contents) == "Go on" for link in links)
        names = pdf.Root.Names.Dests.Names
        assert names[1][0].objgen == pdf.pages[2].obj.objgen
        assert pdf.Root.Dests["/appendix"][0].objgen == pdf.pages[2].obj.objgen
        assert str(pdf.Root.Lang) == "sv-SE"
        assert bool(pdf.Root.ViewerPreferences.DisplayDocTitle)
        assert float(pdf.pages[0].UserUnit) == 2
        assert pdf.pages[0].label == "A-1"


def test_a_link_that_says_a_value_goes() -> None:
    with pikepdf.open(io.BytesIO(drawn(prose("Helvetica", 10)))) as pdf:
        pdf.pages[0].Annots = Array(
            [
                Dictionary(Type=Name.Annot, Subtype=Name.Link, Rect=Array([60, 100, 200, 112]), A=action)
                for action in (
                    Dictionary(S=Name.URI, URI=String("mailto:marja%20nordlund@example.org")),
                    Dictionary(S=Name.GoToR, F=Dictionary(F=String(f"{SECRET}.pdf")), D=Array([0, Name.Fit])),
                    Dictionary(S=Name.URI, URI=String("https://example.org")),
                )
            ]
        )
        source = saved(pdf)

    artifact, _ = redact(source, plan_for(SECRET))

    assert holds(artifact, SECRET) == []
    with pikepdf.open(io.BytesIO(artifact)) as pdf:
        assert [str(link.A.URI) for link in pdf.pages[0].Annots] == ["https://example.org"]


# --- tags ----------------------------------------------------------------------------------------------------------


def tagged(pages: int) -> bytes:
    with pikepdf.open(io.BytesIO(drawn(prose("Helvetica", 10), pages=pages))) as pdf:
        root = pdf.make_indirect(Dictionary(Type=Name.StructTreeRoot))
        elements = [
            pdf.make_indirect(Dictionary(Type=Name.StructElem, S=Name.P, P=root, Pg=page.obj, K=0))
            for page in pdf.pages
        ]
        root.K = Array(elements)
        root.ParentTree = Dictionary(
            Nums=Array([item for number, element in enumerate(elements) for item in (number, Array([element]))])
        )
        for number, page in enumerate(pdf.pages):
            page.StructParents = number
        pdf.Root.StructTreeRoot = root
        pdf.Root.MarkInfo = Dictionary(Marked=True)
        return saved(pdf)


def test_only_rebuilt_pages_lose_their_tags_and_the_report_says_so() -> None:
    artifact, result = redact(tagged(3), plan_for(SECRET))

    assert {(one.kind, one.disposition): one.count for one in result.named}["structure", "removed"] == 1
    with pikepdf.open(io.BytesIO(artifact)) as pdf:
        kids = list(pdf.Root.StructTreeRoot.K)
        assert [kid.Pg.objgen for kid in kids] == [page.obj.objgen for page in pdf.pages][1:]
        assert [int(key) for key in list(pdf.Root.StructTreeRoot.ParentTree.Nums)[0::2]] == [1, 2]
        assert "/StructParents" not in pdf.pages[0]
        assert int(pdf.pages[1].StructParents) == 1
        assert bool(pdf.Root.MarkInfo.Marked)
        assert bool(pdf.Root.MarkInfo.Suspects)


def test_a_file_of_rebuilt_pages_alone_says_nothing_of_tags() -> None:
    artifact, _ = redact(tagged(1), plan_for(SECRET))

    with pikepdf.open(io.BytesIO(artifact)) as pdf:
        assert "/StructTreeRoot" not in pdf.Root
        assert "/MarkInfo" not in pdf.Root


# --- recognised words ----------------------------------------------------------------------------------------------


class Model:
    """Pages of a model, by number."""

    def __init__(self, *pages: Page) -> None:
        self._pages = pages

    def __len__(self) -> int:
        return len(self._pages)

    def page(self, number: int) -> Page:
        return self._pages[number - 1]

    def __iter__(self) -> Iterator[Page]:
        return iter(self._pages)


def scanned_page(lines: list[list[str]]) -> tuple[bytes, Page]:
    """A page of letters without any text object, and its model as a recogniser would have made it."""
    from PIL import Image, ImageDraw, ImageFont
    from reportlab.lib.utils import ImageReader

    picture = Image.new("L", (1240, 1754), 255)
    pen, font = ImageDraw.Draw(picture), ImageFont.load_default(size=36)
    text = ""
    spans: list[Span] = []
    for row, line in enumerate(lines):
        x, y = 100.0, 150 + 80 * row
        for place, word in enumerate(line):
            pen.text((x, y), word, font=font, fill=0)
            left, top, right, bottom = (edge * 72 / 150 for edge in pen.textbbox((x, y), word, font=font))
            text += ("\n" if place == 0 else " ") if text else ""
            address = f"page#1o{len(spans)}"
            spans.append(Span(address, len(text), len(text) + len(word), Box(left, top, right, bottom), source="ocr"))
            text += word
            x += font.getlength(word) + 20

    def draw(board: canvas.Canvas) -> None:
        board.drawImage(ImageReader(picture), 0, 0, 595.2, 841.92)

    return drawn(draw, size=(595.2, 841.92)), Page(1, text, tuple(spans), 595.2, 841.92)


def redact_read(source: bytes, plan: RedactionPlan, page: Page) -> tuple[bytes, tuple[int, ...]]:
    assert FORMAT.redact_recognised is not None
    sink = MemorySink()
    result = FORMAT.redact_recognised(BytesSource(source), sink, plan, Model(page))
    return sink.getvalue(), result.rebuilt_pages


def test_recognised_words_that_stay_are_written_over_their_pixels() -> None:
    source, page = scanned_page([["Dear", *SECRET.split(), "and", *KEPT.split()], ["gypsum", "every", "Tuesday,"]])

    artifact, rebuilt = redact_read(source, plan_for(SECRET), page)

    assert rebuilt == (1,)
    assert holds(artifact, SECRET) == []
    lines = [line for line in pdftotext(artifact, "-layout").splitlines() if line.strip()]
    assert [" ".join(line.replace("[redacted]", " ").split()) for line in lines] == [
        f"Dear and {KEPT}",
        "gypsum every Tuesday,",
    ]
    placed = boxes_by_pdfium(artifact)
    for span in page.spans:
        word = page.text[span.start : span.end]
        if word not in SECRET.split():
            assert span.box is not None
            assert abs(placed[word][0][0] - span.box.x0) <= WITHIN
            assert abs(placed[word][0][2] - span.box.x1) <= WITHIN
    image = pdfium.PdfDocument(artifact)[0].render(scale=150 / 72).to_pil().convert("L")
    for span in page.spans[1:3]:
        assert span.box is not None
        inside = [round(edge * 150 / 72) for edge in (span.box.x0, span.box.y0, span.box.x1, span.box.y1)]
        assert image.crop((inside[0], inside[1], inside[2], inside[3])).getextrema() == (0, 0)


def test_a_misread_value_is_found_by_how_it_looks() -> None:
    source, page = scanned_page([["Card", "4539", "1488", "O343", "6467", "expires", "soon"]])

    artifact, rebuilt = redact_read(source, plan_for("4539 1488 0343 6467"), page)

    assert rebuilt == (1,)
    words = pdftotext(artifact).replace("[redacted]", " ").split()
    assert words == ["Card", "expires", "soon"]


def test_recognised_words_are_not_written_twice_over_a_hidden_layer() -> None:
    source, page = scanned_page([["Dear", *SECRET.split(), "and", *KEPT.split()]])
    with pikepdf.open(io.BytesIO(source)) as pdf:
        page_stream(pdf, b"")
        layer = b"BT 3 Tr /F1 17 Tf "
        for span in page.spans:
            assert span.box is not None
            word = page.text[span.start : span.end].encode()
            layer += b"1 0 0 1 %.2f %.2f Tm (%s) Tj " % (span.box.x0, 841.92 - span.box.y1, word)
        pdf.pages[0].contents_add(Stream(pdf, layer + b"ET"))
        source = saved(pdf)

    artifact, _ = redact_read(source, plan_for(SECRET), page)

    assert pdftotext(artifact).replace("[redacted]", " ").split() == ["Dear", "and", *KEPT.split()]


def test_a_softened_box_over_recognised_words_is_solid() -> None:
    source, page = scanned_page([["4539148803436467"]])
    box = page.spans[0].box
    assert box is not None

    artifact, _ = redact_read(source, RedactionPlan(regions=(RegionEdit(1, box, "blur"),)), page)

    image = pdfium.PdfDocument(artifact)[0].render(scale=150 / 72).to_pil().convert("L")
    inside = [round(edge * 150 / 72) for edge in (box.x0, box.y0, box.x1, box.y1)]
    assert image.crop((inside[0] + 1, inside[1] + 1, inside[2] - 1, inside[3] - 1)).getextrema() == (0, 0)
    assert pdftotext(artifact).split() == ["[redacted]"]


def test_pages_without_a_value_are_not_rebuilt_for_their_recognised_words() -> None:
    source, page = scanned_page([["Nothing", "here"]])

    _, rebuilt = redact_read(source, plan_for(SECRET), page)

    assert rebuilt == ()


# --- B07: the same page however it is turned, cut and scaled ----------------------------------------------------------


def variants() -> dict[str, Callable[[pikepdf.Pdf], None]]:
    def keys(**entries: object) -> Callable[[pikepdf.Pdf], None]:
        def change(pdf: pikepdf.Pdf) -> None:
            for key, value in entries.items():
                pdf.pages[0].obj[f"/{key}"] = value

        return change

    def inherited(pdf: pikepdf.Pdf) -> None:
        pdf.Root.Pages.MediaBox = pdf.pages[0].MediaBox
        pdf.Root.Pages.Rotate = 90
        del pdf.pages[0].obj["/MediaBox"]
        if "/Rotate" in pdf.pages[0].obj:
            del pdf.pages[0].obj["/Rotate"]

    def unbalanced(pdf: pikepdf.Pdf) -> None:
        pdf.pages[0].contents_add(Stream(pdf, b"q 0.9 0 0 0.9 20 30 cm"), prepend=True)

    return {
        "quarter": keys(Rotate=90),
        "half": keys(Rotate=180),
        "three quarters": keys(Rotate=270),
        "origin": keys(MediaBox=Array([-90, -60, 505, 782])),
        "crop": keys(CropBox=Array([30, 200, 560, 800])),
        "unit": keys(UserUnit=2),
        "inherited": inherited,
        "unbalanced": unbalanced,
    }


@pytest.mark.parametrize("variant", list(variants()))
def test_a_page_turned_cut_or_scaled_shows_the_same_box(variant: str) -> None:
    def draw(board: canvas.Canvas) -> None:
        board.setFont("Helvetica", 11)
        width = board.stringWidth(SECRET, "Helvetica", 11)
        board.drawString(120, 600, SECRET)
        board.drawString(120 + width + 11.3, 600, "Neighbour")
        board.drawString(120, 150, f"Outside says {SECRET} too")

    with pikepdf.open(io.BytesIO(drawn(draw))) as pdf:
        variants()[variant](pdf)
        source = saved(pdf)
    places = boxes_by_pdfium(source)
    plan = plan_for(SECRET)

    artifact, _ = redact(source, plan)

    gate(source, artifact, plan)
    assert holds(artifact, SECRET) == []
    after = boxes_by_pdfium(artifact)
    assert max(moved(places, {"Neighbour": after["Neighbour"]}, (0, 1, 2, 3))) <= WITHIN
    page = pdfium.PdfDocument(artifact)[0]
    image = page.render(scale=2).to_pil().convert("L")
    for word in SECRET.split():
        left, top, right, bottom = (round(2 * edge) for edge in places[word][0])
        assert image.crop((left, top, right, bottom)).getextrema() == (0, 0)
    left, top, right, bottom = (round(2 * edge) for edge in places["Neighbour"][0])
    assert image.crop((left, top, right, bottom)).getextrema()[1] > 200
    if variant == "crop":
        assert "Outside" not in pdftotext(artifact)


# --- B11: values broken over a line ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "first", "second", "kept"),
    [
        ("Nordlund", "wrote Nord-", "lund today", {"wrote", "today"}),
        ("Nordlund", "wrote Nord\u00ad", "lund today", {"wrote", "today"}),
        ("Greta Nordlund", "wrote Greta", "Nordlund today", {"wrote", "today"}),
        ("Smith-Jones", "wrote Smith-", "Jones today", {"wrote", "today"}),
        ("SE45 5000 0000 0583 9825 7466", "to SE45 5000 0000", "0583 9825 7466 now", {"to", "now"}),
        ("anna.berg@example.org", "mail anna.berg@", "example.org now", {"mail", "now"}),
    ],
)
def test_a_value_broken_over_a_line_goes_whole(value: str, first: str, second: str, kept: set[str]) -> None:
    def draw(board: canvas.Canvas) -> None:
        board.setFont("Times-Roman", 11)
        board.drawString(72, 700, first)
        board.drawString(72, 686, second)
        board.drawString(330, 700, "The other column")
        board.drawString(330, 686, "stays as it is")

    source = drawn(draw)
    plan = plan_for(value)

    artifact, _ = redact(source, plan)

    gate(source, artifact, plan)
    words = set(pdftotext(artifact).replace("[redacted]", " ").split())
    assert kept | {"The", "other", "column", "stays", "as", "it", "is"} == words
    pages, _ = extract(artifact)
    assert len(pages) == 1


@pytest.mark.parametrize("value", ["Type", "Font", "Identity", "Length", "Roman", "Filter"])
def test_a_word_of_the_standard_goes_from_the_page_and_not_from_the_file_s_own_names(value: str) -> None:
    source = drawn(lambda board: board.drawString(72, 700, f"Please keep {value} beside these words"), pages=2)
    plan = plan_for(value)

    artifact, _ = redact(source, plan)

    gate(source, artifact, plan)
    first, second = (page.text for page in extract(artifact)[0])
    assert first.split() == ["Please", "keep", "[redacted]", "beside", "these", "words"]
    assert second == extract(source)[0][1].text
