"""What becomes of each body: edited text, an artifact put in, a note in its place, or nothing at all."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from anonify.documents import html
from anonify.documents.enclosures import PartEdit
from anonify.documents.matching import Matcher
from anonify.documents.plan import Edit, SweepValue
from anonify.sandbox.source import iter_chunks, read_all

from .coding import IDENTITY, as_base64, as_quoted_printable, as_uu, decode, is_regular, stream, uu_bytes
from .expand import part_name
from .extract import tnef_text
from .letters import Letters, strangers_in
from .notices import notice
from .reading import Message, Part, wording_of
from .roles import uu_blocks
from .tree import Node
from .wording import Change, Wording, reworded

if TYPE_CHECKING:
    from .redact import Redactor

__all__ = ["Bodies", "Remade"]

_META: Final = re.compile(r"(<meta\b[^>]*?\bcharset\s*=\s*[\"']?)([\w.:-]+)", re.IGNORECASE)
_SIGNED: Final = re.compile(
    r"-----BEGIN PGP SIGNED MESSAGE-----\r?\n(?:[A-Za-z]+: [^\r\n]*\r?\n)*(?P<text>.*?)"
    r"-----BEGIN PGP SIGNATURE-----.*?(?:-----END PGP SIGNATURE-----|\Z)",
    re.DOTALL,
)
_PLAIN: Final = Wording()
_LONGEST_LINE: Final = 998


class Remade(NamedTuple):
    """A part's body after redaction.

    Attributes:
        data: its bytes as they stand in the message, or None when they are as before.
        charset: the charset parameter it needs now.
        coding: the transfer encoding it needs now.
        note: a note stands for the part.
        mixed: a signed multipart that is signed no longer.
    """

    data: Iterable[bytes] | None
    charset: str = ""
    coding: str = ""
    note: bool = False
    mixed: bool = False


class Bodies:
    """Makes the bodies of one redaction."""

    def __init__(self, job: Redactor) -> None:
        self._job = job
        self.edited = 0
        self.swept = 0

    def remade(self, message: Message, part: Part, edit: PartEdit | None) -> Remade | None:
        """What becomes of the body of `part`; None when it stays."""
        kinds: dict[str, Callable[[Message, Part, PartEdit | None], Remade | None]] = {
            "text": self._text,
            "card": self._text,
            "html": self._html,
            "tnef": self._tnef,
            "coded-message": self._coded,
            "attachment": self._attachment,
            "signature": self._opaque,
            "sealed": self._opaque,
        }
        maker = kinds.get(part.role)
        made = None if maker is None else maker(message, part, edit)
        if self._job.plan.restoring:
            return made
        return self._recoded(message, part.node, made)

    def _recoded(self, message: Message, node: Node, made: Remade | None) -> Remade | None:
        """Where a value stands in the very name of a transfer encoding, the body in another one."""
        finder = self._job.searcher.finder
        unclear = made is None and node.coding == "base64" and self._job.plan.sweep and not node.multipart
        if unclear and not is_regular(iter_chunks(message.source, node.body, node.end)):
            plain = decode(message.source, node.body, node.end, node.coding)
            return Remade(as_base64(plain, _line_end(message, node)), coding="base64")
        coding = node.coding if made is None or not (made.coding or made.note) else made.coding
        if not coding or node.multipart or not self._job.plan.sweep or not finder.found(coding):
            return made
        line_end = _line_end(message, node)
        if made is None or made.data is None:
            data: Iterable[bytes] = decode(message.source, node.body, node.end, node.coding)
        else:
            data = stream(made.data, coding)
        if finder.found("base64"):
            return Remade([as_quoted_printable(b"".join(data), line_end)], "", "quoted-printable")
        return Remade(as_base64(data, line_end), made.charset if made is not None else "", "base64")

    def worded(self, letters: Letters, edits: Sequence[Edit], wording: Wording = _PLAIN) -> str | None:
        """A text after its edits and the sweep; None when it stays."""
        changes = [Change(edit.start, edit.end, edit.replacement) for edit in edits]
        made = self._reworded(letters.text, changes, wording)
        text = self._without_strangers(made, letters.codec)
        return None if text == letters.text else text

    def _without_strangers(self, text: str, codec: str) -> str:
        """Without values that are there in another encoding than the text's."""
        sweep = self._job.plan.sweep
        if not sweep or text.isascii():
            return text
        letters = Letters(text, codec, text.encode(codec, "replace"))
        found = [
            Change(one.start, one.end, sweep[one.value].replacement, True)
            for one in strangers_in(letters, self._job.searcher.strangers(codec))
        ]
        for one in sorted(found, reverse=True):
            text = text[: one.start] + one.text + text[one.end :]
        self.swept += len(found)
        return text

    def _text(self, message: Message, part: Part, _edit: PartEdit | None) -> Remade | None:
        node = part.node
        letters = message.letters(node)
        edits = self._job.edits[node.path].get("body", [])
        changes = list(self._uu_changes(message, node, letters.text))
        text = letters.text
        if changes or edits or self._job.plan.sweep:
            text = self._worded_with(letters, edits, changes, wording_of(node, part.role))
        return self._remade(message, node, letters, text)

    def _worded_with(self, letters: Letters, edits: Sequence[Edit], blocks: Sequence[Change], wording: Wording) -> str:
        changes = [*(Change(edit.start, edit.end, edit.replacement) for edit in edits), *blocks]
        made = self._reworded(letters.text, changes, wording)
        text = self._without_strangers(made, letters.codec)
        return text if text == letters.text or self._job.plan.restoring else self._unsigned(text)

    def _reworded(self, text: str, changes: Sequence[Change], wording: Wording) -> str:
        job = self._job
        once = job.plan.restoring  # what is put in may read like a surrogate
        made = reworded(text, changes, job.plan.sweep, job.searcher.finder, wording, once=once)
        self.edited, self.swept = self.edited + made.edited, self.swept + made.swept
        return made.text

    def _unsigned(self, text: str) -> str:
        """Without signatures over text that has changed (RFC 9580, cleartext signatures)."""
        note = notice("signature", "", self._job.searcher).decode()

        def plain(match: re.Match[str]) -> str:
            self._job.named["signature", "removed"] += 1
            return match["text"] + note

        return _SIGNED.sub(plain, text)

    def _uu_changes(self, message: Message, node: Node, text: str) -> Iterable[Change]:
        job = self._job
        for number, block in enumerate(uu_blocks(text)):
            edit = job.parts.edit(f"{node.path}.uu{number}")
            data = uu_bytes(text[slice(*block.lines)].encode("ascii", "replace"))
            name = text[slice(*block.name)]
            if edit is not None and edit.disposition == "substituted":
                artifact = job.parts.artifact(edit.path)
                end = "\r\n" if "\r\n" in text[block.start : block.end] else "\n"
                lines = as_uu(read_all(artifact, message.limits.text), end.encode()).decode("ascii")
                yield Change(block.lines[0], block.lines[1], lines, swept=True, whole=True)
            elif not job.plan.restoring and (edit is not None or job.searcher.holds([data], name)):
                reason = "value" if edit is None else edit.reason
                note = notice("attachment", job.plan.marker, job.searcher, reason).decode()
                yield Change(block.start, block.end, note, swept=True, whole=True)
                job.named["attachment", "removed"] += edit is None
            else:
                job.named["attachment", "carried-through"] += 1

    def _remade(self, message: Message, node: Node, letters: Letters, text: str) -> Remade | None:
        if text == letters.text:
            return None
        line_end = _line_end(message, node)
        if node.coding in IDENTITY and (text.isascii() or node.type.startswith("message/")) and not letters.mark:
            lines = re.split("\r\n|\r|\n", text)
            if letters.codec in ("ascii", "utf-8", "cp1252") and max(map(len, lines)) < _LONGEST_LINE:
                return Remade([text.encode("utf-8")])
        data = text.encode("utf-8", "replace")
        return Remade([as_quoted_printable(data, line_end)], "utf-8", "quoted-printable")

    def _html(self, message: Message, part: Part, _edit: PartEdit | None) -> Remade | None:
        node, job = part.node, self._job
        letters = message.letters(node)
        edits = [html.TextEdit(edit.start, edit.end, edit.replacement) for edit in job.edits[node.path].get("html", [])]
        ids = [SweepValue(old, new) for old, new in job.heading.ids.items()]
        sweep = [*ids, *job.plan.sweep]
        text = letters.text
        if edits or sweep:
            finder = job.searcher.finder if not ids else _with_ids(sweep)
            made = html.redact(text, edits, sweep, cast("Matcher", finder), once=job.plan.restoring)
            self.edited, self.swept = self.edited + made.edited, self.swept + made.swept
            text = self._without_strangers(made.text, letters.codec)
        if text == letters.text:
            return None
        made_part = self._remade(message, node, letters, text)
        if made_part is None or not made_part.charset:
            return made_part
        data = _META.sub(r"\1utf-8", text).encode("utf-8", "replace")
        return Remade([as_quoted_printable(data, _line_end(message, node))], "utf-8", "quoted-printable")

    def _tnef(self, message: Message, part: Part, _edit: PartEdit | None) -> Remade | None:
        node, job = part.node, self._job
        if job.plan.empty or job.plan.restoring:
            job.named["winmail", "carried-through"] += 1
            return None
        text = tnef_text(message.data(node))
        letters = Letters(text, "utf-8", text.encode("utf-8", "replace"))
        made = self.worded(letters, job.edits[node.path].get("tnef", []))
        told = text if made is None else made
        line_end = _line_end(message, node)
        note = notice("winmail.dat", job.plan.marker, job.searcher)
        body = b"\n".join((note, told.encode("utf-8", "replace"))).replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        job.named["winmail", "removed"] += 1
        return Remade([re.sub(rb"\n", lambda _match: line_end, body)], note=True)

    def _coded(self, message: Message, part: Part, _edit: PartEdit | None) -> Remade | None:
        node = part.node
        made = self._job.remake(message.inner(node))
        if made is None:
            return None
        if node.coding == "base64":
            return Remade(as_base64([made], _line_end(message, node)))
        return Remade([as_quoted_printable(made, _line_end(message, node))], coding="quoted-printable")

    def _attachment(self, message: Message, part: Part, edit: PartEdit | None) -> Remade | None:
        if edit is None:
            return self._opaque(message, part, edit)
        job = self._job
        if edit.disposition == "removed":
            return Remade([notice("attachment", job.plan.marker, job.searcher, edit.reason)], note=True)
        artifact = job.parts.artifact(edit.path)
        return Remade(as_base64(iter_chunks(artifact), _line_end(message, part.node)), coding="base64")

    def _opaque(self, message: Message, part: Part, _edit: PartEdit | None) -> Remade | None:
        """Bytes nobody can read: as they are, or a note where a value is found in them."""
        node, job = part.node, self._job
        kind = "attachment" if part.role == "attachment" else "encrypted-part"
        data = decode(message.source, node.body, node.end, node.coding)
        if not job.plan.restoring and job.searcher.holds(data, part_name(node)):
            job.named[kind, "removed"] += 1
            return Remade([notice("attachment", job.plan.marker, job.searcher, "value")], note=True)
        if part.role != "signature":
            job.named[kind, "carried-through"] += 1
        return None


def _with_ids(sweep: Sequence[SweepValue]) -> Matcher:
    return Matcher([value.value for value in sweep])


def _line_end(message: Message, node: Node) -> bytes:
    raw = node.fields[0].raw if node.fields else message.source.read(0, 4_096)
    return b"\r\n" if b"\r\n" in raw else b"\n"
