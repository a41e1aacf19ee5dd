"""What the engine stores, and how.

Arguments, results and errors are JSON, with errors of ours by class name and code.  Nothing else is ever rebuilt from
the database.
"""

from __future__ import annotations

import json
from typing import Any, Final

from dbos._error import DBOSMaxStepRetriesExceeded
from dbos._serialization import Serializer

from anonify.errors import AnonifyError, Code, FatalError, Transient

from .failures import Superseded

__all__ = ["JSON_NAME", "Json", "last_of"]

JSON_NAME: Final = "anonify_json"
"""How rows written by :class:`Json` are marked."""


class Json(Serializer):
    """JSON, with errors of ours by class name and code.  Nothing else is ever rebuilt from the database."""

    _errors: Final[dict[str, type[AnonifyError]]] = {
        "FatalError": FatalError,
        "Transient": Transient,
        "Superseded": Superseded,
    }

    def name(self) -> str:
        return JSON_NAME

    def serialize(self, data: Any) -> str:
        return json.dumps(data, default=self._plain, separators=(",", ":"))

    def deserialize(self, serialized_data: str) -> Any:
        value = json.loads(serialized_data, object_hook=self._rebuild)
        if isinstance(value, dict) and set(value) == {"args", "kwargs"}:
            value["args"] = tuple(value["args"])
        return value

    def _plain(self, value: object) -> object:
        if isinstance(value, DBOSMaxStepRetriesExceeded):
            value = last_of(value)
        if isinstance(value, AnonifyError) and type(value).__name__ in self._errors:
            return {"!error": type(value).__name__, "code": value.code.value, "counts": value.counts}
        if isinstance(value, BaseException):  # its text stays out of the table
            return {"!error": "Transient", "code": Code.UNKNOWN.value, "counts": {}}
        raise TypeError(type(value).__name__)

    def _rebuild(self, value: dict[str, Any]) -> Any:
        kind = self._errors.get(value.get("!error", ""))
        if kind is None:
            return value
        return kind(Code(value["code"]), **{name: int(count) for name, count in value["counts"].items()})


def last_of(error: DBOSMaxStepRetriesExceeded) -> AnonifyError:
    last = error.errors[-1] if error.errors else None
    return last if isinstance(last, AnonifyError) else Transient(Code.UNKNOWN)
