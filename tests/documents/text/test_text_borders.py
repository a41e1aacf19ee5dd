"""Values where the window over a long text moves on."""

from __future__ import annotations

import pytest

from anonify.documents import BytesSource, MemorySink, RedactionPlan, SweepValue
from anonify.documents.text.redact import redact
from anonify.sandbox import CHUNK

NAME = "Ada Example"
PLAN = RedactionPlan(sweep=(SweepValue(NAME, "[R]"),))


@pytest.mark.parametrize("codec", ["utf-8", "utf-16"])
@pytest.mark.parametrize("before", [0, 300, 600])
def test_values_around_the_end_of_a_window_go_in_text_beyond_ascii(codec: str, before: int) -> None:
    line = "\u00e9" + "x" * 9 + " "
    text = line * (2 * CHUNK // len(line))
    place = len(text.encode(codec)[:CHUNK].decode(codec, "ignore")) - 700 - before
    text = text[:place] + f" {NAME} " * 80 + text[place:]
    sink = MemorySink()
    redact(BytesSource(text.encode(codec)), sink, PLAN)
    assert sink.getvalue().decode(codec) == text.replace(NAME, "[R]")
