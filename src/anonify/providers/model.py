"""What a provider is, what it is asked, what that cost, and why it was not asked."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final, Literal, get_args

__all__ = [
    "ABILITIES",
    "ADDRESSES",
    "KINDS",
    "SKIP_REASONS",
    "TASKS",
    "Ability",
    "Kind",
    "Provider",
    "Skip",
    "SkipReason",
    "Task",
    "Usage",
]

Kind = Literal[
    "openai", "anthropic", "google", "mistral", "bedrock", "azure", "groq", "openrouter", "openai-compatible"
]

KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
"""Every kind of provider, in the order they are shown."""

Task = Literal["classify", "detect", "verify", "columns", "image"]

TASKS: Final[tuple[Task, ...]] = get_args(Task)
"""Everything a model can be asked."""

Ability = Literal["tool", "schema", "image"]

ABILITIES: Final[tuple[Ability, ...]] = get_args(Ability)
"""What a model was seen to do: answer by calling a tool, answer in a given JSON schema, see pictures."""

SkipReason = Literal[
    "off",
    "unsupported",
    "refused-key",
    "payment",
    "budget",
    "rate-limited",
    "slow",
    "unreachable",
    "malformed",
    "too-many",
]

SKIP_REASONS: Final[tuple[SkipReason, ...]] = get_args(SkipReason)
"""Every reason for which a model was not asked, or its answer not used.

`off`: no provider is configured, or the preset leaves nothing to ask; `unsupported`: the model was never verified, or
cannot do this; `refused-key`: 401 or 403; `payment`: 402, no balance; `budget`: the day's spend is used up;
`rate-limited`: 429 for longer than a document waits; `slow`: no answer in time; `unreachable`: no answer at all, or
5xx; `malformed`: an answer that is not of the asked shape, twice; `too-many`: the document has more columns or pictures
than are asked about.
"""

ADDRESSES: Final[dict[Kind, str]] = {
    "openai": "https://api.openai.com/v1",
    "anthropic": "https://api.anthropic.com",
    "google": "https://generativelanguage.googleapis.com",
    "mistral": "https://api.mistral.ai",
    "groq": "https://api.groq.com",
    "openrouter": "https://openrouter.ai/api/v1",
}
"""Where a kind answers unless told otherwise.  Always passed on, so that no variable of the environment can send
documents elsewhere.  The other kinds have no address of their own: `base_url` is the account's endpoint (azure), the
region's (bedrock) or the server's (openai-compatible)."""


@dataclass(frozen=True, slots=True)
class Provider:
    """One model of one service, and what it was seen to do.

    Attributes:
        kind: whose protocol it speaks.
        model: the service's name of the model.
        base_url: origin (with its path, where there is one) of the API; empty for the kind's own.
        key: the account's API key, empty where a local server wants none; goes into a header and nowhere else.
        can: what :func:`anonify.providers.verify` saw it do; empty until then, and then nothing is asked.

    Raises:
        ValueError: an unknown kind or ability, no model, or a kind without an address of its own and no `base_url`.
    """

    kind: Kind
    model: str
    base_url: str = ""
    key: str = field(default="", repr=False)
    can: frozenset[Ability] = frozenset()

    def __post_init__(self) -> None:
        if self.kind not in KINDS or not self.model or not self.can <= set(ABILITIES):
            raise ValueError("a provider has a known kind, a model and known abilities")
        if not self.address:
            raise ValueError("this kind of provider needs its address")
        if not self.address.startswith(("https://", "http://")):
            raise ValueError("an address is an http or https one")

    @property
    def address(self) -> str:
        """Where it answers, without a slash at the end."""
        return (self.base_url or ADDRESSES.get(self.kind, "")).rstrip("/")

    @property
    def structured(self) -> bool:
        """Whether it answers in a given shape, so that it can be asked at all."""
        return bool(self.can & {"tool", "schema"})

    def able(self, can: frozenset[Ability]) -> Provider:
        """The same provider with other abilities."""
        return replace(self, can=can)


@dataclass(frozen=True, slots=True)
class Usage:
    """What one call cost.  Holds nothing of what was asked.

    Attributes:
        task: what was asked.
        model: the service's name of the model.
        input_tokens: tokens sent; estimated from their number of characters when the call ended without an answer.
        output_tokens: tokens of the answer.
        milliseconds: from sending to the answer, waiting for a turn not included.
    """

    task: Task
    model: str
    input_tokens: int
    output_tokens: int
    milliseconds: int


@dataclass(frozen=True, slots=True)
class Skip:
    """Something that was not asked, or whose answer was not used.

    Attributes:
        task: what would have been asked.
        reason: why not, one of :data:`SKIP_REASONS`.
        calls: how many calls were left out for it.
    """

    task: Task
    reason: SkipReason
    calls: int = 1
