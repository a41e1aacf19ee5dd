"""The keys of the review: every one of the table does what its line says, and the focus is never lost on the way."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import expect

from tests.browser.desk import drawn, opened, send, standing, take_up, wait_counts
from tests.web.site import LETTER, VALUE, Site

pytestmark = pytest.mark.browser

CARD = "4111 1111 1111 1111"


class Sent(NamedTuple):
    """A session with a document of two pages whose every page is a picture too."""

    cookies: list[dict[str, Any]]
    address: str


@pytest.fixture(scope="module")
def letter(site: Site, chromium: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sent]:
    context = chromium.new_context(base_url=site.url)
    page = context.new_page()
    page.set_content(
        f"<p>Write to {VALUE} or again {VALUE}.</p><p>Card {CARD}.</p>"
        "<p style='break-before:page'>Call +44 20 7946 0958 about Harbourlight.</p>"
    )
    file = tmp_path_factory.mktemp("keys") / "letter.pdf"
    file.write_bytes(page.pdf())
    send(page, file)
    yield Sent(context.cookies(), page.url)
    context.close()


@pytest.fixture
def desk(page: Any, letter: Sent) -> Any:
    """The review of the document: every test takes back what it did."""
    page.context.add_cookies(letter.cookies)
    opened(page, letter.address)
    return page


def _in_hand(page: Any) -> str:
    return str(page.inner_text(".value.current .value-name"))


def _held(page: Any) -> None:
    """Something of the review has the focus, once what was done is drawn."""
    page.wait_for_timeout(150)
    page.wait_for_function("document.activeElement.closest('.workspace') !== null")


def test_moving_about_by_the_keys(desk: Any) -> None:
    first = _in_hand(desk)
    for further, back in (("n", "p"), ("j", "k"), ("ArrowDown", "ArrowUp")):
        desk.keyboard.press(further)
        expect(desk.locator(".value.current .value-name")).not_to_have_text(first)
        desk.keyboard.press(back)
        expect(desk.locator(".value.current .value-name")).to_have_text(first)
    take_up(desk, VALUE)
    desk.keyboard.press(".")
    expect(desk.locator("#said")).to_have_text("Place 2 of 2")
    desk.keyboard.press(",")
    expect(desk.locator("#said")).to_have_text("Place 1 of 2")
    desk.keyboard.press("]")
    expect(desk.locator("#page-number")).to_have_value("2")
    desk.keyboard.press("[")
    expect(desk.locator("#page-number")).to_have_value("1")
    desk.keyboard.press("F6")
    expect(desk.locator("#document")).to_be_focused()
    desk.keyboard.press("F6")
    expect(desk.locator(".value.current")).to_be_focused()
    desk.keyboard.press("N")
    expect(desk.locator("#said")).to_have_text("This document is in no batch.")


FIELDS = {
    "c": "#hand-category",
    "o": "#hand-code",
    "g": "#page-number",
    "i": "#by-hand-value",
    "/": "#search-query",
    "f": "#filter-q",
    "Control+f": "#search-query",
}


def test_keys_that_lead_to_a_field_and_escape_that_leads_back(desk: Any) -> None:
    for key, field in FIELDS.items():
        desk.keyboard.press(key)
        expect(desk.locator(field)).to_be_focused()
        desk.keyboard.press("Escape")
        desk.keyboard.press("1")
        _held(desk)


DIALOGS = {
    "w": "Decide for more than this",
    "l": "Rules",
    "b": "Before and after",
    "Control+Enter": "Export",
    "?": "Keys",
    "A": "Accept 3 values at 4 places?",
    "X": "Ignore 3 values at 4 places?",
}


def test_keys_that_open_a_dialog_and_escape_that_closes_it(desk: Any) -> None:
    for key, title in DIALOGS.items():
        desk.keyboard.press(key)
        expect(desk.locator("dialog[open] #dialog-title")).to_have_text(title)
        desk.keyboard.press("Escape")
        expect(desk.locator("dialog")).to_have_count(0)
        expect(desk.locator(".value.current")).to_be_focused()


def test_the_lists_the_picture_and_a_region_by_their_keys(desk: Any) -> None:
    for key, name in (("2", "Accepted"), ("3", "Ignored"), ("1", "To decide")):
        desk.keyboard.press(key)
        expect(desk.locator(".inspector .tab[aria-pressed=true]")).to_contain_text(name)
    desk.wait_for_selector(".picture")
    desk.keyboard.press("v")
    expect(desk.locator(".picture")).to_have_count(0)
    desk.keyboard.press("v")
    page = desk.locator(".picture svg").first.bounding_box()
    for key, count in (("r", 1), ("E", 3)):
        desk.mouse.move(page["x"] + page["width"] * 0.5, page["y"] + page["height"] * 0.3 + 40 * count)
        desk.mouse.down()
        desk.mouse.move(page["x"] + page["width"] * 0.7, page["y"] + page["height"] * 0.3 + 40 * count + 20, steps=3)
        desk.mouse.up()
        desk.wait_for_selector(".choice-bar")
        desk.keyboard.press(key)
        wait_counts(desk, accepted=count)
    for count in (1, 0):
        desk.keyboard.press("z")
        wait_counts(desk, accepted=count)


def test_selected_text_is_redacted_or_kept_or_let_go_by_its_key(desk: Any) -> None:
    desk.keyboard.press("v")
    word = desk.locator(".flow").first.get_by_text("Write to")

    def choose() -> None:
        word.dblclick(position={"x": 8, "y": 8})
        expect(desk.locator(".choice-what")).to_have_text("Write")

    choose()
    desk.keyboard.press("Escape")
    expect(desk.locator(".choice-bar")).to_have_count(0)
    choose()
    desk.keyboard.press("K")
    expect(desk.locator("dialog[open] #dialog-title")).to_contain_text("except what is selected?")
    desk.keyboard.press("Escape")
    desk.keyboard.press("Escape")
    choose()
    desk.keyboard.press("e")
    wait_counts(desk, accepted=1)
    desk.keyboard.press("Control+z")
    wait_counts(desk, accepted=0)


def test_every_key_is_in_the_sheet_and_every_line_of_the_sheet_has_a_key(desk: Any) -> None:
    table = desk.evaluate(
        """async () => {
          const { COMMANDS, shown } = await import('/static/workspace/keys.js');
          return COMMANDS.map(({ label, keys }) => [label, keys.map(shown).join(' or ')]);
        }"""
    )
    desk.keyboard.press("?")
    lines = [
        [line.locator("dd").inner_text(), " ".join(line.locator("dt").inner_text().split())]
        for line in desk.locator(".shortcuts dl > div").all()
    ]

    assert len(table) > 30
    assert sorted(lines) == sorted(table)
    desk.keyboard.type("undo")
    expect(desk.locator(".shortcuts dd")).to_have_text(["Undo"])


def test_the_focus_stays_with_the_list_through_every_decision(desk: Any) -> None:
    for key in "axa":
        desk.keyboard.press(key)
        _held(desk)
    wait_counts(desk, suggested=0)
    expect(desk.locator(".values")).to_be_focused()
    for _ in range(3):
        desk.get_by_role("button", name="Undo").click()
    wait_counts(desk, suggested=4, accepted=0, rejected=0)
    expect(desk.locator(".value.current")).to_be_focused()
    take_up(desk, VALUE)
    desk.locator(".hand-acts").get_by_role("button", name="Accept").click()
    wait_counts(desk, suggested=2)
    _held(desk)
    desk.get_by_role("button", name="Accept all…").click()
    expect(desk.locator("dialog .primary")).to_be_focused()
    desk.keyboard.press("Enter")
    wait_counts(desk, suggested=0)
    expect(desk.locator(".values")).to_be_focused()
    for _ in range(2):
        desk.keyboard.press("Control+z")
    wait_counts(desk, suggested=4)


def test_what_was_decided_is_put_back_undone_and_done_again_by_each_of_its_keys(desk: Any) -> None:
    take_up(desk, CARD)
    desk.keyboard.press("a")
    wait_counts(desk, suggested=3, accepted=1)
    for undo, redo in (("z", "Z"), ("Control+z", "Control+Shift+Z"), ("Control+z", "Control+y")):
        desk.keyboard.press(undo)
        wait_counts(desk, suggested=4, accepted=0)
        desk.keyboard.press(redo)
        wait_counts(desk, suggested=3, accepted=1)
    desk.keyboard.press("2")
    expect(desk.locator(".value.current.accepted")).to_have_count(1)
    desk.keyboard.press("u")
    wait_counts(desk, suggested=4, accepted=0)
    _held(desk)


def test_a_value_stays_in_hand_when_its_category_is_changed(desk: Any) -> None:
    take_up(desk, CARD)
    desk.keyboard.press("c")
    desk.select_option("#hand-category", "health")
    expect(desk.locator(".value.current .value-facts")).to_contain_text("health")
    assert _in_hand(desk) == CARD
    _held(desk)
    desk.keyboard.press("Escape")
    desk.keyboard.press("z")
    expect(desk.locator(".value-facts", has_text="health")).to_have_count(0)


ACTS: dict[str, Callable[[Any, random.Random], None]] = {
    "accept": lambda page, _: page.keyboard.press("a"),
    "ignore": lambda page, _: page.keyboard.press("x"),
    "next": lambda page, _: page.keyboard.press("n"),
    "list": lambda page, dice: page.keyboard.press(dice.choice("123")),
    "undo": lambda page, _: page.keyboard.press("z"),
    "redo": lambda page, _: page.keyboard.press("Z"),
}


def _category(page: Any, dice: random.Random) -> None:
    page.keyboard.press("c")
    drawn(page)
    if page.evaluate("document.activeElement.id === 'hand-category'"):  # nothing may be in hand
        page.select_option("#hand-category", dice.choice(["health", "other", "person"]))
    page.keyboard.press("Escape")


def _by_hand(page: Any, dice: random.Random) -> None:
    page.keyboard.press("i")
    expect(page.locator("#by-hand-value")).to_be_focused()
    page.fill("#by-hand-value", dice.choice(["registry", "regards", "old address"]))
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")


def _drawn(page: Any) -> set[tuple[str, str]]:
    """(value, category) of every card of the list."""
    cards = page.locator(".value").evaluate_all(
        """(cards) => cards.map((card) => [card.querySelector('.value-name').textContent,
          card.querySelector('.value-facts').textContent.split(' · ')[1].replaceAll(' ', '-')])"""
    )
    return {(value, category) for value, category in cards}


@pytest.mark.parametrize("seed", [7, 2026])
def test_after_random_acts_the_screen_shows_what_the_server_holds(page: Any, tmp_path: Path, seed: int) -> None:
    file = tmp_path / "letter.txt"
    file.write_bytes(LETTER)
    send(page, file)
    dice = random.Random(seed)
    acts = [*ACTS.values(), _category, _by_hand]
    for _ in range(40):
        dice.choices(acts, [4, 3, 2, 1, 4, 2, 2, 2])[0](page, dice)
        assert page.locator("[role=alert].bad:visible").all_inner_texts() == []
    for key, status in (("1", "suggested"), ("2", "accepted"), ("3", "rejected")):
        page.keyboard.press(key)
        deadline = time.monotonic() + 20
        while _drawn(page) != standing(page, status):
            assert time.monotonic() < deadline, (status, _drawn(page), standing(page, status))
