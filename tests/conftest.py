"""Fixtures every test may use: settings on a fresh data directory, services, a worker, a real PostgreSQL."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import SecretStr
from sqlalchemy import create_engine, text

import anonify
from anonify.runs import Services, Worker, open_services
from anonify.sandbox import Limits, Pool
from anonify.settings import Settings
from tests import postgres


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--pictures` renews docs/pictures while the browser tests run."""
    parser.addoption("--pictures", action="store_true", help="write the manual's pictures (docs/pictures)")


@pytest.fixture(scope="module", autouse=True)
def _no_session_left() -> Iterator[None]:
    """The Python API keeps its engine for the next call, and a process has room for one."""
    yield
    anonify.close()


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Settings of an embedded installation in a fresh directory."""
    return Settings(data_dir=tmp_path / "data", cpu_concurrency=2)


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """A running PostgreSQL server of this session."""
    try:
        server = postgres.start()
    except postgres.Unavailable as reason:
        pytest.skip(f"NO POSTGRESQL: {reason}")
    yield server.url
    server.stop()


@pytest.fixture
def postgres_settings(tmp_path: Path, postgres_url: str) -> Iterator[Settings]:
    """Settings of an installation on a fresh PostgreSQL database."""
    name = f"t{uuid.uuid4().hex[:12]}"
    admin = create_engine(postgres_url.replace("postgresql://", "postgresql+psycopg://"), isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    yield Settings(
        data_dir=tmp_path / "data",
        DATABASE_URL=SecretStr(postgres_url.rpartition("/")[0] + "/" + name),
        ENCRYPTION_KEY=SecretStr("11" * 32),
        cpu_concurrency=2,
    )
    with admin.connect() as connection:
        connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
    admin.dispose()


@pytest.fixture(scope="session")
def pool() -> Iterator[Pool]:
    """The sandbox of a default installation, started once: its children take longer to start than most tests."""
    with Pool(2, Limits(wall_seconds=300)) as shared:
        yield shared


@pytest.fixture
def services(settings: Settings, pool: Pool) -> Iterator[Services]:
    """An embedded installation's open parts, no worker."""
    opened = open_services(settings)
    opened.pool.close()
    yield replace(opened, pool=pool)
    opened.client.close()
    opened.database.close()


@pytest.fixture
def worker(services: Services) -> Iterator[Worker]:
    """A running worker whose retries do not dawdle."""
    running = Worker(services, retry_seconds=0.02)
    running.start()
    yield running
    running.stop(10)
