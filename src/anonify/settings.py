"""Every setting, typed and validated at start.  `docs/settings.md` is generated from this module."""

from __future__ import annotations

import os
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Self

import platformdirs
from pydantic import Field, SecretStr, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

if TYPE_CHECKING:
    from anonify.documents import ExpandOptions
    from anonify.ocr import OcrOptions
    from anonify.ocr.mistral import Mistral
    from anonify.providers import Provider

__all__ = ["Settings", "cpu_slots"]


def cpu_slots() -> int:
    """CPUs this process may use: scheduler affinity, cut by the cgroup's quota where there is one."""
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        quota, period = Path("/sys/fs/cgroup/cpu.max").read_text(encoding="ascii").split()
    except (OSError, ValueError):
        return count
    return count if quota == "max" else max(1, min(count, int(quota) // int(period)))


class Settings(BaseSettings):
    """Read from the environment (`ANONIFY_*`, and the few names every platform knows)."""

    model_config = SettingsConfigDict(env_prefix="ANONIFY_", extra="ignore", populate_by_name=True, frozen=True)

    profile: Literal["self-hosted", "demo", "production"] = Field(
        default="self-hosted", description="Which allowances apply; `production` also refuses to invent keys."
    )
    data_dir: Path = Field(
        default_factory=lambda: platformdirs.user_data_path("anonify", appauthor=False),
        description="Where the embedded default keeps database, objects, key file and spool.",
    )
    database_url: SecretStr | None = Field(
        default=None,
        alias="DATABASE_URL",
        description="`postgresql://…` moves data and engine there; unset means SQLite.",
    )
    engine_database_url: SecretStr | None = Field(
        default=None, description="Only ever the same as DATABASE_URL; a different one is refused at start."
    )
    storage: str | None = Field(
        default=None, description="Object store URL; unset means a folder in the data directory."
    )
    encryption_key: SecretStr | None = Field(
        default=None,
        alias="ENCRYPTION_KEY",
        description="Master keys, 32 bytes in hex or base64, comma separated; the first seals, all open.",
    )
    cron_secret: SecretStr | None = Field(
        default=None, alias="CRON_SECRET", description="Bearer token for `GET /api/cron/cleanup`."
    )
    metrics_token: SecretStr | None = Field(
        default=None, description="Bearer token for `/metrics` from beyond loopback."
    )
    cpu_concurrency: int = Field(
        default_factory=cpu_slots, ge=1, le=256, description="Sandbox processes working at once."
    )
    batch_processing: int | None = Field(
        default=None, ge=1, le=64, description="Documents of one owner processed at once; 3 on demo, else 6."
    )
    batch_exporting: int | None = Field(
        default=None, ge=1, le=64, description="Documents of one batch exported at once; as many as are processed."
    )
    processing_global_max: int | None = Field(
        default=None, ge=1, description="Documents of all owners processed at once; unset means no bound."
    )
    worker_concurrency: int = Field(default=16, ge=1, le=256, description="Runs one worker holds at once.")
    worker_poll_seconds: float = Field(default=0.1, gt=0, le=5, description="How often a worker looks for queued runs.")
    heartbeat_seconds: float = Field(default=2.0, gt=0, description="How often a worker says it is alive.")
    heartbeat_dead_seconds: float = Field(
        default=10.0, gt=0, description="Silence after which a worker's runs are taken over."
    )
    ocr: Literal["tesseract", "mistral"] = Field(
        default="tesseract",
        description="What reads text in pictures; `mistral` sends every page that is read to that provider.",
    )
    ocr_languages: str = Field(
        default="eng", description="Tesseract's names of the languages to read, comma separated, the likeliest first."
    )
    mistral_api_key: SecretStr | None = Field(
        default=None, alias="MISTRAL_API_KEY", description="Key of the account that `ANONIFY_OCR=mistral` uses."
    )
    mistral_url: str = Field(
        default="https://api.mistral.ai", description="Where Mistral's API answers, or a gateway that speaks it."
    )
    mistral_model: str = Field(default="mistral-ocr-latest", description="Which of its models reads.")
    ocr_pictures: bool = Field(
        default=True,
        description="Read pictures among a page's text and in Office files, not only pages that are a picture.",
    )
    ocr_reread: Literal["auto", "all"] = Field(
        default="auto",
        description="Redacted pages that are read again: those whose text does not explain all they show, or all.",
    )
    ai_provider: str | None = Field(
        default=None, description="Kind of language model that documents are shown to; unset means none is asked."
    )
    ai_model: str = Field(default="", description="The provider's name of the model.")
    ai_url: str = Field(
        default="", description="Where it answers; needed for `azure`, `bedrock` and `openai-compatible`."
    )
    ai_key: SecretStr | None = Field(default=None, description="Key of the account that is asked with.")
    ai_concurrency: int = Field(
        default=4, ge=1, le=64, description="Calls to the language model in flight in one process."
    )
    ai_daily_spend_usd: float | None = Field(
        default=None, ge=0, description="US dollars after which a day's calls end, midnight UTC; unset means no bound."
    )
    max_upload_bytes: int = Field(default=2 << 30, ge=1, description="Largest upload in bytes.")
    stream_memory_budget: int = Field(
        default=512 << 20, ge=16 << 20, description="Bytes that streaming may hold at once in one process."
    )
    max_messages: int | None = Field(
        default=None, ge=1, le=100_000, description="Messages of one mailbox; 200 on demo, else 1000."
    )
    max_entries: int = Field(default=1_000, ge=1, le=100_000, description="Files in one archive.")
    max_attachments: int = Field(default=200, ge=1, le=1_000, description="Attachments of one message.")
    max_part_bytes: int = Field(
        default=1 << 30, ge=1, description="Bytes of one message of a mailbox, file of an archive or attachment."
    )
    max_expanded_bytes: int = Field(
        default=4 << 30, ge=1, description="Bytes of all messages, files or attachments of one upload, unpacked."
    )
    sandbox_memory: int = Field(
        default=2 << 30, ge=256 << 20, description="Address space of one sandbox process, bytes."
    )
    sandbox_cpu_seconds: int = Field(default=900, ge=1, description="CPU seconds one sandbox task may use.")
    task_timeout_seconds: float = Field(default=1800.0, gt=0, description="Wall time one sandbox task may take.")
    retention_seconds: int = Field(default=86_400, description="Default retention: 3600, 21600, 86400 or 259200.")
    sweep_minutes: int = Field(default=15, ge=1, le=60, description="How often the expiry sweep runs.")
    trusted_proxies: str = Field(default="", description="Comma separated networks whose forwarded headers count.")
    public_url: str | None = Field(
        default=None, description="Origin of the site as browsers see it, for the Origin check."
    )
    log_format: Literal["console", "json"] = Field(default="console", description="How log lines look.")
    log_level: Literal["debug", "info", "warning", "error"] = Field(default="info", description="Least level written.")

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.retention_seconds not in (3_600, 21_600, 86_400, 259_200):
            raise ValueError("ANONIFY_RETENTION_SECONDS must be 3600, 21600, 86400 or 259200")
        engine, data = self.engine_database_url, self.database_url
        if engine is not None and (data is None or engine.get_secret_value() != data.get_secret_value()):
            raise ValueError("ANONIFY_ENGINE_DATABASE_URL conflicts with DATABASE_URL; unset it")
        if self.ocr == "mistral" and self.mistral_api_key is None:
            raise ValueError("ANONIFY_OCR=mistral needs MISTRAL_API_KEY")
        self.provider()
        needed = 3 * (1 << 20) * self.cpu_concurrency
        if needed > self.stream_memory_budget:
            raise ValueError("ANONIFY_STREAM_MEMORY_BUDGET cannot hold three chunks for every CPU slot")
        return self

    @property
    def embedded(self) -> bool:
        """Whether data and engine live in SQLite files in the data directory."""
        return self.database_url is None

    @cached_property
    def slots_per_owner(self) -> int:
        """Documents of one owner processed at once."""
        return self.batch_processing or (3 if self.profile == "demo" else 6)

    @property
    def exports_at_once(self) -> int:
        """Documents of one batch exported at once."""
        return self.batch_exporting or self.slots_per_owner

    @property
    def expand_options(self) -> ExpandOptions:
        """How much may be inside one file; above it a file is refused whole."""
        from anonify.documents import ExpandOptions

        return ExpandOptions(
            messages=self.max_messages or (200 if self.profile == "demo" else 1_000),
            entries=self.max_entries,
            attachments=self.max_attachments,
            part_bytes=min(self.max_part_bytes, self.max_upload_bytes),
            total_bytes=self.max_expanded_bytes,
        )

    @property
    def ocr_options(self) -> OcrOptions:
        """How pictures are read, as a recogniser takes it."""
        from anonify.ocr import OcrOptions

        languages = tuple(name.strip() for name in self.ocr_languages.split(",") if name.strip())
        provider = "" if self.ocr == "tesseract" else f"{self.ocr} {self.mistral_model}"
        return OcrOptions(languages=languages, pictures=self.ocr_pictures, reread=self.ocr_reread, provider=provider)

    def text_reader(self) -> Mistral | None:
        """The reader beyond this machine that pages are sent to, or None when none is to be asked; to be closed."""
        if self.ocr != "mistral" or self.mistral_api_key is None:
            return None
        from anonify.ocr.mistral import Mistral

        return Mistral(self.mistral_api_key.get_secret_value(), self.mistral_url, self.mistral_model)

    def provider(self) -> Provider | None:
        """The language model that is asked about documents, not known to do anything yet; None when none is to be.

        Raises:
            ValueError: an unknown kind, no model, or no address for a kind that has none of its own.
        """
        if not self.ai_provider:
            return None
        from anonify.providers import ADDRESSES, KINDS, Provider

        kind = next((kind for kind in KINDS if kind == self.ai_provider), None)
        if kind is None:
            raise ValueError(f"ANONIFY_AI_PROVIDER must be one of {', '.join(KINDS)}")
        if not self.ai_model:
            raise ValueError(f"ANONIFY_AI_PROVIDER={kind} needs ANONIFY_AI_MODEL")
        if not self.ai_url and kind not in ADDRESSES:
            raise ValueError(f"ANONIFY_AI_PROVIDER={kind} needs ANONIFY_AI_URL")
        if self.ai_url and not self.ai_url.startswith(("https://", "http://")):
            raise ValueError("ANONIFY_AI_URL must begin with https:// or http://")
        return Provider(kind, self.ai_model, self.ai_url, self.ai_key.get_secret_value() if self.ai_key else "")
