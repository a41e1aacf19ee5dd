"""Where the workspace's scripts find the parts that others have made."""

from __future__ import annotations

import base64
import hashlib
import json
from typing import Final

__all__ = ["IMPORT_MAP", "IMPORT_MAP_SOURCE"]

IMPORT_MAP: Final = json.dumps(
    {
        "imports": {
            "preact": "/static/vendor/preact.mjs",
            "preact/hooks": "/static/vendor/hooks.mjs",
            "htm": "/static/vendor/htm.mjs",
            "@preact/signals": "/static/vendor/signals.mjs",
            "@preact/signals-core": "/static/vendor/signals-core.mjs",
        }
    }
)
"""The import map (HTML standard): the only thing inline, because no browser takes it from a file of its own."""

IMPORT_MAP_SOURCE: Final = "'sha256-" + base64.b64encode(hashlib.sha256(IMPORT_MAP.encode()).digest()).decode() + "'"
"""What the content security policy calls it (CSP Level 3 hash source)."""
