"""Mistral's OCR over HTTP: a page's picture goes out, its text as Markdown comes back.  No other part sends pages.

Implements `POST /v1/ocr` as the provider documents it: a picture as a data URL in, `pages[].markdown` out.
"""

from __future__ import annotations

import base64
import random
import threading
import time
from email.utils import parsedate_to_datetime
from typing import Final

import httpx
import msgspec

from anonify.closing import Closing
from anonify.errors import Code, FatalError, Transient

__all__ = ["Mistral"]

SECONDS: Final = 90.0
"""Longest time for one page, all tries together: a document never waits for a provider for long."""

ONE_TRY: Final = 45.0
"""Longest time for one try."""

TRIES: Final = 4

AT_ONCE: Final = 4
"""Pages under way at once, of all documents of this process: providers answer more with 429."""

ANSWER: Final = 8 << 20
"""Bytes of an answer beyond which it is no page's text."""

AWAY: Final = 3
"""Pages in a row without an answer after which the provider counts as away."""

REST: Final = 60.0
"""Seconds for which a provider that is away is not asked."""

_REFUSED: Final = frozenset({401, 402, 403})
_LATER: Final = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})


class _Page(msgspec.Struct):
    markdown: str


class _Answer(msgspec.Struct):
    pages: list[_Page]


class _LaterError(Exception):
    """Trying again may help, after `seconds`."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self.seconds = seconds


class Mistral(Closing):
    """Reads pictures of pages.  Safe to use from any number of threads.

    Args:
        key: the account's API key; goes into a header and nowhere else.
        url: origin of the API.
        model: which model reads.
        seconds: longest time for one page.
    """

    def __init__(self, key: str, url: str, model: str, *, seconds: float = SECONDS) -> None:
        self._client = httpx.Client(
            base_url=url.rstrip("/"),
            headers={"Authorization": f"Bearer {key}"},
            timeout=httpx.Timeout(min(ONE_TRY, seconds), connect=min(10.0, seconds)),
            follow_redirects=False,
        )
        self._model = model
        self._seconds = seconds
        self._slots = threading.BoundedSemaphore(AT_ONCE)
        self._lock = threading.Lock()
        self._failed = 0
        self._resting_until = 0.0

    def read(self, png: bytes) -> str:
        """The text of a page's picture, as Markdown.

        Raises:
            FatalError: `configuration`, the key is refused; `malformed`, the picture is, or the answer is none.
            Transient: `timeout` or `unknown`, the provider is away.
        """
        if time.monotonic() < self._resting_until:
            raise Transient(Code.UNKNOWN)
        until = time.monotonic() + self._seconds
        if not self._slots.acquire(timeout=self._seconds):
            raise Transient(Code.TIMEOUT)
        try:
            text = self._tried(png, until)
        except Transient:
            self._note(away=True)
            raise
        finally:
            self._slots.release()
        self._note(away=False)
        return text

    def close(self) -> None:
        """Give up the connections."""
        self._client.close()

    def _note(self, *, away: bool) -> None:
        with self._lock:
            self._failed = self._failed + 1 if away else 0
            if self._failed >= AWAY:
                self._failed, self._resting_until = 0, time.monotonic() + REST

    def _tried(self, png: bytes, until: float) -> str:
        url = f"data:image/png;base64,{base64.b64encode(png).decode('ascii')}"
        body = {
            "model": self._model,
            "document": {"type": "image_url", "image_url": url},
            "include_image_base64": False,
        }
        data = msgspec.json.encode(body)
        for number in range(TRIES):
            try:
                return self._once(data, until)
            except _LaterError as later:
                pause = max(later.seconds, 0.5 * 2**number * (1 + random.random()))  # noqa: S311  # no secret
                if number + 1 == TRIES or time.monotonic() + pause >= until:
                    break
                time.sleep(pause)
        raise Transient(Code.TIMEOUT if time.monotonic() >= until else Code.UNKNOWN)

    def _once(self, data: bytes, until: float) -> str:
        try:
            with self._client.stream(
                "POST", "/v1/ocr", content=data, headers={"Content-Type": "application/json"}
            ) as response:
                if response.status_code in _REFUSED:
                    raise FatalError(Code.CONFIGURATION, status=response.status_code)
                if response.status_code in _LATER:
                    raise _LaterError(_retry_after(response.headers.get("retry-after")))
                if response.status_code != 200:
                    raise FatalError(Code.MALFORMED, status=response.status_code)
                return _text(_content(response, until))
        except httpx.HTTPError:  # its text may name what was sent
            raise _LaterError(0.0) from None


def _content(response: httpx.Response, until: float) -> bytes:
    content = bytearray()
    for chunk in response.iter_bytes():
        content += chunk
        if len(content) > ANSWER:
            raise FatalError(Code.MALFORMED, size=len(content))
        if time.monotonic() > until:  # it drips
            raise Transient(Code.TIMEOUT)
    return bytes(content)


def _text(content: bytes) -> str:
    try:
        answer = msgspec.json.decode(content, type=_Answer)
    except msgspec.DecodeError:
        raise FatalError(Code.MALFORMED) from None
    if not answer.pages:
        raise FatalError(Code.MALFORMED)
    return "\n\n".join(page.markdown for page in answer.pages)


def _retry_after(value: str | None) -> float:
    """Seconds that a `Retry-After` header asks for (RFC 9110, 10.2.3): a number or a date."""
    if value is None:
        return 0.0
    if value.strip().isdecimal():
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except (ValueError, OverflowError):
        return 0.0
