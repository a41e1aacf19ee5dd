"""Bytes in and out: what a client gets when something is wrong behind the counter."""

from __future__ import annotations

import hashlib
import os

import anyio
import anyio.to_thread
import httpx
import pikepdf
import pytest
from starlette.requests import Request

from anonify.errors import AnonifyError
from anonify.sandbox.source import BytesSource
from anonify.web.problems import Problem
from anonify.web.streams import parse_range, pull, verified
from tests.web.site import Site, upload, wait_for


def test_the_end_is_held_back_until_the_hash_matches() -> None:
    data = os.urandom((3 << 20) + 17)
    right = hashlib.sha256(data).hexdigest()

    assert b"".join(verified(BytesSource(data), right)) == data
    got: list[bytes] = []
    with pytest.raises(AnonifyError):
        got.extend(verified(BytesSource(data), "0" * 64))
    assert b"".join(got) == data[: 3 << 20]
    assert b"".join(verified(BytesSource(b""), hashlib.sha256(b"").hexdigest())) == b""


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        (None, None),
        ("bytes=0-9", (0, 10)),
        ("bytes=90-200", (90, 100)),
        ("bytes=-5", (95, 100)),
        ("bytes=-500", (0, 100)),
        ("bytes=40-", (40, 100)),
        ("bytes=9-3", None),
        ("bytes=0-1,4-5", None),
        ("bytes=-", None),
        ("pages=1-2", None),
        ("bytes=a-b", None),
        ("bytes=" + "9" * 40 + "-", None),
    ],
)
def test_ranges(header: str | None, expected: tuple[int, int] | None) -> None:
    assert parse_range(header, 100) == expected


@pytest.mark.parametrize("header", ["bytes=100-", "bytes=100-200", "bytes=-0"])
def test_ranges_beyond_the_end(header: str) -> None:
    with pytest.raises(Problem) as refused:
        parse_range(header, 100)
    assert refused.value.headers == {"Content-Range": "bytes */100"}


def test_a_damaged_artifact_is_not_served(site: Site, client: httpx.Client) -> None:
    document = upload(client, b"write to nils.berg@example.org\n")
    wait_for(client, document)
    artifact = client.post(f"/api/documents/{document}/export").json()["artifact"]
    (stored,) = (site.data / "objects" / "documents" / document).glob("redacted.*")
    damaged = bytearray(stored.read_bytes())
    damaged[-20] ^= 1
    stored.write_bytes(damaged)

    answer = client.get(artifact["downloadUrl"])
    assert answer.status_code >= 400
    assert set(answer.json()) >= {"error", "code"}
    assert client.get(artifact["reportUrl"]).status_code == 200


def _pdf() -> bytes:
    import io

    pdf = pikepdf.new()
    page = pdf.add_blank_page(page_size=(300, 200))
    font = pikepdf.Dictionary(Type=pikepdf.Name.Font, Subtype=pikepdf.Name.Type1, BaseFont=pikepdf.Name.Helvetica)
    page.Resources = pikepdf.Dictionary(Font=pikepdf.Dictionary(F1=font))
    page.Contents = pdf.make_stream(b"BT /F1 12 Tf 20 150 Td (Mail ulla.strand@example.org today) Tj ET")
    out = io.BytesIO()
    pdf.save(out)
    return out.getvalue()


def test_a_pdf_has_pictures_and_regions(client: httpx.Client) -> None:
    document = upload(client, _pdf(), "note.pdf")
    assert wait_for(client, document)["kind"] == "pdf"
    assert client.get(f"/api/documents/{document}/content").json()["pictured"] is True
    page = client.get(f"/api/documents/{document}/content?page=1").json()
    assert (page["width"], page["height"]) == (300, 200)
    assert page["spans"][0]["box"] is not None

    picture = client.get(f"/api/documents/{document}/pages/1/image?scale=1")
    assert picture.headers["content-type"] == "image/png"
    assert picture.content.startswith(b"\x89PNG")
    assert client.get(f"/api/documents/{document}/pages/2/image").status_code == 404
    assert client.get(f"/api/documents/{document}/pages/1/image?scale=99").status_code == 400

    url = f"/api/documents/{document}/redactions"
    region = client.post(url, json={"page": 1, "box": [10, 100, 50, 120], "category": "signature"})
    assert region.status_code == 201
    assert region.json()["redactions"][0]["value"] is None
    assert client.post(url, json={"page": 1, "box": [10, 100, 400, 120]}).status_code == 400
    mails = [item["id"] for item in client.get(url).json()["redactions"] if item["category"] == "email"]
    client.patch(url, json={"ids": mails, "status": "accepted"})
    export = client.post(f"/api/documents/{document}/export")
    assert export.status_code == 201, export.text
    content = client.get(export.json()["artifact"]["downloadUrl"])
    assert content.headers["content-type"] == "application/pdf"
    assert b"ulla.strand" not in content.content


def test_text_documents_have_no_picture(client: httpx.Client) -> None:
    document = upload(client, b"plain words\n")
    wait_for(client, document)
    assert client.get(f"/api/documents/{document}/pages/1/image").status_code == 404


@pytest.mark.parametrize(
    ("pieces", "pause", "idle", "slowest", "refused"),
    [
        (3, 0.0, 0.4, 1_000, False),
        (2, 0.9, 0.3, 1, True),  # stands still
        (20, 0.1, 0.5, 1_000, True),  # trickles
        (12, 0.1, 0.5, 50, False),  # slow, but fast enough
    ],
)
def test_an_upload_must_keep_moving(pieces: int, pause: float, idle: float, slowest: int, refused: bool) -> None:
    async def receive() -> dict[str, object]:
        nonlocal pieces
        await anyio.sleep(pause)
        pieces -= 1
        return {"type": "http.request", "body": b"x" * 10, "more_body": pieces > 0}

    async def take() -> bytes:
        request = Request({"type": "http", "method": "PUT", "headers": []}, receive)
        return await anyio.to_thread.run_sync(lambda: b"".join(pull(request, idle=idle, slowest=slowest)))

    if refused:
        with pytest.raises(Problem) as problem:
            anyio.run(take)
        assert problem.value.status == 408
    else:
        expected = pieces * 10
        assert len(anyio.run(take)) == expected
