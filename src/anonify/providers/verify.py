"""What a model can do, seen in two tiny calls about nothing: answer in a shape, see a picture."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Final

from .client import Client
from .model import Ability, Kind, Provider, Skip
from .throttle import Skipped, Throttle

__all__ = ["Verification", "verify"]

_WORD: Final = "harbour"
_NUMBER: Final = 4182


@dataclass(frozen=True, slots=True)
class Verification:
    """What was seen, bound to whom it was seen of: another model or address has to be verified anew.

    Attributes:
        can: what the model did as asked.
        skips: why something could not be seen.
    """

    kind: Kind
    model: str
    address: str
    can: frozenset[Ability]
    skips: tuple[Skip, ...] = ()

    def holds_for(self, provider: Provider) -> bool:
        """Whether this was seen of `provider`."""
        return (self.kind, self.model, self.address) == (provider.kind, provider.model, provider.address)


def verify(provider: Provider, throttle: Throttle, *, seconds: float = 30.0) -> Verification:
    """Make the calls.  Nothing of any document is sent."""
    from .shapes import Verified

    can: set[Ability] = set()
    skips: list[Skip] = []
    instructions = "Answer with the word and the number you are given."
    tries: tuple[Ability, ...] = ("tool", "schema")
    for ability in tries:
        client = Client(provider.able(frozenset({ability})), throttle, seconds=seconds)
        try:
            answer, _ = client.ask("verify", instructions, f"The word is {_WORD}, the number is {_NUMBER}.", Verified)
            if answer.word.strip().lower() == _WORD and answer.number == _NUMBER:
                can.add(ability)
                break
            skips.append(Skip("verify", "malformed"))
        except Skipped as skipped:
            skips.append(Skip("verify", skipped.reason))
            if skipped.reason not in ("malformed", "unsupported"):
                break
        finally:
            client.close()
    if can:
        _see(provider.able(frozenset(can)), throttle, seconds, can, skips)
    return Verification(provider.kind, provider.model, provider.address, frozenset(can), tuple(skips))


def _see(provider: Provider, throttle: Throttle, seconds: float, can: set[Ability], skips: list[Skip]) -> None:
    from pydantic_ai import BinaryContent

    from .shapes import Verified

    client = Client(provider, throttle, seconds=seconds)
    try:
        picture = BinaryContent(_picture(), media_type="image/png")
        asked = "Which colour fills this picture, and how many corners has the picture?"
        answer, _ = client.ask(
            "image", "Answer with the colour's English word and the number.", [asked, picture], Verified
        )
        if answer.word.strip().lower() == "red":
            can.add("image")
    except Skipped as skipped:
        skips.append(Skip("image", skipped.reason))
    finally:
        client.close()


def _picture() -> bytes:
    from PIL import Image

    buffer = io.BytesIO()
    Image.new("RGB", (64, 64), (220, 20, 20)).save(buffer, "PNG")
    return buffer.getvalue()
