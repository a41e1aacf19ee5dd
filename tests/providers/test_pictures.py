"""Pages that are pictures, seen by a model that is played by a real server on this machine."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import replace

import pytest
from PIL import Image

from anonify.detection import Detection, categories_of, fold_boxes
from anonify.detection.model import Category
from anonify.documents import Box
from anonify.providers import MOST_PICTURES, Client, Kind, MemoryLedger, Picture, Sight, Skip, Throttle, Work, see

from .server import Reply, Script, Server, by_task, serving

EVERYTHING = categories_of("everything")


def png() -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", (80, 120), "white").save(buffer, "PNG")
    return buffer.getvalue()


PAGE = Picture(3, 500.0, 2000.0, "Signed at noon", png)


def thing(
    what: str = "signature", box: tuple[int, int, int, int] = (100, 100, 300, 200), sure: float = 0.8
) -> dict[str, object]:
    return {"thing": what, **dict(zip(("left", "top", "right", "bottom"), box, strict=True)), "confidence": sure}


def boxes(*each: dict[str, object]) -> Script:
    return by_task(image={"boxes": list(each)})


def seen(
    script: Script,
    pictures: Sequence[Picture] = (PAGE,),
    categories: frozenset[Category] = EVERYTHING,
    kind: Kind = "openai",
    *,
    sighted: bool = True,
) -> tuple[Sight, Work, Server]:
    with serving(script) as server:
        provider = server.provider(kind, "tool", *(("image",) if sighted else ()))
        with Client(provider, Throttle(2, MemoryLedger())) as client:
            work = Work(client)
            return see(work, pictures, categories), work, server


@pytest.mark.parametrize("kind", ["openai", "anthropic", "mistral"])
def test_a_box_comes_back_in_page_units_with_a_little_around_it(kind: Kind) -> None:
    sight, work, _ = seen(boxes(thing(sure=1.0)), kind=kind)

    (found,) = sight.found
    assert (found.page, found.category, found.confidence) == (3, "signature", 0.9)
    assert (found.source, found.detector, found.text) == ("vision", "vision-model", "")
    assert found.box == Box(47.5, 190.0, 152.5, 410.0)
    assert work.skips == []


def test_the_page_and_its_words_are_shown_and_nothing_else() -> None:
    _, _, server = seen(boxes(), [replace(PAGE, words="Signed at noon " + "x" * 5000)])

    (asked,) = server.asked
    assert asked.pictures == [png()]
    assert "Signed at noon" in asked.text
    assert len(asked.text) < 2100
    assert "Signed" not in asked.system


def test_a_box_stays_on_its_page_and_shows_a_place_on_it() -> None:
    edge, speck, everything, turned = (0, 0, 50, 1000), (5, 5, 7, 300), (0, 0, 1000, 1000), (300, 200, 100, 100)
    sight, _, _ = seen(boxes(*(thing(box=box) for box in (edge, speck, everything, turned))))

    assert [one.box for one in sight.found] == [Box(0.0, 0.0, 27.5, 2000.0)]


@pytest.mark.parametrize(
    "answer",
    [
        {"boxes": [thing(box=(-1, 0, 10, 10))]},
        {"boxes": [thing(box=(0, 0, 1001, 10))]},
        {"boxes": [{**thing(), "left": 0.5}]},
        {"boxes": [thing()] * 10_000},
        {"boxes": [thing("passport")]},
        {"boxes": [thing(sure=7.0)]},
        "I see a signature at the bottom",
    ],
)
def test_an_answer_of_another_shape_suggests_nothing_and_is_told(answer: object) -> None:
    sight, work, server = seen(by_task(image=Reply(answer)))

    assert sight == Sight()
    assert work.skips == [Skip("image", "malformed")]
    assert len(server.asked) == 2


ALL_THINGS = boxes(thing("face"), thing("signature"), thing("plate"), thing("screen"))


@pytest.mark.parametrize(
    ("preset", "categories"),
    [
        ("everything", ["face", "signature", "other", "other"]),
        ("names-and-contacts", ["face", "signature"]),
        ("identifiers-and-dates", ["other", "other"]),
    ],
)
def test_only_what_the_preset_looks_for_is_asked_for_and_suggested(preset: str, categories: list[str]) -> None:
    sight, _, server = seen(ALL_THINGS, categories=categories_of(preset))

    assert [one.category for one in sight.found] == categories
    assert ("whole head" in server.asked[0].system) == ("face" in categories)
    assert ("number plate" in server.asked[0].system) == ("other" in categories)


def test_a_preset_without_pictures_shows_none() -> None:
    sight, work, server = seen(ALL_THINGS, categories=categories_of("credentials"))

    assert (sight, server.asked) == (Sight(), [])
    assert work.skips == [Skip("image", "off")]


def test_a_model_that_was_not_seen_to_see_is_shown_nothing() -> None:
    sight, work, server = seen(ALL_THINGS, [PAGE, replace(PAGE, page=4)], sighted=False)

    assert (sight, server.asked) == (Sight(), [])
    assert work.skips == [Skip("image", "unsupported", 2)]


def test_no_more_pages_are_shown_than_a_document_may_show() -> None:
    pages = [replace(PAGE, page=number) for number in range(1, MOST_PICTURES + 4)]
    sight, work, server = seen(boxes(thing()), pages)

    assert [one.page for one in sight.found] == list(range(1, MOST_PICTURES + 1))
    assert len(server.asked) == MOST_PICTURES
    assert work.skips == [Skip("image", "too-many", 3)]


def test_a_page_that_cannot_be_drawn_is_said_and_the_others_are_shown() -> None:
    sight, _, server = seen(boxes(thing()), [replace(PAGE, page=1, draw=lambda: None), PAGE])

    assert sight.undrawn == (1,)
    assert [one.page for one in sight.found] == [3]
    assert len(server.asked) == 1


def test_a_picture_whose_answer_never_came_counts_against_the_budget() -> None:
    with serving(lambda _asked: Reply(delay=1.0)) as server:
        throttle = Throttle(1, MemoryLedger())
        with Client(server.provider("openai", "tool", "image"), throttle, seconds=0.2) as client:
            work = Work(client)
            see(work, [PAGE], EVERYTHING)

    assert work.skips == [Skip("image", "slow")]
    assert all(usage.input_tokens > 3_000 for usage in work.usages)
    assert work.usages


def face(box: Box, sure: float, page: int = 1) -> Detection:
    return Detection(page, 0, 0, "", "face", sure, "vision", "face", global_=False, box=box)


def test_what_the_face_detector_has_boxed_is_not_boxed_again() -> None:
    known = [face(Box(100, 100, 200, 220), 0.95)]
    again = face(Box(95, 105, 190, 230), 0.8)
    within = face(Box(120, 120, 160, 160), 0.8)
    beside = face(Box(190, 100, 290, 220), 0.8)
    elsewhere = face(Box(100, 100, 200, 220), 0.8, page=2)
    other = Detection(1, 0, 0, "", "other", 0.8, "vision", "vision-model", global_=False, box=known[0].box)

    assert fold_boxes(known, [again, within, beside, elsewhere, other]) == [beside, other, elsewhere]


def test_of_two_boxes_for_one_thing_the_surer_stays() -> None:
    once, twice = face(Box(0, 0, 100, 100), 0.6), face(Box(5, 5, 105, 105), 0.7)

    assert fold_boxes([], [once, twice]) == [twice]
