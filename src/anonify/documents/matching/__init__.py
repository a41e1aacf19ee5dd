"""The shared matcher: sweep, verification and expansion all decide "is it the same value" here."""

from .matcher import Match, Matcher
from .patterns import MIN_SWEEP

__all__ = ["MIN_SWEEP", "Match", "Matcher"]
