"""A data disk without room: what is there can still be read and deleted, and the site says what is wrong."""

from __future__ import annotations

import os
import subprocess
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from .site import LETTER, VALUE, browser_session, running, upload, wait_for


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 160 MiB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = hasattr(os, "geteuid") and os.geteuid() == 0
    if mounted:
        command = ["mount", "-t", "tmpfs", "-o", "size=160m", "tmpfs", str(folder)]
        mounted = subprocess.run(command, check=False, capture_output=True).returncode == 0
    if not mounted:
        warnings.warn("CANNOT MOUNT: the full disk was not tested", stacklevel=1)
        pytest.skip("mounting a small file system needs more rights")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def _fill(folder: Path) -> None:
    with (folder / "filler").open("wb", buffering=0) as file:
        try:
            for size in (1 << 20, 4_096, 1):
                while True:
                    try:
                        if file.write(bytes(size)) < size:
                            break
                    except OSError:
                        break
        finally:
            os.fsync(file.fileno())


def test_a_full_disk_still_lets_people_read_and_delete(small_disk: Path) -> None:
    with running(small_disk / "data") as site, browser_session(site) as client:
        document, second = upload(client), upload(client)
        wait_for(client, document)
        wait_for(client, second)
        assert client.get("/api/ready").json() == {"ready": True, "degraded": []}
        _fill(small_disk)

        ready = client.get("/api/ready")
        assert (ready.status_code, ready.json()["code"]) == (503, "disk-full")
        assert "disk-full" in ready.json()["degraded"]
        assert VALUE in client.get(f"/api/documents/{document}/content?page=1").json()["text"]
        assert len(client.get("/api/documents").json()["documents"]) == 2
        refused = client.post("/api/documents", json={"filename": "a.txt", "size": len(LETTER)})
        assert (refused.status_code, refused.json()["code"]) == (507, "disk-full")

        assert client.delete(f"/api/documents/{document}").status_code == 204
        assert client.delete(f"/api/documents/{second}").status_code == 204
        assert client.get("/api/documents").json()["documents"] == []
        (small_disk / "filler").unlink()
        wait_for(client, upload(client))
        assert client.get("/api/ready").json()["ready"] is True
