"""axe-core (tests/browser/vendor, MPL-2.0) on an open page: the rules of WCAG 2.2 up to AA a program can check."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

__all__ = ["findings"]

SOURCE: Final = (Path(__file__).parent / "vendor" / "axe.min.js").read_text(encoding="utf-8")

STANDARDS: Final = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")

_RUN: Final = """async (standards) => {
  const found = await axe.run(document, { runOnly: { type: 'tag', values: standards }, resultTypes: ['violations'],
    rules: { 'target-size': { enabled: true } } });
  return found.violations.filter((each) => ['serious', 'critical'].includes(each.impact))
    .flatMap((each) => each.nodes.map((node) => `${each.id}: ${node.target.join(' ')}: ${node.failureSummary}`));
}"""


def findings(page: Any) -> list[str]:
    """What is seriously or critically wrong on the page as it is now, a line each.

    The script goes in through the browser's own door for tests: the page's policy would not let it run, rightly.
    """
    page.evaluate(SOURCE)
    found: list[str] = page.evaluate(_RUN, list(STANDARDS))
    return found
