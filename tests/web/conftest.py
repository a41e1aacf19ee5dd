"""One running site for all tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from tests.web.site import Site, browser_session, running


@pytest.fixture(scope="package")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with running(
        tmp_path_factory.mktemp("site") / "data", CRON_SECRET="sweep-me", ANONIFY_METRICS_TOKEN="count-me"
    ) as it:
        yield it


@pytest.fixture
def client(site: Site) -> Iterator[httpx.Client]:
    with browser_session(site) as it:
        yield it
