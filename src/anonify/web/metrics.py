"""Counters for Prometheus: routes and numbers, never ids or content."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest

__all__ = ["Metrics"]

_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


class Metrics:
    """One registry an application."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._requests = Counter(
            "anonify_http_requests",
            "Requests by route and status.",
            ("method", "route", "status"),
            registry=self.registry,
        )
        self._seconds = Histogram(
            "anonify_http_seconds",
            "Seconds a request took.",
            ("method", "route"),
            buckets=(0.005, 0.02, 0.1, 0.5, 2, 10, 60, 600),
            registry=self.registry,
        )
        self._exports = Counter("anonify_exports", "Exports by outcome.", ("outcome",), registry=self.registry)

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count one request."""
        method = method if method in _METHODS else "OTHER"
        self._requests.labels(method, route, str(status)).inc()
        self._seconds.labels(method, route).observe(seconds)

    def export(self, outcome: str) -> None:
        """Count one export: `verified` or a failure code."""
        self._exports.labels(outcome).inc()

    def render(self) -> bytes:
        """The text Prometheus scrapes."""
        return generate_latest(self.registry)
