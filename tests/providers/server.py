"""A local server that speaks three protocols of language models, and answers what a test scripted.

OpenAI's chat completions under `/openai/v1`, Anthropic's messages under `/anthropic`, Mistral's chat under `/mistral`.
"""

from __future__ import annotations

import base64
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

from anonify.providers import Ability, Kind, Provider

PROTOCOLS: Final[tuple[Kind, ...]] = ("openai", "anthropic", "mistral")
KEY: Final = "sk-l0cal-s3cret"
TOKENS: Final = (120, 30)
"""What every good answer says that it cost: sent, received."""

_TASKS: Final = {
    "density": "classify",
    "values": "detect",
    "verdicts": "verify",
    "columns": "columns",
    "boxes": "image",
    "word": "check",
}


@dataclass(frozen=True)
class Asked:
    """A request as it arrived."""

    protocol: str
    path: str
    key: str | None
    body: dict[str, Any]
    at: float

    @property
    def task(self) -> str:
        """What is asked, told by the shape that an answer must have."""
        return next((task for name, task in _TASKS.items() if f'"{name}"' in json.dumps(self._shapes())), "none")

    @property
    def tool(self) -> str:
        """Name of the tool that an answer must call; empty when a schema is asked for instead."""
        tools = self.body.get("tools") or []
        if not tools:
            return ""
        return str(tools[0]["name"] if self.protocol == "anthropic" else tools[0]["function"]["name"])

    @property
    def system(self) -> str:
        """The instructions."""
        if self.protocol == "anthropic":
            return _flat(self.body.get("system", ""))
        return "\n".join(_flat(m["content"]) for m in self.body["messages"] if m["role"] in ("system", "developer"))

    @property
    def text(self) -> str:
        """What it is asked about."""
        return "\n".join(_flat(m["content"]) for m in self.body["messages"] if m["role"] == "user")

    @property
    def pictures(self) -> list[bytes]:
        """The pictures among it, in OpenAI's protocol."""
        parts = [part for m in self.body["messages"] if isinstance(m["content"], list) for part in m["content"]]
        urls = [part["image_url"]["url"] for part in parts if part.get("type") == "image_url"]
        return [base64.b64decode(url.partition(",")[2]) for url in urls]

    @property
    def whole(self) -> str:
        """Everything that was said."""
        return f"{self.system}\n{self.text}"

    def _shapes(self) -> object:
        return [self.body.get("tools"), self.body.get("response_format"), self.body.get("output_config")]


def _flat(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(part.get("text", "") for part in content if isinstance(part, dict))


@dataclass(frozen=True)
class Reply:
    """What goes back.

    Attributes:
        value: arguments of a good answer; a string stands for prose where a shape was asked for.
        status, headers, raw: of any other answer.
        delay: seconds before the first byte.
        drip: seconds between single bytes of the body.
    """

    value: object = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    raw: bytes | None = None
    delay: float = 0.0
    drip: float = 0.0


Script = Callable[[Asked], Reply]


def refusal(status: int, **headers: str) -> Reply:
    """A status, with headers whose names are written with `_`."""
    body = json.dumps({"error": {"type": "some_error", "message": "refused"}, "message": "refused"}).encode()
    return Reply(status=status, headers={name.replace("_", "-"): value for name, value in headers.items()}, raw=body)


def in_turn(*replies: Reply) -> Script:
    """One after the other, the last one for ever."""
    left = list(replies)
    lock = threading.Lock()

    def script(_asked: Asked) -> Reply:
        with lock:
            return left.pop(0) if len(left) > 1 else left[0]

    return script


def by_task(**replies: object) -> Script:
    """A good answer for each task; a function is given the question.  Tasks that are not named get harmless answers."""
    harmless: dict[str, object] = {
        "classify": {"kind": "letter", "language": "en", "density": "low"},
        "detect": {"values": []},
        "verify": {"verdicts": []},
        "columns": {"columns": []},
        "image": {"boxes": []},
        "check": {"word": "none", "number": 0},
    }

    def script(asked: Asked) -> Reply:
        reply = replies.get(asked.task, harmless.get(asked.task))
        reply = reply(asked) if callable(reply) else reply
        return reply if isinstance(reply, Reply) else Reply(reply)

    return script


def _openai(asked: Asked, value: object) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": None}
    if isinstance(value, str) or not asked.tool:
        message["content"] = value if isinstance(value, str) else json.dumps(value)
    else:
        call = {"name": asked.tool, "arguments": json.dumps(value)}
        message["tool_calls"] = [{"id": "call00001", "type": "function", "function": call}]
    finish = "tool_calls" if "tool_calls" in message else "stop"
    return {
        "id": "chat-1",
        "object": "chat.completion",
        "created": 1764694800,
        "model": asked.body["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": {"prompt_tokens": TOKENS[0], "completion_tokens": TOKENS[1], "total_tokens": sum(TOKENS)},
    }


def _anthropic(asked: Asked, value: object) -> dict[str, Any]:
    content: dict[str, Any] = {"type": "tool_use", "id": "toolu_1", "name": asked.tool, "input": value}
    if isinstance(value, str) or not asked.tool:
        content = {"type": "text", "text": value if isinstance(value, str) else json.dumps(value)}
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": asked.body["model"],
        "content": [content],
        "stop_reason": "tool_use" if content["type"] == "tool_use" else "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": TOKENS[0], "output_tokens": TOKENS[1]},
    }


class Server:
    """Serves until it is stopped; keeps what it was asked and how many calls were in flight at once."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.asked: list[Asked] = []
        self.busiest = 0
        self._busy = 0
        self._lock = threading.Lock()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                outer._serve(self)

            def log_message(self, *_: Any) -> None:
                """Say nothing."""

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.http.server_address[1]}"

    def provider(self, kind: Kind, *abilities: Ability, model: str = "local-model") -> Provider:
        """A provider of that kind whose address is this server."""
        under = {"anthropic": "/anthropic", "mistral": "/mistral"}.get(kind, "/openai/v1")
        return Provider(kind, model, self.url + under, KEY, frozenset(abilities or ("tool",)))

    def tasks(self) -> list[str]:
        """The tasks asked, in order."""
        return [asked.task for asked in self.asked]

    def _serve(self, handler: BaseHTTPRequestHandler) -> None:
        body = json.loads(handler.rfile.read(int(handler.headers["Content-Length"])))
        key = handler.headers["x-api-key"] or handler.headers["Authorization"]
        asked = Asked(handler.path.split("/")[1], handler.path, key, body, time.monotonic())
        with self._lock:
            self.asked.append(asked)
            self._busy += 1
            self.busiest = max(self.busiest, self._busy)
        try:
            reply = self.script(asked)
            time.sleep(reply.delay)
        finally:
            with self._lock:
                self._busy -= 1
        with suppress(OSError):  # nobody waits for it any more
            _send(handler, asked, reply)


def _send(handler: BaseHTTPRequestHandler, asked: Asked, reply: Reply) -> None:
    content = reply.raw
    if content is None:
        speak = _anthropic if asked.protocol == "anthropic" else _openai
        content = json.dumps(speak(asked, reply.value)).encode()
    handler.send_response(reply.status)
    for name, value in {"Content-Type": "application/json", **reply.headers}.items():
        handler.send_header(name, value)
    handler.send_header("Content-Length", str(len(content)))
    handler.end_headers()
    if not reply.drip:
        handler.wfile.write(content)
        return
    for byte in content:
        handler.wfile.write(bytes([byte]))
        handler.wfile.flush()
        time.sleep(reply.drip)


@contextmanager
def serving(script: Script) -> Iterator[Server]:
    """A server with a script, for as long as the block lasts."""
    server = Server(script)
    thread = threading.Thread(target=server.http.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.http.shutdown()
        server.http.server_close()
        thread.join()
