"""The face detector: CenterFace (Xu and others, 2019) on ONNX Runtime, one thread.

The network says for every square of four by four pixels how likely a face has its middle there, how large it is, and
where in the square its middle lies.  The model file is made by `tools/faces_model.py`; its licence lies beside it.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["Face", "Network", "network"]

MODEL: Final = Path(__file__).with_name("centerface.onnx")

STEP: Final = 32
"""The network halves a picture five times: sides are filled up to a multiple of this."""

CELL: Final = 4
"""Pixels a side of the square that one output stands for."""


class Face(NamedTuple):
    """A face in pixels of the picture it was found in, from the forehead to the chin, and how likely it is one."""

    x0: float
    y0: float
    x1: float
    y1: float
    score: float


class Network:
    """The loaded model.

    Raises:
        ImportError: ONNX Runtime or numpy is not installed.
        OSError: the model file is missing.
    """

    def __init__(self) -> None:
        import numpy
        import onnxruntime

        options = onnxruntime.SessionOptions()
        # Documents run side by side in processes of their own.
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.enable_mem_pattern = False  # it plans memory for one size, and keeps a plan for each
        options.log_severity_level = 4
        self._numpy: Any = numpy
        self._resting: Any = onnxruntime.RunOptions()
        self._resting.add_run_config_entry("memory.enable_memory_arena_shrinkage", "cpu:0")
        self._session: Any = onnxruntime.InferenceSession(
            MODEL.read_bytes(), options, providers=["CPUExecutionProvider"]
        )

    def faces(self, image: Image, least: float) -> list[Face]:
        """Squares of `image` (mode RGB) that may be the middle of a face; a face may have several.

        Args:
            least: score below which nothing is returned.
        """
        numpy = self._numpy
        height, width = (side + -side % STEP for side in (image.height, image.width))
        pixels = numpy.zeros((1, 3, height, width), numpy.float32)
        pixels[0, :, : image.height, : image.width] = numpy.asarray(image).transpose(2, 0, 1)
        heat, size, offset = (output[0] for output in self._session.run(None, {"input.1": pixels}))
        rows, columns = self._peaks(heat[0], least)
        high, wide = numpy.exp(size[:, rows, columns].clip(max=LARGEST)) * CELL
        down, right = (numpy.stack((rows, columns)) + offset[:, rows, columns] + 0.5) * CELL
        found = zip(right, down, wide, high, heat[0, rows, columns], strict=True)
        return [
            Face(float(x - w / 2), float(y - h / 2), float(x + w / 2), float(y + h / 2), float(score))
            for x, y, w, h, score in found
        ]

    def _peaks(self, heat: Any, least: float) -> tuple[Any, Any]:
        """Rows and columns of the squares that are no less likely than their neighbours, at most the likeliest
        :data:`MOST_PEAKS`."""
        numpy = self._numpy
        (height, width), padded = heat.shape, numpy.pad(heat, 1)
        around = [padded[y : y + height, x : x + width] for y in range(3) for x in range(3)]
        rows, columns = numpy.nonzero((heat >= least) & (heat == numpy.maximum.reduce(around)))
        if len(rows) > MOST_PEAKS:
            likeliest = numpy.argpartition(-heat[rows, columns], MOST_PEAKS)[:MOST_PEAKS]
            rows, columns = rows[likeliest], columns[likeliest]
        return rows, columns

    def rest(self) -> None:
        """Give back the memory that a picture needed.  Kept between pictures: getting it anew doubles their time."""
        nothing = self._numpy.zeros((1, 3, STEP, STEP), self._numpy.float32)
        self._session.run(None, {"input.1": nothing}, self._resting)


MOST_PEAKS: Final = 1000
"""Faces looked for in one tile: more is no photograph but an attack on the time that comparing them takes."""

LARGEST: Final = 8.0
"""Logarithm of the largest side in squares that is believed, so that a freak output stays finite: 12,000 pixels."""


@cache
def network() -> Network | None:
    """The model, loaded once a process; None where it is not installed.

    A wheel without its library, or one for another kind of CPU, counts as missing: the document says so and is
    otherwise processed.
    """
    try:
        return Network()
    except (ImportError, OSError):
        return None
