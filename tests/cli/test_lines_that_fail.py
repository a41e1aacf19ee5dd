"""`detect --jsonl` when a whole batch fails in its process: run inside this process, with a pool that fails."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from anonify.cli import detect
from anonify.cli.console import FAILED
from anonify.detection import DetectTextsArgs, TextDetections
from anonify.errors import Code, FatalError


class Failing:
    """A pool whose tasks fail with a code when a text says so, and find nothing in others."""

    def __init__(self, code: Code) -> None:
        self.code = code

    def run(self, _task: object, args: DetectTextsArgs, *, sources: object) -> TextDetections:
        assert sources == {}
        if "fail" in args.texts:
            raise FatalError(self.code)
        return TextDetections(tuple(() for _ in args.texts))


@pytest.mark.parametrize("code", [Code.MALFORMED, Code.TIMEOUT])
def test_every_line_is_answered_when_a_batch_fails(
    code: Code, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A task failing as malformed was once taken for malformed lines: the next good line ended in StopIteration."""

    @contextlib.contextmanager
    def pool() -> Iterator[tuple[Failing, int]]:
        yield Failing(code), 1

    monkeypatch.setattr(detect, "open_pool", pool)
    monkeypatch.setattr(detect, "BATCH_LINES", 3)
    source = tmp_path / "in.jsonl"
    lines = ['{"id": 1, "text": "good"}', '{"id": 2, "text": "fail"}', "no json"]
    lines += ['{"id": 4, "text": "good"}', "no json", '{"id": 6, "text": "good"}']
    source.write_text("\n".join(lines))

    assert detect.detect_lines(str(source), "everything") == FAILED

    assert [json.loads(line) for line in capsys.readouterr().out.splitlines()] == [
        {"id": 1, "error": code.value},
        {"id": 2, "error": code.value},
        {"id": None, "error": "malformed"},
        {"id": 4, "detections": []},
        {"id": None, "error": "malformed"},
        {"id": 6, "detections": []},
    ]
