"""A verified export can be looked at beside the original."""

from __future__ import annotations

from tests.web.site import LETTER, VALUE, Site, browser_session, upload, wait_for


def test_an_export_is_shown_page_for_page_to_its_owner_only(site: Site) -> None:
    with browser_session(site) as client, browser_session(site) as stranger:
        document = upload(client)
        wait_for(client, document)
        marked = client.post(f"/api/documents/{document}/redactions", json={"value": VALUE})
        assert marked.status_code == 201, marked.text
        made = client.post(f"/api/documents/{document}/export", json={}).json()["artifact"]
        here = f"/api/documents/{document}/artifacts/{made['id']}"

        for _ in range(2):  # read, then remembered
            page = client.get(f"{here}/content?page=1").json()
            assert page["pages"] == 1
            assert VALUE not in page["text"]
            assert page["text"].count("[REDACTED]") == 2
            assert page["text"].replace("[REDACTED]", VALUE) == LETTER.decode()
        assert client.get(f"{here}/content?page=2").status_code == 404
        assert client.get(f"{here}/pages/1/image").status_code == 404
        assert client.get(f"/api/documents/{document}/artifacts/{'0' * 32}/content?page=1").status_code == 404
        other = upload(client)
        assert client.get(f"/api/documents/{other}/artifacts/{made['id']}/content?page=1").status_code == 404
        upload(stranger)
        assert stranger.get(f"{here}/content?page=1").status_code == 404


def test_a_page_of_an_exported_pdf_is_a_picture(site: Site) -> None:
    from tests.cli.test_cli_bad_inputs import pdf

    with browser_session(site) as client:
        document = upload(client, pdf("Write to maria.lindqvist@example.org"), "letter.pdf")
        wait_for(client, document)
        client.post(f"/api/documents/{document}/redactions", json={"value": VALUE})
        made = client.post(f"/api/documents/{document}/export", json={}).json()["artifact"]
        here = f"/api/documents/{document}/artifacts/{made['id']}"
        picture = client.get(f"{here}/pages/1/image?scale=1")
        assert picture.headers["content-type"] == "image/png"
        assert picture.content != client.get(f"/api/documents/{document}/pages/1/image?scale=1").content
        assert client.get(f"{here}/pages/9/image").status_code == 404
