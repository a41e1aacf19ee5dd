"""What becomes of values, chosen in the workspace: surrogates in the file, and a vault that is saved or lost."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.browser.acts import send
from tests.browser.axe import findings
from tests.web.site import VALUE

pytestmark = pytest.mark.browser


def _accept(page: Any, value: str) -> None:
    page.locator(".value", has_text=value).click()
    page.keyboard.press("a")
    page.wait_for_selector("mark.accepted")


def _saved(page: Any, link: Any) -> str:
    with page.expect_download() as started:
        link.click()
    return Path(started.value.path()).read_text(encoding="utf-8")


def _export(page: Any) -> str:
    """Press Export and take the file away."""
    page.click("#export-go")
    page.wait_for_selector(".verified", timeout=60_000)
    return _saved(page, page.locator(".downloads a", has_text="Download"))


def test_tokens_stand_in_the_file_and_the_vault_is_saved(page: Any, tmp_path: Path) -> None:
    from playwright.sync_api import expect

    send(page, tmp_path)
    _accept(page, VALUE)
    page.keyboard.press("Control+Enter")
    page.locator(".variant select[id$='-method']").select_option("tokenize")
    expect(page.locator(".meaning")).to_contain_text("vault")
    assert findings(page) == []
    text = _export(page)
    token = re.search(r"EMAIL_\d{3}", text)
    assert token is not None
    assert VALUE not in text
    expect(page.locator(".vault")).to_contain_text("Save the vault now")
    assert findings(page) == []
    vault = json.loads(_saved(page, page.locator(".vault a")))
    assert {entry["surrogate"]: entry["value"] for entry in vault["entries"]} == {token[0]: VALUE}
    expect(page.locator(".vault")).to_contain_text("The vault was saved")
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)


def test_a_vault_that_is_not_saved_is_asked_about_before_it_is_lost(page: Any, tmp_path: Path) -> None:
    from playwright.sync_api import expect

    send(page, tmp_path)
    _accept(page, VALUE)
    page.keyboard.press("Control+Enter")
    page.locator(".variant select[id$='-method']").select_option("encrypt")
    text = _export(page)
    assert re.search(r"ENC_[A-Z2-7]{40,}", text)
    page.keyboard.press("Escape")
    expect(page.locator("#vault-unsaved")).to_contain_text("1 vault is not saved")
    assert findings(page) == []
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)


def test_a_pseudonym_needs_no_vault(page: Any, tmp_path: Path) -> None:
    from playwright.sync_api import expect

    send(page, tmp_path)
    _accept(page, VALUE)
    page.keyboard.press("Control+Enter")
    page.locator(".variant select[id$='-method']").select_option("pseudonymize")
    assert re.search(r"EMAIL_\d{3}", _export(page))
    expect(page.locator(".vault")).to_have_count(0)


def test_one_value_is_given_a_method_by_key_and_says_so(page: Any, tmp_path: Path) -> None:
    from playwright.sync_api import expect

    send(page, tmp_path)
    card = page.locator(".value", has_text=VALUE)
    card.click()
    page.keyboard.press("m")
    expect(page.locator("#hand-method")).to_be_focused()
    page.select_option("#hand-method", "tokenize")
    expect(card.locator(".value-facts")).to_contain_text("token")
    page.keyboard.press("Escape")
    page.keyboard.press("a")
    page.wait_for_selector("mark.accepted")
    page.keyboard.press("Control+Enter")
    assert re.search(r"EMAIL_\d{3}", _export(page))
    expect(page.locator(".vault")).to_have_count(1)
    _saved(page, page.locator(".vault a"))


def test_what_may_only_be_masked_is_offered_nothing_else(page: Any, tmp_path: Path) -> None:
    from playwright.sync_api import expect

    send(page, tmp_path)
    page.locator(".value", has_text="4111 1111 1111 1111").click()
    expect(page.locator("#hand-category")).to_be_visible()
    expect(page.locator("#hand-method")).to_have_count(0)
