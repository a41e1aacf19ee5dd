"""Faces in pictures of Office files are suggested on the pictures' own pages."""

from __future__ import annotations

from anonify.detection.faces import find_faces
from anonify.sandbox import Pool
from tests.documents.ooxml.test_office_pictures import picture, saved, with_pictures

from .test_faces import FACE, photograph, read


def test_a_face_in_a_picture_has_its_place_in_pixels(pool: Pool) -> None:
    parts = {"word/media/image1.png": saved(picture()), "word/media/image2.jpeg": saved(photograph(), "JPEG")}
    with read(pool, with_pictures(parts), "docx") as (reading, pages):
        assert len(pages) == 2
        found = find_faces(reading, pages)
    assert found.degraded == ()
    (face,) = found.found
    assert face.page == pages[1]
    assert face.box is not None
    assert face.box.x0 <= FACE[0] < FACE[2] <= face.box.x1
    assert face.box.y0 <= FACE[1] < FACE[3] <= face.box.y1
