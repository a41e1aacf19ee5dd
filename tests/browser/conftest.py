"""A real site and a real Chromium, once a module; a page that must end without a line in its console."""

from __future__ import annotations

import re
import shutil
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.browser.pictures import Taker, take
from tests.web.site import Site, running

PATIENCE_MS = 60_000
"""How long a test waits for what must come: a loaded machine is slow and not wrong."""

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    if CHROMIUM is None:
        warnings.warn("NO CHROMIUM: the page was not tested", stacklevel=1)
        pytest.skip("no Chromium on this machine")
    with running(tmp_path_factory.mktemp("browser") / "data") as it:
        yield it


@pytest.fixture(scope="module")
def chromium(site: Site) -> Iterator[Any]:
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    api.expect.set_options(timeout=PATIENCE_MS)
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def expected() -> list[str]:
    """Patterns of console lines a test brings about on purpose: a browser writes one for each refused request."""
    return []


@pytest.fixture
def page(site: Site, chromium: Any, expected: list[str]) -> Iterator[Any]:
    context = chromium.new_context(base_url=site.url, accept_downloads=True)
    opened = context.new_page()
    opened.set_default_timeout(PATIENCE_MS)
    problems: list[str] = []
    opened.on("pageerror", lambda error: problems.append(str(error)))
    opened.on("console", lambda line: problems.append(line.text) if line.type == "error" else None)
    yield opened
    context.close()
    assert [line for line in problems if not any(re.search(pattern, line) for pattern in expected)] == []


@pytest.fixture
def printed(chromium: Any) -> Callable[[str], bytes]:
    """Prints HTML as a PDF."""

    def make(body: str) -> bytes:
        printer = chromium.new_page()
        printer.set_content(body)
        content = bytes(printer.pdf())
        printer.close()
        return content

    return make


@pytest.fixture
def picture(pytestconfig: pytest.Config) -> Taker:
    """Takes the manual's pictures, when the run was asked for them."""
    return take if pytestconfig.getoption("--pictures") else lambda _page, _name: None
