"""What an unfriendly client tries, over a real connection."""

from __future__ import annotations

import signal
import socket
import sqlite3
import stat
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from tests.runs.helpers import until
from tests.web.site import LETTER, Site, browser_session, running, send_again, upload, wait_for


def _reserve(client: httpx.Client, size: int) -> tuple[str, str]:
    answer = client.post("/api/documents", json={"filename": "letter.txt", "size": size})
    assert answer.status_code == 201
    return answer.json()["id"], answer.json()["pathname"]


def _begin(site: Site, client: httpx.Client, path: str, length: int, first: bytes) -> socket.socket:
    """An upload of whose head and `first` the site has begun to keep what came."""
    before = len(_partial(site))
    address = urlsplit(site.url)
    wire = socket.create_connection((address.hostname, address.port), 30)
    cookie = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
    head = f"PUT {path} HTTP/1.1\r\nHost: here\r\nCookie: {cookie}\r\nContent-Length: {length}\r\n\r\n"
    wire.sendall(head.encode() + first)
    until(lambda: len(_partial(site)) > before)
    return wire


def _partial(site: Site) -> list[Path]:
    """The files of uploads that are under way."""
    folder = site.data / "objects" / ".partial"
    return list(folder.iterdir()) if folder.is_dir() else []


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site whose deployment file leaves the secrets empty, in a folder that was there before."""
    data = tmp_path_factory.mktemp("bare") / "data"
    data.mkdir(mode=0o755)
    with running(data, "web", CRON_SECRET="", ANONIFY_METRICS_TOKEN="") as it:
        yield it


def test_an_empty_secret_opens_nothing(bare: Site) -> None:
    with browser_session(bare) as client:
        for token in ("Bearer", "bearer"):
            assert client.get("/api/cron/cleanup", headers={"Authorization": token}).status_code == 503
            through = {"Authorization": token, "X-Forwarded-For": "192.0.2.1"}
            assert client.get("/metrics", headers=through).status_code == 401


def test_nobody_else_on_the_machine_can_read_the_data(bare: Site) -> None:
    found = [path for path in bare.data.rglob("*") if path.is_file()]
    assert any(path.name == "anonify.sqlite3" for path in found)
    for path in found:
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, path.name


def test_a_stopped_server_ends_well_and_leaves_no_half_upload(tmp_path_factory: pytest.TempPathFactory) -> None:
    data = tmp_path_factory.mktemp("ending") / "data"
    with running(data) as it, browser_session(it) as client:
        _, path = _reserve(client, 1_000)
        with _begin(it, client, path, 1_000, b"x" * 10):
            it.process.terminate()
            time.sleep(0.5)
            it.process.send_signal(signal.SIGINT)  # whoever does not want to wait for it
            it.process.wait(35)
    assert it.process.returncode == 0  # not killed by the signal before the worker has drained
    assert list((data / "objects" / ".partial").iterdir()) == []


def test_only_one_upload_of_a_document_at_a_time(site: Site, client: httpx.Client) -> None:
    document, path = _reserve(client, len(LETTER))
    with _begin(site, client, path, len(LETTER), LETTER[:50]) as slow:
        refused = client.put(path, content=LETTER)
        assert refused.status_code == 409
        assert refused.json()["code"] == "upload-under-way"
        slow.sendall(LETTER[50:])
        assert slow.recv(100).startswith(b"HTTP/1.1 200 ")
    client.post(f"/api/documents/{document}/process")
    wait_for(client, document)
    assert client.get(f"/api/documents/{document}/source").content == LETTER


def test_an_aborted_upload_can_be_sent_again(site: Site, client: httpx.Client) -> None:
    _, path = _reserve(client, len(LETTER))
    before = len(_partial(site))
    _begin(site, client, path, len(LETTER), LETTER[:50]).close()
    until(lambda: len(_partial(site)) == before)  # the site has seen that nobody sends any more
    assert send_again(client, path, LETTER).status_code == 200


@pytest.mark.parametrize("value", [" ", "\t\n", "\u200b", "\u00a0"])
def test_a_blank_value_marks_nothing(client: httpx.Client, value: str) -> None:
    document = upload(client)
    before = wait_for(client, document)["counts"]
    answer = client.post(f"/api/documents/{document}/redactions", json={"value": value})
    assert answer.status_code == 400
    assert client.get(f"/api/documents/{document}").json()["counts"] == before


def test_what_no_database_holds_is_refused_at_the_door(client: httpx.Client) -> None:
    document = upload(client)
    wait_for(client, document)
    typed = client.post(f"/api/documents/{document}/redactions", json={"value": "ab\0cdefgh", "anywhere": True})
    assert typed.status_code == 400
    reserved = client.post("/api/documents", json={"filename": "a.txt", "size": 1, "contentType": "text/\0"})
    assert reserved.status_code == 400
    for name in ("%00", document + "%00", document.upper(), "%F0%9F%98%80"):
        assert client.get(f"/api/documents/{name}").status_code == 404
    nothing = client.patch(f"/api/documents/{document}/redactions", json={"ids": ["0" * 32], "status": None})
    assert nothing.status_code == 400


def test_a_reader_goes_on_when_the_row_it_stopped_at_is_gone(client: httpx.Client) -> None:
    document = upload(client)
    wait_for(client, document)
    address = f"/api/documents/{document}/redactions"
    whole = [item["id"] for item in client.get(address).json()["redactions"]]
    first = client.get(address, params={"limit": 2}).json()
    client.request("DELETE", address, json={"ids": [first["redactions"][-1]["id"]]})

    rest = client.get(address, params={"after": first["next"]}).json()
    assert [item["id"] for item in rest["redactions"]] == whole[2:]
    for after in ("f" * 32, "1.2", "1.2.x", "-1.0." + "0" * 32):
        assert client.get(address, params={"after": after}).status_code == 400


def test_marking_while_the_document_is_deleted_is_no_failure(client: httpx.Client) -> None:
    document = upload(client)
    wait_for(client, document)

    def mark(start: int) -> int:
        place = {"page": 1, "start": start, "end": start + 3}
        return client.post(f"/api/documents/{document}/redactions", json=place).status_code

    with ThreadPoolExecutor(8) as threads:
        marks = [threads.submit(mark, start) for start in range(40)]
        time.sleep(0.1)
        client.delete(f"/api/documents/{document}")
        assert {answer.result() for answer in marks} <= {201, 400, 404, 410}


def test_exporting_while_the_document_is_deleted_is_no_failure(client: httpx.Client) -> None:
    document = upload(client)
    wait_for(client, document)
    with ThreadPoolExecutor(3) as threads:
        jobs = [threads.submit(client.post, f"/api/documents/{document}/export") for _ in range(3)]
        time.sleep(0.05)
        client.delete(f"/api/documents/{document}")
        assert {job.result().status_code for job in jobs} <= {201, 404, 410}


def test_no_answer_repeats_a_foreign_host(client: httpx.Client) -> None:
    for path in ("/api/documents/", "/api/limits/", "/nowhere/"):
        answer = client.get(path, headers={"Host": "evil.example"})
        assert answer.status_code == 404
        assert "evil.example" not in answer.text + str(answer.headers)


def test_expired_documents_are_gone_at_every_address(site: Site, client: httpx.Client) -> None:
    document = upload(client)
    wait_for(client, document)
    link = client.post(f"/api/documents/{document}/export").json()["artifact"]["downloadUrl"]
    with sqlite3.connect(site.data / "anonify.sqlite3") as database:
        database.execute("update documents set expires_at = 1 where id = ?", (document,))
    database.close()
    assert client.get(link).status_code == 410
    for part in ("", "/stream", "/content", "/source", "/redactions", "/pages/1/image"):
        assert client.get(f"/api/documents/{document}{part}").status_code == 410
    for part in ("/process", "/retry", "/export"):
        assert client.post(f"/api/documents/{document}{part}").status_code == 410


def test_twenty_at_once_never_get_more_than_the_bucket_holds(bare: Site) -> None:
    from anonify.database import open_database
    from anonify.identity import limits

    database = open_database(bare.settings)
    try:
        with database.begin() as conn:
            limits.set_override(conn, "upload.burst", 7)
            limits.set_override(conn, "upload.per-hour", 0)
        with ThreadPoolExecutor(20) as threads:
            body = {"filename": "a.txt", "size": 1}
            jobs = [threads.submit(httpx.post, f"{bare.url}/api/documents", json=body, timeout=60) for _ in range(40)]
            statuses = [job.result().status_code for job in jobs]
        assert sorted(statuses) == [201] * 7 + [429] * 33
    finally:
        with database.begin() as conn:
            limits.clear_override(conn, "upload.burst")
            limits.clear_override(conn, "upload.per-hour")
        database.close()


def _slow_pages(count: int) -> bytes:
    """A PDF of pages that take seconds to draw, with text, so that no recogniser has to."""
    lines = b"BT /F 12 Tf 20 20 Td (A drawing with a caption) Tj ET\n" + b"\n".join(
        b"%d %d m %d %d l S" % (i * 7 % 600, i * 13 % 800, i * 31 % 600, i * 17 % 800) for i in range(9_000)
    )
    font = b"<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>"
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 2000 2000]/Contents 3 0 R/Resources" + font + b">>"
    kids = b" ".join(b"%d 0 R" % (4 + i) for i in range(count))
    parts = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Count %d/Kids[%s]>>" % (count, kids),
        b"<</Length %d>>stream\n%s\nendstream" % (len(lines), lines),
        *[page] * count,
    ]
    out, offsets = bytearray(b"%PDF-1.4\n"), []
    for number, part in enumerate(parts, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, part)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    tail = b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (len(parts) + 1, len(out))
    return bytes(out) + b"xref\n0 %d\n0000000000 65535 f \n" % (len(parts) + 1) + table + tail


@pytest.mark.alone
def test_many_slow_pictures_do_not_keep_others_waiting(site: Site, client: httpx.Client) -> None:
    document = upload(client, _slow_pages(48), "drawing.pdf")
    wait_for(client, document)
    address = urlsplit(site.url)
    cookie = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
    wires = []
    for page in range(1, 49):
        wire = socket.create_connection((address.hostname, address.port), 30)
        target = f"/api/documents/{document}/pages/{page}/image?scale=4"
        wire.sendall(f"GET {target} HTTP/1.1\r\nHost: here\r\nCookie: {cookie}\r\n\r\n".encode())
        wires.append(wire)
    try:
        time.sleep(0.5)
        began = time.monotonic()
        assert client.get("/api/health").status_code == 200
        assert client.get(f"/api/documents/{document}").status_code == 200
        assert time.monotonic() - began < 3
    finally:
        for wire in wires:
            wire.close()
    time.sleep(0.5)
    # Nobody waits any more, so the pictures that were not begun are never made.
    began = time.monotonic()
    assert client.get(f"/api/documents/{document}/pages/48/image?scale=0.25").status_code == 200
    assert time.monotonic() - began < 30
