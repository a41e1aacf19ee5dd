"""The file of rules: written, read back, and hostile."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from tests.web.site import Site, browser_session, upload, wait_for

MAIL = b"Write to ana.lopez@example.org, not to ben.ono@example.org.\n"
RULES: list[dict[str, Any]] = [
    {"pattern": "ana.lopez@example.org", "action": "keep", "category": "email"},
    {"pattern": r"[a-z]+\.ono@\S+\.org", "kind": "regex", "matchCase": True, "wholeWord": False, "reason": "b(6)"},
    {"pattern": "harbour", "enabled": False},
]


def file(*rules: Any, **more: Any) -> dict[str, Any]:
    return {"format": "anonify-rules", "version": 1, "rules": list(rules), **more}


def bring(client: httpx.Client, *rules: Any) -> dict[str, Any]:
    answer = client.post("/api/rules/import", json=file(*rules))
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def begin(client: httpx.Client) -> None:
    client.post("/api/documents", json={"filename": "a.txt", "size": 1})


def listed(client: httpx.Client) -> list[dict[str, Any]]:
    return list(client.get("/api/rules").json()["rules"])


def test_rules_written_by_one_session_work_in_another(client: httpx.Client, site: Site) -> None:
    begin(client)
    assert bring(client, *RULES) == {"added": 3, "switchedOn": 0, "already": 0, "refused": []}
    assert bring(client, *RULES) == {"added": 0, "switchedOn": 0, "already": 3, "refused": []}
    answer = client.get("/api/rules/export")
    assert answer.headers["content-disposition"] == 'attachment; filename="anonify-rules.json"'
    saved = answer.json()
    assert (saved["format"], saved["version"]) == ("anonify-rules", 1)
    assert set(saved["rules"][0]) == {
        *("kind", "pattern", "matchCase", "wholeWord", "category", "method", "action", "enabled", "reason")
    }
    with browser_session(site) as other:
        document = upload(other, MAIL, "mail.txt")
        wait_for(other, document)
        assert other.post("/api/rules/import", json=saved).json()["added"] == 3
        assert other.get("/api/rules/export").json() == saved
        later = upload(other, MAIL, "later.txt")
        wait_for(other, later)
        for one in (document, later):
            _reached(other, 2)
            rows = other.get(f"/api/documents/{one}/redactions").json()["redactions"]
            assert [(row["status"], row["reason"]) for row in rows] == [("rejected", None), ("accepted", "b(6)")]
    assert [rule["documents"] for rule in listed(client)] == [0, 0, 0]  # nobody else's


def _reached(client: httpx.Client, documents: int) -> None:
    for _ in range(600):
        if [rule["documents"] for rule in listed(client)] == [documents, documents, 0]:
            return
    raise AssertionError(listed(client))


def test_what_cannot_be_used_is_named_by_its_place_and_the_rest_is_taken(client: httpx.Client) -> None:
    begin(client)
    wrong: list[tuple[Any, str]] = [
        (None, "not-a-rule"),
        ("secret", "not-a-rule"),
        ([1], "not-a-rule"),
        ({}, "pattern"),
        ({"pattern": 4}, "pattern"),
        ({"pattern": "secret\x00"}, "pattern"),
        ({"pattern": "secret" * 100}, "pattern"),
        ({"pattern": "(secret", "kind": "regex"}, "pattern"),
        ({"pattern": "s*", "kind": "regex"}, "pattern"),
        ({"pattern": "s"}, "pattern"),
        ({"pattern": "secret", "kind": "glob"}, "kind"),
        ({"pattern": "secret", "matchCase": "yes"}, "matchCase"),
        ({"pattern": "secret", "category": "secret"}, "category"),
        ({"pattern": "secret", "category": {"a": 1}}, "category"),
        ({"pattern": "secret", "action": "drop"}, "action"),
        ({"pattern": "secret", "reason": "<script>"}, "reason"),
        ({"pattern": "secret", "enabled": 1}, "enabled"),
        ({"pattern": "secret", "secret": "x"}, "unknown-field"),
        ({"pattern": "secret", "scope": "global"}, "unknown-field"),
        ({"pattern": "secret", "id": "0" * 32}, "unknown-field"),
    ]
    answer = client.post("/api/rules/import", json=file({"pattern": "fine"}, *(rule for rule, _ in wrong)))

    assert answer.json() == {
        "added": 1,
        "switchedOn": 0,
        "already": 0,
        "refused": [{"index": index, "why": why} for index, (_, why) in enumerate(wrong, 1)],
    }
    assert "secret" not in answer.text
    assert [rule["pattern"] for rule in listed(client)] == ["fine"]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"null",
        b"\xff\xfe",
        b'{"format":"anonify-rules","version":1}',
        b'{"format":"other","version":1,"rules":[]}',
        b'{"format":"anonify-rules","version":2,"rules":[]}',
        b'{"format":"anonify-rules","version":true,"rules":[]}',
        b'{"format":"anonify-rules","version":1,"rules":{}}',
        b'{"format":"anonify-rules","version":1,"rules":[],"more":1}',
        b'{"format":"anonify-rules","version":1,"rules":[' + b"1," * 9_999 + b"1]}",
    ],
)
def test_what_is_no_such_file_is_refused_whole(client: httpx.Client, body: bytes) -> None:
    begin(client)
    answer = client.post("/api/rules/import", content=body, headers={"content-type": "application/json"})
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid-request"), answer.text
    assert listed(client) == []


def test_a_file_that_is_too_long_is_not_read(client: httpx.Client) -> None:
    begin(client)
    answer = client.post("/api/rules/import", json=file({"pattern": "x" * (10 << 20)}))
    assert (answer.status_code, answer.json()["code"]) == (413, "body-too-large")


def test_more_than_two_hundred_are_taken_not_at_all(client: httpx.Client) -> None:
    begin(client)
    many = [{"pattern": f"value {number}", "enabled": False} for number in range(201)]
    answer = client.post("/api/rules/import", json=file(*many))
    assert (answer.status_code, answer.json()["code"]) == (409, "too-many-rules")
    assert listed(client) == []
    doubled = many[:150] * 5  # a rule twice in a file is one
    assert bring(client, *doubled) == {"added": 150, "switchedOn": 0, "already": 600, "refused": []}
    assert client.post("/api/rules/import", json=file(*many)).status_code == 409
    assert len(listed(client)) == 150
    assert bring(client, *many[:200])["added"] == 50
    assert bring(client, *many[:200]) == {
        "added": 0,
        "switchedOn": 0,
        "already": 200,
        "refused": [],
    }  # full, and nothing is new


def test_a_rule_that_was_off_works_again_when_its_file_is_brought(site: Site) -> None:
    with browser_session(site) as client:
        document = upload(client, MAIL)
        wait_for(client, document)
        bring(client, {"pattern": "ben.ono@example.org"})
        (rule,) = listed(client)
        client.patch(f"/api/rules/{rule['id']}", json={"enabled": False})
        answer = bring(client, {"pattern": "ben.ono@example.org"}, {"pattern": "ben.ono@example.org", "enabled": False})
        assert (answer["added"], answer["switchedOn"], answer["already"]) == (0, 1, 1)
        assert listed(client)[0]["enabled"]
