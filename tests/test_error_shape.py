"""Every failure a client can see has one shape, says a sentence, and quotes nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import httpx2
import pytest
from fastapi import Request
from sqlalchemy.exc import OperationalError
from starlette.testclient import TestClient

from anonify import runs
from anonify.database import documents, now_ms
from anonify.errors import FAILURES, Code, FatalError, Transient, VerificationFailed
from anonify.identity import COOKIE, Identity, RateLimited, identify, limits, new_session
from anonify.review import WrongPlace
from anonify.runs import RetryRefused, Services, open_services
from anonify.settings import Settings
from anonify.web import create_app
from anonify.web.problems import SENTENCES, Problem

CANARY = "canary-Zx81-value"


class Visitor(TestClient):
    """A browser of somebody the server knows."""

    owner: Identity


@pytest.fixture
def services(settings: Settings) -> Iterator[Services]:
    opened = open_services(settings, role="web")
    yield opened
    opened.close()


@pytest.fixture
def http(services: Services) -> Iterator[Visitor]:
    session = new_session()
    app = create_app(services)
    errors: dict[str, Exception] = {
        "transient": Transient(Code.STORAGE),
        "verification": VerificationFailed("survivor", 3),
        "retry": RetryRefused(Code.UNSUPPORTED_TYPE),
        "rate": RateLimited(7, now_ms() + 7_000),
        "place": WrongPlace("outside-the-page"),
        "database": OperationalError(f"SELECT {CANARY}", {}, Exception(CANARY)),
        "foreign": RuntimeError(CANARY),
        "lookup": KeyError(CANARY),
        "value": ValueError(CANARY),
        "unicode": UnicodeDecodeError("utf-8", CANARY.encode(), 0, 1, CANARY),
    }
    errors |= {f"code-{code.value}": FatalError(code, size=3) for code in Code}
    errors |= {f"problem-{code}": Problem(code) for code in SENTENCES}

    @app.get("/api/raise/{name}")
    def fail(name: str, request: Request) -> None:
        raise errors[name]

    app.state.errors = errors
    with Visitor(app, raise_server_exceptions=False, headers={"Cookie": f"{COOKIE}={session}"}) as client:
        client.owner = identify(services.keys, session, "testclient")
        yield client


def shaped(answer: httpx2.Response) -> dict[str, Any]:
    """The body, once it has the shape."""
    assert answer.status_code >= 400
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["cache-control"] == "no-store"
    body: dict[str, Any] = answer.json()
    assert isinstance(body["error"], str)
    assert body["error"].endswith(".")
    assert isinstance(body["code"], str)
    assert CANARY not in answer.text
    return body


def test_every_exception_has_the_shape(http: Visitor) -> None:
    for name, error in http.app.state.errors.items():  # type: ignore[attr-defined]  # a FastAPI application
        answer = http.get(f"/api/raise/{name}")
        body = shaped(answer)
        if name.startswith("code-"):
            code = Code(name.removeprefix("code-"))
            assert (answer.status_code, body["code"]) == (FAILURES[code].status, code.value)
            assert body["error"] == FAILURES[code].sentence
        if isinstance(error, Problem):
            assert (answer.status_code, body["code"]) == (SENTENCES[error.code][0], error.code)


def test_what_each_kind_says_besides(http: Visitor) -> None:
    rate = http.get("/api/raise/rate")
    assert rate.status_code == 429
    assert rate.headers["retry-after"] == "7"
    assert {"retryAfterSeconds", "resetAt", "rateLimited"} <= set(rate.json())
    assert http.get("/api/raise/database").status_code == 503
    assert http.get("/api/raise/foreign").status_code == 500
    retry = http.get("/api/raise/retry").json()
    assert (retry["errorCode"], retry["retryable"]) == ("unsupported-type", False)
    assert http.get("/api/raise/verification").json()["code"] == "verification-failed"


def test_an_unexpected_failure_is_logged_without_its_text(
    http: Visitor, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    shaped(http.get("/api/raise/foreign"))

    said = capsys.readouterr()
    assert CANARY not in said.out + said.err + caplog.text


def test_refused_requests_have_the_shape(http: Visitor) -> None:
    # Bodies that are not what the address expects, never echoed.
    bodies: list[Any] = [
        b"",
        b"{",
        b"[]",
        b"null",
        b'{"filename": "' + CANARY.encode() + b'"}',
        json.dumps({"filename": CANARY, "size": CANARY}),
        json.dumps({"filename": CANARY, "size": -1}),
        json.dumps({"filename": CANARY, "size": 1, "preset": CANARY}),
        json.dumps({"filename": CANARY, "size": 1, "ttlSeconds": 5}),
        json.dumps({"filename": CANARY, "size": 1, CANARY: True}),
        json.dumps({"filename": CANARY, "size": "1"}),
        json.dumps({"filename": "..", "size": 1}),
        b"\xff\xfe\x00",
    ]
    for content in bodies:
        answer = http.post("/api/documents", content=content, headers={"Content-Type": "application/json"})
        body = shaped(answer)
        assert answer.status_code == 400, content
        assert body["code"] == "invalid-request", content


def test_unknown_addresses_and_methods(http: Visitor) -> None:
    assert shaped(http.get("/api/nothing"))["code"] == "not-found"
    assert shaped(http.put("/api/documents"))["code"] == "method-not-allowed"
    assert shaped(http.get(f"/api/documents/{CANARY}"))["code"] == "not-found"
    assert http.get("/api/documents/%00").status_code == 404


def test_limits_of_size(http: Visitor, services: Services) -> None:
    large = {"filename": "a.txt", "size": services.settings.max_upload_bytes + 1}
    assert shaped(http.post("/api/documents", json=large))["code"] == "too-large"
    long = b'{"filename": "' + b"a" * (5 << 20) + b'", "size": 1}'
    answer = http.post("/api/documents", content=long, headers={"Content-Type": "application/json"})
    assert (answer.status_code, shaped(answer)["code"]) == (413, "body-too-large")
    pieces = iter([long[: 3 << 20], long[3 << 20 :]])
    undeclared = http.post("/api/documents", content=pieces, headers={"Content-Type": "application/json"})
    shaped(undeclared)


def test_other_sites_change_nothing(http: Visitor) -> None:
    reservation = {"filename": "a.txt", "size": 1}
    for headers in (
        {"Origin": "https://elsewhere.example"},
        {"Origin": "null"},
        {"Origin": "http://testserver.elsewhere.example"},
        {"Origin": "https://testserver"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ):
        answer = http.post("/api/documents", json=reservation, headers=headers)
        assert (answer.status_code, shaped(answer)["code"]) == (403, "foreign-origin"), headers
    for headers in ({"Origin": "http://testserver"}, {"Sec-Fetch-Site": "same-origin"}, {}):
        assert http.post("/api/documents", json=reservation, headers=headers).status_code == 201


def test_too_many_requests_and_an_expired_document(http: Visitor, services: Services) -> None:
    owner = http.owner
    assert owner.owner_key is not None
    row = runs.create_document(services, owner_key=owner.owner_key, quota_key=owner.quota_key, filename="a.txt", size=1)
    with services.database.begin() as conn:
        documents.update(conn, row.id, expires_at=now_ms() - 1)
    gone = http.get(f"/api/documents/{row.id}")
    assert (gone.status_code, shaped(gone)["code"]) == (410, "expired")
    assert http.get("/api/documents").json() == {"documents": []}

    with services.database.begin() as conn:
        limits.set_override(conn, "upload.burst", 1)
        limits.set_override(conn, "upload.per-hour", 60)
    assert http.post("/api/documents", json={"filename": "a.txt", "size": 1}).status_code == 201
    refused = http.post("/api/documents", json={"filename": "a.txt", "size": 1})
    body = shaped(refused)
    assert refused.status_code == 429
    assert int(refused.headers["retry-after"]) == body["retryAfterSeconds"] >= 1
    assert http.get("/api/limits").status_code == 200


def test_pages_are_safe_to_show(http: Visitor) -> None:
    pages = ("/", "/documents", "/limits", "/restore", "/about", "/api/docs")
    for path in (*pages, "/static/home.js", "/static/style.css"):
        answer = http.get(path)
        assert answer.status_code == 200, path
        policy = answer.headers["content-security-policy"]
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["x-frame-options"] == "DENY"
        assert "camera=()" in answer.headers["permissions-policy"]
    for path in (*pages, "/nowhere"):
        html = http.get(path, headers={"Accept": "text/html"}).text
        assert html.startswith("<!doctype html>"), path
        assert "<script>" not in html
        assert " onclick" not in html
        assert ' style="' not in html
        assert re.search(r"(src|href|action)=\S*//", html) is None, path  # nothing is fetched from elsewhere


def test_a_hostile_name_makes_no_header_and_no_path(http: Visitor) -> None:
    from anonify.web.streams import disposition

    for name in ('a"\r\nX-Evil: 1.txt', "../../etc/passwd", "naïve – 日本.pdf", "\u202egpj.exe", ".", "\ud800x"):
        header = disposition(name)
        assert "\r" not in header
        assert "\n" not in header
        assert "/" not in header
        header.encode("ascii")
    assert disposition("日本.pdf").endswith("filename*=UTF-8''%E6%97%A5%E6%9C%AC.pdf")


def test_openapi_needs_nothing_and_names_one_error(http: Visitor) -> None:
    from anonify.web import openapi_schema

    schema = openapi_schema()
    assert schema == http.get("/api/openapi.json").json() or "/api/raise/{name}" in http.get("/api/openapi.json").text
    assert "HTTPValidationError" not in json.dumps(schema)
    for path in ("/api/documents", "/api/documents/{document_id}/redactions", "/api/documents/{document_id}/stream"):
        assert path in schema["paths"]
    for methods in schema["paths"].values():
        for operation in methods.values():
            assert operation["responses"]["default"]["content"]["application/json"]["schema"]["$ref"].endswith("/Error")
            assert operation["description"]


def test_a_database_that_is_away_is_503(services: Services, settings: Settings) -> None:
    class Away:
        def begin(self) -> Any:
            raise OperationalError(CANARY, {}, Exception(CANARY))

        connect = begin

        def close(self) -> None: ...

    app = create_app(replace(services, database=Away()))  # type: ignore[arg-type]  # stands for a server that is down
    with TestClient(app, raise_server_exceptions=False, headers={"Cookie": f"{COOKIE}={new_session()}"}) as client:
        for path in ("/api/documents", f"/api/documents/{'0' * 32}", "/api/limits"):
            answer = client.get(path)
            assert (answer.status_code, shaped(answer)["code"]) == (503, "database")
        assert client.get("/api/ready").status_code == 503
        assert client.get("/api/health").status_code == 200
        client.cookies.clear()
    with TestClient(app, raise_server_exceptions=False) as nobody:
        assert nobody.get("/api/documents").json() == {"documents": []}  # without database work
