"""Working in the review as a person does: sending, deciding, exporting; and what the screen shows of it."""

from __future__ import annotations

import subprocess
import sys
import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.shared import SHARED

__all__ = [
    "card",
    "check",
    "drawn",
    "focused",
    "opened",
    "ready",
    "save_export",
    "send",
    "standing",
    "take_up",
    "wait_counts",
]


def ready(page: Any, seconds: float = 120) -> None:
    """Wait until the review stands and its list is there."""
    page.wait_for_selector(".workspace", timeout=seconds * 1000)
    expect(page.locator("#said")).to_contain_text("Ready.")


def send(page: Any, file: Path) -> None:
    """From the home page, through the file chooser, to the open review."""
    page.goto("/")
    with page.expect_file_chooser() as chooser:
        page.click("label[for=files]")
    chooser.value.set_files(str(file))
    ready(page)


def opened(page: Any, address: str) -> None:
    """Open a document's review by its address."""
    page.goto(address)
    ready(page)


def card(page: Any, name: str) -> Any:
    """The card of a value, by the words on it."""
    return page.locator(".value", has=page.locator(".value-name").get_by_text(name, exact=True))


def drawn(page: Any) -> None:
    """Wait until what was done is on the screen: what the page asks to be done in a frame is done in the next."""
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def take_up(page: Any, name: str) -> None:
    """Go through the list by its key until a value is in hand."""
    card(page, name).wait_for()
    for key in "p" * 20 + "n" * 20:
        if page.inner_text(".value.current .value-name") == name:
            return
        page.keyboard.press(key)
        drawn(page)
    raise AssertionError(f"not reached by the keys: {name}")


def focused(page: Any) -> str:
    """What has the focus, for an assertion's message."""
    return str(page.evaluate("`${document.activeElement.tagName}.${document.activeElement.className}`"))


def wait_counts(page: Any, **counts: int) -> None:
    """Wait until the list's tabs say so many suggested, accepted and rejected places, as the server counts them."""
    names = {"suggested": "To decide", "accepted": "Accepted", "rejected": "Ignored"}
    for status, count in counts.items():
        tab = page.locator(".inspector .tab", has_text=names[status])
        expect(tab).to_have_attribute("data-count", f"{count:,}")


def standing(page: Any, status: str) -> set[tuple[str, str]]:
    """(value, category) of everything the server lists under a status, asked from the page."""
    rows = page.evaluate(
        """async (status) => {
          const id = document.getElementById('workspace').dataset.document;
          const answer = await fetch(`/api/documents/${id}/values?status=${status}&limit=500`);
          return (await answer.json()).values.map(({ value, category }) => [value, category]);
        }""",
        status,
    )
    return {(value, category) for value, category in rows}


def save_export(page: Any, folder: Path) -> Path:
    """Export with the dialog's first choices, wait for the verified result, and keep the file."""
    page.keyboard.press("Control+Enter")
    page.click("#export-go")
    page.wait_for_selector(".verified", timeout=120_000)
    with page.expect_download() as started:
        page.click("dialog [data-first]")
    target = folder / f"redacted-{started.value.suggested_filename}"
    started.value.save_as(target)
    return target


def check(artifact: Path, original: Path, kind: str, values: Iterable[str], ocr: str = "never") -> None:
    """Judge an artifact with the checker that shares no line with the product."""
    checker = SHARED / "zoo" / "leakcheck.py" if SHARED else None
    if checker is None or not checker.is_file():
        warnings.warn("NO LEAK CHECKER: the artifact was not checked", stacklevel=1)
        pytest.skip("the shared zoo is absent: set ANONIFY_SHARED to its folder")
    named = [part for value in values for part in ("--value", value)]
    result = subprocess.run(
        [sys.executable, checker, artifact, "--kind", kind, "--ocr", ocr, "--original", original, *named],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
