"""Pages as templates: one environment, escaping always, a missing name an error."""

from __future__ import annotations

from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from starlette.responses import HTMLResponse

from anonify.version import __version__

from .modules import IMPORT_MAP, VERSIONED, WORKSPACE_MODULES

__all__ = ["page"]


def _bytes(count: int) -> str:
    """A size for people, as the pages' scripts write it too."""
    value, unit = float(count), "bytes"
    for larger in ("KB", "MB", "GB"):
        if value < 1_024:
            break
        value, unit = value / 1_024, larger
    shown = f"{value:.1f}" if value < 10 and value != int(value) else f"{value:.0f}"
    return f"{shown} {unit}"


_templates: Final = Environment(loader=PackageLoader("anonify.web"), autoescape=True, undefined=StrictUndefined)
_templates.globals["import_map"] = Markup(IMPORT_MAP)  # noqa: S704  # a constant
_templates.globals["static"] = VERSIONED
_templates.globals["workspace_modules"] = WORKSPACE_MODULES
_templates.filters["bytes"] = _bytes
_templates.filters["count"] = lambda number: f"{number:,}"


def page(
    name: str, *, status: int = 200, headers: dict[str, str] | None = None, private: bool = False, **context: Any
) -> HTMLResponse:
    """A page of this site.

    Args:
        name: the template's file name without `.html`; also what the navigation marks as the present page.
        private: whether it shows something of its caller's, so that nobody may keep a copy.
        context: what the template names.
    """
    html = _templates.get_template(f"{name}.html").render(version=__version__, here=name, **context)
    cache = {"Cache-Control": "no-store" if private else "no-cache"}
    return HTMLResponse(html, status, {**cache, **(headers or {})})
