"""The whole job as a person does it: choose a file, decide in the review, export, download; judged independently."""

from __future__ import annotations

import mailbox
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.desk import check, ready, save_export, send, standing, take_up, wait_counts
from tests.web.site import LETTER, VALUE

pytestmark = pytest.mark.browser

CARD = "4111 1111 1111 1111"
PHONE = "+44 20 7946 0958"
NAME = "Petronella Vandersteen"


@pytest.fixture
def expected() -> list[str]:
    return ["ERR_INTERNET_DISCONNECTED", "ERR_FAILED"]


def test_a_pdf_by_the_keys_alone_with_a_reload_in_the_middle(
    page: Any, printed: Callable[[str], bytes], tmp_path: Path
) -> None:
    file = tmp_path / "letter.pdf"
    file.write_bytes(printed(f"<p>Please write to {VALUE}.</p><p>Card {CARD}, phone {PHONE}.</p>"))
    send(page, file)
    wait_counts(page, suggested=3, accepted=0, rejected=0)
    page.keyboard.press("a")
    page.keyboard.press("a")
    wait_counts(page, suggested=1, accepted=2, rejected=0)
    page.reload()
    ready(page)
    wait_counts(page, suggested=1, accepted=2, rejected=0)
    page.keyboard.press("x")
    wait_counts(page, suggested=0, accepted=2, rejected=1)

    assert standing(page, "accepted") == {(VALUE, "email"), (CARD, "financial")}
    check(save_export(page, tmp_path), file, "pdf", [VALUE, CARD])


def test_a_scan_with_a_value_found_and_a_region_drawn(page: Any, tmp_path: Path) -> None:
    from PIL import Image, ImageDraw, ImageFont

    picture = Image.new("L", (1000, 420), 255)
    draw = ImageDraw.Draw(picture)
    draw.text((60, 100), f"Please write to {VALUE} today", font=ImageFont.load_default(30), fill=0)
    draw.text((60, 260), "Quillfeather", font=ImageFont.load_default(44), fill=0)
    file = tmp_path / "scan.pdf"
    picture.save(file, resolution=150)
    send(page, file)
    page.wait_for_selector(".picture rect.suggested")
    page.keyboard.press("a")
    page.wait_for_selector(".picture rect.accepted")
    frame = page.locator(".picture svg").bounding_box()

    def at(x: float, y: float) -> tuple[float, float]:
        return frame["x"] + frame["width"] * x / 1000, frame["y"] + frame["height"] * y / 420

    page.get_by_role("button", name="Draw").click()
    page.mouse.move(*at(40, 245))
    page.mouse.down()
    page.mouse.move(*at(400, 325), steps=4)
    page.mouse.up()
    page.wait_for_selector(".choice-bar")
    page.keyboard.press("r")
    expect(page.locator(".picture rect.accepted")).to_have_count(2)

    check(save_export(page, tmp_path), file, "pdf", [VALUE, "Quillfeather"], ocr="all")


def test_a_word_file_with_a_value_typed_by_hand_and_a_selection(page: Any, tmp_path: Path) -> None:
    from docx import Document

    document = Document()
    document.add_heading("Visit to the harbour", 1)
    document.add_paragraph(f"The mail address is {VALUE}.")
    document.add_paragraph("It was agreed with Zephyrine that the matter is closed.")
    document.add_paragraph("Oxbowlantern is what both sides call it. Keep this sentence.")
    file = tmp_path / "note.docx"
    document.save(str(file))
    send(page, file)
    take_up(page, VALUE)
    page.keyboard.press("a")
    page.wait_for_selector("mark.accepted")
    page.keyboard.press("i")
    expect(page.locator("#by-hand-value")).to_be_focused()
    page.keyboard.type("Zephyrine")
    page.keyboard.press("Enter")
    page.wait_for_selector("mark.accepted:has-text('Zephyrine')")
    page.keyboard.press("Escape")
    page.locator(".flow").get_by_text("Oxbowlantern is").dblclick(position={"x": 20, "y": 10})
    page.wait_for_selector(".choice-bar")
    expect(page.locator(".choice-what")).to_have_text("Oxbowlantern")
    page.keyboard.press("e")
    page.wait_for_selector("mark.accepted:has-text('Oxbowlantern')")

    artifact = save_export(page, tmp_path)
    check(artifact, file, "docx", [VALUE, "Zephyrine", "Oxbowlantern"])
    assert "Keep this sentence." in Document(str(artifact)).paragraphs[-1].text


def test_a_sheet_with_a_whole_column_accepted(page: Any, tmp_path: Path) -> None:
    import openpyxl  # type: ignore[import-untyped]  # it has no stubs

    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(["Case", "Remark", "Place"])
    remarks = [f"remark of {word}" for word in ("Aldwinter", "Brackenbury", "Corrigende", "Dunmallow")]
    for number, remark in enumerate(remarks, 1):
        sheet.append([number, remark, "the harbour"])
    file = tmp_path / "cases.xlsx"
    book.save(file)
    send(page, file)
    page.locator('[role=columnheader][data-column="2"] .letter').click()
    expect(page.locator(".choice-what")).to_have_text("Column B, Remark")
    page.keyboard.press("r")
    expect(page.locator('[role=columnheader][data-column="2"].accepted')).to_have_count(1)

    page.keyboard.press("2")
    expect(page.locator("[role=grid] .of-hand")).to_have_count(4)  # the column is in hand, its header is not
    artifact = save_export(page, tmp_path)
    check(artifact, file, "xlsx", remarks)
    rows = list(openpyxl.load_workbook(artifact).active.iter_rows(values_only=True))
    assert [row[0] for row in rows[1:]] == [1, 2, 3, 4]
    assert {row[2] for row in rows[1:]} == {"the harbour"}


def _message(number: int) -> EmailMessage:
    message = EmailMessage()
    message["From"] = f"{NAME} <office{number}@example.org>"
    message["To"] = "registry@example.org"
    message["Subject"] = f"Letter {number} about the harbour"
    message["Date"] = "Tue, 03 Nov 2026 09:00:00 +0000"
    message["Message-ID"] = f"<{number}@example.org>"
    message.set_content(f"Dear registry,\n\n{NAME} writes, call {PHONE}. Letter {number}.\n")
    return message


def test_a_message_and_its_attachments_are_one_job(page: Any, tmp_path: Path) -> None:
    message = _message(1)
    message.add_attachment(f"Also {NAME} and the card {CARD}.\n", filename="address.txt")
    message.add_attachment(f"name,card\n{NAME},{CARD}\n".encode(), "text", "csv", filename="people.csv")
    file = tmp_path / "message.eml"
    file.write_bytes(bytes(message))
    send(page, file)
    here = page.url
    page.keyboard.press("i")
    expect(page.locator("#by-hand-value")).to_be_focused()
    page.keyboard.type(NAME)
    page.keyboard.press("Enter")
    page.wait_for_selector(f"mark.accepted:has-text('{NAME}')")
    page.click(".cards-fold")
    page.click(".enclosed a:has-text('address.txt')")
    ready(page)
    take_up(page, CARD)
    page.keyboard.press("a")
    page.wait_for_selector(f"mark.accepted:has-text('{CARD}')")
    page.goto(here)
    ready(page)

    artifact = save_export(page, tmp_path)
    check(artifact, file, "eml", [NAME, CARD])
    assert PHONE in artifact.read_text(encoding="utf-8")


def test_a_mailbox_through_its_batch(page: Any, tmp_path: Path) -> None:
    file = tmp_path / "letters.mbox"
    file.write_bytes(
        b"".join(b"From office@example.org Tue Nov  3 09:00:00 2026\n" + bytes(_message(n)) + b"\n" for n in (1, 2, 3))
    )
    page.goto("/")
    page.set_input_files("#files", str(file))
    page.wait_for_selector("#batch", timeout=60_000)
    expect(page.locator("#batch-list .deep-1 .status.ready")).to_have_count(3, timeout=90_000)
    page.locator("#batch-list .deep-1 a").first.click()
    ready(page)
    first = page.url
    page.keyboard.press("N")
    page.wait_for_url(lambda url: url != first)
    ready(page)
    take_up(page, PHONE)
    page.keyboard.press("w")
    page.wait_for_selector("[data-act=b] .reach:has-text('3 documents')")
    page.keyboard.press("b")
    page.wait_for_selector("dialog", state="detached")
    page.click(".back")
    page.fill("#rule-value", NAME)
    page.press("#rule-value", "Enter")
    page.wait_for_selector(f"#rules li:has-text('{NAME}')")
    page.click("#batch-export-go")
    page.wait_for_selector("#batch-downloads:not([hidden])", timeout=120_000)
    with page.expect_download() as started:
        page.click("#get-original")
    artifact = tmp_path / "rebuilt.mbox"
    started.value.save_as(artifact)

    check(artifact, file, "mbox", [NAME, PHONE])
    assert len(mailbox.mbox(str(artifact))) == 3


def test_a_run_goes_on_through_a_lost_connection_and_a_reload(page: Any, tmp_path: Path) -> None:
    file = tmp_path / "long.txt"
    file.write_bytes(LETTER + "".join(f"Mrs Ada Fairweather{n} came on 3 May.\n" for n in range(1500)).encode())
    page.goto("/")
    page.set_input_files("#files", str(file))
    page.wait_for_selector("#stage")
    page.route("**/stream*", lambda route: route.abort())  # being offline does not end a stream that is open
    page.reload()
    page.wait_for_selector("#stage")
    page.context.set_offline(True)
    expect(page.locator(".processing-notes")).to_contain_text("The connection is lost")
    page.unroute("**/stream*")
    page.context.set_offline(False)
    ready(page)

    take_up(page, CARD)
