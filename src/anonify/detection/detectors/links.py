"""Links that let somebody in: with a token, a signature or an invitation in them, or to a place only its link tells."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from .base import Candidate, Detector, Finding
from .secret_labels import entropy

__all__ = ["DETECTORS"]

_URL: Final = (
    r"(?i)https?://[^\s<>\"'`{}|\\^\[\]]{6,}|(?:hooks\.slack\.com|discord(?:app)?\.com/api/webhooks)/[^\s<>\"']{10,300}"
)
_QUERY: Final = re.compile(
    r"[?&#;](?:[\w.\-]*(?:token|secret|signature|password|passwd|apikey|api_key|api-key|credential|"
    r"session(?:id)?|invite|otp|magic|reset|nonce)[\w.\-]*|sig|key|auth|code|pwd|pw|sid|t|k|s|x-amz-[a-z\-]+|"
    r"se|sv)=(?P<value>[^&#\s]{6,})",
    re.IGNORECASE,
)
_PRIVATE: Final = re.compile(
    r"/(?:s|share|shared|invite|invitation|join|reset|reset-password|verify|confirm|unsubscribe|magic|login|"
    r"dl|d|f|private|webhooks?|services|v|g|o|j|i|u|e|r|p|public-link|link|secret|token|file|files|folder|"
    r"document|doc)/(?P<value>[A-Za-z0-9_\-=.~]{14,})",
    re.IGNORECASE,
)
_SERVICES: Final = re.compile(
    r"https?://(?:hooks\.slack\.com/services/\S+|discord(?:app)?\.com/api/webhooks/\S+|discord\.gg/\w+|"
    r"chat\.whatsapp\.com/\w+|t\.me/\+\w+|t\.me/joinchat/\w+|[\w.\-]*zoom\.us/[jws]/\d+\S*|"
    r"teams\.microsoft\.com/l/meetup-join/\S+"
    r"|meet\.google\.com/[a-z]{3}-[a-z]{4}-[a-z]{3}|docs\.google\.com/\w+/(?:u/\d/)?d/[\w\-]{20,}\S*|"
    r"drive\.google\.com/(?:file/d/|drive/folders/|open\?id=)[\w\-]{20,}\S*|www\.dropbox\.com/(?:s|scl|"
    r"sh)/\S+|1drv\.ms/\S+|wetransfer\.com/downloads/\S+|we\.tl/t-\w+)",
    re.IGNORECASE,
)


def _random(value: str) -> bool:
    digits = sum(char.isdigit() for char in value)
    return (
        digits >= 2
        and entropy(value) >= 2.6
        and (len(value) >= 14 or digits >= 3)
        and not re.fullmatch(r"(?:19|20)\d\d-\d\d-\d\d|[\d.]+", value)
    )


def _link(candidate: Candidate) -> Iterator[Finding]:
    text = candidate.text.rstrip(".,;:!?)*_")
    if re.match(r"[a-z]+://[^/@\s]*:[^/@\s]+@", text, re.IGNORECASE):
        return
    confidence = 0.0
    if _SERVICES.match(text) or any(
        _random(match.group("value")) or len(match.group("value")) >= 20 for match in _QUERY.finditer(text)
    ):
        confidence = 0.9
    elif any(_random(match.group("value")) for match in _PRIVATE.finditer(text)):
        confidence = 0.75
    if confidence:
        yield Finding(candidate.start, candidate.start + len(text), confidence)


DETECTORS: Final = (Detector("private-link", "url", 96, _URL, _link, anchors=(b"://", b"hooks.slack", b"HTTP")),)
