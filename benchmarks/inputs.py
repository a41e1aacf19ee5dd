"""Documents for the benchmarks, made in code: the same bytes at every run."""

from __future__ import annotations

import random
import zipfile
from pathlib import Path

__all__ = ["SECRET", "make_csv", "make_docx", "make_pdf"]

SECRET = "quentin.marlowe@example.org"
"""The value that every benchmark input holds and every run removes."""

_TEXT = (
    "account agreement annual answer board budget case city clause committee contract copy court date delivery "
    "department draft estimate evidence file finding form grant hearing issue item letter ledger line matter "
    "meeting minute month notice number office order page part payment period plan point policy price process "
    "project public question record report request response result review rule schedule section service sheet "
    "site staff statement study summary table term ticket title trade transfer unit update value visit water "
    "week work year "
)
_WORDS = _TEXT.split()


def sentence(random_: random.Random, words: int) -> str:
    return " ".join(random_.choice(_WORDS) for _ in range(words)).capitalize() + "."


def make_pdf(path: Path, pages: int) -> Path:
    """A text PDF of about 3,000 characters a page; every tenth page names the secret."""
    from reportlab.lib.pagesizes import A4
    from reportlab.pdfgen.canvas import Canvas

    random_ = random.Random(pages)
    canvas = Canvas(str(path), pagesize=A4, invariant=1)
    for page in range(pages):
        canvas.setFont("Helvetica", 10)
        for line in range(48):
            text = f"Contact: {SECRET} for the file" if page % 10 == 0 and line == 7 else sentence(random_, 9)
            canvas.drawString(56, 780 - line * 15, text)
        canvas.showPage()
    canvas.save()
    return path


def make_csv(path: Path, megabytes: int) -> Path:
    """Rows of eight columns; the secret stands in every thousandth row's note."""
    random_ = random.Random(megabytes)
    notes = [sentence(random_, 8) for _ in range(997)]
    with path.open("w", encoding="utf-8", newline="") as out:
        out.write("id,city,status,amount,opened,closed,reference code,note\r\n")
        row = 0
        while out.tell() < megabytes << 20:
            lines = []
            for _ in range(1000):
                note = f"ask {SECRET} first" if row % 1000 == 0 else notes[row % 997]
                city, status = _WORDS[row % 79], _WORDS[row % 73]
                amount, opened = f"{row * 7 % 9999}.{row % 100:02}", f"2024-05-{row % 28 + 1:02}"
                lines.append(f'{row},{city},{status},{amount},{opened},,K{row % 977},"{note}"\r\n')
                row += 1
            out.write("".join(lines))
    return path


_CONTENT_TYPES = (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Override PartName="/word/document.xml" ContentType='
    '"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'
)
_RELATIONSHIPS = (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" '
    'Target="word/document.xml"/></Relationships>'
)


def make_docx(path: Path, seed: int) -> Path:
    """A one-page DOCX of about 2,500 characters that names the secret once."""
    random_ = random.Random(seed)
    lines = [sentence(random_, 12) for _ in range(32)]
    lines[5] = f"Write to {SECRET} about it."
    body = "".join(f"<w:p><w:r><w:t>{line}</w:t></w:r></w:p>" for line in lines)
    document = (
        '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
        '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">'
        f"<w:body>{body}</w:body></w:document>"
    )
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("[Content_Types].xml", _CONTENT_TYPES)
        package.writestr("_rels/.rels", _RELATIONSHIPS)
        package.writestr("word/document.xml", document)
    return path
