"""The review shows the pictures of an Office file, and takes rectangles on them."""

from __future__ import annotations

import io

import httpx
from PIL import Image

from tests.documents.ooxml.test_office_pictures import picture, saved, with_pictures
from tests.web.site import upload, wait_for


def test_only_the_pictures_of_an_office_file_are_shown_as_pictures(client: httpx.Client) -> None:
    document = upload(client, with_pictures({"word/media/image1.png": saved(picture())}), "note.docx")
    assert wait_for(client, document)["status"] == "ready"
    outline = client.get(f"/api/documents/{document}/content").json()
    assert outline["pictured"] is True
    pages = [client.get(f"/api/documents/{document}/content?page={n}").json() for n in range(1, outline["pages"] + 1)]
    assert [page["width"] for page in pages] == [*[None] * (len(pages) - 1), 160]
    assert client.get(f"/api/documents/{document}/pages/1/image").json()["code"] == "no-picture"
    shown = client.get(f"/api/documents/{document}/pages/{len(pages)}/image?scale=1")
    assert Image.open(io.BytesIO(shown.content)).size == (160, 120)
    region = {"page": len(pages), "box": [30, 20, 90, 60], "category": "signature"}
    assert client.post(f"/api/documents/{document}/redactions", json=region).status_code == 201
