"""The plain page, its files, and the description of the API."""

from __future__ import annotations

from typing import Any, Final

from fastapi import APIRouter, FastAPI, Request
from fastapi.openapi.utils import get_openapi
from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.staticfiles import StaticFiles

from anonify.detection import CATEGORIES, CERTAIN, DEFAULT_PRESET, DISCLAIMER, LIKELY, PRESETS
from anonify.documents import formats
from anonify.version import __version__

from .batch_schemas import MAX_FILES
from .guard import Work

__all__ = ["mount_static", "router", "schema_of"]

router = APIRouter(include_in_schema=False)

RETENTIONS: Final = ((3_600, "1 hour"), (21_600, "6 hours"), (86_400, "24 hours"), (259_200, "3 days"))

_templates = Environment(loader=PackageLoader("anonify.web"), autoescape=True, undefined=StrictUndefined)


def mount_static(app: FastAPI) -> None:
    """Serve style and scripts, read from the package."""
    app.mount("/static", StaticFiles(packages=[("anonify.web", "static")]), name="static")


@router.get("/")
def index(services: Work) -> Response:
    """The page."""
    html = _templates.get_template("index.html").render(
        version=__version__,
        formats=formats(),
        extensions=",".join(extension for form in formats() for extension in form.extensions),
        presets=PRESETS.values(),
        default_preset=DEFAULT_PRESET,
        disclaimer=DISCLAIMER,
        categories=sorted(CATEGORIES),
        certain=CERTAIN,
        likely=LIKELY,
        retentions=RETENTIONS,
        retention=services.settings.retention_seconds,
        max_bytes=services.settings.max_upload_bytes,
        max_files=MAX_FILES,
    )
    return HTMLResponse(html, headers={"Cache-Control": "no-cache"})


@router.get("/api/openapi.json")
def openapi(request: Request) -> Response:
    """The OpenAPI document."""
    return JSONResponse(_schema(request.app))


def _schema(app: FastAPI) -> dict[str, Any]:
    """Made once: it costs a tenth of a second, and anybody may ask."""
    if app.openapi_schema is None:
        app.openapi_schema = schema_of(app)
    return app.openapi_schema


@router.get("/api/docs")
def docs(request: Request) -> Response:
    """The API for people: the same document, without a script from elsewhere."""
    schema = _schema(request.app)
    routes = [
        {"method": method.upper(), "path": path, **operation}
        for path, methods in schema["paths"].items()
        for method, operation in methods.items()
    ]
    html = _templates.get_template("docs.html").render(
        version=__version__, routes=routes, models=schema.get("components", {}).get("schemas", {}), named=_named
    )
    return HTMLResponse(html, headers={"Cache-Control": "no-cache"})


def _named(schema: dict[str, Any]) -> str:
    """A schema in a few words."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        return " or ".join(_named(item) for item in schema["anyOf"])
    if "enum" in schema:
        return " | ".join(str(item) for item in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {_named(schema.get('items', {}))}"
    return str(schema.get("const", schema.get("type", "any")))


_ERROR: Final = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {"type": "string", "description": "A sentence for a person."},
        "code": {"type": "string", "description": "A stable name."},
    },
    "additionalProperties": True,
}


def schema_of(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI document of an application: its routes, and the one shape of every error."""
    schema = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
    models = schema.setdefault("components", {}).setdefault("schemas", {})
    for name in ("HTTPValidationError", "ValidationError"):
        models.pop(name, None)
    models["Error"] = _ERROR
    answer = {
        "description": "Failure",
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
    }
    for methods in schema["paths"].values():
        for operation in methods.values():
            operation["responses"].pop("422", None)
            operation["summary"] = " ".join(operation.get("description", "").split()).partition(". ")[0].rstrip(".")
            operation["responses"]["default"] = answer
    return schema
