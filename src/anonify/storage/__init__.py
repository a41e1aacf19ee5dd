"""Objects, the envelope they are sealed in, and the keys.

Contract (all synchronous; callers are steps and threads):

- `KeyRing.from_settings(settings)`; `ring.new_key() -> tuple[DataKey, bytes]` (a fresh 256-bit key and it sealed under
  the master key); `ring.unwrap(bytes) -> DataKey`.
- `ObjectStore` protocol: `put`, `put_stream`, `get`, `get_range` (half-open), `get_stream`, `size`, `exists`, `delete`,
  `delete_prefix`, `list_prefix`; write-once and atomic.  `open_store(url) -> ObjectStore`; `store.handle(key) -> str`
  names backend and key (`local:documents/…`), `Stores.resolve(handle)` finds it again after a change of backend.
- `seal(store, key, data_key) -> SealedWriter` (a Sink and context manager: commits on clean exit, else leaves
  nothing; `.plain_size`, `.sha256` hexdigest of the plaintext after commit).
- `open_sealed(store, key, data_key) -> SealedReader` (a Source: `.size` is the plaintext size; last four chunks
  cached).
- `Spool(directory)`: an unlinked temporary file sealed under a key that is never written down; a Sink until
  `.finish()`, then a Source; closing loses it.  For artifacts that are not verified yet.
"""
