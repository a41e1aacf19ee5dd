"""The application: routes behind the guard, inside the shield."""

from __future__ import annotations

import threading
from typing import Any

from anyio import CapacityLimiter
from fastapi import Depends, FastAPI
from starlette.types import ASGIApp

from anonify.runs import Services
from anonify.version import __version__

from . import (
    acts,
    after,
    api_docs,
    batch_exports,
    batches,
    codes,
    content,
    documents,
    events,
    exports,
    marks,
    operation,
    pages,
    previews,
    problems,
    redactions,
    restoring,
    rule_files,
    rules,
    search,
    usage,
    values,
    work,
)
from .guard import guard
from .metrics import Metrics
from .shield import Shield

__all__ = ["create_app", "openapi_schema"]

ROUTERS = (
    documents.router,
    events.router,
    content.router,
    redactions.router,
    values.router,
    acts.router,
    search.router,
    marks.router,
    codes.router,
    exports.router,
    restoring.router,
    after.router,
    rules.router,
    previews.router,
    rule_files.router,
    batches.router,
    batch_exports.router,
    usage.router,
    work.router,
    operation.router,
    pages.router,
    api_docs.router,
)


def _assemble() -> FastAPI:
    """Routes and their descriptions, without anything behind them."""
    app = FastAPI(
        title="anonify",
        version=__version__,
        description="Removes sensitive values from documents and proves they are gone.",
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,  # the address of a redirect would be made from whatever Host was sent
        dependencies=[Depends(guard)],
    )
    for router in ROUTERS:
        app.include_router(router)
    pages.mount_static(app)
    problems.install(app)
    return app


def create_app(services: Services) -> FastAPI:
    """The HTTP application over open services.  The caller closes the services."""
    app = _assemble()
    metrics = Metrics()
    app.state.services = services
    app.state.metrics = metrics
    app.state.uploads = CapacityLimiter(documents.MAX_UPLOADS)
    app.state.arriving = set()
    app.state.drawings = CapacityLimiter(services.settings.cpu_concurrency)
    app.state.exports = CapacityLimiter(2 * services.settings.cpu_concurrency)
    app.state.searches = CapacityLimiter(2 * services.settings.cpu_concurrency)
    app.state.lookers = CapacityLimiter(8)
    app.state.draining = threading.Event()
    inner = app.build_middleware_stack

    def shielded() -> ASGIApp:
        return Shield(inner(), services.settings, metrics)

    # Outside the framework's own last catch, which would log the traceback of whatever failed.
    app.build_middleware_stack = shielded  # type: ignore[method-assign]  # the documented seam is too far inside
    return app


def openapi_schema() -> dict[str, Any]:
    """The OpenAPI document.  Needs no database, key or file."""
    return api_docs.schema_of(_assemble())
