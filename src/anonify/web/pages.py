"""The pages people see, and their files.  Each is whole without a script but for what changes while it is open."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from fastapi import APIRouter, FastAPI
from starlette.responses import Response

from anonify.detection import CATEGORIES, CERTAIN, DEFAULT_PRESET, DISCLAIMER, LIKELY, PRESETS
from anonify.documents import formats
from anonify.export import METHODS, methods_of
from anonify.runs import Services

from .batch_schemas import MAX_FILES
from .guard import Mine, MyBatch, Own, Work
from .operation import limits_out
from .static_files import FILES
from .templating import page

__all__ = ["mount_static", "router"]

router = APIRouter(include_in_schema=False)

RETENTIONS: Final = ((3_600, "1 hour"), (21_600, "6 hours"), (86_400, "24 hours"), (259_200, "3 days"))

SAMPLE: Final = "/static/sample/letter.docx"
"""A small letter with invented people in it, to try."""

PACKAGE: Final = Path(__file__).resolve().parents[1]


def mount_static(app: FastAPI) -> None:
    """Serve style and scripts, read from the package."""
    app.mount("/static", FILES, name="static")


def _taken(services: Services) -> dict[str, Any]:
    """What an upload may be, for pages that take one."""
    return {
        "extensions": ",".join(extension for form in formats() for extension in form.extensions),
        "max_bytes": services.settings.max_upload_bytes,
        "max_files": MAX_FILES,
    }


@router.get("/")
def home(services: Work) -> Response:
    """Choose files and send them; what was sent."""
    return page(
        "home",
        formats=formats(),
        presets=PRESETS.values(),
        default_preset=DEFAULT_PRESET,
        disclaimer=DISCLAIMER,
        retentions=RETENTIONS,
        retention=services.settings.retention_seconds,
        sample=SAMPLE,
        **_taken(services),
    )


@router.get("/documents")
def documents(services: Work) -> Response:
    """Everything this session holds."""
    return page("documents", **_taken(services))


@router.get("/documents/{document_id}")
def document(row: Mine) -> Response:
    """One document: its run, then its review."""
    given = {"categories": sorted(CATEGORIES), "methods": {one: methods_of(one) for one in CATEGORIES}}
    return page("document", private=True, row=row, given=json.dumps(given), ready=row.status == "ready")


@router.get("/batches/{batch_id}")
def batch(row: MyBatch) -> Response:
    """Many documents: where each has got to, and what is decided for all."""
    methods = {method: [one for one in CATEGORIES if method in methods_of(one)] for method in METHODS[1:]}
    return page(
        "batch",
        private=True,
        batch=row,
        categories=sorted(CATEGORIES),
        certain=CERTAIN,
        likely=LIKELY,
        methods=json.dumps(methods),
    )


@router.get("/restore")
def restore(services: Work) -> Response:
    """A file and its vault in, the file with its values out; and what cannot be had back."""
    return page("restore", retentions=RETENTIONS, max_bytes=services.settings.max_upload_bytes)


@router.get("/limits")
def show_limits(services: Work, caller: Own) -> Response:
    """Rates, allowances and formats as tables; the numbers are those of `/api/limits`."""
    return page("limits", private=True, limits=limits_out(services, caller), formats=formats(), max_files=MAX_FILES)


@router.get("/about")
def about(services: Work) -> Response:
    """What this is, how an export is verified, what leaves the machine, and whose work is in it."""
    settings = services.settings
    return page(
        "about",
        provider=settings.provider(),
        reader=None if settings.ocr == "tesseract" else settings.ocr,
        disclaimer=DISCLAIMER,
        licences=_licences(),
    )


class Licence(NamedTuple):
    """The licence of a part that others have made or that was made from others' work."""

    part: str
    text: str


@cache
def _licences() -> tuple[Licence, ...]:
    """Every licence that lies in the package beside what it is for."""
    found = sorted(path for path in PACKAGE.rglob("*LICENSE*") if path.is_file())
    return tuple(Licence(_part(path), path.read_text(encoding="utf-8").strip()) for path in found)


def _part(path: Path) -> str:
    """`centerface.LICENSE.txt` is centerface's; a bare `LICENSE` is that of the folder it lies in."""
    name = path.name.partition("LICENSE")[0].strip(".-_ ")
    return name or path.parent.name
