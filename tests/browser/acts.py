"""One act of a person at a time: send a file, find a value, accept it, select words, take the export away."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.web.site import LETTER

__all__ = ["accept", "add_by_hand", "export", "first_listed", "select", "send", "value"]


def send(page: Any, folder: Path, name: str = "letter.txt", content: bytes = LETTER, seconds: int = 60) -> None:
    """Upload a file and wait for its workspace."""
    file = folder / name
    file.write_bytes(content)
    page.goto("/")
    page.set_input_files("#files", str(file))
    page.wait_for_selector(".workspace", timeout=1_000 * seconds)
    page.locator("#said", has_text="Ready.").wait_for(state="attached")


def value(page: Any, text: str) -> Any:
    """The listed value that reads so."""
    return page.locator(".value", has=page.locator(".value-name", has_text=text))


def first_listed(page: Any) -> Any:
    """The value in hand."""
    return page.locator(".value.current")


def accept(page: Any, text: str) -> None:
    """Accept a listed value with the mouse, and wait until the server has it."""
    card = value(page, text)
    with page.expect_response(lambda answer: answer.url.endswith("/decide")):
        card.get_by_role("button", name="Accept").first.click()
    page.wait_for_selector("mark.accepted, rect.accepted, .gone")


def add_by_hand(page: Any, text: str) -> None:
    """Type a value and redact it everywhere in the document."""
    page.fill("#by-hand-value", text)
    with page.expect_response(lambda answer: answer.url.endswith("/redactions")):
        page.press("#by-hand-value", "Enter")


def select(page: Any, text: str) -> None:
    """Select words of the text with the browser's own selection, as a mouse would."""
    page.locator(".flow", has_text=text).wait_for()
    page.evaluate(
        """(wanted) => {
          document.activeElement.blur();
          const walker = document.createTreeWalker(document.querySelector('.flow'), NodeFilter.SHOW_TEXT);
          for (let node = walker.nextNode(); node; node = walker.nextNode()) {
            const at = node.data.indexOf(wanted);
            if (at < 0) continue;
            getSelection().setBaseAndExtent(node, at, node, at + wanted.length);
            return;
          }
        }""",
        text,
    )
    page.wait_for_selector(".choice-bar")


def export(page: Any, folder: Path) -> Path:
    """Export with the dialog as it opens; the downloaded file.  The dialog stays open."""
    page.get_by_role("button", name="Export…").click()
    page.click("#export-go")
    page.get_by_role("heading", name="Verified export").wait_for(timeout=90_000)
    with page.expect_download() as started:
        page.locator("dialog .artifact").first.get_by_role("link", name="Download").click()
    target = folder / "out"
    started.value.save_as(target)
    return target
