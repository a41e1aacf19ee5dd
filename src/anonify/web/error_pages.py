"""Failures for people who follow a link: the sentence of the API, on a page with a way on."""

from __future__ import annotations

from typing import Any, Final

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import Scope

from .templating import page

__all__ = ["error_page", "wants_page"]

_TITLES: Final = {
    401: "This browser has no session",
    403: "This is not for you",
    404: "There is nothing here",
    405: "This address does not do that",
    410: "This is gone",
    429: "Too many requests",
}

_MACHINES: Final = ("/api/", "/static/", "/metrics")


def wants_page(scope: Scope) -> bool:
    """Whether somebody is on the way to a page, and not a program to an answer.

    A download is a route of the API, but a browser goes to it like to a page.
    """
    headers = Headers(scope=scope)
    if scope["method"] not in ("GET", "HEAD") or "text/html" not in headers.get("accept", ""):
        return False
    path: str = scope["path"]
    if not path.startswith(_MACHINES):
        return True
    return path.endswith("/download") and headers.get("sec-fetch-mode") == "navigate"


def error_page(fields: dict[str, Any], status: int, headers: dict[str, str] | None) -> Response:
    """The page for a failure.

    Args:
        fields: the body the API would answer with.
    """
    title = _TITLES.get(status, "Something went wrong here" if status >= 500 else "This did not work")
    return page(
        "error",
        status=status,
        headers=headers,
        private=True,
        title=title,
        sentence=fields["error"],
        code=fields["code"],
        wait=fields.get("retryAfterSeconds"),
        again=status >= 500 or status == 429,
    )
