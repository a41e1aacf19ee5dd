"""Its home is the shared matcher; see :mod:`anonify.documents.matching.pages`."""

from ..matching.pages import PageFinder, places, squash

__all__ = ["PageFinder", "places", "squash"]
