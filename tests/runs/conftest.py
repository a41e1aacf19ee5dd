"""What several tests of runs need: an installation with a language model."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import SecretStr

from anonify.database import VerificationRow, now_ms, verifications
from anonify.providers import Ability
from anonify.runs import Worker, open_services
from anonify.sandbox import Pool
from anonify.settings import Settings
from tests.providers.server import KEY, Script, serving

from .asked import MODEL, Asking, Start


@pytest.fixture
def start(tmp_path: Path, pool: Pool) -> Iterator[Start]:
    """Starts an installation whose language model is played by a script; `can`: what it was seen to do."""
    with ExitStack() as stack:

        def started(
            script: Script,
            *,
            can: tuple[Ability, ...] = ("tool",),
            daily: float | None = None,
            working: bool = True,
        ) -> Asking:
            server = stack.enter_context(serving(script))
            settings = Settings(
                data_dir=tmp_path / "data",
                cpu_concurrency=2,
                ai_provider="openai",
                ai_model=MODEL,
                ai_url=f"{server.url}/openai/v1",
                ai_key=SecretStr(KEY),
                ai_daily_spend_usd=daily,
            )
            opened = open_services(settings)
            opened.pool.close()
            services = replace(opened, pool=pool)
            stack.callback(opened.database.close)
            stack.callback(opened.client.close)
            asking = Asking(services, server)
            if can:
                row = VerificationRow("openai", MODEL, f"{server.url}/openai/v1", can, now_ms())
                with services.database.begin() as connection:
                    verifications.record(connection, row)
            if working:
                worker = Worker(services, retry_seconds=0.02)
                worker.start()
                stack.callback(worker.stop, 10)
            return asking

        yield started
