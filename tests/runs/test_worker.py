"""A worker as an operator meets it: one a process, and it drains when it is told to stop."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from anonify.errors import Code, FatalError
from anonify.runs import Services, Worker, open_services
from anonify.runs.events import Event, decode, encode
from anonify.runs.uploads import safe_name
from anonify.settings import Settings

from .helpers import LETTER, load, submit, until, wait_for

_WORKER = """
import sys
from pathlib import Path
from anonify.runs import run_worker
from anonify.settings import Settings
run_worker(Settings(data_dir=Path(sys.argv[1]), cpu_concurrency=1))
"""


def test_a_worker_told_to_stop_finishes_what_it_holds(tmp_path: Path) -> None:
    services = open_services(Settings(data_dir=tmp_path, cpu_concurrency=1))
    document_id = submit(services, LETTER * 200)
    process = subprocess.Popen([sys.executable, "-c", _WORKER, str(tmp_path)])
    try:
        until(lambda: load(services, document_id).status not in ("queued", "ready"))
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
        assert load(services, document_id).status == "ready"
    finally:
        process.kill()
        services.close()


def test_a_second_worker_in_one_process_is_refused_and_harms_nothing(services: Services, worker: Worker) -> None:
    with pytest.raises(FatalError) as caught:
        Worker(services).start()

    assert caught.value.code is Code.CONFIGURATION
    assert wait_for(services, submit(services)).status == "ready"


def test_a_web_process_runs_nothing(services: Services) -> None:
    document_id = submit(services)

    assert load(services, document_id).status == "queued"
    assert services.client.waiting() == 1


@pytest.mark.parametrize(
    "line", ["", "{", "null", '{"type": 3}', '{"type":"document.unheard","documentId":"a","at":1}', '{"type":"x"}']
)
def test_a_malformed_line_is_no_event(line: str) -> None:
    assert decode(line, 0) is None


def test_an_event_survives_its_line() -> None:
    event = Event("document.failed", "ab", 12, "failed", None, None, {"code": "quota", "retryable": False})

    decoded = decode(encode(event), 7)

    assert decoded is not None
    assert (decoded.index, decoded.payload, decoded.status) == (7, event.payload, "failed")


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("../../etc/passwd", "passwd"),
        ("C:\\Users\\me\\report.pdf", "report.pdf"),
        ("a\x1b[31m\u202efdp.exe", "a_[31m_fdp.exe"),
        ("", "document"),
        ("x" * 300 + ".docx", "x" * 250 + ".docx"),
    ],
)
def test_a_name_is_made_safe(given: str, kept: str) -> None:
    assert safe_name(given) == kept
