"""The page in a real browser: upload, review, export, open the artifact."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.web.site import LETTER, VALUE, Site

pytestmark = pytest.mark.browser


def _send(page: Any, folder: Path, name: str = "letter.txt", content: bytes = LETTER) -> None:
    file = folder / name
    file.write_bytes(content)
    page.goto("/")
    page.set_input_files("#files", str(file))
    page.wait_for_selector(".workspace")


def _export(page: Any, folder: Path) -> str:
    page.click("#export")
    page.click("#export-go")
    page.wait_for_selector("#export-done:not([hidden])", timeout=60_000)
    with page.expect_download() as started:
        page.click("#download")
    target = folder / "out"
    started.value.save_as(target)
    return target.read_text(encoding="utf-8")


def test_upload_accept_export_download_value_gone(page: Any, tmp_path: Path) -> None:
    _send(page, tmp_path)
    group = page.locator(".group", has_text=VALUE)
    assert "2 places" in group.inner_text()
    assert page.locator("mark.suggested", has_text=VALUE).count() == 2
    group.get_by_role("button", name="Accept").click()
    page.wait_for_selector("mark.accepted")
    assert page.locator("mark.accepted", has_text=VALUE).count() == 2
    content = _export(page, tmp_path)

    assert VALUE not in content
    assert "4111 1111 1111 1111" in content
    with page.expect_download() as report:
        page.click("#report")
    assert report.value.suggested_filename.endswith(".report.json")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_suggestion_says_why_and_how_sure_in_words(page: Any, tmp_path: Path, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": 390, "height": 800})
    _send(page, tmp_path)
    card = page.locator(".group", has=page.locator(".group-value", has_text="4111 1111 1111 1111"))
    reason = card.locator(".reason")
    assert reason.inner_text() == "Card number: passes its check digit"
    assert "1 place, page 1 · certain" in card.inner_text()
    assert "%" not in page.locator("#groups").inner_text()
    name = card.locator(".group-value").bounding_box()
    box = reason.bounding_box()
    assert box["y"] >= name["y"] + name["height"]
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_keyboard_alone_decides(page: Any, tmp_path: Path) -> None:
    from playwright.sync_api import expect

    _send(page, tmp_path)
    page.locator(".group").nth(2).wait_for()
    total = page.locator(".group").count()
    page.keyboard.press("n")
    page.keyboard.press("a")
    expect(page.locator(".group")).to_have_count(total - 1)
    page.keyboard.press("x")
    expect(page.locator(".group")).to_have_count(total - 2)
    assert page.evaluate("document.activeElement.classList.contains('group')")
    page.get_by_role("button", name="Ignored").click()
    assert page.locator(".group").count() == 1
    page.locator(".group").get_by_role("button", name="Undo").click()
    page.wait_for_selector("#groups .none")


def test_accept_a_whole_category_and_add_by_hand(page: Any, tmp_path: Path) -> None:
    _send(page, tmp_path)
    page.get_by_role("button", name="Accept all 2 places of email").click()
    page.wait_for_selector("mark.accepted")
    page.fill("#value", "registry")
    page.press("#value", "Enter")
    page.wait_for_selector("mark.accepted:has-text('registry')")
    # Select text behind an astral character with the mouse's own selection, then press r.
    page.evaluate(
        """() => {
          document.activeElement.blur();
          const walker = document.createTreeWalker(document.getElementById('text'), NodeFilter.SHOW_TEXT);
          let node;
          while ((node = walker.nextNode())) {
            const at = node.data.indexOf('Kind regards');
            if (at >= 0) {
              const range = document.createRange();
              range.setStart(node, at);
              range.setEnd(node, at + 12);
              getSelection().removeAllRanges();
              getSelection().addRange(range);
              return;
            }
          }
        }"""
    )
    page.wait_for_selector("#selection:not([hidden])")
    page.keyboard.press("r")
    page.wait_for_selector("mark.accepted:has-text('Kind regards')")
    content = _export(page, tmp_path)

    assert VALUE not in content
    assert "registry" not in content
    assert "Kind regards" not in content
    assert "🌍" in content


def test_a_reload_comes_back_to_the_same_place_and_delete_can_be_taken_back_before_it_is_done(
    page: Any, tmp_path: Path
) -> None:
    _send(page, tmp_path)
    page.reload()
    page.wait_for_selector(".workspace")
    page.click(".back")
    assert page.url.endswith("/documents")
    button = page.get_by_role("button", name="Delete letter.txt")
    button.click()
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Delete letter.txt"
    button.click()
    page.get_by_role("button", name="Keep").click()
    assert page.locator(".document").count() == 1
    button.click()
    page.get_by_role("button", name="Delete now").click()
    page.wait_for_selector("#empty:not([hidden])")


def test_a_refused_file_says_why(page: Any, tmp_path: Path) -> None:
    file = tmp_path / "program.txt"
    file.write_bytes(b"\x7fELF\x02\x01\x01" + bytes(300))
    page.goto("/")
    page.set_input_files("#files", str(file))
    page.wait_for_selector(".working.failed")
    assert "not modified" in page.inner_text("#stage")
    assert page.locator("#retry").count() == 0


def test_everything_has_a_name_and_fits_a_phone(page: Any, tmp_path: Path) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    _send(page, tmp_path)
    nameless = page.evaluate(
        """() => [...document.querySelectorAll('button, input, select, a[href], [tabindex="0"]')]
          .filter((element) => element.offsetParent !== null)
          .filter((element) => !(element.getAttribute('aria-label') || element.getAttribute('aria-labelledby')
            || element.innerText?.trim() || element.labels?.length || element.title))
          .map((element) => element.outerHTML)"""
    )
    assert nameless == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.goto("/")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_going_back_closes_the_export_dialog(page: Any, tmp_path: Path) -> None:
    _send(page, tmp_path)
    page.click("#export")
    page.wait_for_selector("#export-dialog[open]")
    page.go_back()
    page.wait_for_selector("#home")

    assert page.locator("#export-dialog[open]").count() == 0


def test_a_value_that_was_found_is_accepted_as_it_is_and_the_list_stays(page: Any, tmp_path: Path) -> None:
    _send(page, tmp_path)
    left = page.locator(".group").count()
    page.fill("#value", VALUE)
    page.press("#value", "Enter")
    page.wait_for_selector("#said:not([hidden])")

    assert page.inner_text("#said") == "2 places accepted"
    assert page.get_attribute(".tab[data-filter=suggested]", "aria-pressed") == "true"
    assert page.locator(".group").count() == left - 1
    page.click(".tab[data-filter=accepted]")
    assert page.locator("#groups h3").all_inner_texts() == ["Email"] or page.inner_text("#groups h3") == "email"


def test_everything_left_is_accepted_at_a_second_press(page: Any, tmp_path: Path) -> None:
    _send(page, tmp_path)
    page.click(".everything")
    assert "Press again" in page.inner_text(".everything")
    assert page.locator("mark.accepted").count() == 0
    page.click(".everything")
    page.wait_for_selector("#groups .none")
    assert page.locator("mark.suggested").count() == 0


def test_a_refused_export_says_which_check_failed_and_what_to_do(site: Site, page: Any, tmp_path: Path) -> None:
    refused = {
        "error": "Refused.",
        "code": "verification-failed",
        "retryable": False,
        "check": "survivor",
        "survivors": 3,
    }
    _send(page, tmp_path)
    # As the API answers (tests/web/test_problems.py); a status of 200 would be a success, 500 a line in the console.
    page.evaluate(
        """(answer) => {
          const real = window.fetch;
          const refusal = () => Promise.resolve(new Response(JSON.stringify(answer), { status: 500 }));
          window.fetch = (path, options) => (String(path).endsWith('/export') ? refusal() : real(path, options));
        }""",
        refused,
    )
    page.click("#export")
    page.click("#export-go")
    page.wait_for_selector("#export-failed:not([hidden])")
    said = page.inner_text("#export-failed")

    assert "3 findings" in said
    assert "survivor" in said
    assert page.url.rsplit("/", 1)[-1] in said


def test_on_a_phone_the_list_flows_with_the_page(page: Any, tmp_path: Path) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    _send(page, tmp_path, content=LETTER + b"".join(b"Mail to person%d@example.org\n" % n for n in range(30)))

    assert page.evaluate(
        "(() => { const g = document.getElementById('groups'); return g.scrollHeight <= g.clientHeight + 1; })()"
    )


def test_the_picture_of_a_page_shows_the_marks_where_the_values_stand(page: Any, chromium: Any, tmp_path: Path) -> None:
    printer = chromium.new_page()
    printer.set_content(f"<p style='margin:100px 0 0 50px'>Please write to {VALUE} today</p>")
    content = printer.pdf()
    printer.close()
    _send(page, tmp_path, "letter.pdf", content)
    page.click("#picture")
    page.wait_for_selector(".picture rect")
    page.wait_for_load_state("networkidle")
    mark = page.locator(".picture rect.suggested")
    assert mark.count() == 1
    box, picture = mark.bounding_box(), page.locator(".picture img").bounding_box()
    # 'Please write to ' comes before the value, ' today' after it.
    assert 0.1 < (box["x"] - picture["x"]) / picture["width"] < 0.35
    assert 0.05 < (box["y"] - picture["y"]) / picture["height"] < 0.2

    page.locator(".group", has_text=VALUE).get_by_role("button", name="Accept").click()
    page.wait_for_selector(".picture rect.accepted")


def test_a_scan_opens_as_its_picture_with_marks_on_the_pixels(page: Any, tmp_path: Path) -> None:
    from PIL import Image, ImageDraw, ImageFont

    picture = Image.new("L", (900, 300), 255)
    ImageDraw.Draw(picture).text((60, 100), f"Please write to {VALUE} today", font=ImageFont.load_default(30), fill=0)
    file = tmp_path / "scan.png"
    picture.save(file)
    page.goto("/")
    page.set_input_files("#files", str(file))
    page.wait_for_selector(".workspace", timeout=120_000)

    page.wait_for_selector(".picture rect.suggested")
    assert page.get_attribute("#picture", "aria-pressed") == "true"
    page.click("#picture")
    assert VALUE in page.inner_text("#text")
