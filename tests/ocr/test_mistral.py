"""Pages read over HTTP, against a stand-in that speaks the provider's protocol."""

from __future__ import annotations

import base64
import io
import json
import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import msgspec
import pytest
from PIL import Image

from anonify.documents import Page
from anonify.documents.tasks import EXTRACT, ExtractArgs
from anonify.errors import AnonifyError, Code, FatalError, Transient
from anonify.ocr import OcrOptions, Reading, recognise_document
from anonify.ocr.assisted import Assisted
from anonify.ocr.mistral import Mistral
from anonify.sandbox import BytesSource, MemorySink, Pool
from anonify.storage import Spool

from .pictured import scan

Answer = tuple[int, dict[str, str], bytes]
TEXT = ("Statement of account", "Account holder Marja Nordlund of Turku", "The balance has not changed")


def page_answer(markdown: str) -> Answer:
    page = {"index": 0, "markdown": markdown, "images": [], "dimensions": {"dpi": 200, "height": 2339, "width": 1653}}
    usage = {"pages_processed": 1, "doc_size_bytes": None}
    return 200, {}, json.dumps({"pages": [page], "model": "mistral-ocr-2505", "usage_info": usage}).encode()


class StandIn:
    """Answers in turn, the last one for ever; keeps what it was asked."""

    def __init__(self, *answers: Answer, delay: float = 0.0) -> None:
        self.answers = list(answers)
        self.delay = delay
        self.asked: list[dict[str, Any]] = []
        self.paths: list[str] = []
        self.keys: list[str | None] = []
        self.lock = threading.Lock()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                with outer.lock:
                    outer.asked.append(body)
                    outer.paths.append(self.path)
                    outer.keys.append(self.headers["Authorization"])
                    status, headers, content = outer.answers.pop(0) if len(outer.answers) > 1 else outer.answers[0]
                time.sleep(outer.delay)
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_: Any) -> None:
                """Say nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"


@contextmanager
def standing_in(*answers: Answer, delay: float = 0.0, seconds: float = 20.0) -> Iterator[tuple[StandIn, Mistral]]:
    stand_in = StandIn(*answers, delay=delay)
    threading.Thread(target=stand_in.server.serve_forever, daemon=True).start()
    with Mistral("k3y", stand_in.url, "mistral-ocr-latest", seconds=seconds) as reader:
        yield stand_in, reader
    stand_in.server.shutdown()
    stand_in.server.server_close()


def test_a_page_is_sent_as_the_provider_documents_it() -> None:
    with standing_in(page_answer("# Hello\n\nMarja Nordlund")) as (server, reader):
        assert reader.read(b"\x89PNG...") == "# Hello\n\nMarja Nordlund"
    asked = server.asked[0]
    assert (server.paths, server.keys) == (["/v1/ocr"], ["Bearer k3y"])
    assert asked["model"] == "mistral-ocr-latest"
    kind, data = asked["document"]["image_url"].split(",")
    assert (asked["document"]["type"], kind) == ("image_url", "data:image/png;base64")
    assert base64.b64decode(data) == b"\x89PNG..."


def test_a_busy_provider_is_asked_again_when_it_says() -> None:
    with standing_in((429, {"Retry-After": "1"}, b"{}"), (503, {}, b""), page_answer("text")) as (server, reader):
        start = time.monotonic()
        assert reader.read(b"png") == "text"
    assert len(server.asked) == 3
    assert time.monotonic() - start >= 1.5


@pytest.mark.parametrize(
    ("answer", "error", "code"),
    [
        ((401, {}, b'{"message":"Unauthorized"}'), FatalError, Code.CONFIGURATION),
        ((422, {}, b'{"detail":[]}'), FatalError, Code.MALFORMED),
        ((302, {"Location": "https://elsewhere.example"}, b""), FatalError, Code.MALFORMED),
        ((200, {}, b"<html>gateway</html>"), FatalError, Code.MALFORMED),
        ((200, {}, b'{"pages": []}'), FatalError, Code.MALFORMED),
        ((200, {}, b'{"pages": [{"markdown": 7}]}'), FatalError, Code.MALFORMED),
        ((200, {}, b'"' + b"x" * (9 << 20) + b'"'), FatalError, Code.MALFORMED),
        ((429, {"Retry-After": "3600"}, b""), Transient, Code.UNKNOWN),
    ],
)
def test_other_answers_end_in_a_code(answer: Answer, error: type[AnonifyError], code: Code) -> None:
    with standing_in(answer) as (server, reader), pytest.raises(error) as raised:
        reader.read(b"png")
    assert raised.value.code is code
    assert len(server.asked) == 1


@pytest.mark.parametrize("when", ["\xb2", "soon", "-1", "Mon, 01 Jan 0001 00:00:00 +2359", ""])
def test_a_wait_that_nobody_understands_is_none(when: str) -> None:
    with standing_in((503, {"Retry-After": when}, b""), page_answer("text")) as (server, reader):
        assert reader.read(b"png") == "text"
    assert len(server.asked) == 2


@pytest.mark.alone
def test_a_slow_provider_costs_no_more_than_was_allowed() -> None:
    with standing_in(page_answer("late"), delay=4.0, seconds=1.0) as (_, reader):
        start = time.monotonic()
        with pytest.raises(Transient):
            reader.read(b"png")
        assert time.monotonic() - start < 3.0


def test_a_provider_that_is_away_is_left_alone_for_a_while() -> None:
    with standing_in((429, {"Retry-After": "3600"}, b"")) as (server, reader):
        for _ in range(6):
            with pytest.raises(Transient):
                reader.read(b"png")
    assert len(server.asked) == 3


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    with Pool(2) as pool:
        yield pool


def read_with(pool: Pool, reader: Mistral) -> tuple[Page, Assisted]:
    source, model, out = BytesSource(scan(TEXT)), MemorySink(), MemorySink()
    extracted = pool.run(EXTRACT, ExtractArgs("pdf"), sources={"source": source}, sinks={"model": model})
    assisted = Assisted(pool, reader)
    where = Reading(
        assisted, "pdf", source, BytesSource(model.getvalue()), tuple(extracted.lengths), OcrOptions(provider="x")
    )
    lengths, unread = recognise_document(where, extracted.extraction.pictures, out, Spool)
    assert unread == ()
    return msgspec.json.decode(out.getvalue()[: lengths[0]], type=Page), assisted


def test_a_scan_is_read_by_the_provider_and_placed_by_the_recogniser(pool: Pool) -> None:
    markdown = "# Statement of account\n\nAccount holder **Märja Nordlünd** of Turku\n\nThe balance has not changed"
    with standing_in(page_answer(markdown)) as (server, reader):
        page, assisted = read_with(pool, reader)
    assert "Account holder Märja Nordlünd of Turku" in page.text
    assert assisted.missed == 0
    with Image.open(io.BytesIO(base64.b64decode(server.asked[0]["document"]["image_url"].split(",")[1]))) as sent:
        assert sent.format == "PNG"
    holder = next(span for span in page.spans if page.text[span.start : span.end] == "Nordlünd")
    assert holder.box is not None
    assert 120 < holder.box.y0 < holder.box.y1 < 150


def test_without_the_provider_the_recogniser_reads_alone(pool: Pool, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with standing_in((503, {"Retry-After": "900"}, b"")) as (_, reader):
        page, assisted = read_with(pool, reader)
    assert "Account holder Marja Nordlund of Turku" in page.text
    assert assisted.missed == 1
    assert "Nordlund" not in caplog.text
    assert "k3y" not in caplog.text


def test_a_refused_key_is_a_matter_of_configuration(pool: Pool) -> None:
    with standing_in((401, {}, b"")) as (_, reader), pytest.raises(FatalError) as raised:
        read_with(pool, reader)
    assert raised.value.code is Code.CONFIGURATION
