"""See what the configured language model can do, and keep it where runs look for it."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit

from pydantic import ValidationError
from sqlalchemy.exc import DBAPIError

from anonify.database import VerificationRow, migrate, now_ms, open_database, verifications
from anonify.errors import Code, Transient
from anonify.providers import Provider, SkipReason, Throttle, Verification, verify
from anonify.runs.ledger import DatabaseLedger

from .console import FAILED, USAGE, emit, people, say
from .operate import quiet, say_settings

__all__ = ["verify_model"]

SECONDS: Final = 30.0
"""How long one call may take."""

PATIENCE: Final = 30.0
"""Seconds that somebody at a terminal waits while the provider says "too many"."""

OPERATOR: Final = "operator"
"""Owner of calls that are about nobody's document."""

_SEEN: Final = frozenset[SkipReason]({"malformed", "unsupported"})
"""After these it is known that the model cannot do it; after all others nothing is known."""

_ADVICE: Final[dict[SkipReason, str]] = {
    "unsupported": "Such a question cannot be asked of this model at this address: either is unknown there, or the "
    "question is refused. Check ANONIFY_AI_PROVIDER, ANONIFY_AI_MODEL and ANONIFY_AI_URL",
    "refused-key": "The key was refused. Set ANONIFY_AI_KEY to a key of an account that may use this model",
    "payment": "The account has no balance. Top it up, or set another key in ANONIFY_AI_KEY",
    "budget": "Today's budget is used up. Raise ANONIFY_AI_DAILY_SPEND_USD, or try again after midnight UTC",
    "rate-limited": "The provider says that it is asked too often. Try again later",
    "slow": "No whole answer came in time. A server that loads the model first may answer now: try again. Else take "
    "a smaller model",
    "unreachable": "Nothing usable answers there. Check ANONIFY_AI_URL, that the server runs, and that this machine "
    "may reach it; a redirection is not followed",
    "malformed": "It answers, but not in the shape it was asked for, so documents are not shown to it. Take another "
    "model, one that calls tools or answers in a JSON schema",
}


def verify_model(*, as_json: bool, seconds: float = SECONDS) -> int:
    """Make the calls, say what was seen, keep it.

    What was seen before stays when nothing could be seen now: the provider was away, slow or refused the account.
    """
    try:
        settings = quiet()
    except ValidationError as error:
        say_settings(error)
        return USAGE
    provider = settings.provider()
    if provider is None:
        say(
            "No language model is set, so there is nothing to verify. Set ANONIFY_AI_PROVIDER and ANONIFY_AI_MODEL, "
            "with ANONIFY_AI_KEY or ANONIFY_AI_URL where it needs them."
        )
        return USAGE
    database = open_database(settings)
    try:
        migrate(database)
        say(f"Asking {provider.model} at {_shown(provider.address)} twice, about nothing.")
        throttle = Throttle(1, DatabaseLedger(database, OPERATOR), settings.ai_daily_spend_usd, patience=PATIENCE)
        seen = verify(provider, throttle, seconds=seconds)
        reason = _reason(seen)
        if reason is None or reason in _SEEN:
            row = VerificationRow(seen.kind, seen.model, seen.address, tuple(sorted(seen.can)), now_ms())
            with database.begin() as connection:
                verifications.record(connection, row)
    except DBAPIError:
        raise Transient(Code.DATABASE) from None  # its text names server and user
    finally:
        database.close()
    if as_json:
        emit(_told(seen, reason))
    elif reason is None or reason in _SEEN:
        _tell(seen)
    if reason is not None:
        say(_advice(provider, reason))
        return FAILED
    return 0


def _reason(seen: Verification) -> SkipReason | None:
    """Why the model cannot be asked, or None when it can."""
    if seen.can & {"tool", "schema"}:
        return None
    return next((skip.reason for skip in reversed(seen.skips) if skip.task == "verify"), "malformed")


def _told(seen: Verification, reason: SkipReason | None) -> dict[str, object]:
    return {
        "kind": seen.kind,
        "model": seen.model,
        "address": _shown(seen.address),
        "verified": reason is None,
        "can": sorted(seen.can),
        "reason": reason,
        "skips": [{"task": skip.task, "reason": skip.reason} for skip in seen.skips],
    }


def _tell(seen: Verification) -> None:
    console = people()
    how = "by calling a tool" if "tool" in seen.can else "in a given JSON schema" if "schema" in seen.can else ""
    console.print(f"answers in a shape   {f'yes, {how}' if how else 'no'}", soft_wrap=True)
    if not how:
        return
    blind = next((skip.reason for skip in seen.skips if skip.task == "image"), None)
    unsure = blind is not None and blind not in _SEEN
    pictures = "yes" if "image" in seen.can else f"not known ({blind}); try again" if unsure else "no"
    console.print(f"sees pictures        {pictures}", soft_wrap=True)
    shown = "Pages that are pictures are shown to it" if "image" in seen.can else "No picture is sent to it"
    console.print(f"It can be asked about text and tables. {shown}.", soft_wrap=True)


def _advice(provider: Provider, reason: SkipReason) -> str:
    sentence = _ADVICE[reason]
    if reason == "refused-key" and not provider.key:
        sentence = "A key is wanted and none is set. Set ANONIFY_AI_KEY"
    if reason == "unsupported" and provider.kind == "bedrock":
        sentence += ", and that the extra is installed: pip install 'anonify[bedrock]'"
    return f"{reason}: {sentence}. ({provider.kind}, {provider.model}, {_shown(provider.address)})"


def _shown(address: str) -> str:
    """An address without a name, a password or a query, which may be secret."""
    parts = urlsplit(address)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="").geturl()
