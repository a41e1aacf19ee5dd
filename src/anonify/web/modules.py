"""Where the workspace's scripts are, which of them it takes, and where they find the parts that others have made."""

from __future__ import annotations

import base64
import hashlib
import json
import posixpath
import re
from typing import Final

from .static_files import FILES

__all__ = ["IMPORT_MAP", "IMPORT_MAP_SOURCE", "VERSIONED", "WORKSPACE_MODULES", "modules_of"]

VERSIONED: Final = f"/static/{FILES.version}"
"""Where a page finds the files of this release and of no other."""

_VENDORED: Final = {
    "preact": "vendor/preact.mjs",
    "preact/hooks": "vendor/hooks.mjs",
    "htm": "vendor/htm.mjs",
    "@preact/signals": "vendor/signals.mjs",
    "@preact/signals-core": "vendor/signals-core.mjs",
}

IMPORT_MAP: Final = json.dumps({"imports": {name: f"{VERSIONED}/{path}" for name, path in _VENDORED.items()}})
"""The import map (HTML standard): the only thing inline, because no browser takes it from a file of its own."""

IMPORT_MAP_SOURCE: Final = "'sha256-" + base64.b64encode(hashlib.sha256(IMPORT_MAP.encode()).digest()).decode() + "'"
"""What the content security policy calls it (CSP Level 3 hash source)."""

_IMPORT: Final = re.compile(rf"""\b(?:from|import)\s*["'](\.\.?/[^"'\n]+|{"|".join(map(re.escape, _VENDORED))})["']""")
"""What a module of ours, or a minified one, takes: files beside it and vendored names."""


def modules_of(entry: str) -> tuple[str, ...]:
    """Every module that `entry` takes, itself first: a browser told of them all does not find them one by one.

    Raises:
        KeyError: a module that is not there.
    """
    found = {entry: None}
    waiting = [entry]
    while waiting:
        name = waiting.pop()
        for asked in _IMPORT.findall(FILES.text(name)):
            path = _VENDORED.get(asked) or posixpath.normpath(posixpath.join(posixpath.dirname(name), asked))
            if path not in found:
                found[path] = None
                waiting.append(path)
    return tuple(found)


WORKSPACE_MODULES: Final = modules_of("workspace/main.js")
"""What the workspace takes."""
