"""Many documents in a real browser: a folder with a mailbox in it, one decision, one export."""

from __future__ import annotations

import io
import mailbox
import re
import zipfile
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

VALUE = "Petronella Vandersteen"
KEPT = "the harbour bridge"
MESSAGES = 12


def _message(number: int) -> EmailMessage:
    message = EmailMessage()
    message["From"] = f"{VALUE} <office{number}@example.org>"
    message["To"] = "registry@example.org"
    message["Subject"] = f"Letter {number} about {KEPT}"
    message["Date"] = "Tue, 03 Nov 2026 09:00:00 +0000"
    message["Message-ID"] = f"<{number}@example.org>"
    message.set_content(f"Dear registry,\n\n{VALUE} writes about {KEPT}, letter {number}.\n")
    return message


def _mailbox() -> bytes:
    parts = [
        b"From office@example.org Tue Nov  3 09:00:00 2026\n" + bytes(_message(number)) + b"\n"
        for number in range(1, MESSAGES + 1)
    ]
    return b"".join(parts)


def _folder(where: Path) -> Path:
    folder = where / "case"
    folder.mkdir()
    (folder / "letter.txt").write_text(f"{VALUE} lives near {KEPT}.\n")
    (folder / "notes.md").write_text(f"# Notes\n\nCall {VALUE} about {KEPT}.\n")
    (folder / "people.csv").write_text(f"name,place\n{VALUE},{KEPT}\nNobody,elsewhere\n")
    (folder / "letters.mbox").write_bytes(_mailbox())
    return folder


def _send(page: Any, folder: Path, documents: int) -> None:
    page.goto("/")
    page.set_input_files("#folder", str(folder))
    page.wait_for_selector("#batch")
    assert re.search(r"/batches/[0-9a-f]{32}$", page.url)
    _settled(page, documents)


def _settled(page: Any, documents: int) -> None:
    """Wait until every document has been read."""
    expect(page.locator("#batch-tabs .tab[data-show=all]")).to_have_attribute(
        "data-count", str(documents), timeout=90_000
    )
    expect(page.locator(".legend .is-working, .legend .is-arriving")).to_have_count(0, timeout=90_000)


def _redact_everywhere(page: Any, value: str) -> None:
    page.fill("#rule-value", value)
    page.press("#rule-value", "Enter")
    page.wait_for_selector(f"#rules li:has-text('{value}')")


def _export(page: Any) -> None:
    page.click("#batch-export-go")
    page.wait_for_selector("#batch-downloads:not([hidden])", timeout=120_000)


def _download(page: Any, shape: str) -> zipfile.ZipFile:
    with page.expect_download() as started:
        page.click(f"#get-{shape}")
    return zipfile.ZipFile(io.BytesIO(Path(started.value.path()).read_bytes()))


def _text(message: Any) -> str:
    headers = "\n".join(str(value) for value in message.values())
    return headers + "".join(str(part.get_payload(decode=True), "utf-8") for part in message.walk())


def test_a_folder_with_a_mailbox_one_rule_one_export_and_the_value_is_gone(page: Any, tmp_path: Path) -> None:
    _send(page, _folder(tmp_path), documents=4 + MESSAGES)
    expect(page.locator("#batch-list .deep-1")).to_have_count(MESSAGES)
    _redact_everywhere(page, VALUE)
    expect(page.locator("#batch-said")).to_contain_text(f"{3 + MESSAGES} documents")
    page.select_option("#accept-category", "email")
    expect(page.locator("#accept")).to_be_enabled()
    expect(page.locator("#accept")).to_contain_text(re.compile(r"\d"))
    page.click("#accept")
    expect(page.locator("#accept")).to_contain_text("Press again")
    page.click("#accept")
    expect(page.locator("#batch-said")).to_contain_text("accepted")
    _export(page)
    archive = _download(page, "original")

    names = [name for name in archive.namelist() if not name.endswith("/") and "batch-report" not in name]
    assert len(names) == 4
    content = {Path(name).suffix: archive.read(name) for name in names}
    for suffix, kept in ((".txt", KEPT), (".md", KEPT), (".csv", "Nobody")):
        assert VALUE not in content[suffix].decode()
        assert kept in content[suffix].decode()
    rebuilt = tmp_path / "rebuilt.mbox"
    rebuilt.write_bytes(content[".mbox"])
    messages = list(mailbox.mbox(str(rebuilt)))
    assert len(messages) == MESSAGES
    for message in messages:
        assert "Vandersteen" not in _text(message)
        assert "@example.org" not in _text(message)
        assert KEPT in _text(message)

    apart = _download(page, "processed")
    assert sum(name.endswith(".eml") for name in apart.namelist()) == MESSAGES


def test_a_file_that_is_not_taken_is_named_with_the_reason(page: Any, tmp_path: Path) -> None:
    folder = tmp_path / "case"
    folder.mkdir()
    (folder / "letter.txt").write_text(f"{VALUE} lives near {KEPT}.\n")
    (folder / "empty.txt").write_bytes(b"")
    (folder / "program.txt").write_bytes(b"\x7fELF\x02\x01\x01" + bytes(300))
    page.goto("/")
    page.set_input_files("#folder", str(folder))
    page.wait_for_selector("#sending-close")

    named = page.inner_text("#sending-files")
    assert "case/empty.txt" in named
    assert "letter" not in named
    assert len(named.splitlines()) == 2  # the file, and why
    page.click("#sending-close")
    expect(page.locator("#sending")).to_be_hidden()
    page.click("#documents .document-name a")
    _settled(page, 2)
    page.click("#batch-tabs .tab[data-show=failed]")
    expect(page.locator("#batch-list .failed-line")).to_have_count(1)
    assert "program.txt" in page.inner_text("#batch-list")
    assert "not modified" in page.inner_text("#batch-list .failed-line")


def test_a_reload_in_the_middle_of_the_export_joins_it_again_and_a_left_out_document_is_named(
    page: Any, tmp_path: Path
) -> None:
    folder = _folder(tmp_path)
    (folder / "program.txt").write_bytes(b"\x7fELF\x02\x01\x01" + bytes(300))
    _send(page, folder, documents=5 + MESSAGES)
    page.click("#batch-export-go")
    page.wait_for_selector("#batch-export-run:not([hidden])")
    page.reload()
    page.wait_for_selector("#batch-downloads:not([hidden])", timeout=120_000)

    expect(page.locator("#batch-left-files")).to_contain_text("program.txt")
    assert len(page.inner_text("#batch-left-files li").splitlines()) == 2  # the file, and why


def test_a_folder_that_is_dropped_is_sent_with_what_lies_deeper_in_it(page: Any, tmp_path: Path) -> None:
    folder = tmp_path / "case"
    (folder / "deeper").mkdir(parents=True)
    (folder / "letter.txt").write_text(f"{VALUE} lives near {KEPT}.\n")
    (folder / "deeper" / "note.txt").write_text(f"{VALUE} lives near {KEPT}.\n")
    (folder / ".DS_Store").write_bytes(bytes(20))
    page.goto("/")
    box = page.locator("#drop").bounding_box()
    place = {"x": box["x"] + 20, "y": box["y"] + 20}
    data = {"items": [], "files": [str(folder)], "dragOperationsMask": 1}
    browser = page.context.new_cdp_session(page)
    for kind in ("dragEnter", "dragOver", "drop"):
        browser.send("Input.dispatchDragEvent", {"type": kind, **place, "data": data})
    page.wait_for_selector("#sending-close")
    assert ".DS_Store" in page.inner_text("#sending-files")
    page.click("#documents .document-name a")
    _settled(page, 2)

    shown = page.inner_text("#batch-list")
    assert "letter.txt" in shown
    assert "note.txt" in shown


def test_an_export_that_is_stopped_keeps_what_was_finished(page: Any, tmp_path: Path) -> None:
    folder = tmp_path / "case"
    folder.mkdir()
    for number in range(60):
        (folder / f"letter{number}.txt").write_text(f"{VALUE} wrote letter {number} about {KEPT}.\n")
    _send(page, folder, documents=60)
    # Pressed by the page itself at the first finished document: small ones are quicker than a test's hand.
    page.evaluate(
        """() => new MutationObserver((_, watching) => {
          const stop = document.getElementById('batch-export-stop');
          if (stop.offsetParent === null || !document.querySelector('#batch-export-bar .is-exported')) return;
          watching.disconnect();
          stop.click();
        }).observe(document.getElementById('batch-export-run'), { subtree: true, childList: true, attributes: true })"""
    )
    page.click("#batch-export-go")
    expect(page.locator("#batch-export-stage")).to_contain_text("Stopped", timeout=60_000)

    page.locator("#batch-left-files li").first.wait_for(state="attached")
    left = page.locator("#batch-left-files li").count()
    assert 0 < left < 60
    archive = _download(page, "processed")
    assert sum(name.endswith(".txt") for name in archive.namelist()) == 60 - left


def test_a_document_leads_back_to_its_batch_and_a_message_lists_its_attachments(page: Any, tmp_path: Path) -> None:
    message = _message(1)
    message.add_attachment(f"{VALUE} lives near {KEPT}.\n", filename="address.txt")
    file = tmp_path / "message.eml"
    file.write_bytes(bytes(message))
    page.goto("/")
    page.set_input_files("#files", str(file))
    page.wait_for_selector(".workspace")
    page.click(".cards-fold:has-text('1 attachment')")
    page.click(".enclosed a:has-text('address.txt')")
    page.click(".cards-fold:has-text('in message.eml')")
    page.wait_for_selector(".trail a:has-text('message.eml')")
    page.click(".back")
    page.wait_for_selector("#batch")

    expect(page.locator("#batch-list .deep-1")).to_have_count(1)


def test_the_batch_fits_a_phone_and_everything_on_it_has_a_name(page: Any, tmp_path: Path) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    _send(page, _folder(tmp_path), documents=4 + MESSAGES)
    _redact_everywhere(page, VALUE + "x" * 60)
    nameless = page.evaluate(
        """() => [...document.querySelectorAll('button, input, select, a[href], [tabindex="0"]')]
          .filter((element) => element.offsetParent !== null)
          .filter((element) => !(element.getAttribute('aria-label') || element.getAttribute('aria-labelledby')
            || element.innerText?.trim() || element.labels?.length || element.title))
          .map((element) => element.outerHTML)"""
    )

    assert nameless == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
