"""From the face a detector sees to the head a redactor covers, and how sure to be of it."""

from __future__ import annotations

from typing import Final

from anonify.documents import Box

from .network import Face

__all__ = ["confidence", "head"]

ABOVE, BELOW, BESIDE = 0.45, 0.2, 0.3
"""What is added to a face, as shares of its height and width: hair above, the chin and its beard below, ears and hair
beside.  A detector's box ends at the forehead and between the ears; people are told by what is around it, too."""


def head(face: Face, *, scale: tuple[float, float], area: Box) -> Box:
    """The box to cover, in page units, cut to `area`.

    Args:
        face: in pixels of a picture.
        scale: pixels a page unit, across and down.
        area: where on the page the picture lies.
    """
    width, height = face.x1 - face.x0, face.y1 - face.y0
    return Box(
        max(area.x0, area.x0 + (face.x0 - BESIDE * width) / scale[0]),
        max(area.y0, area.y0 + (face.y0 - ABOVE * height) / scale[1]),
        min(area.x1, area.x0 + (face.x1 + BESIDE * width) / scale[0]),
        min(area.y1, area.y0 + (face.y1 + BELOW * height) / scale[1]),
    )


SURE: Final = (0.6, 0.85)
"""A score that nothing but faces had, among a hundred pictures of other things (dogs had 0.56), and the confidence that
is called high.  The network itself is modest: it gives a tenth of the faces in groups less than 0.63."""


def confidence(score: float) -> float:
    """How likely a face with this score is one, 0 to 1."""
    if score < SURE[0]:
        return max(0.0, score / SURE[0] * SURE[1])
    return min(1.0, SURE[1] + (score - SURE[0]) / (1 - SURE[0]) * (1 - SURE[1]))
