"""Every page in a real browser: nothing seriously wrong for anybody, in light and dark, from 360 to 1440 wide."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import expect

from tests.browser.axe import findings
from tests.browser.pictures import Taker
from tests.web.site import LETTER, Site

pytestmark = pytest.mark.browser

WIDTHS = (360, 390, 768, 1440)


class Full(NamedTuple):
    """A session with a document, a failed one and a batch."""

    cookies: list[dict[str, Any]]
    document: str
    failed: str
    batch: str


def _sent(page: Any, folder: Path, name: str, content: bytes, sign: str) -> str:
    (folder / name).write_bytes(content)
    page.goto("/")
    page.set_input_files("#files", str(folder / name))
    page.wait_for_selector(sign)
    return str(page.url).rpartition("/")[2]


@pytest.fixture(scope="module")
def full(site: Site, chromium: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Full]:
    folder = tmp_path_factory.mktemp("full")
    context = chromium.new_context(base_url=site.url)
    page = context.new_page()
    document = _sent(page, folder, "Letter to the registry.txt", LETTER, ".workspace")
    failed = _sent(page, folder, "program.txt", b"\x7fELF\x02\x01\x01" + bytes(300), ".working.failed")
    case = folder / "case"
    case.mkdir()
    for name in ("first letter.txt", "second letter.txt", "a note on the visit.md"):
        (case / name).write_bytes(LETTER)
    page.goto("/")
    page.set_input_files("#folder", str(case))
    page.wait_for_selector("#batch")
    expect(page.locator("#batch-list .status.ready")).to_have_count(3, timeout=60_000)
    yield Full(context.cookies(), document, failed, page.url.rpartition("/")[2])
    context.close()


PAGES = {
    "home": ("/", "#documents .document"),
    "documents": ("/documents", "#documents .document"),
    "document": ("/documents/{document}", ".workspace"),
    "failed": ("/documents/{failed}", ".working.failed"),
    "batch": ("/batches/{batch}", "#batch-list .document"),
    "limits": ("/limits", "table"),
    "about": ("/about", ".flow"),
    "restore": ("/restore", "table"),
    "not-found": ("/nowhere", "#refusal-title"),
    "api": ("/api/docs", "section.route"),
}
"""Path and what is there once the page is whole."""


@pytest.fixture
def expected() -> list[str]:
    return ["status of 404"]


def _open(page: Any, full: Full, name: str) -> None:
    path, sign = PAGES[name]
    page.context.add_cookies(full.cookies)
    page.goto(path.format(**full._asdict()))
    page.wait_for_selector(sign)


@pytest.mark.parametrize("name", PAGES)
def test_nothing_is_seriously_wrong_on_it_in_light_and_dark(page: Any, full: Full, picture: Taker, name: str) -> None:
    _open(page, full, name)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        assert findings(page) == [], scheme
    picture(page, name)


@pytest.mark.parametrize("name", PAGES)
def test_it_fits_every_width_without_sideways_scroll(page: Any, full: Full, name: str) -> None:
    _open(page, full, name)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width, width


@pytest.mark.parametrize("name", PAGES)
def test_it_has_a_title_one_heading_one_main_and_a_skip_link(page: Any, full: Full, name: str) -> None:
    _open(page, full, name)

    assert re.fullmatch(r".+ · anonify", page.title())
    assert page.locator("h1:visible").count() == 1
    assert page.locator("main").count() == 1
    if name == "document":  # begins with its first value in hand
        page.evaluate("document.querySelector('a[href], button, [tabindex]').focus()")
    else:
        page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"


def test_what_asks_whether_to_delete_is_right_too(page: Any, full: Full) -> None:
    _open(page, full, "documents")
    page.get_by_role("button", name="Delete program.txt").click()
    page.wait_for_selector(".sure")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert findings(page) == []
    assert page.evaluate("document.activeElement.textContent") == "Keep"
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_part_of_a_name_that_is_looked_for_stands_in_no_address(page: Any, full: Full) -> None:
    _open(page, full, "documents")
    every = page.locator("#documents .document").count()
    addresses: list[str] = []
    page.on("request", lambda request: addresses.append(request.url))
    page.get_by_label("Part of a file's name").fill("PROGRAM")
    expect(page.locator("#documents .document")).to_have_count(1)
    page.get_by_role("button", name=re.compile("^Failed")).click()
    expect(page).to_have_url(re.compile(r"/documents\?show=failed$"))

    assert addresses
    assert not any("program" in address.casefold() for address in addresses)
    page.reload()
    expect(page.get_by_label("Part of a file's name")).to_have_value("")
    page.get_by_role("button", name=re.compile("^All")).click()
    expect(page.locator("#documents .document")).to_have_count(every)


def test_an_address_of_an_earlier_version_leads_to_the_new_one(page: Any, full: Full) -> None:
    page.context.add_cookies(full.cookies)
    for old in (f"/#/d/{full.document}", f"/#/documents/{full.document}"):
        page.goto(old)
        page.wait_for_url(f"**/documents/{full.document}")
        page.goto("/about")
    page.goto(f"/#/b/{full.batch}")
    page.wait_for_url(f"**/batches/{full.batch}")


def test_nothing_is_fetched_from_elsewhere(site: Site, page: Any, full: Full) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    for name in PAGES:
        _open(page, full, name)

    assert len(asked) > 20
    assert [url for url in asked if not url.startswith(site.url + "/")] == []
