"""The registry.  A detector is one module here and one entry in :func:`registry`."""

from __future__ import annotations

from functools import cache

from .base import Candidate, Cell, Detector, Finding, Grid, Hints, Passage

__all__ = ["Candidate", "Cell", "Detector", "Finding", "Grid", "Hints", "Passage", "registry"]


@cache
def registry() -> tuple[Detector, ...]:
    """Every detector, in the order of this list."""
    from . import (
        addresses,
        contact,
        credentials,
        devices,
        health,
        identifiers,
        labelled,
        links,
        payments,
        people,
        phones,
        references,
        secret_labels,
        streets,
        tables,
    )

    return (
        *contact.DETECTORS,
        *phones.DETECTORS,
        *payments.DETECTORS,
        *identifiers.DETECTORS,
        *labelled.DETECTORS,
        *references.DETECTORS,
        *people.DETECTORS,
        *credentials.DETECTORS,
        *secret_labels.DETECTORS,
        *links.DETECTORS,
        *devices.DETECTORS,
        *addresses.DETECTORS,
        *streets.DETECTORS,
        *tables.DETECTORS,
        *health.DETECTORS,
    )
