"""Commands for those who run an installation."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import asdict
from typing import Final, Literal

from pydantic import ValidationError
from rich.text import Text

from anonify.errors import FAILURES, Code
from anonify.settings import Settings

from .console import FAILED, emit, people, say

__all__ = ["broken", "cleanup", "doctor", "migrate", "quiet", "say_settings", "serve"]

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

    services = open_services(quiet(), role="web")
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


def quiet() -> Settings:
    """The settings of this installation, with a log that does not talk into a command's own words."""
    from anonify.logs import set_up_logging

    settings = Settings()
    set_up_logging(
        settings if "ANONIFY_LOG_LEVEL" in os.environ else settings.model_copy(update={"log_level": "error"})
    )
    return settings


def say_settings(error: ValidationError) -> None:
    """Say which settings are wrong, without their values: one may be a secret."""
    say(f"{Code.CONFIGURATION.value}: {FAILURES[Code.CONFIGURATION].sentence}")
    for one in error.errors(include_input=False):
        name = "".join(str(part) for part in one["loc"][:1])
        shown = f"{name if name.isupper() else f'ANONIFY_{name.upper()}'}: " if name else ""
        say(f"{shown}{one['msg'].removeprefix('Value error, ')}.")


def doctor(*, as_json: bool) -> int:
    """Check everything an installation needs."""
    from anonify.runs import doctor as run

    checks = run(quiet())
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

    return [f"{one.name}: {one.found}. {one.advice}" for one in run(quiet()) if one.needed and not one.ok]


def migrate() -> int:
    """Create or upgrade the tables."""
    from anonify.runs import open_services

    open_services(quiet(), role="web").close()
    say("The database is up to date.")
    return 0
