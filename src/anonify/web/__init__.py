"""The HTTP door: JSON routes, streams and a plain page."""

from .app import create_app, openapi_schema
from .server import CannotListen, serve

__all__ = ["CannotListen", "create_app", "openapi_schema", "serve"]
