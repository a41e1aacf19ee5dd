"""The shared matcher: sweep, verification and expansion all decide "is it the same value" here."""

from .fold import value_key
from .matcher import CONTEXT, Match, Matcher
from .pages import PageFinder
from .patterns import MIN_SWEEP

__all__ = ["CONTEXT", "MIN_SWEEP", "Match", "Matcher", "PageFinder", "value_key"]
