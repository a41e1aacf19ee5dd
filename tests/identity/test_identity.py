"""Who is asking, how often, how much."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Connection, create_engine
from starlette.datastructures import Headers

from anonify.database.tables import metadata
from anonify.errors import Code, FatalError
from anonify.identity import (
    LINK_SECONDS,
    LinkExpired,
    LinkRefused,
    RateLimited,
    check_link,
    client_address,
    client_is_https,
    coarsen,
    identify,
    limits,
    new_session,
    quotas,
    sign_link,
    trusted_networks,
    valid_session,
)
from anonify.settings import Settings

NOW = 1_700_000_000_000


class Keys:
    """A ring without files."""

    def __init__(self, secret: str = "a") -> None:
        self.secret = secret

    def derive(self, purpose: str) -> bytes:
        return hashlib.sha256(f"{self.secret}:{purpose}".encode()).digest()


@pytest.fixture
def conn(tmp_path: Path) -> Iterator[Connection]:
    engine = create_engine(f"sqlite:///{tmp_path}/limits.sqlite3")
    metadata.create_all(engine)
    with engine.begin() as connection:
        yield connection
    engine.dispose()


def test_a_session_id_is_random_and_anything_else_is_none() -> None:
    session = new_session()

    assert valid_session(session)
    assert session != new_session()
    for other in (None, "", "x", session + "a", session[:-1] + "\n", session[:-1] + "é"):
        assert not valid_session(other)
        assert identify(Keys(), other, "192.0.2.7").owner_key is None


def test_keys_are_hashes_of_session_and_coarse_network() -> None:
    session = new_session()
    here = identify(Keys(), session, "192.0.2.7")
    neighbour = identify(Keys(), session, "192.0.2.200")
    elsewhere = identify(Keys(), session, "192.0.3.7")

    assert here == neighbour
    assert here.owner_key == elsewhere.owner_key
    assert here.quota_key != elsewhere.quota_key
    assert here.network_key != elsewhere.network_key
    assert len({here.owner_key, here.quota_key, here.network_key}) == 3
    assert here.owner_key is not None
    assert session not in here.owner_key
    assert identify(Keys("b"), session, "192.0.2.7").owner_key != here.owner_key


def test_coarsening() -> None:
    assert coarsen("192.0.2.77") == "192.0.2.0/24"
    assert coarsen("::ffff:192.0.2.77") == "192.0.2.0/24"
    assert coarsen("2001:db8:1:2:3::4") == "2001:db8:1::/48"
    assert coarsen("testclient") == "unknown"


def test_forwarded_headers_count_only_from_configured_proxies() -> None:
    trusted = trusted_networks("10.0.0.0/8, 127.0.0.1")
    spoof = {"x-forwarded-for": "203.0.113.9"}

    assert client_address("198.51.100.4", spoof, trusted) == "198.51.100.4"
    assert client_address("10.1.1.1", spoof, ()) == "10.1.1.1"
    assert client_address("10.1.1.1", spoof, trusted) == "203.0.113.9"
    # What the client wrote stands left of what our proxies wrote, and is not believed.
    chain = {"x-forwarded-for": "1.1.1.1, 203.0.113.9, 10.2.2.2"}
    assert client_address("127.0.0.1", chain, trusted) == "203.0.113.9"
    assert client_address("127.0.0.1", {"x-forwarded-for": "nonsense"}, trusted) == "127.0.0.1"
    assert client_address("127.0.0.1", {"x-forwarded-for": "[2001:db8::1]:443"}, trusted) == "2001:db8::1"
    assert client_is_https("10.1.1.1", "http", {"x-forwarded-proto": "https"}, trusted)
    assert not client_is_https("198.51.100.4", "http", {"x-forwarded-proto": "https"}, trusted)


def test_a_link_opens_what_it_names_for_five_minutes() -> None:
    token = sign_link(Keys(), document_id="d" * 32, artifact_id="a" * 32, owner_key="o" * 64, now_ms=NOW)

    link = check_link(Keys(), token, now_ms=NOW + LINK_SECONDS * 1000 - 1)
    assert (link.document_id, link.artifact_id, link.owner_key) == ("d" * 32, "a" * 32, "o" * 64)
    with pytest.raises(LinkExpired):
        check_link(Keys(), token, now_ms=NOW + LINK_SECONDS * 1000)


def test_a_changed_or_foreign_link_is_refused() -> None:
    token = sign_link(Keys(), document_id="d" * 32, artifact_id="a" * 32, owner_key="o" * 64, now_ms=NOW)
    batch = sign_link(
        Keys(), document_id="d" * 32, artifact_id="a" * 32, owner_key="o" * 64, now_ms=NOW, domain="batch"
    )
    bad = ["", ".", "a.b", "é.é", "x" * 10_000, batch, token + "=", token.upper()]
    bad += [token[:i] + ("A" if token[i] != "A" else "B") + token[i + 1 :] for i in range(len(token))]

    for other in bad:
        with pytest.raises(LinkRefused):
            check_link(Keys(), other, now_ms=NOW)
    with pytest.raises(LinkRefused):
        check_link(Keys("b"), token, now_ms=NOW)


def test_a_bucket_gives_its_burst_then_refills_with_time(conn: Connection) -> None:
    settings = Settings(profile="demo")
    limits.set_override(conn, "upload.burst", 3)
    limits.set_override(conn, "upload.per-hour", 60)
    for _ in range(3):
        limits.take(conn, "upload", "net", settings, NOW)

    with pytest.raises(RateLimited) as refused:
        limits.take(conn, "upload", "net", settings, NOW)
    assert 1 <= refused.value.retry_after_seconds <= 61
    assert refused.value.reset_at > NOW
    limits.take(conn, "upload", "other", settings, NOW)
    limits.take(conn, "read", "net", settings, NOW)
    limits.take(conn, "upload", "net", settings, refused.value.reset_at)
    with pytest.raises(RateLimited):
        limits.take(conn, "upload", "net", settings, refused.value.reset_at)


def test_a_clock_set_back_neither_drains_nor_fills(conn: Connection) -> None:
    settings = Settings(profile="demo")
    limits.set_override(conn, "export.burst", 2)
    limits.take(conn, "export", "net", settings, NOW)
    limits.take(conn, "export", "net", settings, NOW - 7_200_000)

    with pytest.raises(RateLimited):
        limits.take(conn, "export", "net", settings, NOW)


def test_quota_is_charged_whole_or_not_at_all_and_starts_again_at_midnight(conn: Connection) -> None:
    def charge(amount: int, now_ms: int = NOW) -> None:
        quotas.charge(conn, quota_key="q", unit="pages", amount=amount, allowance=10, now_ms=now_ms)

    charge(7)
    with pytest.raises(FatalError) as refused:
        charge(4)
    assert refused.value.code is Code.QUOTA
    charge(3)
    with pytest.raises(FatalError):
        charge(1)
    charge(10, NOW + quotas.DAY_MS)


def test_remaining_counts_by_unit_and_profile(conn: Connection) -> None:
    quotas.charge(conn, quota_key="q", unit="pages", amount=7, allowance=None, now_ms=NOW)

    demo = quotas.remaining(conn, "q", Settings(profile="demo"), NOW)
    assert demo["pages"].used == 7
    assert demo["pages"].left == (demo["pages"].allowance or 0) - 7
    assert demo["pages"].resets_at > NOW
    assert demo["cells"].used == 0
    own = quotas.remaining(conn, "q", Settings(profile="self-hosted"), NOW)
    assert own["pages"].allowance is None
    assert own["pages"].left is None
    limits.set_override(conn, "quota.pages", 9)
    assert quotas.remaining(conn, "q", Settings(profile="self-hosted"), NOW)["pages"].left == 2
    limits.clear_override(conn, "quota.pages")
    assert limits.allowance(conn, Settings(profile="self-hosted"), "pages") is None


def test_unknown_limit_names_are_refused(conn: Connection) -> None:
    for name, value in (("pages", 1), ("upload.burst", -1), ("quota.bytes", 5)):
        with pytest.raises(ValueError, match=name):
            limits.set_override(conn, name, value)


def test_every_profile_has_every_limit(conn: Connection) -> None:
    for profile in ("demo", "self-hosted", "production"):
        settings = Settings(profile=profile)
        for bucket in limits.BUCKETS:
            assert limits.rate(conn, settings, bucket).burst > 0
        for unit in limits.UNITS:
            limits.allowance(conn, settings, unit)


def test_a_line_that_the_proxy_adds_counts_more_than_the_clients() -> None:
    trusted = trusted_networks("10.0.0.0/8")
    lines = [(b"x-forwarded-for", b"198.51.100.7"), (b"x-forwarded-for", b"203.0.113.9")]
    assert client_address("10.0.0.1", Headers(raw=lines), trusted) == "203.0.113.9"

    schemes = [(b"x-forwarded-proto", b"https"), (b"x-forwarded-proto", b"http")]
    assert not client_is_https("10.0.0.1", "http", Headers(raw=schemes), trusted)
