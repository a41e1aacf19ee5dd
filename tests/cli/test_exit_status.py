from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import anonify
from anonify.cli import redact as command
from anonify.errors import Code
from anonify.local.session import Session
from anonify.local.wanted import Result, Wanted


@pytest.mark.parametrize(
    ("codes", "status"),
    [
        ([None, None], 0),
        ([None, Code.MALFORMED], 1),
        ([Code.VERIFICATION_FAILED, None], 3),
        ([Code.MALFORMED, Code.VERIFICATION_FAILED], 3),
    ],
)
def test_the_worst_result_decides(
    codes: list[Code | None], status: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    class Scripted:
        """A session whose results are known before."""

        slots = 2

        def __init__(self, _state: Path | None) -> None:
            self.left = dict(zip(("0.txt", "1.txt"), codes, strict=True))

        def __enter__(self) -> Scripted:
            return self

        def __exit__(self, *_: object) -> None:
            """Nothing to close."""

        def interrupt(self) -> None:
            """Nothing to stop."""

        def redact(
            self, path: Path, output: Path, wanted: Wanted, *, report: Path | None = None, replace: bool, **_: object
        ) -> Result:
            code = self.left[path.name]
            if code is None:
                return Result(str(path), status="ready", output=str(output))
            return Result(str(path), error_code=code.value, error="no")

    monkeypatch.setattr(command, "Session", Scripted)
    for name in ("0.txt", "1.txt"):
        (tmp_path / name).write_text("x")
    assert command.redact(command.Ask((tmp_path,), Wanted(), json=True)) == status
    assert len(capsys.readouterr().out.splitlines()) == 2


def test_a_value_in_more_places_than_can_be_listed_is_gone_all_the_same(tmp_path: Path) -> None:
    source, out = tmp_path / "a.txt", tmp_path / "b.txt"
    source.write_text("Ada Example\n" * 12_000 + "Berta was here too.\n")
    result = anonify.redact_file(source, out, values=["Ada Example"])
    anonify.close()
    assert result.status == "ready", result.error_code
    assert result.verified_values == 1
    assert out.read_text() == "[REDACTED]\n" * 12_000 + "Berta was here too.\n"


def test_a_refused_export_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from anonify.errors import VerificationFailed
    from anonify.runs import deliver

    def refuse(*_: object) -> None:
        raise VerificationFailed("survivor")

    monkeypatch.setattr(deliver, "deliver_document", refuse)
    source = tmp_path / "a.txt"
    source.write_text("Ada Example\n")
    with Session(slots=1) as session:
        result = session.redact(source, tmp_path / "b.txt", Wanted(values=("Ada Example",)))
    assert (result.status, result.error_code) == ("failed", "verification-failed")
    assert not (tmp_path / "b.txt").exists()
