"""What a language model cost, and what it was not asked, as a reviewer sees it."""

from __future__ import annotations

import shutil
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.web.asked import MODEL, NAMED, asking_site, names_it
from tests.web.site import Site

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module", params=[True, False], ids=["asked", "left out"])
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    if shutil.which("chromium") is None:
        warnings.warn("NO CHROMIUM: the page was not tested", stacklevel=1)
        pytest.skip("no Chromium on this machine")
    folder = tmp_path_factory.mktemp("usage")
    with asking_site(folder / "data", names_it(), verified=request.param) as it:
        yield it


def test_the_panel_says_what_was_asked_or_why_not(page: Any, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    asked = request.node.callspec.params["site"]
    (tmp_path / "letter.txt").write_text(f"Dear all,\n{NAMED} rang on Monday.\n")
    page.goto("/")
    page.set_input_files("#files", str(tmp_path / "letter.txt"))
    page.wait_for_selector(".workspace")

    page.click(".cards-fold:has-text('language model')")
    card = page.locator(".usage")
    if asked:
        expect(card).to_contain_text("Asked what is sensitive in it")
        expect(card).to_contain_text(MODEL)
        expect(card.locator(".skipped")).to_have_count(0)
    else:
        expect(card).to_contain_text("Nothing was asked.")
        expect(card.locator(".skipped")).to_contain_text("the model was not verified")
    page.goto("/")
    expect(page.locator("#spent")).to_contain_text(f"Language model {MODEL}: today")
    expect(page.locator("#spent")).to_contain_text("of $5.00 for everybody")
