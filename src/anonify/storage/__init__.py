"""Objects, the envelope they are sealed in, and the keys.

Everything here is synchronous and may be called from any thread.  Backend faults are Transient `storage`; what does
not verify is FatalError `corrupt-source`; a missing key is FatalError `configuration`.
"""

from __future__ import annotations

from .envelope import CHUNK, HEADER, DataKey, begins_envelope, sealed_size
from .keys import KEY_FILE, KeyRing
from .objects import ObjectExists, ObjectMissing, ObjectStore, ObjectWriter
from .sealed import SealedReader, SealedWriter, open_sealed, seal
from .spool import Spool
from .stores import Stores, open_store

__all__ = [
    "CHUNK",
    "HEADER",
    "KEY_FILE",
    "DataKey",
    "KeyRing",
    "ObjectExists",
    "ObjectMissing",
    "ObjectStore",
    "ObjectWriter",
    "SealedReader",
    "SealedWriter",
    "Spool",
    "Stores",
    "begins_envelope",
    "open_sealed",
    "open_store",
    "seal",
    "sealed_size",
]
