"""Running the real command."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

__all__ = ["Ran", "anonify", "docx_of", "environment"]

ROOT = Path(__file__).resolve().parents[2]


class Ran:
    """What a command did."""

    def __init__(self, done: subprocess.CompletedProcess[bytes]) -> None:
        self.code = done.returncode
        self.out = done.stdout.decode("utf-8", "replace")
        self.err = done.stderr.decode("utf-8", "replace")

    @property
    def lines(self) -> list[dict[str, Any]]:
        """The JSON lines on stdout: nothing else may be there."""
        return [json.loads(line) for line in self.out.splitlines()]

    def by_name(self) -> dict[str, dict[str, Any]]:
        """The lines by the name of their input."""
        return {os.path.basename(line["input"]): line for line in self.lines}


def environment(**more: str) -> dict[str, str]:
    """The environment without any setting of whoever runs the tests."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("ANONIFY_") and name not in ("DATABASE_URL", "ENCRYPTION_KEY", "CRON_SECRET")
    }
    return {**kept, "PYTHONPATH": str(ROOT / "src"), "ANONIFY_CPU_CONCURRENCY": "2", **more}


def anonify(
    *arguments: str | os.PathLike[str],
    stdin: bytes = b"",
    env: Mapping[str, str] | None = None,
    timeout: float = 120,
    cwd: Path | None = None,
) -> Ran:
    """Run `anonify` in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "anonify", *arguments],
        input=stdin,
        capture_output=True,
        env=dict(env or environment()),
        timeout=timeout,
        check=False,
        cwd=cwd,
    )
    return Ran(done)


def docx_of(path: Path, *paragraphs: str, author: str = "") -> None:
    """A small word processor file."""
    from docx import Document

    document = Document()
    document.core_properties.author = author
    for text in paragraphs:
        document.add_paragraph(text)
    document.save(str(path))


def text_of_docx(path: Path) -> str:
    """Every part of a package as text."""
    with zipfile.ZipFile(path) as package:
        return "\n".join(package.read(name).decode("utf-8", "replace") for name in package.namelist())
