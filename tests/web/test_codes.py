"""Every exemption code offered can be given as a reason."""

from __future__ import annotations

import httpx

from tests.web.site import upload, wait_for


def test_every_code_is_told_apart_and_taken_as_a_reason(client: httpx.Client) -> None:
    document = upload(client)
    wait_for(client, document)
    sets = {one["id"]: one["codes"] for one in client.get("/api/codes").json()["sets"]}

    assert list(sets) == ["us-foia", "uk-foi", "eu-gdpr", "eu-1049"]
    assert [one["code"] for one in sets["us-foia"]][5:8] == ["b(6)", "b(7)(A)", "b(7)(B)"]
    codes = [one["code"] for listed in sets.values() for one in listed]
    assert len(set(codes)) == len(codes)
    for code in codes:
        answer = client.post(f"/api/documents/{document}/decide", json={"where": {}, "reason": code, "dryRun": True})
        assert answer.status_code == 200, code
        assert answer.json()["changed"] > 0
