"""The client against a server that speaks the providers' protocols."""

from __future__ import annotations

import pytest

from anonify.providers import Kind
from anonify.providers.client import Client
from anonify.providers.shapes import Spans
from anonify.providers.throttle import MemoryLedger, Skipped, Throttle

from .server import KEY, PROTOCOLS, TOKENS, Reply, Server, by_task, in_turn, refusal, serving

GOOD = {"values": [{"text": "Marja Nordlund", "category": "person", "confidence": 0.9, "everywhere": True}]}
TEXT = "Account holder Marja Nordlund of Turku"


def client_of(
    server: Server, kind: Kind, *, seconds: float = 5.0, width: int = 4, daily: float | None = None
) -> Client:
    return Client(server.provider(kind), Throttle(width, MemoryLedger(), daily), seconds=seconds)


def ask(client: Client) -> Spans:
    try:
        return client.ask("detect", "List the values.", TEXT, Spans)[0]
    finally:
        client.close()


@pytest.mark.parametrize("kind", PROTOCOLS)
def test_a_question_gets_a_typed_answer_and_its_cost(kind: Kind) -> None:
    with serving(by_task(detect=GOOD)) as server:
        client = client_of(server, kind)
        answer, usage = client.ask("detect", "List the values.", TEXT, Spans)
        client.close()
    assert [(v.text, v.category) for v in answer.values] == [("Marja Nordlund", "person")]
    assert (usage.task, usage.model, usage.input_tokens, usage.output_tokens) == ("detect", "local-model", *TOKENS)
    (asked,) = server.asked
    assert asked.key in (KEY, f"Bearer {KEY}")
    assert TEXT in asked.text
    assert "List the values." in asked.system
    assert TEXT not in asked.system


@pytest.mark.parametrize("kind", PROTOCOLS)
@pytest.mark.parametrize(
    ("reply", "reason", "calls"),
    [
        (refusal(401), "refused-key", 1),
        (refusal(403), "refused-key", 1),
        (refusal(402), "payment", 1),
        (refusal(404), "unsupported", 1),
        (Reply("The values are: Marja Nordlund"), "malformed", 2),
        (
            Reply({"values": [{"text": "x", "category": "planet", "confidence": 0.9, "everywhere": True}]}),
            "malformed",
            2,
        ),
        (Reply({"values": "all of it"}), "malformed", 2),
        (Reply(raw=b"<html>gateway</html>"), "malformed", 2),
        (Reply(raw=b'{"choices": ['), "malformed", 2),
    ],
)
def test_each_fault_ends_in_its_reason(kind: Kind, reply: Reply, reason: str, calls: int) -> None:
    with serving(in_turn(reply)) as server:
        client = client_of(server, kind)
        with pytest.raises(Skipped) as skipped:
            ask(client)
    assert (skipped.value.reason, len(server.asked)) == (reason, calls)
