"""Every failure a client can see has one shape: `{"error": sentence, "code": …, …}`.  Sentences are fixed texts."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import Any, Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response
from starlette.types import Scope

from anonify.database import DocumentRow, documents
from anonify.errors import FAILURES, AnonifyError, Code, VerificationFailed
from anonify.identity import LinkExpired, LinkRefused, RateLimited
from anonify.review import WrongPlace
from anonify.runs import RetryRefused
from anonify.runs.reserve import is_full

from .error_pages import error_page, wants_page

__all__ = ["FIELDS", "SENTENCES", "Problem", "Told", "answer_to", "body", "for_exception", "install"]

SENTENCES: Final[dict[str, tuple[int, str]]] = {
    "no-session": (401, "There is no session. Upload a document first, with cookies allowed."),
    "unauthorized": (401, "This needs the operator's token."),
    "foreign-origin": (403, "Requests that change something must come from this site's own pages."),
    "link-refused": (403, "This link was not made for you. Open the document and download it from there."),
    "link-expired": (410, "This link has expired. Open the document and download it again."),
    "not-found": (404, "There is nothing here, or it is not yours."),
    "expired": (410, "This document has expired and was deleted."),
    "method-not-allowed": (405, "This address does not do that."),
    "invalid-request": (400, "The request is not in the form this address expects."),
    "length-required": (411, "An upload must declare its exact length."),
    "length-mismatch": (400, "The upload is not as long as was reserved. Upload the file again."),
    "body-too-large": (413, "The request is larger than this address accepts."),
    "upload-under-way": (409, "Another upload of this document is under way. Wait until it ends."),
    "upload-too-slow": (408, "The upload stood still for too long. Upload the file again."),
    "already-uploaded": (409, "This document has its upload already."),
    "not-ready": (409, "The document is not ready for this yet. Wait until it has been read."),
    "retry-refused": (409, "This document cannot be retried."),
    "retention": (400, "A document can be kept for 1 hour, 6 hours, 24 hours or 3 days from its upload."),
    "no-batch": (409, "This document does not belong to a batch."),
    "too-many-rules": (409, "There are 200 rules here already. Remove one first."),
    "act-undone": (409, "This was taken back already."),
    "wrong-place": (400, "There is nothing to redact at that place."),
    "range": (416, "The document has no such range of bytes."),
    "rate-limited": (429, "Too many requests. Wait a moment, then try again."),
    "not-configured": (503, "The operator has not set this up."),
    "disk-full": (
        507,
        "The disk of this installation is full. Delete documents you no longer need, or tell the operator.",
    ),
    "no-picture": (404, "Pages of this kind of document have no picture."),
    "failed": (500, FAILURES[Code.UNKNOWN].sentence),
}
"""Failures of a request, beside the failures of a document in `anonify.errors`.  Code → status and sentence."""

FIELDS: Final[dict[str, str]] = {
    "retryable": "with every code of a document: whether trying again can help",
    "fields": "`invalid-request`: where (`field`) and against which rule (`rule`) the request goes",
    "reason": "`wrong-place`: why, a fixed identifier",
    "check": "`verification-failed`: the check that refused the export",
    "survivors": "`verification-failed`: how many findings that check had",
    "errorCode": "`retry-refused`: the code the document failed with",
    "expected": "`length-mismatch`: the reserved number of bytes",
    "rateLimited": "`rate-limited`: true; `quota`: false",
    "retryAfterSeconds": "`rate-limited`: seconds until one more request is allowed",
    "resetAt": "`rate-limited`: that moment, UTC epoch milliseconds",
    "ready": "`/api/ready`: false",
    "degraded": "`/api/ready`: everything that is missing",
}
"""Fields an error's body may hold beside `error` and `code`: numbers and fixed identifiers."""

# Plain HTTP errors that the framework itself raises.
_BY_STATUS: Final = {400: "invalid-request", 404: "not-found", 405: "method-not-allowed", 413: "body-too-large"}


class Problem(Exception):
    """A request that cannot be answered.

    Args:
        code: a key of :data:`SENTENCES`.
        headers: further response headers.
        more: further fields of the body: numbers and fixed identifiers, never content.
    """

    def __init__(self, code: str, *, headers: dict[str, str] | None = None, **more: Any) -> None:
        super().__init__(code)
        self.code = code
        self.status = SENTENCES[code][0]
        self.headers = headers
        self.more = more


def body(code: str, sentence: str, **more: Any) -> dict[str, Any]:
    """The one shape."""
    return {"error": sentence, "code": code, **more}


class Told(JSONResponse):
    """A failure in the one shape, and its parts, for whoever tells it in another."""

    def __init__(self, fields: dict[str, Any], status: int, headers: dict[str, str] | None = None) -> None:
        super().__init__(fields, status, headers)
        self.fields = fields
        self.further = headers


def _known(code: Code, **more: Any) -> Told:
    failure = FAILURES[code]
    more = {"retryable": failure.retryable, **more}
    if code is Code.QUOTA:
        more["rateLimited"] = False
    return Told(body(code.value, failure.sentence, **more), failure.status)


def _problem(error: Problem) -> Told:
    return Told(body(error.code, SENTENCES[error.code][1], **error.more), error.status, error.headers)


def _rate(error: RateLimited) -> Told:
    more = {
        "retryAfterSeconds": error.retry_after_seconds,
        "resetAt": error.reset_at,
        "rateLimited": True,
    }
    return _problem(Problem("rate-limited", headers={"Retry-After": str(error.retry_after_seconds)}, **more))


def _invalid(error: RequestValidationError) -> Told:
    # Only where and which rule: pydantic's own messages repeat what was sent.
    fields = []
    for item in error.errors()[:20]:
        place = item["loc"][:-1] if item["type"] == "extra_forbidden" else item["loc"]  # a name the client made up
        fields.append({"field": ".".join(str(part) for part in place), "rule": item["type"]})
    return _problem(Problem("invalid-request", fields=fields))


def _retry(error: RetryRefused) -> Told:
    code = str(getattr(error, "code", "retry-refused"))
    return _problem(Problem("retry-refused", errorCode=code, retryable=False))


def _http(error: HTTPException) -> Told:
    code = _BY_STATUS.get(error.status_code)
    if code is None:
        sentence = HTTPStatus(error.status_code).phrase + "."
        return Told(body(f"http-{error.status_code}", sentence), error.status_code, dict(error.headers or {}))
    return _problem(Problem(code, headers=dict(error.headers or {})))


def for_exception(error: Exception) -> Told:  # noqa: C901, PLR0912  # a flat table of types
    """The answer to a request that raised `error`."""
    if is_full(error):
        return _problem(Problem("disk-full"))
    match error:
        case Problem():
            return _problem(error)
        case RateLimited():
            return _rate(error)
        case RetryRefused():
            return _retry(error)
        case VerificationFailed():
            return _known(error.code, check=error.check, survivors=error.counts["survivors"])
        case AnonifyError():
            return _known(error.code)
        case WrongPlace():
            return _problem(Problem("wrong-place", reason=error.reason))
        case LinkExpired():
            return _problem(Problem("link-expired"))
        case LinkRefused():
            return _problem(Problem("link-refused"))
        case RequestValidationError():
            return _invalid(error)
        case HTTPException():
            return _http(error)
        case DBAPIError() | SQLAlchemyError():
            return _known(Code.DATABASE)
        case json.JSONDecodeError():
            return _problem(Problem("invalid-request"))
        case _:
            return _problem(Problem("failed"))


def answer_to(scope: Scope, error: Exception) -> Response:
    """As :func:`for_exception`, on a page for somebody who was on the way to one."""
    told = for_exception(error)
    return error_page(told.fields, told.status_code, told.further) if wants_page(scope) else told


def _deleted_meanwhile(request: Request) -> bool:
    """Whether the request failed because its document was deleted while it was at work."""
    row = getattr(request.state, "document", None)
    if not isinstance(row, DocumentRow):
        return False
    try:
        with request.app.state.services.database.connect() as conn:
            now = documents.get(conn, row.id)
    except SQLAlchemyError:
        return False
    return now is None or now.status == "expired"


def install(app: FastAPI) -> None:
    """Answer every exception in the one shape.  The shield logs the unexpected ones."""

    def answer(request: Request, error: Exception) -> Response:
        if isinstance(error, AnonifyError) and _deleted_meanwhile(request):
            error = Problem("not-found")
        return answer_to(request.scope, error)

    for kind in (
        Problem,
        RateLimited,
        RetryRefused,
        AnonifyError,
        WrongPlace,
        LinkRefused,
        RequestValidationError,
        HTTPException,
        SQLAlchemyError,
        Exception,
    ):
        app.add_exception_handler(kind, answer)
