"""The commands and their flags.  Each imports what it needs when it runs, so that `--help` is quick."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Literal

import typer

from .console import FAILED, USAGE, emit, people, say

__all__ = ["app"]

app = typer.Typer(
    name="anonify",
    help="Removes sensitive values from documents and proves they are gone.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
ai = typer.Typer(help="The language model that documents are shown to.", no_args_is_help=True, rich_markup_mode=None)
app.add_typer(ai, name="ai")

Json = Annotated[bool, typer.Option("--json", help="Print JSON on stdout, one object a line.")]
Preset = Annotated[str, typer.Option("--preset", metavar="ID", help="What to look for; see `anonify presets`.")]


def _version(shown: bool) -> None:
    if shown:
        from anonify import __version__

        typer.echo(f"anonify {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Removes sensitive values from documents and proves they are gone."""
    del version  # its callback has printed it
    from .console import open_closed

    open_closed()


@app.command()
def redact(  # noqa: PLR0917  # a flag is a parameter
    inputs: Annotated[list[Path], typer.Argument(metavar="INPUT", help="Files, and folders to walk.")],
    out: Annotated[
        str | None,
        typer.Option(
            "--out", metavar="DIR|FILE", help="Where results go; without it beside the input as NAME-redacted.EXT."
        ),
    ] = None,
    accept: Annotated[
        Literal["none", "high", "all"],
        typer.Option(
            "--accept", help="Suggestions to accept: none, the certain ones (confidence 0.85 and more), or all."
        ),
    ] = "none",
    redact_: Annotated[
        list[str] | None, typer.Option("--redact", metavar="TEXT", help="Remove this text wherever it stands.")
    ] = None,
    redact_file: Annotated[
        Path | None, typer.Option("--redact-file", metavar="FILE", help="Remove every line of this UTF-8 file.")
    ] = None,
    regex: Annotated[
        list[str] | None, typer.Option("--regex", metavar="PATTERN", help="Remove what this RE2 pattern matches.")
    ] = None,
    keep: Annotated[
        list[str] | None,
        typer.Option("--keep", metavar="TEXT", help="Accept no suggestion that is this text or a part of it."),
    ] = None,
    category: Annotated[
        str | None,
        typer.Option("--category", metavar="CAT,...", help="Accept only suggestions of these categories."),
    ] = None,
    preset: Preset = "everything",
    method: Annotated[
        Literal["mask", "pseudonymize", "tokenize", "encrypt"],
        typer.Option("--method", help="What values become; categories that may not become that are masked."),
    ] = "mask",
    method_for: Annotated[
        list[str] | None,
        typer.Option("--method-for", metavar="CAT=METHOD", help="Another method for one category, which may have it."),
    ] = None,
    image_style: Annotated[
        Literal["solid", "blur", "pixelate"],
        typer.Option("--image-style", help="How marked rectangles of pictures are painted."),
    ] = "solid",
    labels: Annotated[
        bool, typer.Option("--labels", help="Write [PERSON] and the like instead of [REDACTED].")
    ] = False,
    keep_metadata: Annotated[
        bool, typer.Option("--keep-metadata", help="Keep author, title and the like where they hold no removed value.")
    ] = False,
    report: Annotated[
        bool, typer.Option("--report", help="Write OUTPUT.report.json: counts and checks, no content.")
    ] = False,
    state: Annotated[
        Path | None,
        typer.Option(
            "--state", metavar="DIR", help="Keep the state here: the same command resumes an interrupted run."
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite results that exist.")] = False,
    json: Json = False,
) -> None:
    """Remove values from files and folders, and verify each result before it is written.

    Without --redact, --redact-file, --regex or --accept nothing but metadata is removed.
    With --json a line appears as each input finishes.

    --keep may be given several times; where --redact or --regex names the same text, it is removed.

    pseudonymize puts PERSON_417 in the place of a person, the same in every file of this command. With tokenize and
    encrypt the values can be had back: OUTPUT.vault.json holds what it takes. See `anonify restore`.

    A message comes out with its attachments redacted, a mailbox and an archive put together again. What cannot be is
    left out and told with its reason; the exit status is then 1, though the rest is written.
    """
    from .wanted import WantedProblem, make_wanted

    try:
        wanted = make_wanted(
            values=redact_ or (),
            values_file=redact_file,
            patterns=regex or (),
            keep=keep or (),
            accept=accept,
            category=category,
            preset=preset,
            method=method,
            method_for=method_for or (),
            image_style=image_style,
            keep_metadata=keep_metadata,
            labels=labels,
        )
    except WantedProblem as error:
        _usage(str(error))
    from .redact import Ask
    from .redact import redact as run

    if not wanted.values and not wanted.patterns and wanted.accept == "none":
        say("Nothing is named to be removed, so only metadata will be. See --redact and --accept.")
    ask = Ask(tuple(inputs), wanted, out=out, report=report, state=state, force=force, json=json)
    raise typer.Exit(_guarded(lambda: run(ask)))


@app.command()
def detect(
    inputs: Annotated[list[Path] | None, typer.Argument(metavar="INPUT", help="Files, and folders to walk.")] = None,
    preset: Preset = "everything",
    jsonl: Annotated[
        str | None,
        typer.Option(
            "--jsonl", metavar="FILE|-", help='Read {"id","text"} lines and print detections for each, in order.'
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Show what looks sensitive.  Nothing is changed.

    Documents inside a message, a mailbox or an archive follow it, each as FILE!PART.
    """
    from .wanted import WantedProblem, check_preset

    try:
        check_preset(preset)
    except WantedProblem as error:
        _usage(str(error))
    if (jsonl is None) == (not inputs):
        _usage("Name files to look at, or --jsonl.")
    from .detect import detect_files, detect_lines

    if jsonl is not None:
        raise typer.Exit(_guarded(lambda: detect_lines(jsonl, preset)))
    raise typer.Exit(_guarded(lambda: detect_files(inputs or [], preset, as_json=json)))


@app.command()
def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A redacted file; it may have been edited since.")],
    vault: Annotated[Path, typer.Option("--vault", metavar="VAULT", help="The vault that came with it.")],
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="Where the restored file goes.")],
    force: Annotated[bool, typer.Option("--force", help="Overwrite the result if it exists.")] = False,
    json: Json = False,
) -> None:
    """Put tokenized and encrypted values back into a redacted file, with its vault.

    PDF files and pictures cannot be restored. What was masked or pseudonymized does not come back.

    Exit status 0: restored.  1: not possible, with the reason.  3: what came of it is no whole file.
    """
    from .restore import Ask, restore_file

    raise typer.Exit(_guarded(lambda: restore_file(Ask(file, vault, out, force=force, json=json))))


@app.command()
def verify(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Any file of a supported format.")],
    values_file: Annotated[
        Path, typer.Option("--values-file", metavar="FILE", help="Values to search for, one a line, UTF-8.")
    ],
    json: Json = False,
) -> None:
    """Search a file for values with both readers of its format: the gate alone.

    Exit status 0: none found.  1: not readable.  3: found.
    """
    from .wanted import WantedProblem, read_values

    try:
        values = read_values(values_file)
    except WantedProblem as error:
        _usage(str(error))
    if not file.exists():
        _usage("The file does not exist.")
    from .verify import verify_file

    raise typer.Exit(_guarded(lambda: verify_file(file, values, as_json=json)))


@app.command()
def serve(
    host: Annotated[str, typer.Option("--host", help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Port to listen on.")] = 8000,
    role: Annotated[
        Literal["all", "web", "worker"], typer.Option("--role", help="Serve and work, only serve, or only work.")
    ] = "all",
    open_: Annotated[bool, typer.Option("--open", help="Open the site in a browser.")] = False,
) -> None:
    """Serve the web application and its API."""
    from .operate import serve as run

    raise typer.Exit(_guarded(lambda: run(host, port, role, open_browser=open_)))


@app.command()
def worker() -> None:
    """Run documents that others have admitted, until stopped."""
    from .operate import serve as run

    raise typer.Exit(_guarded(lambda: run("127.0.0.1", 0, "worker", open_browser=False)))


@app.command()
def cleanup(json: Json = False) -> None:
    """Remove everything that has expired, now."""
    from .operate import cleanup as run

    raise typer.Exit(_guarded(lambda: run(as_json=json)))


@app.command()
def doctor(json: Json = False) -> None:
    """Check this installation; one line each with what to do."""
    from .operate import doctor as run

    raise typer.Exit(_guarded(lambda: run(as_json=json)))


@ai.command("verify")
def ai_verify(json: Json = False) -> None:
    """See what the configured language model can do, in two tiny calls about nothing, and keep it.

    Until then it is not asked about documents. Another model or address has to be verified anew.

    Exit status 0: it can be asked.  1: it cannot, with the reason.  2: none is set, or not rightly.
    """
    from .ai import verify_model

    raise typer.Exit(_guarded(lambda: verify_model(as_json=json)))


@app.command()
def migrate() -> None:
    """Bring the database to this version's tables."""
    from .operate import migrate as run

    raise typer.Exit(_guarded(run))


@app.command()
def formats(json: Json = False) -> None:
    """List the formats that can be redacted."""
    from anonify.documents import formats as registered

    if json:
        for form in registered():
            emit(
                {
                    "kind": form.kind,
                    "label": form.label,
                    "extensions": list(form.extensions),
                    "mimeTypes": list(form.mime_types),
                    "unit": form.unit,
                    "container": form.container,
                }
            )
        return
    from .tables import simple_table

    rows = [(form.kind, form.label, " ".join(form.extensions), form.mime_types[0]) for form in registered()]
    simple_table(people(), ("kind", "is", "names", "type"), rows)


@app.command()
def presets(json: Json = False) -> None:
    """List the presets: what each looks for."""
    from anonify.detection import DISCLAIMER, PRESETS

    if json:
        for preset in PRESETS.values():
            emit(
                {
                    "id": preset.id,
                    "label": preset.label,
                    "text": preset.text,
                    "categories": sorted(preset.categories),
                }
            )
        return
    from .tables import simple_table

    simple_table(people(), ("id", "is", "looks for"), [(one.id, one.label, one.text) for one in PRESETS.values()])
    say(DISCLAIMER)


def _usage(sentence: str) -> None:
    say(sentence)
    raise typer.Exit(USAGE)


def _advise() -> None:
    """Say what is broken and what to do: whoever runs the command is the operator."""
    from .operate import broken

    for line in broken():
        say(line)


def _database_errors() -> type[Exception]:
    """What a database that is away raises; imported only once something was raised."""
    from sqlalchemy.exc import DBAPIError

    return DBAPIError


def _guarded(run: Callable[[], int]) -> int:
    """Run a command; a failure is its code's sentence, never a trace with content."""
    from pydantic import ValidationError

    from anonify.errors import FAILURES, AnonifyError, Code

    from .console import INTERRUPTED

    try:
        status = run()
    except KeyboardInterrupt:
        status = INTERRUPTED
    except BrokenPipeError:
        status = FAILED
    except AnonifyError as error:
        say(f"{error.code.value}: {error.failure.sentence}")
        if error.code is Code.CONFIGURATION:
            _advise()
        status = FAILED
    except OSError as error:
        say(f"{Code.UNKNOWN.value}: {error.strerror or type(error).__name__}.")
        status = FAILED
    except ValidationError as error:
        from .operate import say_settings

        say_settings(error)
        status = FAILED
    except _database_errors():  # its text names server and user
        say(f"{Code.DATABASE.value}: {FAILURES[Code.DATABASE].sentence}")
        status = FAILED
    if status == INTERRUPTED:
        # Whoever presses ctrl-c does not wait for steps under way; a state survives being killed, which is worse.
        with contextlib.suppress(OSError):
            sys.stdout.flush()
        os._exit(status)
    return status
