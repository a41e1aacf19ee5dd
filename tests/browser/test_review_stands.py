"""What is decided stands, whatever comes between: slow answers, a lost connection, a reload, another window."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.acts import export, send
from tests.browser.desk import card, ready, standing, take_up, wait_counts
from tests.web.site import running

pytestmark = pytest.mark.browser

LETTER = Path(__file__).parents[2] / "examples" / "letter.docx"
MAILS = [f"writer.{name}@example.org" for name in ("one", "two", "three", "four", "five")]
NOTE = "".join(f"Write to {mail} soon.\n" for mail in MAILS).encode()


def listed(page: Any) -> list[str]:
    return [str(name) for name in page.locator(".value-name").all_inner_texts()]


@pytest.fixture
def note(page: Any, tmp_path: Path) -> Any:
    send(page, tmp_path, "note.txt", NOTE)
    return page


def test_a_list_that_was_asked_for_before_a_decision_does_not_bring_the_value_back(note: Any) -> None:
    held: list[Any] = []

    def hold(route: Any) -> None:
        held.append((route, route.fetch()))  # answered by the server now, delivered later

    note.route("**/values?*", hold, times=1)
    note.keyboard.press("1")
    while not held:
        note.wait_for_timeout(20)
    with note.expect_response(lambda answer: answer.url.endswith("/decide")):
        card(note, MAILS[1]).get_by_role("button", name="Accept").click()
    expect(note.locator(".inspector .tab", has_text="Accepted")).to_have_attribute("data-count", "1")
    route, answer = held[0]
    with note.expect_response("**/values?*"):
        route.fulfill(response=answer)
    note.evaluate("() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
    assert MAILS[1] not in listed(note)
    expect(note.locator("#decided")).to_have_text("1 of 5 decided")
    expect(note.locator(".bulk .muted")).to_have_text("4 values, 4 places")
    expect(note.locator(".inspector .tab", has_text="Accepted")).to_have_attribute("data-count", "1")


def test_a_category_that_is_changed_back_leaves_the_value_in_hand_where_it_was(note: Any) -> None:
    take_up(note, MAILS[3])
    note.keyboard.press("c")
    expect(note.locator("#hand-category")).to_be_focused()
    with note.expect_response("**/values?*"):
        note.select_option("#hand-category", "other")
    note.locator(".value.current").focus()
    note.keyboard.press("z")
    expect(note.locator("#hand-category")).to_have_value("email")
    expect(note.locator(".value.current .value-name")).to_have_text(MAILS[3])


def test_a_value_that_leaves_the_list_hands_over_to_the_one_in_its_place(note: Any) -> None:
    note.select_option("#filter-category", "email")
    take_up(note, MAILS[2])
    note.select_option("#hand-category", "other")
    expect(note.locator(".value")).to_have_count(4)
    expect(note.locator(".value.current .value-name")).to_have_text(MAILS[3])


def test_after_a_reload_acts_can_be_undone_and_exports_compared(note: Any, tmp_path: Path) -> None:
    note.keyboard.press("a")
    note.keyboard.press("x")
    wait_counts(note, suggested=3, accepted=1, rejected=1)
    note.keyboard.press("z")
    wait_counts(note, suggested=4, accepted=1)
    export(note, tmp_path)
    note.reload()
    ready(note)
    note.keyboard.press("Z")
    wait_counts(note, suggested=3, accepted=1, rejected=1)
    note.keyboard.press("z")
    note.keyboard.press("z")
    wait_counts(note, suggested=5, accepted=0, rejected=0)
    expect(note.get_by_role("button", name="Undo")).to_be_disabled()
    note.keyboard.press("b")
    expect(note.get_by_role("region", name="After")).not_to_contain_text(MAILS[0])
    expect(note.get_by_role("region", name="Before")).to_contain_text(MAILS[0])


def test_two_windows_on_one_document_show_and_undo_the_same(note: Any) -> None:
    other = note.context.new_page()
    other.goto(note.url)
    ready(other)
    other.keyboard.press("a")
    expect(note.locator("#decided")).to_have_text("1 of 5 decided")
    expect(card(note, MAILS[0])).to_have_count(0)
    note.get_by_role("button", name="Undo").click()
    expect(other.locator("#decided")).to_have_text("0 of 5 decided")
    expect(card(other, MAILS[0])).to_have_count(1)
    expect(other.get_by_role("button", name="Undo")).to_be_disabled()


def test_a_decision_that_never_arrived_is_shown_as_not_made(note: Any, expected: list[str]) -> None:
    expected.append("ERR_INTERNET_DISCONNECTED")
    note.context.set_offline(True)
    note.keyboard.press("a")
    expect(note.get_by_role("alert").filter(has_text="did not answer")).to_be_visible()
    expect(note.locator(".said-line")).to_have_text(f"Not decided: {MAILS[0]}, 1 place.")
    assert listed(note) == MAILS
    expect(note.locator("#decided")).to_have_text("0 of 5 decided")
    note.context.set_offline(False)
    expect(note.get_by_role("alert").filter(has_text="did not answer")).to_have_count(0)
    assert standing(note, "accepted") == set()
    with note.expect_response(lambda answer: answer.url.endswith("/decide")):
        card(note, MAILS[4]).get_by_role("button", name="Accept").click()
    assert standing(note, "accepted") == {(MAILS[4], "email")}


def test_letters_typed_before_a_field_or_a_dialog_is_drawn_decide_nothing(note: Any) -> None:
    type_at_once = """(keys) => {
      for (const key of keys) {
        document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
      }
    }"""
    note.evaluate(type_at_once, "/axa")
    expect(note.locator("#search-query")).to_have_value("axa")
    expect(note.locator("#search-query")).to_be_focused()
    expect(note.locator("#search-count")).to_have_text("Nothing found.")
    note.keyboard.press("Escape")
    note.keyboard.press("1")
    note.locator(".value.current").focus()
    note.evaluate(type_at_once, "lax")
    expect(note.get_by_role("dialog")).to_contain_text("Rules")
    expect(note.locator("#decided")).to_have_text("0 of 5 decided")


def test_little_height_leaves_everything_in_reach(note: Any) -> None:
    note.set_viewport_size({"width": 640, "height": 360})
    note.locator(".value.current").get_by_role("button", name="Accept").click()
    wait_counts(note, accepted=1)
    assert note.locator(".values").bounding_box()["height"] > 150
    note.get_by_role("button", name="Document", exact=True).click()
    assert note.locator("#document").bounding_box()["height"] > 150


def test_a_selection_over_two_pages_says_why_it_is_not_taken(page: Any, tmp_path: Path) -> None:
    send(page, tmp_path, "letter.docx", LETTER.read_bytes())
    expect(page.locator(".flow")).to_have_count(2)
    page.evaluate(
        """() => {
          const flows = document.querySelectorAll('.flow');
          const node = (flow) => flow.querySelector('[data-start]').firstChild;
          getSelection().setBaseAndExtent(node(flows[0]), 0, node(flows[1]), 4);
        }"""
    )
    expect(page.locator("#said")).to_contain_text("ends on another page")
    expect(page.locator(".choice-bar")).to_have_count(0)


@contextmanager
def worker(data: Path) -> Iterator[None]:
    """A worker apart from the site."""
    environment = {**os.environ, "ANONIFY_DATA_DIR": str(data)}
    process = subprocess.Popen([sys.executable, "-m", "anonify", "serve", "--role", "worker"], env=environment)
    try:
        yield
    finally:
        process.terminate()
        process.wait(40)


def test_a_wide_rule_that_reaches_the_document_late_is_shown_when_it_does(page: Any, tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_bytes(NOTE)
    with running(tmp_path / "data", "web") as site:
        with worker(site.data):
            page.goto(site.url)
            page.set_input_files("#files", str(tmp_path / "note.txt"))
            ready(page)
        page.keyboard.press("w")
        page.locator('[data-act="e"]', has_text="holds back 1 place").click()
        expect(page.locator(".said-line")).to_contain_text("1 document to go.", timeout=30_000)
        expect(card(page, MAILS[0])).to_have_count(1)
        with worker(site.data):
            expect(card(page, MAILS[0])).to_have_count(0, timeout=60_000)
        expect(page.locator(".value.current .value-name")).to_have_text(MAILS[1])
        page.goto("about:blank")


def test_whole_columns_are_named_by_their_letters_as_the_sheet_names_them(page: Any, tmp_path: Path) -> None:
    send(page, tmp_path, "staff.csv", b"Name,Age,Name\nTamsin Orrel,44,Amara Nkeze\nLuca Ferrandino,33,Jonas Falk\n")
    expect(page.locator(".value-name")).to_have_text(["Column A", "Column C"])
