"""What a model is seen to do."""

from __future__ import annotations

import base64
import io
import json

import pytest
from PIL import Image

from anonify.providers import Kind, MemoryLedger, Skip, Throttle, verify

from .server import PROTOCOLS, Asked, Reply, refusal, serving


def sees(asked: Asked) -> bool:
    return "colour" in asked.text


def able(asked: Asked) -> Reply:
    return Reply({"word": "red", "number": 4} if sees(asked) else {"word": "Harbour", "number": 4182})


@pytest.mark.parametrize("kind", PROTOCOLS)
def test_two_tiny_calls_show_what_a_model_can_do(kind: Kind) -> None:
    ledger = MemoryLedger()
    with serving(able) as server:
        seen = verify(server.provider(kind), Throttle(1, ledger))
    assert seen.can == {"tool", "image"}
    assert seen.skips == ()
    assert len(server.asked) == 2
    assert sum(len(json.dumps(asked.body)) for asked in server.asked) < 8_000
    assert ledger.spent_today() > 0


def test_the_picture_that_is_sent_is_a_picture() -> None:
    with serving(able) as server:
        verify(server.provider("openai"), Throttle(1, MemoryLedger()))
    (url,) = [
        part["image_url"]["url"] for part in server.asked[1].body["messages"][-1]["content"] if "image_url" in part
    ]
    with Image.open(io.BytesIO(base64.b64decode(url.split(",")[1]))) as picture:
        assert picture.getpixel((30, 30)) == (220, 20, 20)


def test_a_model_that_calls_no_tools_may_answer_in_a_schema() -> None:
    def script(asked: Asked) -> Reply:
        return Reply("I would rather talk.") if asked.tool else able(asked)

    with serving(script) as server:
        seen = verify(server.provider("openai-compatible"), Throttle(1, MemoryLedger()))
    assert seen.can == {"schema", "image"}
    assert server.provider("openai-compatible").able(seen.can).structured


@pytest.mark.parametrize("blind", [refusal(400), Reply({"word": "blue", "number": 4}), Reply("I see no picture.")])
def test_a_model_that_sees_nothing_still_answers(blind: Reply) -> None:
    with serving(lambda asked: blind if sees(asked) else able(asked)) as server:
        seen = verify(server.provider("openai"), Throttle(1, MemoryLedger()))
    assert seen.can == {"tool"}


@pytest.mark.parametrize("kind", PROTOCOLS)
def test_a_refused_key_is_said_at_once(kind: Kind) -> None:
    with serving(lambda _asked: refusal(401)) as server:
        seen = verify(server.provider(kind), Throttle(1, MemoryLedger()))
    assert (seen.can, seen.skips) == (frozenset(), (Skip("verify", "refused-key"),))
    assert len(server.asked) == 1


def test_what_was_seen_holds_for_nobody_else() -> None:
    with serving(able) as server:
        provider = server.provider("openai")
        seen = verify(provider, Throttle(1, MemoryLedger()))
        assert seen.holds_for(provider)
        assert not seen.holds_for(server.provider("openai", model="another"))
        assert not seen.holds_for(server.provider("mistral"))
