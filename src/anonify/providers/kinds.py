"""How each kind of provider is spoken to: pydantic-ai's model of it, over connections that are ours.

Imports nothing of pydantic-ai until a model is asked for.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from .model import Provider

if TYPE_CHECKING:
    from pydantic_ai.models import Model

__all__ = ["Asking", "asking"]

AZURE_VERSION: Final = "2024-10-21"
"""Version of Azure's interface that is asked for where its address does not say `/v1`."""

CONNECT: Final = 10.0
"""Seconds for a connection to be made."""

ANSWER: Final = 8 << 20
"""Bytes of an answer beyond which it is none."""

_TALKATIVE: Final = (
    "openai", "anthropic", "groq", "mistralai", "google_genai", "botocore", "pydantic_ai",
    "httpx", "httpx2", "httpcore", "httpcore2",
)  # fmt: skip
"""Loggers of libraries that write whole requests, keys included, when somebody switches debugging on."""


def _silence() -> None:
    for name in _TALKATIVE:
        logging.getLogger(name).setLevel(logging.CRITICAL)


@dataclass(frozen=True, slots=True)
class Asking:
    """A model, and the connections it is asked over."""

    model: Model
    connections: tuple[Any, ...]

    async def close(self) -> None:
        """Give up the connections; on the loop that the model was asked on."""
        for connection in self.connections:
            await connection.aclose()


def asking(provider: Provider) -> Asking:
    """pydantic-ai's model of a provider.

    The address is always passed, so that no variable of the environment decides where documents go; a redirection is
    not followed, so that no answer does; and an answer has an end.

    Raises:
        ImportError: the extra of that kind (`bedrock`) is not installed.
    """
    import httpx
    import httpx2

    http = httpx2.AsyncClient(
        timeout=httpx2.Timeout(60.0, connect=CONNECT), follow_redirects=False, event_hooks={"response": [_bound]}
    )
    legacy = httpx.AsyncClient(
        timeout=httpx.Timeout(60.0, connect=CONNECT), follow_redirects=False, event_hooks={"response": [_bound]}
    )
    model = _model(provider, http, legacy)
    _silence()
    return Asking(model, (http, legacy))


async def _bound(response: Any) -> None:
    """Read an answer, unpacked, up to :data:`ANSWER` bytes of it, before a provider's library reads all of it."""
    content = bytearray()
    async for part in response.aiter_bytes():
        content += part
        if len(content) > ANSWER:
            raise ValueError("an answer without an end")
    response._content = bytes(content)  # what `aread` keeps; there is no public way to say how much it may read


def _model(provider: Provider, http: Any, legacy: Any) -> Model:
    key, address, name = provider.key or "none", provider.address, provider.model
    match provider.kind:
        case "openai" | "openai-compatible" | "openrouter":
            from pydantic_ai.models.openai import OpenAIChatModel
            from pydantic_ai.providers.openai import OpenAIProvider

            return OpenAIChatModel(name, provider=OpenAIProvider(base_url=address, api_key=key, http_client=http))
        case "anthropic":
            from pydantic_ai.models.anthropic import AnthropicModel
            from pydantic_ai.providers.anthropic import AnthropicProvider

            return AnthropicModel(name, provider=AnthropicProvider(base_url=address, api_key=key, http_client=http))
        case "mistral":
            from pydantic_ai.models.mistral import MistralModel
            from pydantic_ai.providers.mistral import MistralProvider

            return MistralModel(name, provider=MistralProvider(base_url=address, api_key=key, http_client=http))
        case "google":
            from pydantic_ai.models.google import GoogleModel
            from pydantic_ai.providers.google import GoogleProvider

            return GoogleModel(name, provider=GoogleProvider(base_url=address, api_key=key, http_client=http))
        case "groq":
            from pydantic_ai.models.groq import GroqModel
            from pydantic_ai.providers.groq import GroqProvider

            return GroqModel(name, provider=GroqProvider(base_url=address, api_key=key, http_client=legacy))
        case "azure":
            from pydantic_ai.models.openai import OpenAIChatModel
            from pydantic_ai.providers.azure import AzureProvider

            dated = not address.endswith("/v1") and not address.endswith(".models.ai.azure.com")
            version = AZURE_VERSION if dated else None
            azure = AzureProvider(azure_endpoint=address, api_key=key, api_version=version, http_client=http)
            return OpenAIChatModel(name, provider=azure)
        case "bedrock":
            from pydantic_ai.models.bedrock import BedrockConverseModel
            from pydantic_ai.providers.bedrock import BedrockProvider

            return BedrockConverseModel(name, provider=BedrockProvider(base_url=address, api_key=key))
