"""What headers are for, as a records officer sees it: content, signatures, traces of a device, checks of a body."""

from __future__ import annotations

from typing import Final

__all__ = ["BODY_CHECKS", "CLIENT", "SHOWN_FIRST", "is_seal"]

SHOWN_FIRST: Final = ("from", "to", "cc", "bcc", "reply-to", "date", "subject")
"""What a mail program shows above a message, in its order."""

CLIENT: Final = frozenset(
    (
        *("x-mailer", "user-agent", "x-mimeole", "x-newsreader", "x-mail-agent", "x-mua", "x-originating-ip"),
        *("x-originating-client", "x-originating-host", "x-client-ip", "x-sender-ip", "x-source-ip", "x-real-ip"),
        *("x-remote-ip", "x-forwarded-for", "x-aol-ip", "x-eip", "x-php-script", "x-php-originating-script"),
        *("x-source", "x-source-args", "x-source-dir", "x-device-id", "x-client-version", "x-mailer-version"),
    )
)
"""Headers that name the program, the device or the address somebody wrote from: metadata, like a file's author.
`Received` is part of the message's record: it stays, without the values somebody accepted."""

BODY_CHECKS: Final = frozenset(("content-md5", "content-length", "lines", "content-digest", "digest"))
"""Headers that say how long a body is, or a checksum over it: wrong after an edit, and a way to try guesses."""

_SEALS: Final = frozenset(
    ("dkim-signature", "domainkey-signature", "x-dkim", "x-gm-message-state", "x-pgp-sig", "x-pgp-signature")
)


def is_seal(name: str) -> bool:
    """Whether a header field of this name (lower case) is a signature over the message, or part of one."""
    return name in _SEALS or name.startswith(("x-google-dkim", "arc-"))
