"""Routes for operators and scripts: limits, health, metrics, sweep."""

from __future__ import annotations

import hmac
from dataclasses import asdict
from ipaddress import ip_address

from fastapi import APIRouter, Request, Response
from pydantic import SecretStr
from starlette.responses import JSONResponse

from anonify import runs
from anonify.database import now_ms
from anonify.errors import FAILURES, Code
from anonify.identity import BUCKETS, limits, quotas
from anonify.runs import Services
from anonify.runs.reserve import low

from .describe import quota_out
from .guard import Caller, Own, Work, caller_of
from .metrics import Metrics
from .problems import SENTENCES, Problem, body
from .schemas import HealthOut, LimitsOut, ReadyOut, SweptOut

__all__ = ["limits_out", "router"]

router = APIRouter(tags=["operation"])

_SOFT = frozenset({"no-worker"})
"""What is worth saying but keeps nobody from uploading: the document waits."""


@router.get("/api/limits")
def show_limits(services: Work, caller: Own) -> LimitsOut:
    """What you may do, and what is left today.  Not itself limited."""
    return limits_out(services, caller)


def limits_out(services: Services, caller: Caller) -> LimitsOut:
    """What a caller may do, and what is left of it."""
    with services.database.connect() as conn:
        rates = {bucket: limits.rate(conn, services.settings, bucket) for bucket in BUCKETS}
        left = quotas.remaining(conn, caller.identity.quota_key, services.settings, now_ms())
    return LimitsOut(
        profile=services.settings.profile,
        max_upload_bytes=services.settings.max_upload_bytes,
        rates={name: {"burst": rate.burst, "perHour": rate.per_hour} for name, rate in rates.items()},
        quota=quota_out(left),
    )


@router.get("/api/health")
def health() -> HealthOut:
    """The process answers."""
    return HealthOut()


@router.get("/api/ready", response_model=ReadyOut)
def ready(services: Work) -> Response:
    """Whether documents can be taken and worked on.  503 when database or storage are away, or the disk is full."""
    degraded = list(runs.ready(services))
    if low(services.settings):
        degraded.append("disk-full")
    broken = [reason for reason in degraded if reason not in _SOFT]
    if "disk-full" in broken:
        return JSONResponse(body("disk-full", SENTENCES["disk-full"][1], ready=False, degraded=degraded), 503)
    if broken:
        failure = FAILURES[Code.DATABASE if Code.DATABASE in broken else Code.STORAGE]
        return JSONResponse(body(broken[0], failure.sentence, ready=False, degraded=degraded), 503)
    return JSONResponse({"ready": True, "degraded": degraded})


def _is_set(secret: SecretStr | None) -> bool:
    """An empty variable, as deployment files leave one, is no secret: it must not match an empty token."""
    return secret is not None and bool(secret.get_secret_value().strip())


def _bearer(request: Request, secret: SecretStr | None) -> bool:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if secret is None or not _is_set(secret) or scheme.lower() != "bearer":
        return False
    return hmac.compare_digest(token.strip().encode(), secret.get_secret_value().strip().encode())


def _loopback(caller: Caller) -> bool:
    # A proxy on this machine is loopback for everybody it forwards.
    try:
        return not caller.forwarded and ip_address(caller.address).is_loopback
    except ValueError:
        return False


@router.get("/metrics", response_class=Response)
def metrics(request: Request, services: Work) -> Response:
    """Prometheus text, for this machine or with `ANONIFY_METRICS_TOKEN`."""
    if not _loopback(caller_of(request)) and not _bearer(request, services.settings.metrics_token):
        raise Problem("unauthorized", headers={"WWW-Authenticate": "Bearer"})
    counters: Metrics = request.app.state.metrics
    return Response(counters.render(), media_type="text/plain; version=0.0.4; charset=utf-8")


@router.get("/api/cron/cleanup")
def cleanup(request: Request, services: Work) -> SweptOut:
    """Run the expiry sweep, for schedulers that hold `CRON_SECRET`."""
    if not _is_set(services.settings.cron_secret):
        raise Problem("not-configured")
    if not _bearer(request, services.settings.cron_secret):
        raise Problem("unauthorized", headers={"WWW-Authenticate": "Bearer"})
    counts = runs.sweep_expired(services)
    return SweptOut(swept={name: value for name, value in asdict(counts).items() if isinstance(value, int)})
