"""From a file to its review in a real browser: the sample, a lost connection, a wait, a run that failed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.axe import findings
from tests.browser.pictures import Taker
from tests.web.site import LETTER, Site, running

pytestmark = pytest.mark.browser


@pytest.fixture
def expected() -> list[str]:
    return ["ERR_INTERNET_DISCONNECTED", "ERR_FAILED", "status of 409"]


def test_one_press_tries_the_sample(page: Any) -> None:
    page.goto("/")
    page.click("#sample")
    page.wait_for_selector(".workspace", timeout=90_000)

    assert re.search(r"/documents/[0-9a-f]{32}$", page.url)
    assert "odette.quillby@example.org" in page.locator(".flow").first.inner_text()


def test_a_lost_connection_is_said_and_sending_goes_on_by_itself(page: Any, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_bytes(LETTER)
    page.goto("/")
    failures = iter([True, True])

    def broken(route: Any) -> None:
        if next(failures, False):
            route.abort("internetdisconnected")
        else:
            route.continue_()

    page.route("**/api/upload/local*", broken)
    page.set_input_files("#files", str(tmp_path / "letter.txt"))
    page.wait_for_selector("#sending-lost:not([hidden])")
    page.wait_for_selector(".workspace", timeout=60_000)


def test_what_was_cut_off_by_a_reload_is_sent_again_in_its_place(page: Any, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_bytes(LETTER)
    page.goto("/")
    page.route("**/api/upload/local*", lambda route: route.abort("internetdisconnected"))
    page.set_input_files("#files", str(tmp_path / "letter.txt"))
    page.wait_for_selector("#sending-lost:not([hidden])")
    page.unroute("**/api/upload/local*")
    page.on("dialog", lambda dialog: dialog.accept())  # the browser asks whether to leave while files are on their way
    page.goto("/documents?show=incomplete")
    page.wait_for_selector(".again")
    page.set_input_files(".again input", str(tmp_path / "letter.txt"))
    page.wait_for_selector(".workspace", timeout=60_000)
    page.goto("/documents")

    expect(page.locator("#documents .document")).to_have_count(1)


@pytest.fixture
def idle(tmp_path: Path, site: Site) -> Iterator[Site]:
    """A site without a worker: what is sent waits."""
    with running(tmp_path / "data", role="web") as it:
        yield it


def test_a_document_that_waits_says_how_many_are_before_it_and_that_nobody_works(
    page: Any, idle: Site, tmp_path: Path, picture: Taker
) -> None:
    for name in ("first.txt", "second.txt"):
        (tmp_path / name).write_bytes(LETTER)
        page.goto(f"{idle.url}/")
        page.set_input_files("#files", str(tmp_path / name))
        page.wait_for_selector("#stage")

    expect(page.locator("#stage")).to_have_text("Waiting for its turn")
    expect(page.locator("#stage-detail")).to_contain_text("1 document of yours is before it")
    expect(page.locator(".processing-notes")).to_contain_text("No worker has given a sign of life")
    expect(page.locator(".run-steps [aria-current=step]")).to_contain_text("Wait for its turn")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert findings(page) == []
    page.set_viewport_size({"width": 360, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.set_viewport_size({"width": 1280, "height": 800})
    picture(page, "processing")
    page.goto("about:blank")  # the site stops before the page does


def test_the_check_for_accessibility_can_fail(page: Any) -> None:
    page.goto("/about")
    page.evaluate("document.querySelector('h1').insertAdjacentHTML('afterend', '<img src=\"/static/icon.svg\">')")

    assert any(line.startswith("image-alt") for line in findings(page))
