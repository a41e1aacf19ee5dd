"""A document id authorises nothing (invariant 5).

Every route the application has is called without a session and with a stranger's session.  A route added tomorrow is
in this list by itself; if it answers, this fails until somebody writes down that it is meant to.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import httpx2
import pytest
from fastapi.routing import APIRoute
from starlette.testclient import TestClient

from anonify import runs
from anonify.identity import COOKIE, identify, new_session
from anonify.runs import Services, open_services
from anonify.settings import Settings
from anonify.web import create_app
from anonify.web.guard import PUBLIC

MEANT_TO_BE_OPEN = {
    ("GET", "/"): 200,
    ("GET", "/documents"): 200,
    ("GET", "/restore"): 200,
    ("GET", "/limits"): 200,
    ("GET", "/about"): 200,
    ("GET", "/api/documents"): 200,
    ("POST", "/api/documents"): 400,
    ("GET", "/api/batches"): 200,
    ("POST", "/api/batches"): 400,
    ("GET", "/api/work"): 200,
    ("POST", "/api/work"): 400,
    ("POST", "/api/restore"): 400,
    ("GET", "/api/limits"): 200,
    ("GET", "/api/health"): 200,
    ("GET", "/api/ready"): 200,
    ("GET", "/metrics"): 401,
    ("GET", "/api/cron/cleanup"): 503,
    ("GET", "/api/openapi.json"): 200,
    ("GET", "/api/docs"): 200,
}
"""What answers to anybody, and how to a bare request from beyond this machine."""


@pytest.fixture
def services(settings: Settings) -> Iterator[Services]:
    opened = open_services(settings, role="web")
    yield opened
    opened.close()


@pytest.fixture
def http(services: Services) -> Iterator[TestClient]:
    app = create_app(services)

    @app.get("/api/documents/{document_id}/added-tomorrow")
    def added_tomorrow(document_id: str) -> dict[str, str]:
        return {"leaked": document_id}

    @app.get("/api/added-tomorrow")
    def added_elsewhere() -> dict[str, str]:
        return {"leaked": "all"}

    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


def _routes(http: TestClient) -> list[tuple[str, str]]:
    found = []
    pending = list(http.app.routes)  # type: ignore[attr-defined]  # a FastAPI application
    while pending:
        route = pending.pop()
        if isinstance(route, APIRoute):
            found += [(method, route.path) for method in route.methods or ()]
        else:
            router = getattr(route, "original_router", route)
            pending += getattr(router, "routes", None) or []
    return sorted(found)


def _document(services: Services, session: str) -> str:
    identity = identify(services.keys, session, "testclient")
    assert identity.owner_key is not None
    row = runs.create_document(
        services, owner_key=identity.owner_key, quota_key=identity.quota_key, filename="mine.txt", size=4
    )
    return row.id


def _batch(services: Services, session: str) -> str:
    identity = identify(services.keys, session, "testclient")
    assert identity.owner_key is not None
    files = [runs.Wanted("mine.txt", 4)]
    batch, _ = runs.create_batch(services, owner_key=identity.owner_key, quota_key=identity.quota_key, files=files)
    return batch.id


def _call(http: TestClient, method: str, path: str, document: str, session: str | None) -> httpx2.Response:
    concrete = path.replace("{document_id}", document).replace("{batch_id}", document)
    concrete = re.sub(r"\{[^}]+\}", "1", concrete)
    if path == "/api/upload/local":
        concrete += f"?documentId={document}"
    if path.endswith("/download"):
        concrete += "?token=x.y"
    http.cookies.clear()
    headers = {} if session is None else {"Cookie": f"{COOKIE}={session}"}
    body = b"" if method in ("GET", "DELETE") else b"{}"
    response: httpx2.Response = http.request(method, concrete, content=body, headers=headers)
    return response


def test_routes_are_found(http: TestClient) -> None:
    routes = _routes(http)

    assert ("GET", "/api/documents/{document_id}") in routes
    assert ("PUT", "/api/upload/local") in routes
    assert ("GET", "/api/documents/{document_id}/added-tomorrow") in routes
    assert len([path for _, path in routes if "{document_id}" in path]) >= 15


def test_the_open_routes_are_the_ones_meant(http: TestClient) -> None:
    assert set(MEANT_TO_BE_OPEN) == set(PUBLIC)
    for (method, path), status in MEANT_TO_BE_OPEN.items():
        assert _call(http, method, path, "0" * 32, None).status_code == status, (method, path)


def test_without_a_session_nothing_else_answers(http: TestClient, services: Services) -> None:
    document = _document(services, new_session())
    for method, path in _routes(http):
        if (method, path) in MEANT_TO_BE_OPEN:
            continue
        for session in (None, "", "x" * 43 + "!", "short"):
            answer = _call(http, method, path, document, session)
            assert answer.status_code == 401, (method, path)
            assert answer.json()["code"] == "no-session"
            assert "leaked" not in answer.text


def test_somebody_elses_document_does_not_exist(http: TestClient, services: Services) -> None:
    document = _document(services, new_session())
    stranger = new_session()
    _document(services, stranger)
    for method, path in _routes(http):
        if "{document_id}" not in path and path != "/api/upload/local":
            continue
        theirs = _call(http, method, path, document, stranger)
        nobodys = _call(http, method, path, "f" * 32, stranger)
        assert theirs.status_code == 404, (method, path)
        # Not even a difference in the answer says that it exists.
        assert theirs.json() == nobodys.json(), (method, path)


def test_somebody_elses_batch_does_not_exist(http: TestClient, services: Services) -> None:
    batch = _batch(services, new_session())
    stranger = new_session()
    _batch(services, stranger)
    found = [(method, path) for method, path in _routes(http) if "{batch_id}" in path]
    assert len(found) >= 15
    for method, path in found:
        theirs = _call(http, method, path, batch, stranger)
        nobodys = _call(http, method, path, "f" * 32, stranger)
        assert theirs.status_code == 404, (method, path)
        assert theirs.json() == nobodys.json(), (method, path)


def test_somebody_elses_rule_does_not_exist(http: TestClient, services: Services) -> None:
    owner, stranger = new_session(), new_session()
    batch, theirs = _batch(services, owner), _batch(services, stranger)
    headers = {"Cookie": f"{COOKIE}={owner}"}
    http.cookies.clear()
    made = http.post(f"/api/batches/{batch}/rules", json={"pattern": "harbour"}, headers=headers).json()["rule"]["id"]
    everywhere = http.post("/api/rules", json={"pattern": "harbour"}, headers=headers).json()["rule"]["id"]
    headers = {"Cookie": f"{COOKIE}={stranger}"}
    document = _document(services, stranger)
    for path in (
        f"/api/batches/{theirs}/rules/{made}",
        f"/api/rules/{everywhere}",
        f"/api/rules/{made}",
        f"/api/documents/{document}/rules/{made}",
    ):
        assert http.patch(path, json={"enabled": False}, headers=headers).status_code == 404, path
        assert http.delete(path, headers=headers).status_code == 404, path
    assert http.get("/api/rules", headers=headers).json() == {"rules": []}


def test_the_owner_is_answered(http: TestClient, services: Services) -> None:
    mine = new_session()
    document = _document(services, mine)

    assert _call(http, "GET", "/api/documents/{document_id}", document, mine).status_code == 200
    assert _call(http, "GET", "/api/documents/{document_id}/added-tomorrow", document, mine).status_code == 200
    listed = _call(http, "GET", "/api/documents", document, mine).json()["documents"]
    assert [item["id"] for item in listed] == [document]
    other = _call(http, "GET", "/api/documents", document, new_session()).json()["documents"]
    assert other == []


def test_the_cookie_is_not_for_scripts_or_other_sites(http: TestClient) -> None:
    http.cookies.clear()
    cookie = http.post("/api/documents", json={"filename": "a.txt", "size": 1}).headers["set-cookie"]

    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    assert "Max-Age=2592000" in cookie
    assert "Secure" not in cookie  # plain HTTP on this machine
    http.cookies.clear()
    secure = TestClient(http.app, base_url="https://testserver")
    assert "Secure" in secure.post("/api/documents", json={"filename": "a.txt", "size": 1}).headers["set-cookie"]
