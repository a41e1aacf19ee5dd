"""The page in a real browser: upload, review, export, open the artifact."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.acts import accept, add_by_hand, export, first_listed, select, send, value
from tests.web.site import LETTER, VALUE, Site

pytestmark = pytest.mark.browser


def test_upload_accept_export_download_value_gone(page: Any, tmp_path: Path) -> None:
    send(page, tmp_path)
    assert "2 places" in value(page, VALUE).inner_text()
    expect(page.locator("mark.suggested", has_text=VALUE)).to_have_count(2)
    accept(page, VALUE)
    expect(page.locator("mark.accepted", has_text=VALUE)).to_have_count(2)
    content = export(page, tmp_path).read_text(encoding="utf-8")

    assert VALUE not in content
    assert "4111 1111 1111 1111" in content
    with page.expect_download() as report:
        page.locator("dialog .artifact").get_by_role("link", name="Report").click()
    assert report.value.suggested_filename.endswith(".report.json")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_suggestion_says_why_and_how_sure_in_words(page: Any, tmp_path: Path, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": 390, "height": 800})
    send(page, tmp_path)
    card = value(page, "4111 1111 1111 1111")
    reason = card.locator(".value-why")
    assert reason.inner_text() == "Card number: passes its check digit"
    assert "page 1 · financial · certain" in card.inner_text()
    assert "%" not in page.locator(".values").inner_text()
    name, box = card.locator(".value-name").bounding_box(), reason.bounding_box()
    assert box["y"] >= name["y"] + name["height"]
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_keyboard_alone_decides(page: Any, tmp_path: Path) -> None:
    send(page, tmp_path)
    total = page.locator(".value").count()
    assert total >= 3
    second = page.locator(".value-name").nth(1).inner_text()
    page.keyboard.press("a")
    expect(page.locator(".value")).to_have_count(total - 1)
    assert first_listed(page).locator(".value-name").inner_text() == second
    page.keyboard.press("x")
    expect(page.locator(".value")).to_have_count(total - 2)
    expect(page.locator(".value:focus")).to_have_count(1)
    expect(page.locator("#decided")).to_have_text(f"2 of {total} decided")
    page.keyboard.press("3")
    expect(page.locator(".value")).to_have_count(1)
    page.keyboard.press("u")
    page.wait_for_selector(".values .none")
    page.keyboard.press("z")
    expect(page.locator(".value")).to_have_count(1)


def test_accept_a_whole_category_and_add_by_hand(page: Any, tmp_path: Path) -> None:
    send(page, tmp_path)
    page.select_option("#filter-category", "email")
    expect(page.locator(".value")).to_have_count(1)
    page.keyboard.press("Escape")
    page.keyboard.press("A")
    page.get_by_role("heading", name="Accept 1 value at 2 places that the filters show?").wait_for()
    assert page.locator("mark.accepted").count() == 0
    page.keyboard.press("Enter")
    page.wait_for_selector("mark.accepted")
    add_by_hand(page, "registry")
    page.wait_for_selector("mark.accepted:has-text('registry')")
    # Behind an astral character: the server counts code points, the browser does not.
    select(page, "Kind regards")
    page.keyboard.press("r")
    page.wait_for_selector("mark.accepted:has-text('Kind regards')")
    content = export(page, tmp_path).read_text(encoding="utf-8")

    assert VALUE not in content
    assert "registry" not in content
    assert "Kind regards" not in content
    assert "🌍" in content


def test_a_reload_comes_back_to_the_same_place_and_delete_can_be_taken_back_before_it_is_done(
    page: Any, tmp_path: Path
) -> None:
    send(page, tmp_path)
    page.reload()
    page.wait_for_selector(".workspace")
    page.click(".back")
    page.wait_for_selector(".document")
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
    send(page, tmp_path)
    nameless = page.evaluate(
        """() => [...document.querySelectorAll('button, input, select, a[href], [tabindex="0"]')]
          .filter((element) => element.offsetParent !== null)
          .filter((element) => !(element.getAttribute('aria-label') || element.getAttribute('aria-labelledby')
            || element.innerText?.trim() || element.labels?.length || element.title))
          .map((element) => element.outerHTML)"""
    )
    assert nameless == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name="Document", exact=True).click()
    page.locator("mark.suggested", has_text=VALUE).first.wait_for()
    page.goto("/")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_going_back_leaves_the_export_dialog_behind(page: Any, tmp_path: Path) -> None:
    send(page, tmp_path)
    page.get_by_role("button", name="Export…").click()
    page.wait_for_selector("dialog[open]")
    page.go_back()
    page.wait_for_selector("#drop")

    assert page.locator("dialog[open]").count() == 0


def test_a_value_that_was_found_is_accepted_as_it_is_and_the_list_stays(page: Any, tmp_path: Path) -> None:
    send(page, tmp_path)
    left = page.locator(".value").count()
    add_by_hand(page, VALUE)
    expect(page.locator(".value")).to_have_count(left - 1)
    expect(page.locator("#said")).to_have_text("Redacted at 2 places.")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Accepted").click()
    expect(page.locator(".value")).to_have_count(1)
    assert "email" in page.inner_text(".value")


def test_a_refused_export_says_which_check_failed_and_what_to_do(page: Any, tmp_path: Path) -> None:
    refused = {
        "error": "Refused.",
        "code": "verification-failed",
        "retryable": False,
        "check": "survivor",
        "survivors": 3,
    }
    send(page, tmp_path)
    # As the API answers (tests/web/test_problems.py); a status of 200 would be a success, 500 a line in the console.
    page.evaluate(
        """(answer) => {
          const real = window.fetch;
          const refusal = () => Promise.resolve(new Response(JSON.stringify(answer), { status: 500 }));
          window.fetch = (path, options) => (String(path).endsWith('/export') ? refusal() : real(path, options));
        }""",
        refused,
    )
    page.get_by_role("button", name="Export…").click()
    page.click("#export-go")
    page.wait_for_selector(".refusal")
    said = page.inner_text(".refusal")

    assert "3 findings" in said
    assert "survivor" in said
    assert page.url.rsplit("/", 1)[-1] in said


def test_a_word_is_chosen_by_one_click_and_everything_else_can_be_taken_instead(page: Any, tmp_path: Path) -> None:
    send(page, tmp_path, content=b"Keep this sentence.\nEverything else is nobody's business.\nNot even this.\n")
    select(page, "Keep this sentence.")
    page.keyboard.press("K")
    page.get_by_role("button", name="Keep only this").click()
    page.wait_for_selector("mark.accepted:has-text('Not even this')")
    page.keyboard.press("z")
    page.wait_for_selector("mark.accepted", state="detached")
    page.keyboard.press("Z")
    page.wait_for_selector("mark.accepted:has-text('Not even this')")
    content = export(page, tmp_path).read_text(encoding="utf-8")

    assert "Keep this sentence." in content
    assert "business" not in content
    assert "even" not in content


def test_before_and_after_stand_side_by_side(page: Any, tmp_path: Path) -> None:
    send(page, tmp_path)
    accept(page, VALUE)
    export(page, tmp_path)
    page.click("#export-compare")
    before, after = page.locator(".side-body").nth(0), page.locator(".side-body").nth(1)
    after.locator("mark.now").first.wait_for()
    assert VALUE in before.inner_text()
    assert VALUE not in after.inner_text()
    assert "2 lines differ on this page" in page.inner_text(".compare-head")


def test_the_picture_of_a_page_shows_the_marks_where_the_values_stand(page: Any, chromium: Any, tmp_path: Path) -> None:
    printer = chromium.new_page()
    printer.set_content(f"<p style='margin:100px 0 0 50px'>Please write to {VALUE} today</p>")
    content = printer.pdf()
    printer.close()
    send(page, tmp_path, "letter.pdf", content)
    page.wait_for_selector(".picture rect")
    page.wait_for_load_state("networkidle")
    mark = page.locator(".picture rect.suggested")
    expect(mark).to_have_count(1)
    box, picture = mark.bounding_box(), page.locator(".picture img").bounding_box()
    # 'Please write to ' comes before the value, ' today' after it.
    assert 0.1 < (box["x"] - picture["x"]) / picture["width"] < 0.35
    assert 0.05 < (box["y"] - picture["y"]) / picture["height"] < 0.2
    accept(page, VALUE)
    page.wait_for_selector(".picture rect.accepted")
    page.keyboard.press("v")
    page.wait_for_selector("mark.accepted")

    # A region is drawn where nothing is written.
    page.keyboard.press("v")
    page.wait_for_selector(".picture svg")
    frame = page.locator(".picture svg").bounding_box()
    page.mouse.move(frame["x"] + 200, frame["y"] + 300)
    page.mouse.down()
    page.mouse.move(frame["x"] + 300, frame["y"] + 360, steps=4)
    page.mouse.up()
    page.wait_for_selector("rect.chosen")
    page.keyboard.press("r")
    page.locator("rect.accepted").nth(1).wait_for()


def test_a_scan_opens_as_its_picture_with_marks_on_the_pixels(page: Any, tmp_path: Path) -> None:
    from PIL import Image, ImageDraw, ImageFont

    picture = Image.new("L", (900, 300), 255)
    ImageDraw.Draw(picture).text((60, 100), f"Please write to {VALUE} today", font=ImageFont.load_default(30), fill=0)
    file = tmp_path / "scan.png"
    picture.save(file)
    page.goto("/")
    page.set_input_files("#files", str(file))
    page.wait_for_selector(".picture rect.suggested", timeout=120_000)
    page.keyboard.press("v")
    page.wait_for_selector(".flow")
    assert VALUE in page.inner_text(".flow")


def test_three_values_of_one_shape_by_hand_offer_the_rest(page: Any, tmp_path: Path) -> None:
    lines = "".join(f"Box ZQ-{number} stands in row {number % 7}.\n" for number in range(4120, 4130))
    send(page, tmp_path, content=lines.encode())
    for number in (4120, 4121, 4122):
        add_by_hand(page, f"ZQ-{number}")
    page.wait_for_selector(".offer")
    assert "10 of this shape" in page.inner_text(".offer")
    page.locator(".offer").get_by_role("button", name="Redact all 10").click()
    page.locator("mark.accepted").nth(9).wait_for()
    content = export(page, tmp_path).read_text(encoding="utf-8")
    assert "ZQ-" not in content


def test_long_lists_do_not_make_the_page_long(page: Any, tmp_path: Path) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    send(page, tmp_path, content=LETTER + b"".join(b"Mail to person%d@example.org\n" % n for n in range(300)))
    assert page.locator(".value").count() < 60
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")


def test_an_address_of_an_older_version_leads_on(site: Site, page: Any, tmp_path: Path) -> None:
    send(page, tmp_path)
    document = page.url.rsplit("/", 1)[-1]
    page.goto(f"/#/d/{document}")
    page.wait_for_selector(".workspace")
    assert page.url == f"{site.url}/documents/{document}"


def test_leaving_while_a_decision_is_on_its_way_asks_first(page: Any, tmp_path: Path) -> None:
    send(page, tmp_path)
    total = page.locator(".value").count()
    held: list[Any] = []
    page.route("**/decide", lambda route: held.append(route))  # noqa: PLW0108  # a bound method cannot be wrapped
    page.keyboard.press("a")
    expect(page.locator(".value")).to_have_count(total - 1)
    for _ in range(100):
        if held:
            break
        page.wait_for_timeout(100)
    with page.expect_event("dialog") as asked:
        page.evaluate("setTimeout(() => location.reload())")
    assert asked.value.type == "beforeunload"
    asked.value.dismiss()
    with page.expect_response("**/decide"):
        held[0].continue_()
    expect(page.locator(".inspector .tab", has_text="Accepted")).not_to_have_attribute("data-count", "0")
    page.reload()
    expect(page.locator("#decided")).to_have_text(f"1 of {total} decided")


def test_what_is_looked_for_stands_in_no_address(page: Any, tmp_path: Path) -> None:
    send(page, tmp_path)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.fill("#filter-q", "lindqvist")
    expect(page.locator(".value")).to_have_count(1)
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    page.fill("#search-query", "registry")
    expect(page.locator(".inspector")).to_contain_text("1 place")
    assert asked
    assert not [address for address in asked if "lindqvist" in address or "registry" in address]


def test_one_place_of_a_value_is_decided_alone(page: Any, tmp_path: Path) -> None:
    send(page, tmp_path)
    page.locator("mark.suggested", has_text=VALUE).nth(1).wait_for()
    page.keyboard.press(".")
    expect(page.locator("#said")).to_have_text("Place 2 of 2")
    page.keyboard.press("d")
    expect(page.locator("#said")).to_have_text("Ignored at this place only.")
    expect(page.locator("mark.suggested", has_text=VALUE)).to_have_count(1)
    expect(page.locator("mark.suggested.here", has_text=VALUE)).to_have_count(1)
    page.keyboard.press("s")
    expect(page.locator("mark.accepted", has_text=VALUE)).to_have_count(1)
    page.keyboard.press("z")
    page.keyboard.press("z")
    expect(page.locator("mark.suggested", has_text=VALUE)).to_have_count(2)
