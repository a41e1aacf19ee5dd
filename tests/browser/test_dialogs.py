"""The workspace's search, its dialogs and its cards in a real browser, on a real site."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.browser.axe import findings
from tests.browser.desk import card, ready
from tests.web.site import LETTER, VALUE

pytestmark = pytest.mark.browser

CARD = "4111 1111 1111 1111"


def _send(page: Any, folder: Path, *names: str) -> None:
    """Upload the letter under each name; two or more are a batch, of which the first is opened."""
    from playwright.sync_api import expect

    case = folder / "case"
    case.mkdir()
    for name in names:
        (case / name).write_bytes(LETTER)
    page.goto("/")
    if len(names) == 1:
        page.set_input_files("#files", str(case / names[0]))
    else:
        page.set_input_files("#folder", str(case))
        expect(page.locator("#batch-list .status.ready")).to_have_count(len(names), timeout=60_000)
        page.get_by_role("link", name=names[0]).click()
    ready(page)


def _rule(page: Any, text: str, *, action: str = "redact", scope: str = "document") -> str:
    """Make a rule in the open dialog; what its button promised."""
    page.select_option("#rule-action", action)
    page.select_option("#rule-scope", scope)
    page.fill("#rule-pattern", text)
    page.wait_for_selector(".rule-first")
    promised: str = page.locator("#rule-make:enabled").inner_text()
    page.click("#rule-make")
    page.locator(".rules-of li", has_text=text).wait_for()
    return promised


def test_what_a_search_finds_is_shown_and_redacted_at_once(page: Any, tmp_path: Path) -> None:
    from playwright.sync_api import expect

    _send(page, tmp_path, "letter.txt")
    page.keyboard.press("/")
    page.locator("#search-query").press_sequentially(VALUE[:5])
    expect(page.locator("#search-count")).to_have_text("2 places")
    assert VALUE[:5] in page.locator(".hit b").first.inner_text()
    page.keyboard.press("Enter")
    expect(page.locator("#said")).to_have_text("Place 1 of 2, page 1, to decide")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(page.locator('.hit[aria-current="true"]')).to_be_focused()
    page.fill("#search-code", "b(6)")
    page.get_by_role("button", name="Redact all 2").click()
    expect(page.locator("#search-redact")).to_have_text("All are redacted")
    expect(page.locator("mark.accepted")).to_have_count(2)
    page.fill("#search-query", "")
    expect(page.locator(".hit")).to_have_count(0)


def test_an_answer_to_what_is_no_longer_asked_is_dropped(page: Any, tmp_path: Path) -> None:
    from playwright.sync_api import expect

    _send(page, tmp_path, "letter.txt")
    page.keyboard.press("/")
    held: list[Any] = []

    def late(route: Any) -> None:
        held.append(route) if json.loads(route.request.post_data)["query"] == "registry" else route.continue_()

    page.route("**/search", late)
    page.fill("#search-query", "registry")
    while not held:
        page.wait_for_timeout(50)
    page.fill("#search-query", VALUE)
    expect(page.locator("#search-count")).to_have_text("2 places")
    with page.expect_response("**/search"):
        held[0].continue_()
    page.wait_for_timeout(200)
    expect(page.locator("#search-count")).to_have_text("2 places")


def test_a_pattern_that_cannot_be_used_is_said_in_words(page: Any, tmp_path: Path, expected: list[str]) -> None:
    expected.append("status of 400")
    _send(page, tmp_path, "letter.txt")
    page.keyboard.press("/")
    page.select_option("#search-kind", "regex")
    page.fill("#search-query", "(a")
    assert "cannot be used" in page.locator(".search .notice").inner_text()


def test_rules_say_their_reach_before_and_after_and_are_taken_back(page: Any, tmp_path: Path) -> None:
    from playwright.sync_api import expect

    _send(page, tmp_path, "a.txt", "b.txt")
    page.keyboard.press("l")
    assert _rule(page, VALUE, scope="batch") == "Redact 4 places in 2 documents"
    row = page.locator(".rules-of li", has_text=VALUE)
    expect(row).to_contain_text("4 places in 2 documents")
    row.get_by_role("button", name="Not in this document").click()
    expect(row).to_contain_text("2 places in 1 document")
    row.get_by_role("button", name="Remove").click()
    expect(row.get_by_role("button", name="Remove")).to_be_focused()
    page.keyboard.press("Enter")
    expect(row).to_have_count(0)
    assert _rule(page, CARD, action="keep", scope="global") == "Hold back 2 places in 2 documents"
    assert findings(page) == []
    page.keyboard.press("Escape")
    expect(card(page, CARD)).to_have_count(0)


def test_rules_for_everything_are_saved_to_a_file_and_read_back(page: Any, tmp_path: Path) -> None:
    from playwright.sync_api import expect

    _send(page, tmp_path, "letter.txt")
    page.keyboard.press("l")
    _rule(page, CARD, scope="global")
    with page.expect_download() as saved:
        page.click("#rules-export")
    file = tmp_path / "rules.json"
    saved.value.save_as(file)
    page.locator(".rules-of li").get_by_role("button", name="Remove").click()
    expect(page.locator(".rules-of li").get_by_role("button", name="Remove")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".rules-of li")).to_have_count(0)
    page.set_input_files('dialog input[type="file"]', str(file))
    expect(page.locator(".told")).to_contain_text("1 rule added.")
    expect(page.locator(".rules-of li")).to_contain_text(CARD)
    file.write_text("nothing of the kind", encoding="utf-8")
    page.set_input_files('dialog input[type="file"]', str(file))
    expect(page.locator(".told")).to_contain_text("not a file of rules")


def test_a_letter_decides_for_the_batch_or_for_ever(page: Any, tmp_path: Path) -> None:
    from playwright.sync_api import expect

    _send(page, tmp_path, "a.txt", "b.txt")
    page.locator(".value", has_text=VALUE).click()
    page.keyboard.press("w")
    expect(page.locator('[data-act="b"]')).to_contain_text("4 places in 2 documents")
    expect(page.locator('[data-act="e"]')).to_contain_text("holds back 4 places in 2 documents")
    assert findings(page) == []
    page.keyboard.press("b")
    expect(page.locator("dialog")).to_have_count(0)
    expect(page.locator("#said")).to_have_text("Redacted in the whole batch.")
    expect(page.locator("mark.accepted", has_text=VALUE)).to_have_count(2)


def test_two_variants_are_exported_each_with_its_own_result(page: Any, tmp_path: Path) -> None:
    from playwright.sync_api import expect

    _send(page, tmp_path, "letter.txt")
    page.locator(".value", has_text=VALUE).click()
    page.keyboard.press("a")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#export-undecided")).to_contain_text("undecided and will stay readable")
    page.click("#variant-add")
    page.locator(".variant input[id$=-labels]").nth(1).uncheck()
    expect(page.locator("#export-go")).to_be_disabled()  # the same file twice
    page.locator(".variant input[id$=-labels]").nth(1).check()
    assert findings(page) == []
    page.get_by_role("button", name="Export 2 files").click()
    expect(page.locator(".verified")).to_have_count(2, timeout=60_000)
    expect(page.locator(".downloads a").first).to_be_focused()
    texts = []
    for link in page.locator(".downloads a", has_text="Download").all():
        with page.expect_download() as started:
            link.click()
        started.value.save_as(tmp_path / "out")
        texts.append((tmp_path / "out").read_text(encoding="utf-8"))
    assert all(VALUE not in text and CARD in text for text in texts)
    assert "[EMAIL" in texts[1].upper()
    assert texts[0] != texts[1]


def test_what_is_undecided_is_one_press_from_the_export(page: Any, tmp_path: Path) -> None:
    from playwright.sync_api import expect

    _send(page, tmp_path, "letter.txt")
    page.keyboard.press("2")
    page.keyboard.press("Control+Enter")
    page.click("#go-through")
    expect(page.locator("dialog")).to_have_count(0)
    expect(page.locator(".value.suggested").first).to_be_visible()


def test_every_key_is_listed_and_found_by_what_it_does(page: Any, tmp_path: Path) -> None:
    from playwright.sync_api import expect

    _send(page, tmp_path, "letter.txt")
    page.keyboard.press("?")
    expect(page.locator("#keys-query")).to_be_focused()
    page.keyboard.type("undo")
    expect(page.locator(".shortcuts dd")).to_have_text(["Undo"])
    page.fill("#keys-query", "")
    assert findings(page) == []


def test_what_else_is_in_the_file_is_one_line_with_its_places(page: Any, tmp_path: Path) -> None:
    from playwright.sync_api import expect

    sample = Path(__file__).parents[2] / "src/anonify/web/static/sample/letter.docx"
    page.goto("/")
    page.set_input_files("#files", str(sample))
    page.wait_for_selector(".value")
    fold = page.locator(".cards-fold")
    expect(fold).to_contain_text("2 pieces of metadata: all are part of this review")
    assert page.locator(".cards").bounding_box()["height"] < 60
    fold.click()
    page.locator(".chips button", has_text="metadata").click()
    expect(page.locator(".flow .part-name", has_text="Properties").first).to_be_visible()
    assert findings(page) == []
    page.click("#cards-close")
    page.reload()
    page.wait_for_selector(".value")
    expect(page.locator(".cards")).to_have_count(0)
