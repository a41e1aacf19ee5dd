"""Durable runs: from an upload to a reviewed document, and from decisions to an artifact.

uploads → admission → engine → process (steps, analysis) → follow
recovery and sweep keep it so; deliver makes artifacts
"""

from .access import data_key, open_extraction, open_model, open_source, page_image, read_extraction
from .admission import WORKING, Admission, RetryRefused, admit, retry
from .deliver import deliver_document
from .doctor import Check, doctor, ready
from .events import EVENT_TYPES, Event
from .follow import follow
from .services import Services, open_services
from .steps import PROGRESS
from .sweep import SweepCounts, sweep_expired
from .uploads import MAX_RETENTION, create_document, delete_document, receive_upload
from .worker import Worker, run_worker

__all__ = [
    "EVENT_TYPES",
    "MAX_RETENTION",
    "PROGRESS",
    "WORKING",
    "Admission",
    "Check",
    "Event",
    "RetryRefused",
    "Services",
    "SweepCounts",
    "Worker",
    "admit",
    "create_document",
    "data_key",
    "delete_document",
    "deliver_document",
    "doctor",
    "follow",
    "open_extraction",
    "open_model",
    "open_services",
    "open_source",
    "page_image",
    "read_extraction",
    "ready",
    "receive_upload",
    "retry",
    "run_worker",
    "sweep_expired",
]
