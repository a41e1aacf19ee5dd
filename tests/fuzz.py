"""Mutated files of every format through the whole path.  `python -m tests.fuzz --seconds 600 [--kind pdf] [--seed N]`

A mutant is `(kind, seed)`: the same pair makes the same bytes.  Whatever the bytes, the outcome must be a failure code
that blames the file, or an artifact in which both readers find nothing.  A crash, a hang, or a survivor is a finding;
findings go to `SEEDS` so that the suite runs them for ever.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import random
import sys
import tempfile
import time
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from email.message import EmailMessage
from functools import cache
from pathlib import Path
from urllib.parse import quote

import msgspec
import openpyxl  # type: ignore[import-untyped]  # it has no stubs
import pptx
from openpyxl.comments import Comment  # type: ignore[import-untyped]  # as above
from openpyxl.workbook.defined_name import DefinedName  # type: ignore[import-untyped]  # as above
from PIL import Image, PngImagePlugin
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE

from anonify.documents import Box, RedactionPlan, RegionEdit, SweepValue
from anonify.documents.enclosures import PartEdit
from anonify.documents.register import by_kind
from anonify.documents.tasks import (
    EXPAND,
    EXTRACT,
    REDACT,
    SNIFF,
    UNPACK,
    VERIFY,
    ExpandArgs,
    ExtractArgs,
    RedactArgs,
    SniffArgs,
    UnpackArgs,
    VerifyArgs,
)
from anonify.errors import AnonifyError, Code
from anonify.sandbox import BytesSource, MemorySink, Source, TaskRunner
from benchmarks import inputs

__all__ = ["FILE_IS_AT_FAULT", "KINDS", "SEEDS", "Finding", "drive", "mutant", "mutated"]

PICTURES = ("png", "jpeg", "webp", "tiff", "gif", "bmp")
PACKAGES = ("docx", "xlsx", "pptx")
CONTAINERS = ("mbox", "zip")
KINDS = ("txt", "csv", "tsv", *PACKAGES, "pdf", "eml", *CONTAINERS, *PICTURES)

FILE_IS_AT_FAULT = frozenset(
    {
        Code.MALFORMED,
        Code.ENCRYPTED,
        Code.TOO_COMPLEX,
        Code.EXTENSION_MISMATCH,
        Code.UNSUPPORTED_TYPE,
        Code.EMPTY_FILE,
        Code.EMPTY_CONTAINER,
    }
)
"""What a broken file may be refused with."""

SEEDS: tuple[tuple[str, int], ...] = (
    *(("docx", seed) for seed in (3147, 3441, 3593, 3802, 4073)),  # parts only a lax tokenizer reads
    ("gif", 504346),  # a frame that reaches over the canvas
    ("gif", 902090),  # 17 megapixels of one colour
    ("png", 503481),  # an animation in grey
)
"""Mutants that once found a fault."""

PLAN = RedactionPlan(sweep=(SweepValue(inputs.SECRET, "[REDACTED]"),))
PICTURE_PLAN = RedactionPlan(
    sweep=PLAN.sweep,
    regions=(RegionEdit(1, Box(4, 4, 30, 12)), RegionEdit(2, Box(9, 9, 20, 20), "pixelate")),
)
"""A picture's values stand in its notes; its areas must be painted."""

TOKENS = (
    b"\x00",
    b"\xff\xfe",
    b'"',
    b"<",
    b"&#x41;",
    b"]]>",
    b"PK\x03\x04",
    b"endobj",
    b"stream\n",
    b"\r\n",
    b"\xe2\x80\x8b",
)


class Finding(AssertionError):
    """A mutant that was not handled as promised."""


@cache
def original(kind: str) -> bytes:
    """A small sound file of `kind` that holds the benchmark's secret."""
    if kind in PICTURES:
        return _picture(kind)
    if kind in CONTAINERS:
        return _mailbox() if kind == "mbox" else _archive()
    if kind == "eml":
        return _message()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"sound.{kind}"
        if kind == "docx":
            return inputs.make_docx(path, 1).read_bytes()
        if kind == "pdf":
            return inputs.make_pdf(path, 2).read_bytes()
        if kind == "xlsx":
            return _workbook(path)
        if kind == "pptx":
            return _presentation(path)
    rows = "".join(f'{n},name {n},{inputs.SECRET if n % 7 == 0 else "nobody"},"two, parts"\r\n' for n in range(60))
    text = "id,name,mail,note\r\n" + rows
    return text.replace(",", "\t").encode() if kind == "tsv" else text.encode()


def _message() -> bytes:
    """A message with the secret in headers, a plain and an HTML body, an attached file and a message inside."""
    inner = EmailMessage()
    inner["Subject"] = f"about {inputs.SECRET}"
    inner["From"] = inputs.SECRET
    inner.set_content(f"dear {inputs.SECRET}, caf\u00e9")
    message = EmailMessage()
    message["From"], message["To"] = f"J\u00f6rg <{inputs.SECRET}>", "nobody@example.test"
    message["Subject"] = f"caf\u00e9 {inputs.SECRET}"
    message["X-Link"] = f"<https://example.test/?q={quote(inputs.SECRET)}>"
    message.set_content(f"dear {inputs.SECRET},\n> {inputs.SECRET}\nkept\n", cte="quoted-printable")
    message.add_alternative(f"<p>dear <b>{inputs.SECRET}</b><!-- {inputs.SECRET} --></p>", subtype="html", cte="base64")
    message.add_attachment(f"\0{inputs.SECRET}\0".encode(), "application", "x-any", filename=f"{inputs.SECRET}.bin")
    message.add_attachment(inner)
    for number, part in enumerate(part for part in message.walk() if part.is_multipart()):
        if part.get_content_maintype() == "multipart":
            part.set_boundary(f"==boundary {number}==")
    return message.as_bytes()


def _workbook(path: Path) -> bytes:
    """Two sheets, one of them hidden, with the secret in shared strings, a formula, a comment, a name and a number's
    neighbour."""
    book = openpyxl.Workbook()
    sheet = book.active
    for row in range(30):
        sheet.append([row, f"name {row}", inputs.SECRET if row % 7 == 0 else "nobody", row * 1.5])
    sheet["F2"] = f'="{inputs.SECRET}"&A2'
    sheet["B3"].comment = Comment(inputs.SECRET, "somebody")
    sheet["A5"].number_format = "00000000"
    book.create_sheet("more").append([inputs.SECRET, True, "kept"])
    book["more"].sheet_state = "hidden"
    book.defined_names["mail"] = DefinedName("mail", attr_text=f'"{inputs.SECRET}"')
    book.save(path)
    return path.read_bytes()


def _presentation(path: Path) -> bytes:
    """Three slides with the secret in runs, a table, a chart and its workbook, notes, a shape's name and a link."""
    deck = pptx.Presentation()
    for number in range(3):
        slide = deck.slides.add_slide(deck.slide_layouts[5])
        title = slide.shapes.title
        title.text_frame.text = f"Slide {number} "
        for piece in (inputs.SECRET[:5], inputs.SECRET[5:]):
            title.text_frame.paragraphs[0].add_run().text = piece
        slide.notes_slide.notes_text_frame.text = f"ask {inputs.SECRET}" if number else "nobody"
    table = slide.shapes.add_table(2, 2, 0, 0, 900_000, 900_000).table
    table.cell(1, 1).text = inputs.SECRET
    data = CategoryChartData()  # type: ignore[no-untyped-call]  # python-pptx has no annotations
    data.categories = [inputs.SECRET, "kept"]
    data.add_series(inputs.SECRET, (1, 2))  # type: ignore[no-untyped-call]  # python-pptx has no annotations
    slide.shapes.add_chart(XL_CHART_TYPE.PIE, 0, 0, 900_000, 900_000, data)
    box = slide.shapes.add_textbox(0, 0, 900_000, 900_000)
    box.name = f"photo of {inputs.SECRET}"
    box.text_frame.paragraphs[0].add_run().hyperlink.address = f"https://example.test/?q={quote(inputs.SECRET)}"
    deck.save(str(path))
    return path.read_bytes()


def _picture(kind: str) -> bytes:
    """A small picture, of two frames where the kind has frames, with the secret in its notes."""
    frames = [Image.linear_gradient("L").resize((48, 32)).convert("RGB")]
    frames.append(frames[0].transpose(Image.Transpose.ROTATE_180))
    exif = Image.Exif()
    exif[270], exif[274] = inputs.SECRET, 6
    exif.get_ifd(34665)[37510] = b"ASCII\0\0\0" + inputs.SECRET.encode()
    notes = PngImagePlugin.PngInfo()
    notes.add_text("Author", inputs.SECRET)
    options: dict[str, dict[str, object]] = {
        "png": {"pnginfo": notes, "exif": exif, "save_all": True, "append_images": frames[1:], "duration": 50},
        "jpeg": {"exif": exif, "comment": inputs.SECRET, "progressive": True},
        "webp": {"exif": exif, "save_all": True, "append_images": frames[1:], "duration": 50},
        "tiff": {"save_all": True, "append_images": frames[1:], "tiffinfo": {270: inputs.SECRET}},
        "gif": {"comment": inputs.SECRET, "save_all": True, "append_images": frames[1:], "duration": 50, "loop": 0},
        "bmp": {},
    }
    made = io.BytesIO()
    frames[0].save(made, kind.upper(), **options[kind])
    return made.getvalue() + (inputs.SECRET.encode() if kind == "bmp" else b"")


def _mailbox() -> bytes:
    """Messages with lines like separators, quoted and not, the secret on separators and in bodies."""
    body = f"\n>From {inputs.SECRET}\n\nFrom here on\n\nFrom {inputs.SECRET} Tue Mar  4 03:33:20 2003\nno header\n"
    messages = (
        f"From {inputs.SECRET} Tue Mar  4 03:33:2{n} 2003{end}Date: Fri, 7 Feb 2003 18:35:2{n} +0200{end}"
        f"From: {inputs.SECRET}{end}Subject: {n}{end}{end}{body.replace(chr(10), end)}{end}"
        for n, end in enumerate(("\n", "\r\n", "\n"))
    )
    return "".join(messages).encode()


def _archive() -> bytes:
    """Files in folders and an archive, the secret in names, comments, extra fields and files."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("a.txt", f"{inputs.SECRET}/b.csv", f"c/{inputs.SECRET}.txt"):
            entry = zipfile.ZipInfo(name)
            entry.comment = inputs.SECRET.encode()
            entry.extra = b"up" + len(inputs.SECRET).to_bytes(2, "little") + inputs.SECRET.encode()
            archive.writestr(entry, f"name,no\n{inputs.SECRET},1\n" * 9)
        archive.comment = inputs.SECRET.encode()
    return made.getvalue()


def _flip(data: bytearray, dice: random.Random) -> None:
    data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)


def _cut(data: bytearray, dice: random.Random) -> None:
    start = dice.randrange(len(data))
    del data[start : start + dice.choice((1, 7, 200, len(data)))]


def _double(data: bytearray, dice: random.Random) -> None:
    start = dice.randrange(len(data))
    part = data[start : start + dice.choice((1, 9, 300))]
    data[start:start] = part


def _insert(data: bytearray, dice: random.Random) -> None:
    start = dice.randrange(len(data))
    data[start:start] = dice.choice(TOKENS)


def _blank(data: bytearray, dice: random.Random) -> None:
    start = dice.randrange(len(data))
    length = min(dice.choice((2, 64)), len(data) - start)
    data[start : start + length] = bytes(length)


MUTATIONS: tuple[Callable[[bytearray, random.Random], None], ...] = (_flip, _cut, _double, _insert, _blank)


def mutated(data: bytes, dice: random.Random) -> bytes:
    """`data` with one or a few small damages."""
    made = bytearray(data)
    for _ in range(dice.choice((1, 1, 2, 5))):
        if made:
            dice.choice(MUTATIONS)(made, dice)
    return bytes(made)


def _mutate_a_part(package: bytes, dice: random.Random) -> bytes:
    """A sound zip around a damaged part: otherwise every mutant would fail at the part's checksum."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(package)) as before, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as after:
        names = before.namelist()
        chosen = dice.choice(names)
        for name in names:
            data = before.read(name)
            after.writestr(zipfile.ZipInfo(name), mutated(data, dice) if name == chosen else data)
    return made.getvalue()


def _mutate_a_chunk(picture: bytes, dice: random.Random) -> bytes:
    """Sound chunks around a damaged one, whose checksum is right."""
    chunks, place = [], 8
    while place < len(picture):
        length = int.from_bytes(picture[place : place + 4], "big")
        chunks.append((picture[place + 4 : place + 8], picture[place + 8 : place + 8 + length]))
        place += 12 + length
    chosen = dice.randrange(len(chunks))
    made = picture[:8]
    for number, (kind, body) in enumerate(chunks):
        data = mutated(body, dice) if number == chosen else body
        made += len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")
    return made


def mutant(kind: str, seed: int) -> bytes:
    """The mutant `(kind, seed)`."""
    dice = random.Random(f"{kind}:{seed}")
    if kind in PACKAGES and dice.random() < 0.8:
        return _mutate_a_part(original(kind), dice)
    if kind == "png" and dice.random() < 0.7:
        return _mutate_a_chunk(original(kind), dice)
    return mutated(original(kind), dice)


def drive(runner: TaskRunner, kind: str, data: bytes) -> str:
    """Recognise, extract, redact and read back; the outcome's name.

    Raises:
        Finding: the outcome is none that a file can be blamed for.
    """
    source = BytesSource(data)
    plan = PICTURE_PLAN if kind in PICTURES else PLAN
    try:
        found = runner.run(SNIFF, SniffArgs(f"file.{kind}"), sources={"source": source}, timeout=60).kind
        runner.run(EXTRACT, ExtractArgs(found), sources={"source": source}, sinks={"model": MemorySink()}, timeout=60)
        artifact = MemorySink()
        sources: dict[str, Source] = {"source": source}
        if by_kind(found).container:
            plan, sources["children"] = _parted(runner, found, source, plan)
        runner.run(REDACT, RedactArgs(found, plan), sources=sources, sinks={"artifact": artifact}, timeout=60)
    except AnonifyError as error:
        if error.code not in FILE_IS_AT_FAULT:
            raise Finding(f"{kind}: {error.code}") from error
        return str(error.code)
    made = {"source": source, "artifact": BytesSource(artifact.getvalue())}
    for reader in ("own", "independent"):
        try:
            seen = runner.run(VERIFY, VerifyArgs(found, plan, reader), sources=made, timeout=60)
        except AnonifyError as error:
            raise Finding(f"{kind}: {reader} reader: {error.code}") from error
        if not seen.opened or seen.survivors or seen.failed:
            raise Finding(f"{kind}: {reader} reader: opened {seen.opened}, {len(seen.survivors)} left, {seen.failed}")
    return "redacted"


def _parted(runner: TaskRunner, kind: str, source: Source, plan: RedactionPlan) -> tuple[RedactionPlan, Source]:
    """The plan with what becomes of the documents inside, and their artifacts: themselves without the secret."""
    expanded = runner.run(EXPAND, ExpandArgs(kind), sources={"source": source}, timeout=60)
    children, sink = tuple(child for child in expanded.children if not child.skipped), MemorySink()
    unpacked = runner.run(
        UNPACK, UnpackArgs(kind, children), sources={"source": source}, sinks={"children": sink}, timeout=60
    )
    data, start, parts, edits = sink.getvalue(), 0, [], []
    for child, length in zip(children, unpacked.lengths, strict=True):
        part = data[start : start + length].replace(inputs.SECRET.encode(), b"[REDACTED]")
        edits.append(PartEdit(child.path, "substituted", len(part), hashlib.sha256(part).hexdigest()))
        parts.append(part)
        start += length
    return msgspec.structs.replace(plan, parts=tuple(edits)), BytesSource(b"".join(parts))


def mutants(kinds: tuple[str, ...], seconds: float, first: int) -> Iterator[tuple[str, int]]:
    """Pairs, kind after kind, until the time is up."""
    stop = time.monotonic() + seconds
    seed = first
    while time.monotonic() < stop:
        for kind in kinds:
            yield kind, seed
        seed += 1


def main() -> None:
    """Fuzz until the time is up; exit 1 when there were findings."""
    from anonify.sandbox import Limits, Pool

    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--kind", choices=KINDS)
    parser.add_argument("--seed", type=int, help="where to begin; a random place when left out")
    options = parser.parse_args()
    first = random.SystemRandom().randrange(1 << 40) if options.seed is None else options.seed
    outcomes: Counter[str] = Counter()
    findings = 0
    pool = Pool(1, Limits())
    for kind, seed in mutants((options.kind,) if options.kind else KINDS, options.seconds, first):
        try:
            outcomes[f"{kind} {drive(pool, kind, mutant(kind, seed))}"] += 1
        except Finding as finding:
            findings += 1
            print(f'("{kind}", {seed}),  # {finding}', flush=True)
    pool.close()
    for name, count in sorted(outcomes.items()):
        print(f"{count:8} {name}")
    sys.exit(findings > 0)


if __name__ == "__main__":
    main()
