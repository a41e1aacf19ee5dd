"""Sheets in a real browser: going to any cell, choosing cells, columns and parts of cells, and what is drawn of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from .acts import send

pytestmark = pytest.mark.browser

ROWS = 3_000


def _open(page: Any, folder: Path) -> None:
    rows = [f"{number},guest {number} 🌍 of Oslo,note {number}" for number in range(2, ROWS + 1)]
    rows[4] = "6,reach maria.lindqvist@example.org,note 6"
    send(page, folder, "guests.csv", ("number,guest,note\n" + "\n".join(rows) + "\n").encode())
    page.wait_for_selector(".line:not(.awaited)")
    page.wait_for_selector(".value:focus")  # the list has taken the focus that it takes once


def _cell(page: Any, row: int, column: int) -> Any:
    return page.locator(f".line[data-row='{row}'] [data-column='{column}']")


def test_keys_go_to_the_last_cell_and_redact_it(page: Any, tmp_path: Path) -> None:
    _open(page, tmp_path)
    page.focus("[role=grid]")
    page.keyboard.press("Control+End")
    page.wait_for_selector(f".line[data-row='{ROWS}']:not(.awaited)")
    active = page.get_attribute("[role=grid]", "aria-activedescendant")
    assert page.inner_text(f"#{active}") == f"note {ROWS}"
    assert page.locator(f".line[data-row='{ROWS}']").get_attribute("aria-rowindex") == str(ROWS + 1)
    assert page.locator(".line").count() < 100

    page.keyboard.press("r")
    page.wait_for_selector(f".line[data-row='{ROWS}'] [data-column='3'].gone")
    assert page.locator(".gone").count() == 1


def test_a_column_is_chosen_by_its_head_and_redacted_below_it(page: Any, tmp_path: Path) -> None:
    _open(page, tmp_path)
    page.click(".column[data-column='3']")
    page.get_by_role("toolbar", name="Selected").get_by_role("button", name="Redact").click()
    page.wait_for_selector(".line[data-row='2'] [data-column='3'].gone")
    assert "gone" not in (_cell(page, 1, 3).get_attribute("class") or "")
    page.focus("[role=grid]")
    page.keyboard.press("Control+End")
    page.wait_for_selector(f".line[data-row='{ROWS}'] [data-column='3'].gone")


def test_a_part_of_a_cell_is_selected_by_words_and_marked_where_it_stands(page: Any, tmp_path: Path) -> None:
    _open(page, tmp_path)
    _cell(page, 9, 2).click()
    page.focus("[role=grid]")
    page.keyboard.press("Enter")
    page.locator("#cell-text:focus", has_text="Oslo").wait_for()
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("r")
    mark = _cell(page, 9, 2).locator("mark.accepted")
    mark.wait_for()
    assert mark.inner_text() == "Oslo"


def test_a_mark_in_a_cell_takes_up_its_value_and_a_value_shows_its_cell(page: Any, tmp_path: Path) -> None:
    _open(page, tmp_path)
    mark = _cell(page, 6, 2).locator("mark.suggested", has_text="maria.lindqvist@example.org")
    page.focus("[role=grid]")
    page.keyboard.press("Control+End")
    page.wait_for_selector(f".line[data-row='{ROWS}']:not(.awaited)")
    assert mark.count() == 0
    page.locator(".value", has_text="maria.lindqvist@example.org").first.click()
    mark.wait_for()
    assert "here" in (mark.get_attribute("class") or "")
    mark.click()
    page.wait_for_selector(".value.current")
    assert "maria.lindqvist@example.org" in page.locator(".value.current").inner_text()
