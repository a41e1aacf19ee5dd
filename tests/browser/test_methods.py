"""What becomes of values, chosen in the workspace: surrogates in the file, and a vault that is saved or lost."""

from __future__ import annotations

import json
import re
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.browser.acts import send
from tests.browser.axe import findings
from tests.cli.command import docx_of
from tests.web.site import LETTER, VALUE

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


def _put_back(page: Any, file: Path, vault: Path) -> Path:
    """Restore a file on the page for it; where the result was saved."""
    page.goto("/restore")
    page.set_input_files("#restore-file", str(file))
    page.set_input_files("#restore-vault", str(vault))
    page.get_by_role("button", name="Restore").click()
    page.wait_for_selector("#restore-done:focus", timeout=60_000)
    with page.expect_download() as started:
        page.click("#restore-get")
    target = file.with_name(started.value.suggested_filename)
    started.value.save_as(target)
    return target


def test_a_letter_goes_out_with_tokens_and_comes_back_with_its_vault(page: Any, tmp_path: Path) -> None:
    from playwright.sync_api import expect

    source = tmp_path / "source.docx"
    docx_of(source, f"Dear registry, write to {VALUE} soon.")
    send(page, tmp_path, "letter.docx", source.read_bytes())
    _accept(page, VALUE)
    page.keyboard.press("Control+Enter")
    page.locator(".variant select[id$='-method']").select_option("tokenize")
    page.click("#export-go")
    page.wait_for_selector(".verified", timeout=60_000)
    saved = {}
    for name, link in (("file", page.locator(".downloads a").first), ("vault", page.locator(".vault a"))):
        with page.expect_download() as started:
            link.click()
        saved[name] = tmp_path / started.value.suggested_filename
        started.value.save_as(saved[name])
    assert (saved["file"].name, saved["vault"].name) == (
        "letter-redacted-tokens.docx",
        "letter-redacted-tokens.docx.vault.json",
    )
    assert VALUE not in _words(saved["file"])
    restored = _put_back(page, saved["file"], saved["vault"])
    expect(page.locator("#restore-said")).to_have_text("1 value put back")
    expect(page.locator("#restore-warn")).to_be_hidden()
    assert findings(page) == []
    assert restored.name == "letter-restored.docx"
    assert _words(restored) == _words(source)


def _words(file: Path) -> str:
    import docx

    return "\n".join(paragraph.text for paragraph in docx.Document(str(file)).paragraphs)


def test_what_cannot_be_restored_is_said_in_words(page: Any, tmp_path: Path, expected: list[str]) -> None:
    from playwright.sync_api import expect

    expected += ["status of 422", "status of 400"]
    vault = tmp_path / "a.vault.json"
    vault.write_text("{}", encoding="utf-8")
    file = tmp_path / "a.txt"
    file.write_text("PERSON_417", encoding="utf-8")
    page.goto("/restore")
    expect(page.get_by_role("button", name="Restore")).to_be_disabled()
    assert findings(page) == []
    page.set_input_files("#restore-file", str(file))
    page.set_input_files("#restore-vault", str(vault))
    page.get_by_role("button", name="Restore").click()
    expect(page.locator("#notice")).to_contain_text("vault")
    expect(page.locator("#restore-done")).to_be_hidden()


def test_a_batch_is_exported_with_tokens_and_its_vaults_lie_beside(page: Any, tmp_path: Path) -> None:
    from playwright.sync_api import expect

    case = tmp_path / "case"
    case.mkdir()
    for name in ("a.txt", "b.txt"):
        (case / name).write_bytes(LETTER)
    page.goto("/")
    page.set_input_files("#folder", str(case))
    expect(page.locator("#batch-list .status.ready")).to_have_count(2, timeout=60_000)
    for _ in range(2):  # it asks once
        page.click("#accept")
    expect(page.locator("#accept")).to_be_disabled(timeout=30_000)
    page.select_option("#batch-method", "tokenize")
    expect(page.locator("#batch-method-note")).to_contain_text("the same for a person in every document")
    page.click("#batch-export-go")
    expect(page.locator("#get-vaults")).to_have_text("2 vaults", timeout=60_000)
    assert findings(page) == []
    with page.expect_download() as started:
        page.click("#get-vaults")
    with zipfile.ZipFile(started.value.path()) as archive:
        vaults = [json.loads(archive.read(name)) for name in archive.namelist() if name.endswith(".vault.json")]
    tokens = [{entry["value"]: entry["surrogate"] for entry in vault["entries"]}[VALUE] for vault in vaults]
    assert len(tokens) == 2
    assert len(set(tokens)) == 1
