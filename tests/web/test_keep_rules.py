"""Rules that keep: what they match is never suggested, in a document, a batch and everything that is yours."""

from __future__ import annotations

from typing import Any

import httpx

from tests.web.site import VALUE, Site, browser_session, upload, wait_for
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


def test_a_rule_that_keeps_a_value_never_removes_it(client: httpx.Client) -> None:
    document = upload(client, b"The meeting is in the blue cabinet room at noon.\n", "note.txt")
    wait_for(client, document)
    here = f"/api/documents/{document}"
    kept = {"kind": "literal", "pattern": "blue cabinet room", "action": "keep"}
    assert client.post(f"{here}/rules", json=kept).status_code == 202
    made = client.post(f"{here}/export", json={}).json()["artifact"]
    assert "blue cabinet room" in client.get(made["downloadUrl"]).text


def test_a_rule_takes_what_was_given_a_code_and_not_yet_decided(client: httpx.Client) -> None:
    document = upload(client)
    wait_for(client, document)
    here = f"/api/documents/{document}"
    coded = client.post(f"{here}/decide", json={"where": {"category": "email"}, "reason": "b(6)"}).json()
    assert coded["changed"] == 2
    assert client.post(f"{here}/rules", json={"kind": "literal", "pattern": VALUE}).status_code == 202
    mails = [one for one in client.get(f"{here}/redactions").json()["redactions"] if one["category"] == "email"]
    assert {(one["status"], one["reason"]) for one in mails} == {("accepted", "b(6)")}


def test_what_was_marked_before_a_rule_stays_the_rules_when_the_mark_is_undone(client: httpx.Client) -> None:
    document = upload(client, b"Box ZQ-41 and box ZQ-42 and box ZQ-43.\n", "boxes.txt")
    wait_for(client, document)
    here = f"/api/documents/{document}"
    marked = client.post(f"{here}/redactions", json={"value": "ZQ-42"}).json()["act"]
    shape = {"kind": "regex", "pattern": "ZQ-[0-9]{2}"}
    assert client.post(f"{here}/rules", json=shape).status_code == 202
    undone = client.post(f"{here}/acts/{marked['id']}/undo").json()
    assert undone["counts"]["accepted"] == 3
    made = client.post(f"{here}/export", json={}).json()["artifact"]
    assert "ZQ-" not in client.get(made["downloadUrl"]).text


def test_an_undo_does_not_bring_back_what_a_removed_rule_had_held_back(client: httpx.Client) -> None:
    document = upload(client)
    wait_for(client, document)
    here = f"/api/documents/{document}"
    rule = client.post(f"{here}/rules", json={"kind": "literal", "pattern": VALUE, "action": "keep"}).json()["rule"]
    where = {"category": "email", "whenStatus": "rejected"}
    taken = client.post(f"{here}/decide", json={"where": where, "status": "accepted"}).json()
    assert taken["changed"] == 2
    assert client.delete(f"{here}/rules/{rule['id']}").status_code == 204
    back = client.post(f"{here}/acts/{taken['act']['id']}/undo").json()
    assert (back["changed"], back["refused"]) == (0, 2)
    mails = [one for one in client.get(f"{here}/redactions").json()["redactions"] if one["category"] == "email"]
    assert {one["status"] for one in mails} == {"accepted"}


def test_a_redo_never_goes_over_what_was_decided_since(client: httpx.Client) -> None:
    document = upload(client)
    wait_for(client, document)
    here = f"/api/documents/{document}"

    def decide(**said: str) -> str:
        when = {"category": "phone", "whenStatus": "suggested"} if "status" in said else {"category": "phone"}
        return str(client.post(f"{here}/decide", json={"where": when, **said}).json()["act"]["id"])

    def undo(act: str) -> dict[str, Any]:
        return dict(client.post(f"{here}/acts/{act}/undo").json())

    changed = decide(reason="b(6)")
    rejected = decide(status="rejected")
    redo_rejected = undo(rejected)["act"]["id"]
    redo_changed = undo(changed)["act"]["id"]
    decide(status="accepted")
    assert undo(redo_changed)["refused"] == 1
    assert undo(redo_rejected)["refused"] == 1
    (phone,) = (one for one in client.get(f"{here}/redactions").json()["redactions"] if one["category"] == "phone")
    assert phone["status"] == "accepted"
