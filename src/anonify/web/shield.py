"""The outermost layer: headers, the Origin check, body limits, metrics, and the last catch.

Pure ASGI, so that streams pass through untouched and a client's leaving cancels what serves it.
"""

from __future__ import annotations

import time
from typing import Final
from urllib.parse import urlsplit

import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from anonify.identity import client_is_https, trusted_networks
from anonify.settings import Settings

from .metrics import Metrics
from .modules import IMPORT_MAP_SOURCE
from .problems import Problem, answer_to

__all__ = ["CSP", "Shield"]

log = structlog.get_logger(__name__)

CSP: Final = (
    f"default-src 'none'; script-src 'self' {IMPORT_MAP_SOURCE}; style-src 'self'; img-src 'self' blob:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""Nothing from elsewhere, and nothing inline but the one import map."""

_HEADERS: Final = {
    "content-security-policy": CSP,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}

_CHANGES: Final = frozenset({"POST", "PUT", "PATCH", "DELETE"})

MAX_BODY: Final = 4 << 20
"""Largest JSON body: 2,000 ids take 70 KB, a list of values a little more."""

UPLOAD_PATHS: Final = frozenset({"/api/upload/local", "/api/restore"})
"""Where files arrive, whose routes limit what they take."""


class StreamBroken(Exception):
    """An answer could not be finished.  Carries nothing, because the server logs it."""


class Shield:
    """Wraps the application."""

    def __init__(self, app: ASGIApp, settings: Settings, metrics: Metrics) -> None:
        self._app = app
        self._public = settings.public_url
        self._trusted = trusted_networks(settings.trusted_proxies)
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.monotonic()
        status = 499
        started = finished = False
        received = 0
        headers = Headers(scope=scope)
        https = client_is_https((scope.get("client") or (None,))[0], scope["scheme"], headers, self._trusted)

        async def sending(message: Message) -> None:
            nonlocal started, finished, status
            if message["type"] == "http.response.start":
                started = True
                status = message["status"]
                self._dress(MutableHeaders(scope=message), scope["path"], https)
            await send(message)
            finished = message["type"] == "http.response.body" and not message.get("more_body", False)

        async def limited() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > MAX_BODY:
                raise Problem("body-too-large")
            return message

        try:
            self._check(scope, headers, https)
            await self._app(scope, receive if scope["path"] in UPLOAD_PATHS else limited, sending)
        except ClientDisconnect:
            pass
        except Exception as error:
            # The type only: a foreign exception's text may quote a document.
            if not isinstance(error, Problem):
                kind = type(error).__name__
                log.error("request.failed", kind=kind, path=_template(scope), started=started)  # noqa: TRY400  # see above
            if started and not finished:
                raise StreamBroken from None  # the status is out: a broken connection is the only honest answer left
            if not started:
                await answer_to(scope, error)(scope, receive, sending)
        finally:
            self._metrics.request(scope["method"], _template(scope), status, time.monotonic() - began)

    def _dress(self, headers: MutableHeaders, path: str, https: bool) -> None:
        for name, value in _HEADERS.items():
            headers.setdefault(name, value)
        if path.startswith("/api/") or path == "/metrics":
            headers.setdefault("cache-control", "no-store")
        if https:
            headers.setdefault("strict-transport-security", "max-age=31536000")

    def _check(self, scope: Scope, headers: Headers, https: bool) -> None:
        """Raise :class:`Problem` when a request must not go on."""
        if scope["method"] not in _CHANGES:
            return
        origin = headers.get("origin")
        if origin is not None and not self._own(origin, headers.get("host", ""), https):
            raise Problem("foreign-origin")
        if origin is None and headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
            raise Problem("foreign-origin")
        length = headers.get("content-length", "0")
        if scope["path"] not in UPLOAD_PATHS and (not length.isdecimal() or int(length) > MAX_BODY):
            raise Problem("body-too-large")

    def _own(self, origin: str, host: str, https: bool) -> bool:
        if self._public is not None:
            public = urlsplit(self._public)
            return origin.lower() == f"{public.scheme}://{public.netloc}".lower()
        return origin.lower() == f"{'https' if https else 'http'}://{host}".lower()


def _template(scope: Scope) -> str:
    """The route's template: a path holds ids and would make a time series of each."""
    return getattr(scope.get("route"), "path", "other")
