"""Writes the documents in `examples/`.  `python -m tests.cli.make_examples`.

It lives here because that folder holds nothing but documents, for `make demo` to redact.  All people are invented;
numbers are from ranges kept for examples.
"""

from __future__ import annotations

import csv
from pathlib import Path

from docx import Document
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"

NOTE = """\
Call note, 14 March
Customer reference: KD-204417

Spoke to Mr Milo Ashgrove about his moved appointment.
Call back after six: +44 20 7946 0018
Mail: milo.ashgrove@example.org
New card on file: 4111 1111 1111 1111, the old one is blocked.

He asked that his sister, Dr Ines Ashgrove, is told as well
(ines@example.net). Nothing else was agreed.
"""

STAFF = [
    ("Name", "Date of birth", "E-mail", "Phone", "Team", "Since"),
    ("Tamsin Orrel", "1984-05-17", "tamsin.orrel@example.com", "+44 113 496 0241", "Archive", "2011"),
    ("Björn Falkvik", "1990-11-02", "b.falkvik@example.com", "+44 113 496 0877", "Front desk", "2019"),
    ("Amara Nkeze", "1978-01-29", "amara.nkeze@example.com", "+44 113 496 0340", "Archive", "2004"),
    ("Luca Ferrandino", "2001-08-13", "l.ferrandino@example.com", "+44 113 496 0512", "Records", "2023"),
]

LETTER = [
    "Dear Ms Quillby,",
    "Thank you for your letter. From May on your pension goes to IBAN DE89 3704 0044 0532 0130 00, of Odette Quillby.",
    "If anything is wrong, write to odette.quillby@example.org or call +44 161 496 0733.",
    "Yours sincerely,",
    "Harlan Pym, Pensions",
]

STATEMENT = [
    ("Statement of visits", 16),
    ("", 11),
    ("Name: Rosalind Achterberg", 11),
    ("Date of birth: 3 July 1961", 11),
    ("Phone: +44 28 9018 0155", 11),
    ("E-mail: r.achterberg@example.org", 11),
    ("", 11),
    ("12 January   First visit, forty minutes, no charge.", 11),
    ("19 January   Second visit. Ms Achterberg brought the forms.", 11),
    ("2 February   Closed. Copy sent to r.achterberg@example.org.", 11),
    ("", 11),
    ("Paid to IBAN GB33BUKB20201555555555, reference 88-1204.", 11),
]


def make() -> None:
    """Write every example."""
    EXAMPLES.mkdir(exist_ok=True)
    (EXAMPLES / "call-note.txt").write_text(NOTE, encoding="utf-8")
    with (EXAMPLES / "staff.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(STAFF)
    _letter(EXAMPLES / "letter.docx")
    _statement(EXAMPLES / "statement.pdf")


def _letter(path: Path) -> None:
    document = Document()
    document.core_properties.author = "Harlan Pym"
    document.core_properties.title = "Pension of Odette Quillby"
    document.sections[0].header.paragraphs[0].text = "Odette Quillby - pension 2207"
    for text in LETTER:
        paragraph = document.add_paragraph()
        for number, part in enumerate(text.split("Odette ")):
            if number:
                paragraph.add_run("Odette ").bold = True
            paragraph.add_run(part)
    table = document.add_table(rows=2, cols=2)
    for cell, text in zip(
        (cell for row in table.rows for cell in row.cells),
        ("Month", "Amount", "May", "1,204.50"),
        strict=True,
    ):
        cell.text = text
    document.save(str(path))


def _statement(path: Path) -> None:
    canvas = Canvas(str(path), pagesize=A4, invariant=True)
    canvas.setTitle("Visits of Rosalind Achterberg")
    canvas.setAuthor("Front desk")
    y = 780.0
    for text, size in STATEMENT:
        canvas.setFont("Helvetica", size)
        canvas.drawString(72, y, text)
        y -= size * 1.7
    canvas.showPage()
    canvas.setFont("Helvetica", 11)
    canvas.drawString(72, 780, "This page holds no personal data and stays as it is.")
    canvas.save()


if __name__ == "__main__":
    make()
