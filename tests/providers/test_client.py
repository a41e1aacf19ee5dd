"""The client against a server that speaks the providers' protocols."""

from __future__ import annotations

import asyncio
import gzip
import logging
import threading
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec

import pytest

from anonify.providers import KINDS, Kind, Provider, Usage
from anonify.providers.client import Client, price
from anonify.providers.kinds import asking
from anonify.providers.shapes import Spans
from anonify.providers.throttle import MemoryLedger, Skipped, Throttle

from .server import KEY, PROTOCOLS, TOKENS, Asked, Reply, Server, by_task, in_turn, refusal, serving

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
        answer, (usage,) = client.ask("detect", "List the values.", TEXT, Spans)
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
        (Reply(raw=b" " * (9 << 20)), "malformed", 2),
        (Reply(headers={"Content-Encoding": "gzip"}, raw=gzip.compress(bytes(9 << 20))), "malformed", 2),
        (Reply(raw=b'{"choices": ['), "malformed", 2),
    ],
)
def test_each_fault_ends_in_its_reason(kind: Kind, reply: Reply, reason: str, calls: int) -> None:
    with serving(in_turn(reply)) as server:
        client = client_of(server, kind)
        with pytest.raises(Skipped) as skipped:
            ask(client)
    assert (skipped.value.reason, len(server.asked)) == (reason, calls)


@pytest.mark.parametrize("kind", PROTOCOLS)
def test_a_pause_that_one_call_is_told_to_make_is_made_by_all(kind: Kind) -> None:
    good, told = by_task(detect=GOOD), threading.Event()

    def script(asked: Asked) -> Reply:
        if not told.is_set():
            told.set()
            return refusal(429, Retry_After="1")
        return good(asked)

    with serving(script) as server, client_of(server, kind, width=1) as client, ThreadPoolExecutor(3) as pool:
        answers = list(pool.map(lambda _: client.ask("detect", "List.", TEXT, Spans)[0].values, range(3)))
    assert [len(values) for values in answers] == [1, 1, 1]
    assert len(server.asked) == 4
    assert min(asked.at for asked in server.asked[1:]) - server.asked[0].at >= 0.95


@pytest.mark.parametrize("kind", PROTOCOLS)
def test_a_refused_account_is_not_asked_again_but_one_refused_passage_is_only_that(kind: Kind) -> None:
    with serving(in_turn(refusal(400), Reply(GOOD), refusal(401))) as server, client_of(server, kind) as client:
        with pytest.raises(Skipped, match="unsupported"):
            client.ask("detect", "List.", TEXT, Spans)
        assert client.ask("detect", "List.", TEXT, Spans)[0].values
        for _ in range(3):
            with pytest.raises(Skipped, match="refused-key"):
                client.ask("detect", "List.", TEXT, Spans)
    assert len(server.asked) == 3


def test_only_what_may_be_charged_is_written_down() -> None:
    script = in_turn(refusal(400), Reply("prose"), Reply(GOOD))
    with serving(script) as server, client_of(server, "openai") as client:
        with pytest.raises(Skipped) as skipped:
            client.ask("detect", "List.", TEXT, Spans)
        _, usages = client.ask("detect", "List.", TEXT, Spans)
    assert skipped.value.usages == ()
    assert [(usage.input_tokens, usage.output_tokens) for usage in usages] == [TOKENS, TOKENS]


@pytest.mark.parametrize("kind", PROTOCOLS)
def test_nothing_of_a_question_or_a_key_is_logged(kind: Kind, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with serving(in_turn(Reply(GOOD), Reply("prose"), refusal(401))) as server, client_of(server, kind) as client:
        client.ask("detect", "List.", TEXT, Spans)
        with pytest.raises(Skipped) as skipped:
            client.ask("detect", "List.", TEXT, Spans)
    told = "".join(traceback.format_exception(skipped.value))
    for secret in ("Nordlund", KEY):
        assert secret not in caplog.text
        assert secret not in told


@pytest.mark.parametrize("kind", PROTOCOLS)
def test_a_redirection_takes_nothing_elsewhere(kind: Kind, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(by_task(detect=GOOD)) as elsewhere:
        away = refusal(307, Location=f"{elsewhere.url}/openai/v1/chat/completions")
        with serving(in_turn(away)) as server, client_of(server, kind) as client:
            monkeypatch.setattr(client.throttle, "refused", lambda *_: None)  # no waiting
            with pytest.raises(Skipped):
                client.ask("detect", "List.", TEXT, Spans)
    assert elsewhere.asked == []


@pytest.mark.alone
@pytest.mark.parametrize("kind", PROTOCOLS)
def test_an_answer_that_drips_ends_in_time(kind: Kind) -> None:
    with serving(in_turn(Reply(GOOD))) as server, client_of(server, kind) as client:
        client.ask("detect", "List.", TEXT, Spans)  # loads the provider's package, which is not what is timed
    with serving(in_turn(Reply(GOOD, drip=0.05))) as server, client_of(server, kind, seconds=0.7) as client:
        start = time.monotonic()
        with pytest.raises(Skipped, match="slow") as skipped:
            client.ask("detect", "List.", TEXT, Spans)
    assert time.monotonic() - start < 4
    assert len(skipped.value.usages) == len(server.asked) == 2  # they may be charged


@pytest.mark.parametrize("kind", ["openai-compatible", "openai"])
def test_a_schema_is_asked_for_where_tools_are_not_called(kind: Kind) -> None:
    with serving(by_task(detect=GOOD)) as server:
        client = Client(server.provider(kind, "schema"), Throttle(1, MemoryLedger()), seconds=5)
        assert ask(client).values[0].text == "Marja Nordlund"
    assert server.asked[0].tool == ""
    assert server.asked[0].body["response_format"]["type"] == "json_schema"


@pytest.mark.parametrize(
    ("provider", "free"),
    [
        (Provider("openai-compatible", "llama", "http://localhost:11434/v1"), True),
        (Provider("openai-compatible", "llama", "http://192.168.1.9:8000/v1"), True),
        (Provider("openai-compatible", "llama", "http://gpu.local:1234/v1"), True),
        (Provider("openai-compatible", "llama", "https://models.example.com/v1"), False),
        (Provider("openai", "gpt-4o"), False),
        (Provider("mistral", "mistral-large-latest"), False),
        (Provider("groq", "nobody-knows-this-one"), False),
    ],
)
def test_a_call_has_a_price_unless_the_server_is_ones_own(provider: Provider, free: bool) -> None:
    dollars = price(provider, Usage("detect", provider.model, 1_000_000, 100_000, 5))
    assert (dollars == 0) is free
    assert dollars < 50


@pytest.mark.parametrize(
    "provider",
    [
        pytest.param(
            Provider("bedrock", "some.model", "http://127.0.0.1:9", KEY, frozenset({"tool"})),
            marks=pytest.mark.skipif(find_spec("boto3") is not None, reason="the extra is installed"),
        ),
        Provider("groq", "nobody-knows-this-one", "http://127.0.0.1:9", KEY, frozenset({"schema"})),
    ],
)
def test_what_cannot_be_asked_here_is_unsupported_and_costs_no_time(provider: Provider) -> None:
    with Client(provider, Throttle(1, MemoryLedger())) as client, pytest.raises(Skipped, match="unsupported"):
        client.ask("detect", "List.", TEXT, Spans)


def test_a_server_that_is_not_there_is_unreachable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("anonify.providers.throttle.LONGEST_PAUSE", 0.01)
    provider = Provider("openai-compatible", "m", "http://127.0.0.1:9/v1", can=frozenset({"tool"}))
    with Client(provider, Throttle(1, MemoryLedger())) as client, pytest.raises(Skipped, match="unreachable"):
        client.ask("detect", "List.", TEXT, Spans)


@pytest.mark.parametrize("kind", ["openai-compatible", "openrouter", "azure", "groq"])
def test_the_kinds_that_speak_as_openai_does_are_asked_alike(kind: Kind) -> None:
    with serving(by_task(detect=GOOD)) as server, client_of(server, kind) as client:
        answer, (usage,) = client.ask("detect", "List.", TEXT, Spans)
    assert answer.values[0].text == "Marja Nordlund"
    assert (usage.input_tokens, usage.output_tokens) == TOKENS
    assert server.asked[0].path.endswith("/chat/completions")


def test_no_variable_of_the_environment_sends_a_question_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(by_task(detect=GOOD)) as elsewhere, serving(by_task(detect=GOOD)) as server:
        for name in ("OPENAI", "ANTHROPIC", "MISTRAL", "GROQ"):
            monkeypatch.setenv(f"{name}_BASE_URL", f"{elsewhere.url}/openai/v1")
            monkeypatch.setenv(f"{name}_API_KEY", "another-key")
        for kind in PROTOCOLS:
            assert ask(client_of(server, kind)).values
    assert elsewhere.asked == []
    assert all(KEY in (asked.key or "") for asked in server.asked)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_a_model_or_its_extra_is_missing(kind: Kind) -> None:
    provider = Provider(kind, "some/model", "http://127.0.0.1:9/v1", KEY)
    if kind == "bedrock" and find_spec("boto3") is None:
        with pytest.raises(ImportError):
            asking(provider)
    else:
        asyncio.run(asking(provider).close())
