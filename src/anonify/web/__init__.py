"""The HTTP door: JSON routes, streams and a plain page."""

from .app import create_app, openapi_schema
from .server import serve

__all__ = ["create_app", "openapi_schema", "serve"]
