"""Who may do what.  Everything is denied unless it is listed here or belongs to the caller.

The guard is a dependency of the whole application, so a route added tomorrow is behind it.  A route with a
`document_id` or `batch_id` in its path is answered only to its owner; to anybody else it does not exist.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated, Any, Final, cast

from fastapi import Depends, Request
from sqlalchemy.exc import SQLAlchemyError
from starlette.responses import Response

from anonify.database import BatchRow, DocumentRow, batches, documents, now_ms
from anonify.identity import (
    COOKIE,
    SESSION_SECONDS,
    Identity,
    client_address,
    client_is_https,
    identify,
    limits,
    new_session,
    trusted_networks,
    valid_session,
)
from anonify.runs import Services
from anonify.runs.reserve import is_full

from .problems import Problem

__all__ = [
    "PUBLIC",
    "Caller",
    "Mine",
    "MyBatch",
    "Own",
    "Owner",
    "Work",
    "begin_session",
    "guard",
    "take",
    "take_up_to",
]

PUBLIC: Final = frozenset(
    {
        ("GET", "/"),
        ("GET", "/documents"),
        ("GET", "/restore"),
        ("GET", "/limits"),
        ("GET", "/about"),
        ("GET", "/api/documents"),
        ("POST", "/api/documents"),
        ("GET", "/api/batches"),
        ("POST", "/api/batches"),
        ("GET", "/api/work"),
        ("POST", "/api/work"),
        ("POST", "/api/restore"),
        ("GET", "/api/limits"),
        ("GET", "/api/health"),
        ("GET", "/api/ready"),
        ("GET", "/metrics"),
        ("GET", "/api/cron/cleanup"),
        ("GET", "/api/openapi.json"),
        ("GET", "/api/docs"),
    }
)
"""What answers without a session.  Some check a token of their own."""

_BUCKETS: Final = {
    ("PUT", "/api/upload/local"): "upload",
    ("POST", "/api/documents/{document_id}/process"): "processing",
    ("POST", "/api/documents/{document_id}/retry"): "processing",
    ("POST", "/api/documents/{document_id}/export"): "export",
    ("POST", "/api/batches/{batch_id}/process"): "processing",
}
"""Which bucket a guarded route draws on; `read` when nothing is said."""

_ID: Final = re.compile(r"[0-9a-f]{32}")

_EVEN_EXPIRED: Final = frozenset({("DELETE", "/api/documents/{document_id}"), ("DELETE", "/api/batches/{batch_id}")})


@dataclass(frozen=True, slots=True)
class Caller:
    """Who is asking, and how."""

    identity: Identity
    address: str
    https: bool
    forwarded: bool


def services_of(request: Request) -> Services:
    """The application's services."""
    return cast("Services", request.app.state.services)


def caller_of(request: Request) -> Caller:
    """Who is asking; worked out once a request."""
    known = getattr(request.state, "caller", None)
    if isinstance(known, Caller):
        return known
    services = services_of(request)
    trusted = trusted_networks(services.settings.trusted_proxies)
    peer = request.client.host if request.client else None
    address = client_address(peer, request.headers, trusted)
    caller = Caller(
        identity=identify(services.keys, request.cookies.get(COOKIE), address),
        address=address,
        https=client_is_https(peer, request.url.scheme, request.headers, trusted),
        forwarded=any(name in request.headers for name in ("x-forwarded-for", "forwarded", "x-real-ip")),
    )
    request.state.caller = caller
    return caller


def take(request: Request, bucket: str) -> None:
    """Take one token of `bucket` for the caller's network.

    Raises:
        RateLimited: there is none.
    """
    services = services_of(request)
    try:
        with services.database.begin() as conn:
            limits.take(conn, bucket, caller_of(request).identity.network_key, services.settings, now_ms())
    except SQLAlchemyError as error:
        # On a full disk nothing can be counted.  Reading and deleting go on: that is how room is made.
        if bucket != "read" or not is_full(error):
            raise


def take_up_to(request: Request, bucket: str, wanted: int) -> int:
    """Take as many of `wanted` tokens of `bucket` as the caller's network has; returns how many.

    Raises:
        RateLimited: there is none.
    """
    services, network = services_of(request), caller_of(request).identity.network_key
    with services.database.begin() as conn:
        return limits.take_up_to(conn, bucket, network, services.settings, now_ms(), wanted=wanted)


def guard(request: Request) -> None:
    """Let a request through, or raise.

    Raises:
        Problem: `no-session`, `not-found` (also for somebody else's) or `expired`.
        RateLimited: too many.
    """
    route: Any = request.scope.get("route")
    method = "GET" if request.method == "HEAD" else request.method
    key = (method, getattr(route, "path", ""))
    if key in PUBLIC:
        return
    owner = caller_of(request).identity.owner_key
    if owner is None:
        raise Problem("no-session")
    take(request, _BUCKETS.get(key, "read"))
    document_id = request.path_params.get("document_id")
    if document_id is not None:
        request.state.document = _own(request, str(document_id), owner, even_expired=key in _EVEN_EXPIRED)
    batch_id = request.path_params.get("batch_id")
    if batch_id is not None:
        request.state.batch = _own_batch(request, str(batch_id), owner, even_expired=key in _EVEN_EXPIRED)


def _own(request: Request, document_id: str, owner: str, *, even_expired: bool = False) -> DocumentRow:
    if _ID.fullmatch(document_id) is None:  # not every database takes every character
        raise Problem("not-found")
    with services_of(request).database.connect() as conn:
        row = documents.get(conn, document_id)
    if row is None or row.owner_key != owner:
        raise Problem("not-found")
    if not even_expired and (row.status == "expired" or row.expires_at <= now_ms()):
        raise Problem("expired")
    return row


def _own_batch(request: Request, batch_id: str, owner: str, *, even_expired: bool) -> BatchRow:
    if _ID.fullmatch(batch_id) is None:
        raise Problem("not-found")
    with services_of(request).database.connect() as conn:
        row = batches.get(conn, batch_id)
    if row is None or row.owner_key != owner:
        raise Problem("not-found")
    if not even_expired and row.expires_at <= now_ms():
        raise Problem("expired")
    return row


def own_document(request: Request) -> DocumentRow:
    """The document of the path, which :func:`guard` has found to be the caller's."""
    row = getattr(request.state, "document", None)
    if not isinstance(row, DocumentRow):
        raise Problem("not-found")
    return row


def own_batch(request: Request) -> BatchRow:
    """The batch of the path, which :func:`guard` has found to be the caller's."""
    row = getattr(request.state, "batch", None)
    if not isinstance(row, BatchRow):
        raise Problem("not-found")
    return row


def own_by_id(request: Request, document_id: str) -> DocumentRow:
    """A document named elsewhere than in the path.

    Raises:
        Problem: `no-session`, `not-found` or `expired`.
    """
    return _own(request, document_id, owner_key(request))


def owner_key(request: Request) -> str:
    """The caller's key.

    Raises:
        Problem: `no-session`.
    """
    owner = caller_of(request).identity.owner_key
    if owner is None:
        raise Problem("no-session")
    return owner


def begin_session(request: Request, response: Response) -> Identity:
    """The caller's identity, with a fresh session if there was none; (re)sets the cookie for 30 days."""
    services, caller = services_of(request), caller_of(request)
    session = request.cookies.get(COOKIE)
    if session is None or not valid_session(session):
        session = new_session()
    response.set_cookie(
        COOKIE, session, max_age=SESSION_SECONDS, path="/", httponly=True, samesite="lax", secure=caller.https
    )
    return identify(services.keys, session, caller.address)


Work = Annotated[Services, Depends(services_of)]
Mine = Annotated[DocumentRow, Depends(own_document)]
MyBatch = Annotated[BatchRow, Depends(own_batch)]
Owner = Annotated[str, Depends(owner_key)]
Own = Annotated[Caller, Depends(caller_of)]
