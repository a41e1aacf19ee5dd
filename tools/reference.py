"""Writes the reference pages in `docs/` from the code.  `python tools/reference.py` (`make docs`).

`tests/test_docs_match_code.py` renders them again and compares, so a page cannot fall behind.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, get_args

from pydantic_core import PydanticUndefined

__all__ = ["render_all"]

DOCS = Path(__file__).resolve().parents[1] / "docs"
NOTE = "<!-- Written by `make docs` from the code. Edit the code, not this page. -->"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    lines += ["| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in row) + " |" for row in rows]
    return "\n".join(lines)


def _page(title: str, *parts: str) -> str:
    return "\n\n".join([f"# {title}", NOTE, *parts]) + "\n"


def failures() -> str:
    """docs/failures.md."""
    from anonify.errors import FAILURES

    rows = [
        (f"`{code}`", failure.sentence, "yes" if failure.retryable else "no", str(failure.status))
        for code, failure in FAILURES.items()
    ]
    return _page(
        "Failure codes",
        "The API, the command line and the pages all read this table. A sentence is fixed: it never quotes a document.",
        _table(("code", "says", "Retry helps", "HTTP"), rows),
    )


def settings() -> str:
    """docs/settings.md."""
    from anonify.settings import Settings

    rows = []
    for name, field in Settings.model_fields.items():
        variable = field.alias or f"ANONIFY_{name.upper()}"
        default = "" if field.default in (None, PydanticUndefined) else f"`{field.default}`"
        rows.append((f"`{variable}`", default, field.description or ""))
    return _page(
        "Settings",
        "Read from the environment and checked at start. Where no default is shown, it is unset or found out.",
        _table(("variable", "default", "what it does"), rows),
    )


def formats() -> str:
    """docs/formats.md."""
    from anonify.documents import formats as registered

    rows = [
        (f"`{form.kind}`", form.label, ", ".join(form.extensions), f"`{form.mime_types[0]}`", form.unit)
        for form in registered()
    ]
    return _page(
        "Formats",
        "Content decides the kind; the name only breaks ties between kinds the bytes fit equally.",
        _table(("kind", "is", "names", "type", "charged by"), rows),
    )


def events() -> str:
    """docs/events.md."""
    from anonify.runs.batch_events import BATCH_EVENT
    from anonify.runs.events import EVENT_TYPES

    rows = [(f"`{name}`", meaning) for name, meaning in EVENT_TYPES.items()]
    return _page(
        "Events",
        "`GET /api/documents/:id/stream?startIndex=N` sends each as a server-sent event whose id is its index. "
        "A client that comes back with `Last-Event-ID` goes on exactly after it.",
        _table(("type", "when"), rows),
        "## Exports of batches",
        f"`GET /api/batches/:id/export/stream?startIndex=N` sends {BATCH_EVENT}, as `GET /api/batches/:id/export` "
        "would say it. Each event holds everything, so of several that are due at once only the last is sent.",
    )


def _short(schema: dict[str, Any]) -> str:
    """A schema of OpenAPI in a few words."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        return " or ".join(_short(item) for item in schema["anyOf"] if item.get("type") != "null")
    if "enum" in schema:
        return " or ".join(str(item) for item in schema["enum"])
    return str(schema.get("const", schema.get("type", "any")))


def _parameters(operation: dict[str, Any]) -> str:
    """Parameters of the query and of the path."""
    shown = []
    for item in operation.get("parameters", []):
        if item["in"] == "cookie":
            continue
        default = item["schema"].get("default")
        facts = [_short(item["schema"])]
        facts += ["in the path"] if item["in"] == "path" else ["required"] if item.get("required") else []
        facts += [] if default is None else [f"default {default}"]
        shown.append(f"`{item['name']}` ({', '.join(facts)})")
    return "; ".join(shown)


def _bodies(content: dict[str, Any]) -> str:
    return " or ".join(
        f"`{_short(body['schema'])}`" if kind == "application/json" and body.get("schema") else kind
        for kind, body in content.items()
    )


def _answers(operation: dict[str, Any]) -> str:
    shown = []
    for status, response in operation["responses"].items():
        if status.startswith("2"):
            shown.append(" ".join(part for part in (status, _bodies(response.get("content", {}))) if part))
    return "; ".join(shown)


def _reasons() -> tuple[str, ...]:
    from anonify.detection import CERTAIN, LIKELY
    from anonify.detection.reasons import REASONS

    rows = [
        (f"`{name}:…`" if "{}" in words else f"`{name}`", words.replace("{}", "…") or "(only the name of the thing)")
        for name, words in REASONS.items()
    ]
    return (
        "## Why something is suggested",
        (
            "A suggestion's `why` is one of these, with at most one argument after a colon: a label that stands in "
            "the document, a region's code or a page's number, never the value. `explanation` says the same in "
            "English, behind the name of the thing: `card number: passes its check digit`. `anonify detect --json` "
            "names them `reason` and `explanation`. `certainty` is the confidence in a word: `certain` from "
            f"{CERTAIN}, `likely` from {LIKELY}, below that `possible`."
        ),
        (
            "Names of one person share a `personKey`, the `groupKey` of the fullest form of the name; `anonify detect "
            "--json` gives every detection of category `person` that form's text as `person`. A form that several "
            "persons of the document may go by is grouped with none of them."
        ),
        _table(("why", "says"), rows),
    )


def _sealed_uploads() -> tuple[str, ...]:
    from anonify.runs import ENVELOPE
    from anonify.storage import CHUNK, HEADER, sealed_size

    overhead = sealed_size(0) - HEADER
    return (
        "## Sealed uploads",
        (
            f'Reserve with `"uploadEncryption": "{ENVELOPE}"`, a document or a batch. `size` stays that of the file, and '
            "so do all limits and allowances. The answer holds `uploadKey` (32 bytes in base64url without padding), told "
            "only there and good for this upload alone, and `uploadName`. The body of the PUT is then, instead of the file:"
        ),
        _table(
            ("bytes", "are"),
            (
                ("4", "`ANFY`"),
                ("4", "1 (version), 20 (a chunk is 2^20 bytes), 0, 0"),
                ("8", "random, fresh for each attempt, also when the same file is sent again"),
                (
                    f"at most {CHUNK:,} + {overhead}, repeated",
                    "a chunk of the file under AES-256-GCM, then its tag; every chunk but the last is full; an empty file "
                    "is one empty chunk",
                ),
            ),
        ),
        (
            f"Nonce: the 8 random bytes, then the chunk's number from 0 in 32 bits, big endian. Associated data: the {HEADER} "
            "bytes of the header, `uploadName` in UTF-8, one byte that is 1 for the last chunk and 0 for all others. "
            f"`Content-Length` is {HEADER} + size + {overhead} × chunks; another one is `length-mismatch`. What does not "
            "begin as an envelope is `upload-unreadable` at once; what does not open fails the document with the same code. "
            "A PUT that was refused or broke off may be repeated under the same key."
        ),
    )


def http() -> str:
    """docs/http.md."""
    from anonify.web import openapi_schema
    from anonify.web.problems import FIELDS, SENTENCES

    rows = []
    schema: dict[str, Any] = openapi_schema()
    for path, operations in schema["paths"].items():
        for method, operation in operations.items():
            rows.append(
                (
                    f"`{method.upper()} {path}`",
                    operation.get("summary", ""),
                    _parameters(operation),
                    _bodies(operation.get("requestBody", {}).get("content", {})),
                    _answers(operation),
                )
            )
    return _page(
        "HTTP",
        "JSON in camelCase. The fields of the named objects are at `/api/docs` of a running installation, for people, "
        "and at `/api/openapi.json`, for programs.",
        _table(("route", "does", "parameters", "body", "answers"), rows),
        *_sealed_uploads(),
        *_reasons(),
        "## Errors",
        'Every error is `{"error": sentence, "code": name, …}`. A code is one of [failures.md](failures.md), which a '
        "document's own state names too, or one of these, which only a request can have. Sentences are fixed.",
        _table(
            ("code", "says", "HTTP"),
            [(f"`{code}`", sentence, str(status)) for code, (status, sentence) in SENTENCES.items()],
        ),
        "Further fields, numbers and fixed identifiers only:",
        _table(("field", "with"), [(f"`{name}`", meaning) for name, meaning in FIELDS.items()]),
    )


def _takes(parameter: Any) -> str:
    """What an option takes, as the help shows it."""
    if parameter.param_type_name == "argument" or getattr(parameter, "is_flag", False):
        return ""
    choices = get_args(parameter.type_descriptor.annotation)
    if choices and all(isinstance(choice, str) for choice in choices):
        return " `" + "|".join(choices) + "`"
    return f" `{parameter.metavar}`" if parameter.metavar else ""


def _default(parameter: Any) -> str:
    default = parameter.default
    shown = isinstance(default, (str, int)) and not isinstance(default, bool)
    return f"`{getattr(default, 'value', default)}`" if shown and str(default) else ""


def _commands(group: Any, context: Any, before: str = "") -> Iterator[tuple[str, Any]]:
    """Every command by its whole name, those of groups in their group's place."""
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if hasattr(command, "list_commands"):
            yield from _commands(command, context, f"{before}{name} ")
        else:
            yield before + name, command


def cli() -> str:
    """docs/cli.md."""
    import click
    from typer.main import get_command

    from anonify.cli.app import app

    root = get_command(app)
    parts = []
    context = click.Context(root, info_name="anonify")  # type: ignore[arg-type]  # typer's command is click's
    for name, command in _commands(root, context):
        rows = []
        for parameter in command.params:
            if parameter.name == "help":
                continue
            shown = ", ".join(f"`{option}`" for option in [*parameter.opts, *parameter.secondary_opts])
            rows.append((shown + _takes(parameter), getattr(parameter, "help", "") or "", _default(parameter)))
        summary = (command.help or "").split("\n\n")[0].replace("\n", " ")
        listed = "\n\n" + _table(("argument", "does", "default"), rows) if rows else ""
        parts.append(f"## anonify {name}\n\n{summary}{listed}")
    return _page(
        "Command line",
        "Machine output goes to stdout with `--json`, everything for people to stderr. Exit status: 0 done, "
        "1 an input was refused or failed, 2 usage, 3 verification refused an export, 130 interrupted.",
        *parts,
    )


def _schema(schema: dict[str, Any]) -> str:
    return json.dumps(schema, indent=2) + "\n"


def report() -> str:
    """docs/report.schema.json."""
    from anonify.export import report_schema

    return _schema(report_schema())


def vault() -> str:
    """docs/vault.schema.json."""
    from anonify.export import vault_schema

    return _schema(vault_schema())


def render_all() -> dict[str, str]:
    """Every reference page by file name."""
    return {
        "failures.md": failures(),
        "settings.md": settings(),
        "formats.md": formats(),
        "events.md": events(),
        "http.md": http(),
        "cli.md": cli(),
        "report.schema.json": report(),
        "vault.schema.json": vault(),
    }


def main() -> None:
    """Write the pages."""
    for name, text in render_all().items():
        (DOCS / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
