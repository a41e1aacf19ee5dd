"""The gate by itself: had the redactor done nothing, it would have refused every hiding place of this folder."""

from __future__ import annotations

import pytest

from anonify.documents.gate import read_back
from anonify.documents.pdf import FORMAT
from anonify.sandbox.source import BytesSource

from . import test_hidden_content, test_hidden_objects, test_hidden_pictures
from .hiding import SECRET, Place, planted
from .making import plan_for

PLACES: dict[str, Place] = {
    **test_hidden_content.PLACES,
    **test_hidden_objects.PLACES,
    **test_hidden_pictures.PLACES,
}


@pytest.mark.parametrize("name", PLACES)
def test_the_independent_reader_sees_every_place(name: str) -> None:
    source = BytesSource(planted(PLACES[name], SECRET))

    verdict = read_back(FORMAT, source, source, plan_for(SECRET), "independent")

    assert verdict.survivors
