"""Rules that keep: what they match is never suggested, in a document, a batch and everything that is yours."""

from __future__ import annotations

from typing import Any

import httpx

from tests.web.site import Site, browser_session, upload, wait_for
from tests.web.test_batches import send, settled

ANA, BEN = "ana.lopez@example.org", "ben.ono@example.org"
MAIL = f"Write to {ANA}, not to {BEN}, and again to {ANA}.\n".encode()


def stands(client: httpx.Client, document: str) -> list[tuple[str, str]]:
    """(value, status) of every redaction of a document, in order."""
    rows = client.get(f"/api/documents/{document}/redactions").json()["redactions"]
    return [(row["value"], row["status"]) for row in rows]


def made(client: httpx.Client, at: str, **wanted: Any) -> dict[str, Any]:
    answer = client.post(f"/api/{at}", json=wanted)
    assert answer.status_code == 202, answer.text
    rule: dict[str, Any] = answer.json()
    return rule


def mail(client: httpx.Client) -> str:
    document = upload(client, MAIL, "mail.txt")
    wait_for(client, document)
    return document


def test_a_kept_value_is_rejected_and_comes_back_when_the_rule_goes(client: httpx.Client) -> None:
    document = mail(client)
    at = f"documents/{document}/rules"
    rule = made(client, at, pattern=ANA.upper(), action="keep", category="email")

    assert (rule["rule"]["action"], rule["places"]) == ("keep", 2)
    assert stands(client, document) == [(ANA, "rejected"), (BEN, "suggested"), (ANA, "rejected")]
    rows = client.get(f"/api/documents/{document}/redactions").json()["redactions"]
    assert {(row["origin"], row["ruleId"]) for row in rows if row["value"] == ANA} == {
        ("detection", rule["rule"]["id"])
    }
    client.patch(f"/api/documents/{document}/redactions", json={"ids": [rows[2]["id"]], "status": "accepted"})
    path = f"/api/{at}/{rule['rule']['id']}"
    assert client.patch(path, json={"enabled": False}).json()["places"] == 0
    assert stands(client, document) == [(ANA, "suggested"), (BEN, "suggested"), (ANA, "accepted")]
    assert client.patch(path, json={"enabled": True}).json()["places"] == 1
    assert stands(client, document) == [(ANA, "rejected"), (BEN, "suggested"), (ANA, "accepted")]
    assert client.delete(path).status_code == 204
    assert stands(client, document) == [(ANA, "suggested"), (BEN, "suggested"), (ANA, "accepted")]


def test_what_redacts_wins_whichever_came_first(client: httpx.Client) -> None:
    for order in (("keep", "redact"), ("redact", "keep")):
        document = mail(client)
        at = f"documents/{document}/rules"
        ids = {action: made(client, at, pattern=ANA, action=action)["rule"]["id"] for action in order}
        assert stands(client, document) == [(ANA, "accepted"), (BEN, "suggested"), (ANA, "accepted")], order
        client.patch(f"/api/{at}/{ids['redact']}", json={"enabled": False})
        assert stands(client, document) == [(ANA, "rejected"), (BEN, "suggested"), (ANA, "rejected")], order
        client.patch(f"/api/{at}/{ids['redact']}", json={"enabled": True})
        client.delete(f"/api/{at}/{ids['keep']}")
        assert stands(client, document) == [(ANA, "accepted"), (BEN, "suggested"), (ANA, "accepted")], order
        client.delete(f"/api/{at}/{ids['redact']}")
        assert stands(client, document) == [(ANA, "suggested"), (BEN, "suggested"), (ANA, "suggested")], order


def test_two_rules_that_redact_the_same_place_do_not_lose_it(client: httpx.Client) -> None:
    document = upload(client, b"The harbour bridge is closed.\n", "bridge.txt")
    wait_for(client, document)
    at = f"documents/{document}/rules"
    first = made(client, at, pattern="harbour bridge")
    second = made(client, at, pattern="harbour bridge", reason="b(6)", category="person")
    assert (first["places"], second["places"]) == (1, 0)
    client.delete(f"/api/{at}/{first['rule']['id']}")
    (row,) = client.get(f"/api/documents/{document}/redactions").json()["redactions"]
    assert (row["status"], row["ruleId"], row["reason"], row["category"]) == (
        "accepted",
        second["rule"]["id"],
        "b(6)",
        "person",
    )
    client.delete(f"/api/{at}/{second['rule']['id']}")
    assert stands(client, document) == []


def test_a_person_decides_before_and_after_any_rule(client: httpx.Client) -> None:
    document = mail(client)
    rows = client.get(f"/api/documents/{document}/redactions").json()["redactions"]
    client.patch(f"/api/documents/{document}/redactions", json={"ids": [rows[0]["id"]], "status": "accepted"})
    rule = made(client, f"documents/{document}/rules", pattern=ANA, action="keep")
    assert rule["places"] == 1
    assert stands(client, document) == [(ANA, "accepted"), (BEN, "suggested"), (ANA, "rejected")]
    client.delete(f"/api/documents/{document}/rules/{rule['rule']['id']}")
    assert stands(client, document) == [(ANA, "accepted"), (BEN, "suggested"), (ANA, "suggested")]


def test_a_rule_for_everything_reaches_what_is_arriving_and_what_is_still_to_come(
    client: httpx.Client, site: Site
) -> None:
    batch = send(client, {f"mail{number}.txt": MAIL for number in range(6)})  # still being read
    rule = made(client, "rules", pattern=ANA, action="keep")
    later = send(client, {"later.txt": MAIL})
    ids = [row["id"] for one in (batch, later) for row in settled(client, one)["documents"]]
    expected = [(ANA, "rejected"), (BEN, "suggested"), (ANA, "rejected")]

    assert [stands(client, one) for one in ids] == [expected] * 7
    (listed,) = client.get("/api/rules").json()["rules"]
    assert (listed["action"], listed["documents"], listed["places"], listed["pending"]) == ("keep", 7, 14, 0)
    off = client.patch(f"/api/rules/{rule['rule']['id']}", json={"enabled": False}).json()
    assert off["places"] == 0
    back = [(ANA, "suggested"), (BEN, "suggested"), (ANA, "suggested")]
    assert [stands(client, one) for one in ids] == [back] * 7
    with browser_session(site) as stranger:
        assert stands(stranger, mail(stranger)) == back


def test_parts_of_a_kept_name_are_kept_with_it_but_not_alone(client: httpx.Client) -> None:
    text = (
        b"Dear Mr. Tobias Fenwick,\n\nTobias Fenwick wrote to us. Mr. Fenwick is ill.\n\nKind regards\nTobias Fenwick\n"
    )
    document = upload(client, text, "name.txt")
    wait_for(client, document)
    before = stands(client, document)
    assert {"Tobias Fenwick", "Fenwick"} <= {value for value, _ in before}
    made(client, f"documents/{document}/rules", pattern="Tobias Fenwick", action="keep")
    after = dict(stands(client, document))
    assert after["Tobias Fenwick"] == "rejected"
    assert after["Fenwick"] == "suggested"
    made(client, f"documents/{document}/rules", pattern="Fenwick", action="keep")
    assert set(dict(stands(client, document)).values()) == {"rejected"}


def test_a_rule_that_keeps_too_much_is_refused_and_changes_nothing(client: httpx.Client) -> None:
    document = upload(client, MAIL + b"a b c d e f g h i j\n" * 2_000, "long.txt")
    wait_for(client, document)
    before = stands(client, document)
    for at in (f"documents/{document}/rules", "rules"):
        answer = client.post(f"/api/{at}", json={"kind": "regex", "pattern": "[a-j]", "action": "keep"})
        assert (answer.status_code, answer.json()["code"]) == (422, "rule-too-broad")
        assert client.get(f"/api/{at}").json()["rules"] == []
    assert stands(client, document) == before


def test_a_reason_is_written_to_what_a_rule_redacts_and_goes_with_it(client: httpx.Client) -> None:
    document = mail(client)
    at = f"documents/{document}/rules"
    rule = made(client, at, pattern=ANA, reason="GDPR Art. 15(4)")["rule"]
    assert rule["reason"] == "GDPR Art. 15(4)"
    rows = client.get(f"/api/documents/{document}/redactions").json()["redactions"]
    assert [row["reason"] for row in rows] == ["GDPR Art. 15(4)", None, "GDPR Art. 15(4)"]
    client.delete(f"/api/{at}/{rule['id']}")
    rows = client.get(f"/api/documents/{document}/redactions").json()["redactions"]
    assert [(row["status"], row["reason"]) for row in rows] == [("suggested", None)] * 3
    for wrong in ({"reason": "x" * 33}, {"reason": "<b>"}, {"action": "drop"}, {"action": None}):
        assert client.post(f"/api/{at}", json={"pattern": ANA, **wrong}).status_code == 400
