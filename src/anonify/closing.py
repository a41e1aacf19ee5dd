"""What has an end, as a context manager."""

from __future__ import annotations

from typing import Self

__all__ = ["Closing"]


class Closing:
    """Closed at the end of its `with` block, however that ends."""

    __slots__ = ()

    def close(self) -> None:
        """End it; each subclass says what that means."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.close()
