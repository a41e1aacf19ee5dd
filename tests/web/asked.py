"""A real site whose language model is played by a server of the tests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from anonify.database import VerificationRow, now_ms, verifications
from anonify.runs import open_services
from tests.providers.server import KEY, Script, by_task, serving

from .site import Site, running

__all__ = ["MODEL", "NAMED", "asking_site", "names_it"]

MODEL = "local-model"
NAMED = "the tall man from flat 7B"


def names_it() -> Script:
    """Names one value wherever it is shown."""

    def answer(asked: object) -> dict[str, object]:
        text = asked.text.partition("The text:")[2]  # type: ignore[attr-defined]  # an Asked
        span = {"text": NAMED, "category": "person", "confidence": 0.8, "everywhere": True}
        return {"values": [span] if NAMED in text else []}

    return by_task(detect=answer)


@contextmanager
def asking_site(data: Path, script: Script, *, verified: bool = True) -> Iterator[Site]:
    """The site; with a model that was verified or not, and a bound of 5 dollars a day."""
    with serving(script) as server:
        address = f"{server.url}/openai/v1"
        environment = {
            "ANONIFY_AI_PROVIDER": "openai",
            "ANONIFY_AI_MODEL": MODEL,
            "ANONIFY_AI_URL": address,
            "ANONIFY_AI_KEY": KEY,
            "ANONIFY_AI_DAILY_SPEND_USD": "5",
        }
        with running(data, **environment) as site:
            if verified:
                services = open_services(site.settings, role="web")
                with services.database.begin() as connection:
                    verifications.record(connection, VerificationRow("openai", MODEL, address, ("tool",), now_ms()))
                services.close()
            yield site
