"""Durable runs: from an upload to a reviewed document, and from decisions to an artifact.

uploads → admission → engine → process (steps, analysis) → follow
recovery and sweep keep it so; deliver makes artifacts
"""

from .access import data_key, open_extraction, open_model, open_source, page_image, read_extraction
from .admission import WORKING, Admission, RetryRefused, admit, retry
from .batch_archive import Archive, batch_archive
from .batch_events import BATCH_EVENT, Snapshot
from .batch_export import start_export, stop_export
from .batch_rules import RuleRefused, apply_own, remove_rule, start_applying, switch_rule
from .batches import Wanted, accept_suggestions, create_batch, delete_batch, keep_batch, start_documents
from .deliver import deliver_document
from .doctor import Check, doctor, ready, worker_seen
from .events import EVENT_TYPES, Event
from .follow import follow
from .sealed_uploads import ENVELOPE, sent_size, upload_key, upload_name
from .services import Services, open_services
from .steps import PROGRESS
from .sweep import SweepCounts, sweep_expired
from .uploads import MAX_RETENTION, create_document, delete_document, receive_upload
from .worker import Worker, run_worker

__all__ = [
    "BATCH_EVENT",
    "ENVELOPE",
    "EVENT_TYPES",
    "MAX_RETENTION",
    "PROGRESS",
    "WORKING",
    "Admission",
    "Archive",
    "Check",
    "Event",
    "RetryRefused",
    "RuleRefused",
    "Services",
    "Snapshot",
    "SweepCounts",
    "Wanted",
    "Worker",
    "accept_suggestions",
    "admit",
    "apply_own",
    "batch_archive",
    "create_batch",
    "create_document",
    "data_key",
    "delete_batch",
    "delete_document",
    "deliver_document",
    "doctor",
    "follow",
    "keep_batch",
    "open_extraction",
    "open_model",
    "open_services",
    "open_source",
    "page_image",
    "read_extraction",
    "ready",
    "receive_upload",
    "remove_rule",
    "retry",
    "run_worker",
    "sent_size",
    "start_applying",
    "start_documents",
    "start_export",
    "stop_export",
    "sweep_expired",
    "switch_rule",
    "upload_key",
    "upload_name",
    "worker_seen",
]
