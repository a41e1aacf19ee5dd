"""Times a command and samples the resident memory of every process it starts."""

from __future__ import annotations

import subprocess
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass

import psutil

__all__ = ["Measured", "run"]

SAMPLE_SECONDS = 0.05


@dataclass(frozen=True, slots=True)
class Measured:
    """What one run of a command cost.

    Attributes:
        seconds: wall time.
        peak_process: largest resident size any single process reached, MiB.
        peak_tree: largest sum over the process tree, MiB; shared pages count once a process.
        status: exit status.
        stdout: what it printed.
    """

    seconds: float
    peak_process: float
    peak_tree: float
    status: int
    stdout: str


class _Sampler(threading.Thread):
    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self._root = psutil.Process(pid)
        self._done = threading.Event()
        self.process = self.tree = 0

    def run(self) -> None:
        while not self._done.wait(SAMPLE_SECONDS):
            sizes = self._sizes()
            self.process = max(self.process, *sizes, 0)
            self.tree = max(self.tree, sum(sizes))

    def _sizes(self) -> list[int]:
        sizes = [0]
        try:
            for process in [self._root, *self._root.children(recursive=True)]:
                try:
                    sizes.append(process.memory_info().rss)
                except psutil.Error:
                    continue
        except psutil.Error:
            pass
        return sizes

    def stop(self) -> None:
        self._done.set()
        self.join()


def run(command: Sequence[str], timeout: float = 3600) -> Measured:
    """Run `command` to its end and measure it."""
    start = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        sampler = _Sampler(process.pid)
        sampler.start()
        stdout, _ = process.communicate(timeout=timeout)
        seconds = time.perf_counter() - start
        sampler.stop()
    mib = 1 << 20
    return Measured(seconds, sampler.process / mib, sampler.tree / mib, process.returncode, stdout)
