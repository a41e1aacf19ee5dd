"""Every place a presentation can hide text: the value goes, its twin beside it stays."""

from __future__ import annotations

import io
import shutil
import subprocess
from pathlib import Path
from typing import Literal

import pytest
from pptx import Presentation

from anonify.documents.gate import read_back
from anonify.documents.plan import RedactionPlan, SweepValue
from anonify.documents.pptx import FORMAT
from anonify.sandbox.source import BytesSource, MemorySink

from .decks import K, V, deck, paragraph, shape
from .eyes import count
from .places import EMPTIED, NAMES, ONE_WORD, PLACES, PROPERTIES, crowded, strictly

Reader = Literal["own", "independent"]
READERS: tuple[Reader, ...] = ("own", "independent")


def plan_of(value: str, *, keep_metadata: bool = False) -> RedactionPlan:
    return RedactionPlan(sweep=(SweepValue(value, "[REDACTED]"),), keep_metadata=keep_metadata)


def redacted(source: bytes, value: str = V, *, keep_metadata: bool = False) -> bytes:
    """The artifact, in which both readers find nothing, every check holds and python-pptx finds the same slides."""
    artifact = checked(source, value, keep_metadata=keep_metadata)
    assert slides(artifact) == slides(source)
    return artifact


def checked(source: bytes, value: str, *, keep_metadata: bool = False) -> bytes:
    plan = plan_of(value, keep_metadata=keep_metadata)
    sink = MemorySink()
    FORMAT.redact(BytesSource(source), sink, plan)
    artifact = sink.getvalue()
    for reader in READERS:
        verdict = read_back(FORMAT, BytesSource(source), BytesSource(artifact), plan, reader)
        assert (verdict.opened, verdict.survivors, verdict.failed) == (True, (), ()), reader
    return artifact


def slides(deck: bytes) -> list[tuple[str, list[str]]]:
    """Each slide's title and its shapes' kinds, as python-pptx finds them."""
    return [
        (
            slide.shapes.title.text if slide.shapes.title is not None else "",
            [type(shape).__name__ for shape in slide.shapes],
        )
        for slide in Presentation(io.BytesIO(deck)).slides
    ]


@pytest.mark.parametrize("place", PLACES)
def test_the_value_goes_and_its_twin_stays(place: str) -> None:
    source = PLACES[place]()
    assert count(source, V)

    artifact = redacted(source)

    assert count(artifact, V) == 0
    assert count(artifact, K, plainly=True) == count(source, K, plainly=True)
    assert count(artifact, K) > 1  # the title says it once


def test_strict_presentations_lose_it_too() -> None:
    source = strictly()

    artifact = checked(source, V)

    assert count(source, V)
    assert count(artifact, V) == 0
    assert count(artifact, K) == count(source, K) > 1


@pytest.mark.parametrize("place", EMPTIED)
@pytest.mark.parametrize("keep_metadata", [False, True])
def test_the_value_goes_with_what_holds_it(place: str, keep_metadata: bool) -> None:
    source = EMPTIED[place]()
    assert count(source, V)

    artifact = redacted(source, keep_metadata=keep_metadata)

    assert count(artifact, V) == 0
    assert count(artifact, K)


@pytest.mark.parametrize("place", PROPERTIES)
def test_properties_lose_the_value_kept_or_not(place: str) -> None:
    source = PROPERTIES[place]()
    assert count(source, V)

    assert count(redacted(source), V) == 0
    kept = redacted(source, keep_metadata=True)
    assert count(kept, V) == 0
    assert count(kept, K) == count(source, K)


@pytest.mark.parametrize("place", NAMES)
def test_names_change_where_they_hold_the_value(place: str) -> None:
    source = NAMES[place]()
    assert count(source, ONE_WORD)

    artifact = redacted(source, ONE_WORD)

    assert count(artifact, ONE_WORD) == 0
    assert count(artifact, "Vandersloot")


OUTSIDE = {"archive's comment", "before the archive", "after the archive"}
"""What the writer never copies, so that its own reader does not look there."""
ALL = {**PLACES, **EMPTIED, **PROPERTIES}


@pytest.mark.parametrize(
    ("place", "reader"),
    [(place, reader) for place in ALL for reader in READERS if reader != "own" or place not in OUTSIDE],
)
def test_each_reader_finds_the_value_where_it_stands(place: str, reader: Reader) -> None:
    """A gate that cannot see a place would wave a leak through."""
    source = BytesSource(ALL[place]())

    verdict = read_back(FORMAT, source, source, plan_of(V), reader)

    assert verdict.opened
    assert verdict.survivors


def test_the_second_reader_sees_an_ampersand_in_an_attribute() -> None:
    source = BytesSource(deck(slide_name="Quark &amp; Zebulon"))

    verdict = read_back(FORMAT, source, source, plan_of("Quark & Zebulon"), "independent")

    assert verdict.survivors


def test_a_number_leaves_the_text_and_measures_equal_to_it_hardly_change() -> None:
    run = '<a:r><a:rPr lang="en-US" sz="2000"/><a:t>owes 2000</a:t></a:r>'

    artifact = redacted(deck(shape(paragraph(run))), "2000")

    text = Presentation(io.BytesIO(artifact)).slides[0].shapes[1].text_frame.paragraphs[0].runs[0]
    assert text.text == "owes [REDACTED]"
    assert abs(text.font.size.pt - 20) < 0.1
    assert count(artifact, "2000") == 0


def test_there_are_enough_places() -> None:
    assert len(PLACES) >= 40


OFFICE = shutil.which("soffice")


@pytest.mark.skipif(OFFICE is None, reason="LibreOffice is not installed: nobody opened what was made")
def test_libreoffice_shows_the_twin_and_not_the_value(tmp_path: Path) -> None:
    source = crowded()
    (tmp_path / "before.pptx").write_bytes(source)
    (tmp_path / "after.pptx").write_bytes(redacted(source))

    before, after = shown(tmp_path / "before.pptx"), shown(tmp_path / "after.pptx")

    assert V in before
    assert V not in after
    assert after.count(K) == before.count(K) > 3
    assert "[REDACTED]" in after


def shown(path: Path) -> str:
    """What LibreOffice draws, as text."""
    profile = path.parent / "profile"
    command = [str(OFFICE), f"-env:UserInstallation={profile.as_uri()}", "--headless", "--convert-to", "pdf", path.name]
    subprocess.run(command, cwd=path.parent, check=True, timeout=240, capture_output=True)  # our own file
    text = ["pdftotext", "-layout", str(path.with_suffix(".pdf")), "-"]
    return " ".join(subprocess.run(text, check=True, capture_output=True, text=True).stdout.split())  # as above
