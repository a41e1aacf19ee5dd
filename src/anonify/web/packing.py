"""Answers made smaller on their way (gzip), where their length tells nothing that it did not tell before."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Coroutine
from typing import Any, Final

from fastapi import Request, Response
from fastapi.routing import APIRoute

__all__ = ["PackedRoute", "takes_gzip"]

LEAST: Final = 1_400
"""Bytes: what fits one packet gains nothing."""

MOST: Final = 1 << 20
"""Bytes: more would hold up other requests while it is packed."""

LEVEL: Final = 5


def takes_gzip(accepted: str) -> bool:
    """Whether `Accept-Encoding` names gzip without refusing it (RFC 9110 §12.5.3)."""
    for part in accepted.split(","):
        name, *parameters = (piece.strip() for piece in part.lower().split(";"))
        if name == "gzip":
            return not any(piece.startswith("q=") and not piece[2:].strip("0.") for piece in parameters)
    return False


class PackedRoute(APIRoute):
    """A route whose JSON is sent packed to callers that take it.

    The length of a packed answer gives away a secret in it when somebody else can put guesses beside that secret, again
    and again. So a route may be one of these only if it answers with text of the caller's own document, says nothing
    back that came with the request, and holds no link, token or key. (The session's cookie is `SameSite=Lax`, too:
    another site cannot have such requests made and counted.)
    """

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The route's handler, its answer packed."""
        inner = super().get_route_handler()

        async def handler(request: Request) -> Response:
            return _packed(await inner(request), request.headers.get("accept-encoding", ""))

        return handler


def _packed(answer: Response, accepted: str) -> Response:
    body = bytes(getattr(answer, "body", b""))  # a stream has none
    if answer.status_code != 200 or not answer.headers.get("content-type", "").startswith("application/json"):
        return answer
    answer.headers["Vary"] = "Accept-Encoding"
    if LEAST <= len(body) <= MOST and takes_gzip(accepted):
        answer.body = gzip.compress(body, LEVEL, mtime=0)
        answer.headers["Content-Encoding"] = "gzip"
        answer.headers["Content-Length"] = str(len(answer.body))
    return answer
