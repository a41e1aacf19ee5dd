"""The review looked at: 360 to 1440 wide, light and dark, in every state; nothing seriously wrong for anybody."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from email.message import EmailMessage
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import expect

from tests.browser.axe import findings
from tests.browser.desk import opened, send
from tests.browser.pictures import Taker
from tests.web.site import VALUE, Site

pytestmark = pytest.mark.browser

WIDTHS = (360, 390, 1440)

LETTER = f"""<body style="font: 15px/1.6 serif; margin: 40px 60px">
<p>Odette Quillby<br>12 Harbour Lane<br>Saltmarsh</p>
<h2>Your enquiry of 3 May</h2>
<p>Dear registry,</p>
<p>please write to {VALUE} and not to the old address. Her second mail to you was also sent from {VALUE}.
She can be called at +44 20 7946 0958 in the mornings.</p>
<p>The fee was paid with card 4111 1111 1111 1111, from account GB82 WEST 1234 5698 7654 32.</p>
<p style="break-before: page">Enclosed are the plans of the harbour bridge, as agreed with Barnaby Oakenshield.</p>"""


class Kept(NamedTuple):
    """A session with a PDF that was exported, a workbook and a message with an attachment, by kind."""

    cookies: list[dict[str, Any]]
    addresses: dict[str, str]


def _workbook(folder: Path) -> Path:
    import openpyxl  # type: ignore[import-untyped]  # it has no stubs

    book = openpyxl.Workbook()
    people = book.active
    people.title = "People"
    people.append(["Case", "Name", "Mail", "Remark"])
    names = ("Ada Fairweather", "Barnaby Oakenshield", "Clementine Marsh", "Dorian Applegate", "Odette Quillby")
    for number, name in enumerate(names, 1):
        mail = f"{name.split()[0].lower()}@example.org"
        people.append([f"K-{number:03}", name, mail, "asked about the harbour bridge"])
    hidden = book.create_sheet("Old")
    hidden.sheet_state = "hidden"
    hidden.append(["Nothing", "here"])
    book.save(folder / "people.xlsx")
    return folder / "people.xlsx"


def _message(folder: Path) -> Path:
    message = EmailMessage()
    message["From"] = f"Odette Quillby <{VALUE}>"
    message["To"] = "registry@example.org"
    message["Subject"] = "The harbour bridge"
    message["Date"] = "Tue, 03 Nov 2026 09:00:00 +0000"
    message["Message-ID"] = "<1@example.org>"
    message.set_content(
        "Dear registry,\n\nplease call me at +44 20 7946 0958.\n\nKind regards\nOdette Quillby\n\n"
        f"On Monday, the registry wrote:\n> To: {VALUE}\n> Which day suits you?\n"
    )
    message.add_attachment("Odette Quillby, 12 Harbour Lane.\n", filename="address.txt")
    (folder / "message.eml").write_bytes(bytes(message))
    return folder / "message.eml"


@pytest.fixture(scope="module")
def kept(site: Site, chromium: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kept]:
    folder = tmp_path_factory.mktemp("looks")
    context = chromium.new_context(base_url=site.url)
    page = context.new_page()
    page.set_content(LETTER)
    (folder / "letter.pdf").write_bytes(page.pdf())
    addresses = {}
    for name, file in {"pdf": folder / "letter.pdf", "sheet": _workbook(folder), "mail": _message(folder)}.items():
        send(page, file)
        addresses[name] = page.url
    yield Kept(context.cookies(), addresses)
    context.close()


def _open(page: Any, kept: Kept, name: str) -> None:
    page.context.add_cookies(kept.cookies)
    page.emulate_media(reduced_motion="reduce")
    opened(page, kept.addresses[name])


def _dialog(key: str) -> Callable[[Any], None]:
    def to(page: Any) -> None:
        page.keyboard.press(key)
        page.wait_for_selector("dialog[open]")

    return to


def _searched(page: Any) -> None:
    page.keyboard.press("/")
    page.fill("#search-query", "harbour")
    page.wait_for_selector(".hit")


def _ruled(page: Any) -> None:
    _dialog("l")(page)
    page.fill("#rule-pattern", "harbour")
    page.wait_for_selector(".rule-first")


def _exported(page: Any) -> None:
    page.keyboard.press("Control+Enter")
    page.click("#export-go")
    page.wait_for_selector(".verified", timeout=90_000)


def _compared(page: Any) -> None:
    _exported(page)
    page.click("#export-compare")
    page.wait_for_selector(".sides img, .sides mark")


def _wider(page: Any) -> None:
    _dialog("w")(page)
    expect(page.locator(".reach").last).not_to_have_text("looking…")


STATES: dict[str, Callable[[Any], None]] = {
    "list": lambda page: page.wait_for_selector(".value.current"),
    "search": _searched,
    "rules": _ruled,
    "wider": _wider,
    "keys": _dialog("?"),
    "confirm": _dialog("A"),
    "export": _dialog("Control+Enter"),
    "result": _exported,
    "compare": _compared,
}


@pytest.mark.parametrize("state", STATES)
def test_no_state_of_the_review_is_wrong_for_anybody_or_scrolls_sideways(page: Any, kept: Kept, state: str) -> None:
    _open(page, kept, "pdf")
    STATES[state](page)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width, width
        assert page.evaluate("(document.querySelector('dialog')?.scrollWidth ?? 0) <= innerWidth"), width
        for scheme in ("light", "dark") if width != 390 else ():
            page.emulate_media(color_scheme=scheme)
            assert findings(page) == [], (width, scheme)


@pytest.mark.parametrize("kind", ["sheet", "mail"])
def test_a_sheet_and_a_message_are_right_too(page: Any, kept: Kept, kind: str) -> None:
    _open(page, kept, kind)
    page.wait_for_selector("[role=grid] .hinted" if kind == "sheet" else ".flow mark")
    expect(page.locator("[role=grid] .of-hand, .flow mark.of-hand")).not_to_have_count(0)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width, width
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert findings(page) == [], scheme


def test_the_panes_of_a_phone_lead_to_the_document_and_back(page: Any, kept: Kept) -> None:
    page.set_viewport_size({"width": 360, "height": 800})
    _open(page, kept, "pdf")
    panes = page.locator(".panes")
    expect(page.locator("#document")).not_to_be_visible()
    panes.get_by_role("button", name="Document").click()
    expect(page.locator("#document")).to_be_visible()
    page.wait_for_selector(".picture rect")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert findings(page) == []
    page.keyboard.press("F6")
    expect(page.locator(".value.current")).to_be_focused()


def test_the_manuals_pictures_of_the_review(page: Any, kept: Kept, picture: Taker) -> None:
    _open(page, kept, "sheet")
    page.wait_for_selector("[role=grid] .hinted")
    picture(page, "workspace-sheet")
    _open(page, kept, "mail")
    page.wait_for_selector(".flow mark")
    picture(page, "workspace-mail")
    _open(page, kept, "pdf")
    page.wait_for_selector(".picture rect")
    page.keyboard.press("a")
    page.keyboard.press("a")
    page.wait_for_selector(".picture rect.accepted")
    expect(page.locator(".rail-page").first).to_have_text("Page 1, 5 to decide, 2 accepted")
    picture(page, "workspace")
    _exported(page)
    picture(page, "workspace-export")
    page.click("#export-compare")
    expect(page.locator(".sides img")).to_have_count(2)
    expect(page.locator(".compare-head [role=status]")).to_have_text("2 lines differ on this page")
    assert page.locator(".sides img").last.evaluate("(image) => image.decode().then(() => image.naturalWidth)") > 0
    picture(page, "workspace-compare")
