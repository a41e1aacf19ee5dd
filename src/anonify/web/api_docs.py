"""The description of the API, for programs and for people."""

from __future__ import annotations

from typing import Any, Final

from fastapi import APIRouter, FastAPI, Request
from fastapi.openapi.utils import get_openapi
from starlette.responses import JSONResponse, Response

from .templating import page

__all__ = ["router", "schema_of"]

router = APIRouter(include_in_schema=False)


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
    return page("api", routes=routes, models=schema.get("components", {}).get("schemas", {}), named=_named)


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
