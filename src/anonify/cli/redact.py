"""`anonify redact`: many files through the pipeline at once."""

from __future__ import annotations

import contextlib
import queue
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from anonify.errors import Code
from anonify.export import sweepable
from anonify.local.files import forget_parts
from anonify.local.session import Interrupted, Session
from anonify.local.wanted import Result, Told, Wanted

from .console import FAILED, INTERRUPTED, REFUSED, USAGE, emit, people, say
from .inputs import Job, PathProblem, plan_jobs, show

if TYPE_CHECKING:
    from .journal import Journal

__all__ = ["Ask", "redact"]


@dataclass(frozen=True, slots=True)
class Ask:
    """A whole `anonify redact` command.

    Attributes:
        inputs: files and folders.
        wanted: what to remove.
        out: `--out`.
        report: write reports.
        state: folder to keep the state in.
        force: overwrite what exists.
        json: print a JSON line for each input.
    """

    inputs: tuple[Path, ...]
    wanted: Wanted
    out: str | None = None
    report: bool = False
    state: Path | None = None
    force: bool = False
    json: bool = False


def redact(ask: Ask) -> int:
    """Run the command; returns the exit status."""
    try:
        jobs = plan_jobs(ask.inputs, ask.out, report=ask.report, vault=ask.wanted.vaulted, state=ask.state)
    except PathProblem as error:
        say(str(error))
        return USAGE
    if not jobs:
        say("There is no file to redact.")
        return 0
    if ask.wanted.methods and len(jobs) > 1:  # the same person is the same in all of them
        ask = replace(ask, wanted=replace(ask.wanted, together=True))
    short = sum(not sweepable(value) for value in ask.wanted.values)
    if short:
        say(
            f"{short} of the values have fewer than 4 characters: removed where found, but not searched for afterwards."
        )
    with contextlib.ExitStack() as stack:
        journal: Journal | None = None
        if ask.state is not None:
            from .journal import Journal, StateInUse

            try:
                journal = stack.enter_context(Journal(ask.state))
            except StateInUse:
                say("Another process works on this state. Wait for it, or choose another --state.")
                return USAGE
            except OSError as error:
                say(f"The state folder cannot be used: {error.strerror}.")
                return USAGE
        return _run(ask, jobs, journal)


class _Heard:
    """How far the files at work are, from all threads."""

    def __init__(self) -> None:
        self._counts: dict[tuple[Job, str], tuple[int, int]] = {}
        self._lock = threading.Lock()

    @contextlib.contextmanager
    def of(self, job: Job) -> Iterator[Told]:
        """Who hears about one file while it is at work."""
        try:
            yield _Ear(partial(self._take, job))
        finally:
            with self._lock:
                self._counts = {key: counts for key, counts in self._counts.items() if key[0] != job}

    def _take(self, job: Job, what: str, done: int, total: int) -> None:
        with self._lock:
            self._counts[job, what] = (done, total)

    def counts(self, what: str) -> tuple[int, int]:
        """How many are done, and how many there are: of pages whose `pictures` are read, of documents inside files."""
        with self._lock:
            counts = [one for (_, kind), one in self._counts.items() if kind == what]
        return sum(done for done, _ in counts), sum(total for _, total in counts)


class _Ear(Told):
    """Passes on what is told about one file."""

    def __init__(self, take: Callable[[str, int, int], None]) -> None:
        self._take = take

    def reading(self, done: int, total: int) -> None:
        self._take("pictures", done, total)

    def documents(self, what: str, done: int, total: int) -> None:
        self._take(what, done, total)


@dataclass(slots=True)
class _Tally:
    """What has happened so far."""

    heard: _Heard = field(default_factory=_Heard)
    results: list[Result] = field(default_factory=list)
    skipped: int = 0
    interrupted: bool = False
    broken: BaseException | None = None

    def status(self) -> int:
        if self.interrupted:
            return INTERRUPTED
        every = (one for result in self.results for one in result.each())
        codes = {one.error_code for one in every if one.status == "failed"}
        if Code.VERIFICATION_FAILED.value in codes:
            return REFUSED
        return FAILED if codes else 0


def _run(ask: Ask, jobs: Sequence[Job], journal: Journal | None) -> int:
    tally = _Tally()
    todo: list[Job] = []
    fresh: list[Job] = []
    for job in jobs:
        key = _key(job, ask, journal)
        kept = journal.finished(key) if journal is not None else None
        if kept is not None:
            tally.skipped += 1
            _take(ask, tally, kept)
            continue
        todo.append(job)
        if journal is None or journal.document(key) is None:
            fresh.append(job)  # what lies at the output of one taken in before is that run's own
    in_the_way = [place for job in fresh for place in job.places if _there(place)]
    if in_the_way and not ask.force:
        for place in in_the_way[:5]:
            say(f"{show(place)} exists already.")
        say("Nothing was done. --force overwrites.")
        return USAGE
    if todo:
        _work(ask, todo, journal, tally, {job.output for job in fresh})
    if tally.broken is not None:
        if isinstance(tally.broken, OSError):
            say(f"The output cannot be written: {tally.broken.strerror}.")
            return FAILED
        raise tally.broken
    if not ask.json:
        from .tables import redaction_table

        redaction_table(people(), tally.results, len(jobs), skipped=tally.skipped)
    if tally.interrupted:
        resumable = "The same command goes on where it was." if journal else "Use --state DIR to be able to resume."
        say(f"Interrupted after {len(tally.results)} of {len(jobs)} files. {resumable}")
    return tally.status()


def _key(job: Job, ask: Ask, journal: Journal | None) -> str:
    """The file's name in the journal; none when it has vanished, which its own line will say."""
    try:
        return journal.key(job, ask.wanted) if journal is not None else ""
    except OSError:
        return ""


def _there(place: Path) -> bool:
    return place.is_symlink() or place.exists()


def _take(ask: Ask, tally: _Tally, result: Result) -> None:
    tally.results.append(result)
    if ask.json:
        emit(result.as_json())


def _work(ask: Ask, jobs: Sequence[Job], journal: Journal | None, tally: _Tally, fresh: Set[Path]) -> None:
    """Work through `jobs` with as many threads as documents are worth admitting at once."""
    waiting: queue.SimpleQueue[Job] = queue.SimpleQueue()
    for job in jobs:
        waiting.put(job)
    finished: queue.SimpleQueue[Result | BaseException | None] = queue.SimpleQueue()
    asked = threading.Event()
    for folder in {job.output.parent for job in jobs}:
        forget_parts(folder)
    with _on_signals(asked), Session(ask.state) as session:
        if journal is not None:
            session.forget(keep=journal.unfinished())

        def one(job: Job) -> Result:
            with tally.heard.of(job) as told:
                watched = partial(session.redact, told=told)
                return _one(watched, ask, journal, job, replace=ask.force or job.output not in fresh)

        threads = [
            threading.Thread(target=_worker, args=(one, waiting, finished), daemon=True)
            for _ in range(min(session.slots, len(jobs)))
        ]
        for thread in threads:
            thread.start()
        try:
            _collect(ask, tally, finished, (len(threads), len(jobs)), asked)
        finally:
            session.interrupt()
            while not waiting.empty():
                with contextlib.suppress(queue.Empty):
                    waiting.get_nowait()
            deadline = time.monotonic() + 1.0  # what is still in the pool then goes with the pool
            for thread in threads:
                thread.join(timeout=max(0.0, deadline - time.monotonic()))


def _worker(
    one: Callable[[Job], Result],
    waiting: queue.SimpleQueue[Job],
    finished: queue.SimpleQueue[Result | BaseException | None],
) -> None:
    while True:
        try:
            job = waiting.get_nowait()
        except queue.Empty:
            break
        try:
            finished.put(one(job))
        except Interrupted:
            break
        except BaseException as error:  # handed to the main thread, which raises it
            finished.put(error)
            break
    finished.put(None)


def _one(make: Callable[..., Result], ask: Ask, journal: Journal | None, job: Job, *, replace: bool) -> Result:
    key = _key(job, ask, journal)
    if journal is None or not key:
        return make(job.source, job.output, ask.wanted, report=job.report, vault=job.vault, replace=replace)

    def finished(result: Result) -> None:
        if result.status != "failed":
            journal.done(key, result)

    return make(
        job.source,
        job.output,
        ask.wanted,
        report=job.report,
        vault=job.vault,
        replace=replace,
        resume=journal.document(key),
        admitted=lambda document_id: journal.admitted(key, document_id),
        finished=finished,
    )


def _collect(
    ask: Ask,
    tally: _Tally,
    finished: queue.SimpleQueue[Result | BaseException | None],
    sizes: tuple[int, int],
    asked: threading.Event,
) -> None:
    running, total = sizes
    from .tables import progress

    with progress(people(), total, done=tally.skipped) as shown:
        while running:
            if asked.is_set():
                tally.interrupted = True
                return
            try:
                item = finished.get(timeout=0.1)
            except queue.Empty:
                shown.inside(tally.heard.counts)
                continue
            if item is None:
                running -= 1
            elif isinstance(item, Result):
                shown.advance()
                _take(ask, tally, item)
            else:
                tally.broken = item
                return


@contextlib.contextmanager
def _on_signals(asked: threading.Event) -> Iterator[None]:
    """Ctrl-C and SIGTERM ask the run to stop; a second one stops it at once."""

    def ask_to_stop(_number: int, _frame: object) -> None:
        if asked.is_set():
            raise KeyboardInterrupt
        asked.set()

    before = {number: signal.signal(number, ask_to_stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
