"""Messages and mailboxes made in code."""

from __future__ import annotations

import mailbox
from collections.abc import Sequence
from email.message import EmailMessage
from pathlib import Path

__all__ = ["mailbox_of", "message"]


def message(subject: str, body: str, attachments: Sequence[tuple[str, bytes]] = ()) -> bytes:
    """A message; every attachment is told to be of no special type, so that its bytes must say."""
    made = EmailMessage()
    made["From"] = "Ana Lopez <ana.lopez@example.org>"
    made["To"] = "bob@example.com"
    made["Subject"] = subject
    made["Date"] = "Mon, 01 Jan 2024 10:00:00 +0000"
    made.set_content(body)
    for name, data in attachments:
        made.add_attachment(data, maintype="application", subtype="octet-stream", filename=name)
    return made.as_bytes()


def mailbox_of(path: Path, messages: Sequence[bytes]) -> bytes:
    """An mbox file, written by the standard library."""
    box = mailbox.mbox(path, create=True)
    for one in messages:
        box.add(one)
    box.close()
    return path.read_bytes()
