"""The names model on ONNX Runtime: pieces in, for every piece the likelihood of each tag out."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

from .words import SEPARATOR, START, Reader

__all__ = ["LABELS", "Network", "Stretch", "network"]

_HERE: Final = Path(__file__).parent
MODEL: Final = _HERE / "names.onnx"
VOCABULARY: Final = _HERE / "names.vocabulary.txt"

LABELS: Final = ("O", "B-PER", "I-PER", "B-ADDR", "I-ADDR", "B-ORG", "I-ORG", "B-LOC", "I-LOC")
"""Tags in the order of the model's output: B begins a value, I goes on with it."""

THREADS: Final = 2
"""Cores one document may use.  Workers that run many side by side share them; nothing spins while it waits."""

Stretch = tuple[Sequence[int], Sequence[int]]
"""Pieces, and the features of each."""


class Network:
    """The loaded model.

    Raises:
        ImportError: ONNX Runtime or numpy is not installed.
        OSError: the model's files are missing.
    """

    def __init__(self) -> None:
        import numpy
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = THREADS
        options.inter_op_num_threads = 1
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        options.enable_mem_pattern = False  # it plans memory for one size, and keeps a plan for each
        options.log_severity_level = 4
        self.reader = Reader.of(VOCABULARY)
        self._numpy: Any = numpy
        self._session: Any = onnxruntime.InferenceSession(
            MODEL.read_bytes(), options, providers=["CPUExecutionProvider"]
        )

    def tag(self, stretches: Sequence[Stretch]) -> list[Any]:
        """For each stretch an array of its pieces by :data:`LABELS`: likelihoods that add up to one."""
        numpy = self._numpy
        longest = max(len(pieces) for pieces, _ in stretches) + 2
        ids = numpy.zeros((len(stretches), longest), numpy.int64)
        features = numpy.zeros_like(ids)
        mask = numpy.zeros((len(stretches), longest), numpy.bool_)
        for row, (pieces, looks) in enumerate(stretches):
            size = len(pieces)
            ids[row, 0], ids[row, 1 : size + 1], ids[row, size + 1] = START, pieces, SEPARATOR
            features[row, 1 : size + 1] = looks
            mask[row, : size + 2] = True
        (likely,) = self._session.run(None, {"ids": ids, "features": features, "mask": mask})
        return [likely[row, 1 : len(pieces) + 1] for row, (pieces, _) in enumerate(stretches)]


@cache
def network() -> Network | None:
    """The model, loaded once a process; None where it is not installed, so that the document says so."""
    try:
        return Network()
    except (ImportError, OSError):
        return None
