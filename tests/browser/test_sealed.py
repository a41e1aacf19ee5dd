"""Files are sealed in a real browser before they leave it, and the page seals as the server does."""

from __future__ import annotations

import base64
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from anonify.errors import FatalError
from anonify.storage import DataKey, open_sealed, open_store
from tests.browser.acts import accept, export
from tests.envelope import CHUNK, HEADER, envelope
from tests.web.site import LETTER, VALUE, Site

from .conftest import CHROMIUM

pytestmark = pytest.mark.browser

SEAL = """async ([plain, uploadKey, uploadName]) => {
  const { outgoing } = await import('/static/seal.js');
  const bytes = Uint8Array.from(atob(plain), (char) => char.charCodeAt(0));
  const shares = [];
  const body = await outgoing(new File([bytes], 'a.bin'), { uploadKey, uploadName }, (share) => shares.push(share));
  const reader = new FileReader();
  await new Promise((done) => { reader.onload = done; reader.readAsDataURL(body); });
  return [reader.result.split(',')[1], shares];
}"""


@pytest.mark.parametrize("size", [0, 1, 1000, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, 2 * CHUNK + 5])
def test_the_page_and_the_server_seal_alike(page: Any, size: int) -> None:
    plain, key, name = os.urandom(size), os.urandom(32), "documents/0123/upload"
    page.goto("/")
    told = base64.urlsafe_b64encode(key).rstrip(b"=").decode()
    answer, shares = page.evaluate(SEAL, [base64.b64encode(plain).decode(), told, name])
    sealed = base64.b64decode(answer)

    assert sealed == envelope(plain, key, name, sealed[:HEADER])
    assert shares == sorted(shares)
    assert (len(shares), shares[-1]) == (max(1, -(-size // CHUNK)), 1)
    store = open_store("memory:")
    store.put(name, sealed)
    opened = open_sealed(store, name, DataKey(key))
    assert opened.read(0, size + 1) == plain
    with pytest.raises(FatalError):
        open_sealed(store, name, DataKey(os.urandom(32))).read(0, size)
    again, _ = page.evaluate(SEAL, [base64.b64encode(plain).decode(), told, name])
    assert base64.b64decode(again)[:HEADER] != sealed[:HEADER]  # a nonce is never used twice


def _uploads(site: Site) -> list[bytes]:
    return [path.read_bytes() for path in site.data.glob("objects/documents/*/upload/*")]


def _watch(page: Any, site: Site) -> list[bytes]:
    """What lies in the store when the page asks for a run: the last moment before it is taken in."""
    seen: list[bytes] = []

    def started(route: Any) -> None:
        seen.extend(_uploads(site))
        route.continue_()

    page.route("**/process", started)
    return seen


def test_a_file_is_sealed_before_it_leaves_and_reviewed_and_exported_as_ever(
    site: Site, page: Any, tmp_path: Path
) -> None:
    content = LETTER + b"".join(b" " * number + b"\n" for number in range(1600))
    file = tmp_path / "letter.txt"
    file.write_bytes(content)
    seen = _watch(page, site)
    page.goto("/")
    page.set_input_files("#files", str(file))
    page.wait_for_selector(".workspace")

    (stored,) = seen
    assert stored.startswith(b"ANFY")
    assert len(stored) == HEADER + len(content) + 2 * 16
    for word in (VALUE.encode(), b"Dear registry", b" " * 40):
        assert word not in stored
    assert not _uploads(site)
    accept(page, VALUE)
    exported = export(page, tmp_path).read_bytes()
    assert VALUE.encode() not in exported
    assert b"4111 1111 1111 1111" in exported
    page.goto("/")
    assert "sealed in your browser" in page.locator(".document", has_text="letter.txt").inner_text()


def test_every_file_of_a_batch_is_sealed(site: Site, page: Any, tmp_path: Path) -> None:
    files = [tmp_path / f"letter{number}.txt" for number in range(4)]
    for number, file in enumerate(files):
        file.write_bytes(LETTER * (number + 1))
    seen = _watch(page, site)
    page.goto("/")
    page.set_input_files("#files", [str(file) for file in files])
    page.wait_for_selector("#batch:not([hidden])")
    page.wait_for_selector("#sending", state="hidden")

    assert {len(stored) for stored in seen} == {HEADER + len(LETTER) * (number + 1) + 16 for number in range(4)}
    assert not any(b"registry" in stored for stored in seen)
    batch = page.url.rsplit("/", 1)[-1]
    listed = page.evaluate("(id) => fetch(`/api/batches/${id}`).then((answer) => answer.json())", batch)["documents"]
    assert {row["uploadEncryption"] for row in listed} == {"anfy1"}


def test_the_bar_follows_the_bytes_on_the_wire(page: Any) -> None:
    page.goto("/")
    wire = page.context.new_cdp_session(page)
    wire.send("Network.enable")
    slow = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": 6 << 20}
    wire.send("Network.emulateNetworkConditions", slow)
    moves = page.evaluate(
        """async () => {
          const { alone } = await import('/static/transfer.js');
          const moves = [];
          const told = (doing) => (share) => moves.push([doing, share, performance.now()]);
          const options = { preset: 'everything', ttlSeconds: 3600 };
          const file = new File([new Uint8Array(9 << 20).fill(32)], 'blank.txt');
          const signal = new AbortController().signal;
          await alone(file, options, { sealed: told('sealing'), moved: told('sending'), lost() {}, signal });
          return moves;
        }"""
    )
    sealing = [share for doing, share, _ in moves if doing == "sealing"]
    sending = [share for doing, share, _ in moves if doing == "sending"]
    times = [at for doing, _, at in moves if doing == "sending"]

    assert sealing == [pytest.approx(number / 9) for number in range(1, 10)]
    assert sending == sorted(sending)
    assert sending[-1] == 1
    assert len([share for share in sending if 0.05 < share < 0.95]) >= 3
    assert times[-1] - times[0] > 700  # milliseconds: bytes that leave, not bytes that are handed over


@pytest.fixture
def insecure(site: Site, chromium: Any) -> Iterator[Any]:
    """A page over HTTP under a name that is not this machine's: no secure context, so no cipher."""
    arguments = ["--no-sandbox", "--host-resolver-rules=MAP files.example 127.0.0.1"]
    browser = chromium.browser_type.launch(executable_path=CHROMIUM, args=arguments)
    yield browser.new_page(base_url=site.url.replace("127.0.0.1", "files.example"))
    browser.close()


def test_without_a_secure_context_files_go_as_they_are(site: Site, insecure: Any, tmp_path: Path) -> None:
    file = tmp_path / "letter.txt"
    file.write_bytes(LETTER)
    asked: list[Any] = []
    insecure.on("request", lambda request: asked.append(request.post_data_json) if request.method == "POST" else None)
    insecure.goto("/")
    assert not insecure.evaluate("isSecureContext")
    insecure.set_input_files("#files", str(file))
    insecure.wait_for_selector(".workspace", timeout=30_000)

    assert "uploadEncryption" not in asked[0]
    insecure.goto("/")
    line = insecure.locator(".document", has_text="letter.txt")
    assert "bytes" in line.inner_text()
    assert "sealed" not in line.inner_text()
