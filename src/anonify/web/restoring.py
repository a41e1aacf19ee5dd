"""The route that turns surrogates back into values.  It stores nothing and needs no session: who has the vault may."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import PurePath
from typing import Final

from anyio import CapacityLimiter, to_thread
from fastapi import APIRouter, Request
from starlette.responses import Response, StreamingResponse

from anonify.documents import by_kind, iter_chunks
from anonify.export import MAX_VAULT, read_vault
from anonify.export.restore import Restored, restore
from anonify.runs import Services
from anonify.sandbox import read_all
from anonify.storage import Spool

from .documents import clean_name
from .guard import Work, take
from .lanes import aside
from .multipart import Sent, Wanted, read_form
from .streams import SANDBOX_CSP, disposition, pull

__all__ = ["router"]

router = APIRouter(prefix="/api", tags=["export"])

_REDACTED: Final = re.compile(r"-redacted(-[a-z]+)*$")
"""What an export adds to a name."""

_FORM: Final = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["file", "vault"],
                    "properties": {
                        "file": {"type": "string", "format": "binary"},
                        "vault": {"type": "string", "format": "binary"},
                    },
                }
            }
        },
    }
}


@router.post("/restore", response_class=Response, openapi_extra=_FORM)
async def put_back(services: Work, request: Request) -> Response:
    """Put the values of a vault back into the file it was made with; nothing of either is kept.

    `X-Restored-Values` says how many values were put back, `X-Unresolved-Values` how many of the vault's are not in the
    file, `X-Vault-Matches` whether the vault was made with exactly this file.
    """
    take(request, "export")
    with ExitStack() as stack:
        limiter: CapacityLimiter = request.app.state.uploads
        sent = await to_thread.run_sync(_receive, request, services, stack, limiter=limiter)
        made = await aside(request, request.app.state.exports, _restore, services, sent, stack)
        return _answer(sent, made, stack.pop_all())


def _receive(request: Request, services: Services, stack: ExitStack) -> dict[str, Sent]:
    wanted = (Wanted("file", services.settings.max_upload_bytes), Wanted("vault", MAX_VAULT))
    return read_form(request.headers.get("content-type"), pull(request), wanted, stack)


def _restore(services: Services, sent: dict[str, Sent], stack: ExitStack) -> Restored:
    vault = read_vault(read_all(sent["vault"].spool, MAX_VAULT))
    timeout = services.settings.task_timeout_seconds
    return stack.enter_context(restore(services.pool, sent["file"].spool, _name(sent), vault, Spool, timeout=timeout))


def _name(sent: dict[str, Sent]) -> str:
    return clean_name(sent["file"].filename or "document")


def _answer(sent: dict[str, Sent], made: Restored, kept: ExitStack) -> Response:
    """The restored file; `kept` is closed when it was sent, or cannot be."""
    form = by_kind(made.kind)
    headers = {
        "Content-Length": str(made.artifact.size),
        "Content-Disposition": disposition(_restored(_name(sent), form.extensions[0])),
        "Content-Security-Policy": SANDBOX_CSP,
        "Cache-Control": "no-store",
        "X-Restored-Values": str(made.restored),
        "X-Unresolved-Values": str(made.unresolved),
        "X-Vault-Matches": "true" if made.matches else "false",
    }

    def body() -> Iterator[bytes]:
        with kept:
            yield from iter_chunks(made.artifact)

    return StreamingResponse(body(), 200, headers, media_type=form.mime_types[0])


def _restored(name: str, extension: str) -> str:
    """`NAME-restored.EXT` of a file called `NAME-redacted.EXT`."""
    path = PurePath(name)
    return f"{_REDACTED.sub('', path.stem) or 'document'}-restored{path.suffix or extension}"
