"""Commands for those who run an installation."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import asdict
from typing import Final, Literal

from rich.text import Text

from anonify.settings import Settings

from .console import FAILED, emit, people, say

__all__ = ["broken", "cleanup", "doctor", "migrate", "serve"]

MAX_PASSES: Final = 10_000
"""A pass removes a bounded number of documents."""


def serve(host: str, port: int, role: Literal["all", "web", "worker"], *, open_browser: bool) -> int:
    """Serve, work, or both, until a signal."""
    from anonify.logs import set_up_logging

    settings = Settings()
    set_up_logging(settings)
    if role == "worker":
        from anonify.runs import run_worker

        run_worker(settings)
        return 0
    from anonify.web import CannotListen
    from anonify.web import serve as run

    try:
        run(settings, host, port, role, open_browser=open_browser)
    except CannotListen as error:
        say(f"{error.code.value}: {error.advice}")
        return FAILED
    return 0


def cleanup(*, as_json: bool) -> int:
    """Sweep until nothing expired is left that can be removed."""
    from anonify.runs import open_services, sweep_expired

    services = open_services(_quiet(), role="web")
    totals: Counter[str] = Counter()
    try:
        for _ in range(MAX_PASSES):
            counts = asdict(sweep_expired(services))
            totals.update(counts)
            if not counts["purged"]:
                break
    finally:
        services.close()
    if as_json:
        emit(dict(totals))
    else:
        say(", ".join(f"{name.replace('_', ' ')}: {count}" for name, count in totals.items()))
    return 0


def _quiet() -> Settings:
    """The settings of this installation, with a log that does not talk into a command's own words."""
    from anonify.logs import set_up_logging

    settings = Settings()
    set_up_logging(
        settings if "ANONIFY_LOG_LEVEL" in os.environ else settings.model_copy(update={"log_level": "error"})
    )
    return settings


def doctor(*, as_json: bool) -> int:
    """Check everything an installation needs."""
    from anonify.runs import doctor as run

    checks = run(_quiet())
    for check in checks:
        if as_json:
            emit(asdict(check))
            continue
        state, style = ("ok", "green") if check.ok else ("broken", "red") if check.needed else ("off", "yellow")
        line = Text.assemble((f"{state:7}", style), f"{check.name}: {check.found}")
        if not check.ok and check.advice:
            line.append(f"  {check.advice}")
        people().print(line, soft_wrap=True)
    return FAILED if any(check.needed and not check.ok for check in checks) else 0


def broken() -> list[str]:
    """What the doctor finds broken, with what to do, a line each."""
    from anonify.runs import doctor as run

    return [f"{one.name}: {one.found}. {one.advice}" for one in run(_quiet()) if one.needed and not one.ok]


def migrate() -> int:
    """Create or upgrade the tables."""
    from anonify.runs import open_services

    open_services(_quiet(), role="web").close()
    say("The database is up to date.")
    return 0
