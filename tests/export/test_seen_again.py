"""Redacted pages are read again: what is still seen goes, what cannot be read refuses the export, and text that only
looks like a value stays."""

from __future__ import annotations

import time
from typing import Any, cast

import msgspec
import pytest
from PIL import Image

from anonify.documents import (
    Box,
    BytesSource,
    Explained,
    Extraction,
    MemorySink,
    ModelWriter,
    Page,
    Part,
    RedactionPlan,
    RedactionResult,
    RegionEdit,
    Span,
    SweepValue,
)
from anonify.documents.tasks import REDACT, VERIFY, Verified
from anonify.errors import AnonifyError, Code, FatalError, Transient, VerificationFailed
from anonify.export import deliver
from anonify.ocr import OcrOptions, Reading, Reread, RereadArgs, Seen, Word, reread_artifact
from anonify.ocr.again import STRETCH
from anonify.ocr.seen import MAX_CLOSER, Rereader
from anonify.sandbox import TaskRunner

from .parts import Spool

OPTIONS = OcrOptions(dpi=72)
BODY = Explained(fonts=frozenset({"body"}))


def page(text: str, source: str = "text") -> Page:
    """A page with a word each 100 units, ten words a line, every letter ten units wide."""
    spans, words, length = [], [], 0
    for number, word in enumerate(text.split()):
        box = place(number, word)
        spans.append(Span(f"w{number}", length, length + len(word), Box(*box), None, "", source))  # type: ignore[arg-type]  # one of the two sources
        words.append(word)
        length += len(word) + 1
    return Page(1, " ".join(words), tuple(spans), 1000.0, 1000.0)


def place(number: int, word: str) -> tuple[int, int, int, int]:
    x, y = 100 * (number % 10), 30 * (number // 10)
    return (x, y, x + 10 * len(word), y + 20)


def shown(text: str, confidence: float = 0.95) -> list[Word]:
    """What a recogniser says where :func:`page` puts the same words; `_` is nothing."""
    words = enumerate(text.split())
    return [Word(word, place(number, word), confidence, number // 10) for number, word in words if word != "_"]


class File:
    """A file's pictures, all white, that say where their ink comes from."""

    def __init__(self, explained: Explained = BODY, parts: tuple[Part, ...] = ()) -> None:
        self._explained = explained
        self._parts = parts

    def scale_of(self, _dpi: float) -> float:
        return 1.0

    def picture(self, _page: int, _scale: float, box: Box | None = None) -> Image.Image:
        size = (1000, 1000) if box is None else (round(box.x1 - box.x0), round(box.y1 - box.y0))
        return Image.new("L", size, "white")

    def bare(self, _page: int, _scale: float, _box: Box) -> Image.Image | None:
        """Nothing lies over anything."""
        return None

    def parts(self, _page: int) -> tuple[Part, ...]:
        return self._parts

    def explained(self, _page: int) -> Explained:
        return self._explained


class Says:
    """A recogniser that says what it is told and remembers what it was given."""

    def __init__(self, *answers: list[Word]) -> None:
        self._answers = list(answers)
        self.sizes: list[tuple[int, int]] = []

    def recognise(self, image: Image.Image, _dpi: int) -> list[Word]:
        self.sizes.append(image.size)
        return self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]


def look(
    own: Page, answer: str | list[Word], *values: str, explained: Explained = BODY, parts: tuple[Part, ...] = ()
) -> list[tuple[int, tuple[Box, ...]]]:
    reader = Says(shown(answer) if isinstance(answer, str) else answer)
    return list(Rereader(File(explained, parts), File(), reader, OPTIONS, values=values).seen(own))


PLENTY = " ".join(f"word{chr(97 + number)}x" for number in range(24))


def test_a_value_that_is_still_seen_is_told_with_its_words() -> None:
    ((value, boxes),) = look(page("_ Marja Nordlund"), "_ Marja Nordlund", "Marja Nordlund")
    assert value == 0
    assert boxes == (Box(100, 0, 150, 20), Box(200, 0, 280, 20))


@pytest.mark.parametrize(
    ("value", "seen"),
    [
        ("Marja Nordlund", "_ " * 9 + "Marja Nordlund"),  # over a line's end
        ("Nordlund-Berg", "_ " * 9 + "Nordlund- Berg"),
        ("Nordlundberg", "_ " * 9 + "Nord- lundberg"),
        ("A1O0-7731", "_ AlOO-773l"),
        ("4000 1234 5678 9010", "4OOO l234 5678 9O1O"),
    ],
)
def test_a_value_is_seen_through_line_ends_and_look_alikes(value: str, seen: str) -> None:
    assert look(page("nothing else"), seen, value)


def test_kept_text_that_only_looks_like_a_value_is_left_alone() -> None:
    assert look(page("order AlOO stays"), "order A1O0 stays", "A1O0") == []
    assert look(page("order AlOO stays"), "order AlOO stays", "A1O0") == []


def test_what_a_picture_or_an_unknown_font_shows_is_not_explained_by_text_beside_it() -> None:
    own = page("order AlOO stays")
    over = (Part(Box(90, 0, 200, 30), "k"),)
    assert look(own, "order A1O0 stays", "A1O0", explained=Explained(pictures=True), parts=over)
    assert look(own, "order A1O0 stays", "A1O0", explained=Explained(unknown=True))
    assert look(own, "order A1O0 stays", "A1O0", explained=Explained(drawings=True))


def test_text_that_says_something_else_altogether_explains_nothing() -> None:
    assert look(page("order QQQQ stays"), "order A1O0 stays", "A1O0")


def test_a_font_is_believed_after_a_page_that_agreed() -> None:
    reader = Says(shown(PLENTY))
    rereader = Rereader(File(), File(), reader, OPTIONS, values=("Nordlund",))
    for _ in range(3):
        assert list(rereader.seen(page(PLENTY))) == []
    assert len(reader.sizes) == rereader.read == 1
    assert rereader.believed == {"body"}


def test_a_font_that_shows_other_words_than_it_says_is_not_believed() -> None:
    reader = Says(shown(PLENTY.replace("wordcx", "Nordlund")))
    rereader = Rereader(File(), File(), reader, OPTIONS, values=("Nordlund",))
    for _ in range(2):
        assert list(rereader.seen(page(PLENTY)))
    assert rereader.read == 2


def test_a_misreading_does_not_keep_a_font_from_being_believed() -> None:
    reader = Says(shown(PLENTY.replace("wordcx", "wordex")))
    rereader = Rereader(File(), File(), reader, OPTIONS, values=("Nordlund",))
    list(rereader.seen(page(PLENTY)))
    assert rereader.believed == {"body"}


def test_of_a_page_whose_fonts_are_believed_only_the_pictures_are_read() -> None:
    stamp = (Part(Box(400, 600, 500, 700), "k"),)
    reader = Says([Word("Nordlund", (3, 3, 80, 20), 0.9, 0)])
    explained = Explained(frozenset({"body"}), pictures=True)
    rereader = Rereader(File(explained, stamp), File(), reader, OPTIONS, values=("Nordlund",), believed=("body",))
    assert list(rereader.seen(page(PLENTY))) == [(0, (Box(400, 600, 477, 617),))]
    assert reader.sizes == [(106, 106)]


def test_text_of_an_absurd_height_costs_nothing() -> None:
    tall = page(PLENTY)
    span = Span("w", 0, 6, Box(0, -1e9, 10, 1e9))
    tall = msgspec.structs.replace(tall, spans=(span, *tall.spans[1:]))
    assert not look(tall, PLENTY, "Nordlund")


# Rounds


class Runner:
    """Stands for the pool: redacts nothing, and reads again what it is told."""

    def __init__(self, *answers: Reread | AnonifyError, rebuilt: tuple[int, ...] = (1, 2)) -> None:
        self._answers = list(answers)
        self._rebuilt = rebuilt
        self.plans: list[RedactionPlan] = []
        self.asked: list[tuple[tuple[int, ...], int]] = []

    def run(self, task: Any, args: Any, *, sinks: Any = None, **_: Any) -> Any:
        if task is REDACT:
            self.plans.append(args.plan)
            sinks["artifact"].write(b"artifact")
            return RedactionResult(1, 0, (), self._rebuilt)
        if task is VERIFY:
            return Verified(True, 1)
        assert isinstance(args, RereadArgs)
        self.asked.append((args.pages, args.options.dpi))
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        if isinstance(answer, AnonifyError):
            raise answer
        return answer


def export(runner: Runner, unread: tuple[int, ...] = ()) -> Any:
    sink = MemorySink()
    writer = ModelWriter(sink)
    for number in (1, 2):
        writer.page(Page(number, "text", width=100.0, height=100.0))
    model, lengths = BytesSource(sink.getvalue()), tuple(writer.lengths)
    source = BytesSource(b"%PDF")
    plan = RedactionPlan(sweep=(SweepValue("Nordlund", "[REDACTED]"),))
    reading = Reading(runner, "pdf", source, model, lengths, OcrOptions(dpi=200))
    return deliver(
        runner,
        "pdf",
        source,
        plan,
        Spool,
        decisions=[],
        extraction=Extraction(2, 2, unread=unread),
        version="1",
        reading=reading,
    )


CLEAN = Reread((), 2)
STILL = Reread((Seen(0, 2, (Box(1, 2, 3, 4),)),), 2)


def test_what_is_still_seen_is_painted_over_and_looked_for_again() -> None:
    runner = Runner(STILL, CLEAN)
    with export(runner) as delivery:
        assert ("nothing-seen", "ocr", 2) in [(one.name, one.reader, one.pieces) for one in delivery.checks]
    first, second = runner.plans
    assert first.regions == ()
    assert second.regions == (RegionEdit(2, Box(1, 2, 3, 4)),)


def test_a_page_that_analysis_could_not_read_is_looked_at_though_nothing_was_found_on_it() -> None:
    runner = Runner(STILL, CLEAN, rebuilt=())
    with export(runner, unread=(2,)):
        assert runner.asked == [((2,), 200), ((2,), 200)]
    assert runner.plans[1].regions == (RegionEdit(2, Box(1, 2, 3, 4)),)

    with pytest.raises(VerificationFailed):
        export(Runner(Transient(Code.TIMEOUT), rebuilt=()), unread=(2,))


def test_what_does_not_go_away_refuses_the_export() -> None:
    with pytest.raises(VerificationFailed) as failed:
        export(Runner(STILL))
    assert failed.value.check == "seen"


@pytest.mark.parametrize("error", [Transient(Code.TIMEOUT), FatalError(Code.PARSER_CRASHED)])
def test_a_page_nobody_can_read_refuses_the_export(error: AnonifyError) -> None:
    with pytest.raises(VerificationFailed) as failed:
        export(Runner(error))
    assert failed.value.check == "unread"
    assert failed.value.counts["survivors"] == 2


def test_a_page_that_takes_long_is_tried_alone_and_then_drawn_half_as_fine() -> None:
    runner = Runner(Reread((), 1, unread=(2,)), Transient(Code.TIMEOUT), Reread((), 1))
    with export(runner):
        assert runner.asked == [((1, 2), 200), ((2,), 200), ((2,), 100)]


@pytest.mark.parametrize("error", [FatalError(Code.CONFIGURATION), Transient(Code.STORAGE)])
def test_a_failure_that_says_nothing_about_a_page_is_passed_on(error: AnonifyError) -> None:
    with pytest.raises(AnonifyError) as failed:
        export(Runner(error))
    assert failed.value.code is error.code


@pytest.mark.parametrize("slow", [0, 1])
def test_which_fonts_are_believed_does_not_depend_on_who_is_quick(slow: int) -> None:
    asked: dict[int, tuple[str, ...]] = {}

    class Stretches:
        def run(self, _task: Any, args: RereadArgs, **_: Any) -> Reread:
            number = args.pages[0] // STRETCH
            asked[number] = args.believed
            time.sleep(0.05 * (number % 2 == slow))
            return Reread((), len(args.pages), (), (*args.believed, f"font {number}"))

    pages = range(1, 6 * STRETCH + 1)
    nothing = BytesSource(b"")
    reading = Reading(cast("TaskRunner", Stretches()), "pdf", nothing, nothing, (0,) * len(pages), OPTIONS, slots=2)
    assert reread_artifact(reading, nothing, pages, ("Nordlund",)).read == len(pages)
    assert asked == {number: tuple(f"font {other}" for other in range(number - 1)) for number in range(6)}


class Closer:
    """A recogniser that misreads a digit on the whole page, and reads it rightly where it sees nothing else."""

    def __init__(self, whole: str, alone: str) -> None:
        self._whole, self._alone = whole, alone
        self.looks = 0

    def recognise(self, image: Image.Image, _dpi: int) -> list[Word]:
        if image.size == (1000, 1000):
            return shown(self._whole)
        self.looks += 1
        return [Word(word, (60 * at + 3, 3, 60 * at + 43, 23), 0.95, 0) for at, word in enumerate(self._alone.split())]


@pytest.mark.parametrize(
    ("whole", "alone", "seen"),
    [
        ("call +44 20 7946 9958 now", "+44 20 7946 0958", True),  # Tesseract's slip, at 0.82, in a dotted nought
        ("call +44 20 7946 9958 now", "+44 20 7946 9958", False),  # the neighbour's number
        ("from k.nowok@exannple.org", "k.nowak@example.org", True),
        ("call 030 123 now", "030 124", False),  # too short to be nearly anything
    ],
)
def test_what_is_nearly_a_value_is_looked_at_closer(whole: str, alone: str, seen: bool) -> None:
    reader = Closer(whole, alone)
    values = ("+44 20 7946 0958", "k.nowak@example.org", "030-124")
    found = list(Rereader(File(), File(), reader, OPTIONS, values=values).seen(page("nothing else")))
    assert bool(found) is seen
    assert reader.looks <= 4


def test_a_list_of_numbers_one_digit_apart_takes_few_closer_looks() -> None:
    reader = Closer(" ".join(f"+4420794609{number}" for number in range(10, 58)), "nothing")
    list(Rereader(File(), File(), reader, OPTIONS, values=("+44 20 7946 0958",)).seen(page("nothing else")))
    assert reader.looks <= 2 * MAX_CLOSER


class Crossed(File):
    """A file with a stamp that text is drawn across."""

    def bare(self, _page: int, _scale: float, box: Box) -> Image.Image | None:
        return Image.new("L", (round(box.x1 - box.x0), round(box.y1 - box.y0)), 254)


def test_a_picture_under_text_is_looked_at_without_the_text() -> None:
    class Tangled:
        def recognise(self, image: Image.Image, _dpi: int) -> list[Word]:
            return shown("Marja Nordlund" if image.getpixel((0, 0)) == 254 else "Mprjf Ncdlurtd")

    parts = (Part(Box(0, 0, 400, 30), "k"),)
    for after, seen in ((Crossed(BODY, parts), True), (File(BODY, parts), False)):
        rereader = Rereader(File(BODY, parts), after, Tangled(), OPTIONS, values=("Marja Nordlund",))
        assert bool(list(rereader.seen(page("nothing else")))) is seen
