"""What analysis cost, over HTTP: on a real site that asks a real local server."""

from __future__ import annotations

from pathlib import Path

from .asked import MODEL, NAMED, asking_site, names_it
from .site import browser_session, running, upload, wait_for

TEXT = f"Dear all,\n{NAMED} rang on Monday.\n".encode()


def test_a_document_tells_what_it_cost_and_so_does_its_owner_after_it_is_deleted(tmp_path: Path) -> None:
    with asking_site(tmp_path / "data", names_it()) as site, browser_session(site) as client:
        document_id = upload(client, TEXT)
        wait_for(client, document_id, "ready")

        about = client.get(f"/api/documents/{document_id}/usage").json()
        assert about["total"]["calls"] == sum(task["spent"]["calls"] for task in about["tasks"]) > 0
        assert about["total"]["inputTokens"] == 120 * about["total"]["calls"]
        assert about["total"]["dollars"] > 0
        assert {task["model"] for task in about["tasks"]} == {MODEL}
        assert "detect" in {task["task"] for task in about["tasks"]}
        assert about["skipped"] == []
        assert NAMED not in str(about)

        mine = client.get("/api/usage").json()
        assert mine["total"] == mine["today"] == about["total"]
        assert (mine["provider"], mine["model"], mine["dailySpendUsd"]) == ("openai", MODEL, 5.0)

        assert client.delete(f"/api/documents/{document_id}").is_success
        assert client.get(f"/api/documents/{document_id}/usage").status_code == 404
        assert client.get("/api/usage").json()["total"] == about["total"]

        with browser_session(site) as stranger:
            assert stranger.get("/api/usage").status_code == 401
            other = upload(stranger, TEXT)
            assert client.get(f"/api/documents/{other}/usage").status_code == 404


def test_what_was_not_asked_is_told_with_the_reason(tmp_path: Path) -> None:
    with asking_site(tmp_path / "data", names_it(), verified=False) as site, browser_session(site) as client:
        document_id = upload(client, TEXT)
        wait_for(client, document_id, "ready")

        about = client.get(f"/api/documents/{document_id}/usage").json()

        assert about["total"]["calls"] == 0
        assert {skip["reason"] for skip in about["skipped"]} == {"unsupported"}


def test_without_a_model_nothing_was_spent(tmp_path: Path) -> None:
    with running(tmp_path / "data") as site, browser_session(site) as client:
        document_id = upload(client, TEXT)
        wait_for(client, document_id, "ready")

        assert client.get(f"/api/documents/{document_id}/usage").json()["skipped"] == []
        mine = client.get("/api/usage").json()
        assert (mine["total"]["calls"], mine["model"], mine["dailySpendUsd"]) == (0, None, None)
