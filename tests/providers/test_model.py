"""What a provider is."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import FrozenInstanceError

import pytest

from anonify.providers import ADDRESSES, KINDS, Provider


def test_a_key_is_never_shown() -> None:
    provider = Provider("openai", "some-model", key="sk-s3cret")
    assert "s3cret" not in f"{provider!r} {provider}"
    with pytest.raises(FrozenInstanceError):
        provider.key = "other"  # type: ignore[misc]  # the point of the test


def test_every_kind_has_an_address_or_asks_for_one() -> None:
    for kind in KINDS:
        if kind in ADDRESSES:
            assert Provider(kind, "m").address == ADDRESSES[kind]
        else:
            with pytest.raises(ValueError, match="address"):
                Provider(kind, "m")
        assert Provider(kind, "m", "http://127.0.0.1:8080/v1/").address == "http://127.0.0.1:8080/v1"


@pytest.mark.parametrize(
    "wrong",
    [("nobody", "m", "http://x"), ("openai", "", ""), ("openai", "m", "ftp://x"), ("openai", "m", "file:///etc")],
)
def test_a_wrong_provider_is_refused(wrong: tuple[str, str, str]) -> None:
    with pytest.raises(ValueError, match=r"provider|address"):
        Provider(*wrong)  # type: ignore[arg-type]  # as a settings file would have it


def test_an_unverified_model_is_not_asked() -> None:
    assert not Provider("openai", "m").structured
    assert not Provider("openai", "m", can=frozenset({"image"})).structured
    assert Provider("openai", "m").able(frozenset({"schema"})).structured


def test_nobody_waits_for_the_providers_libraries_at_start() -> None:
    heavy = "{'pydantic_ai', 'openai', 'anthropic', 'httpx2'}"
    code = f"import sys, anonify.providers; print(sorted({heavy} & set(sys.modules)))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"
