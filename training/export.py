"""Writes the trained model as the package reads it: `python -m training.export --checkpoint FILE --out DIR`."""

from __future__ import annotations

import argparse
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import numpy
import onnxruntime
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from onnxruntime.quantization.shape_inference import quant_pre_process
from torch import Tensor, nn

from .encode import FEATURES, LABELS
from .model import PIECES, Tagger

__all__ = ["export", "main"]

_INPUTS: Final = ("ids", "features", "mask")
_OUTPUT: Final = "likely"
_OPSET: Final = 17


class _Likely(nn.Module):
    """The network with likelihoods for its output."""

    def __init__(self, tagger: Tagger) -> None:
        super().__init__()
        self._tagger = tagger

    def forward(self, ids: Tensor, features: Tensor, mask: Tensor) -> Tensor:
        return self._tagger(ids, features, mask).softmax(-1)


def export(tagger: Tagger, folder: Path) -> float:
    """Write `names.onnx` into a folder.

    Weights become eight-bit integers, a scale for each channel, within seven bits: processors without VNNI add two
    products in sixteen bits, which eight-bit weights overflow, and the sums would depend on the machine.

    Returns:
        The largest difference of a likelihood that it makes, over texts of random pieces.
    """
    tagger.eval()
    target = folder / "names.onnx"
    with TemporaryDirectory() as scratch:
        full, ready = Path(scratch) / "full.onnx", Path(scratch) / "ready.onnx"
        ones = torch.ones(2, 16, dtype=torch.long)
        torch.onnx.export(
            _Likely(tagger),
            (ones, ones, ones.bool()),
            full,
            input_names=list(_INPUTS),
            output_names=[_OUTPUT],
            dynamic_axes={name: {0: "rows", 1: "places"} for name in (*_INPUTS, _OUTPUT)},
            opset_version=_OPSET,
            dynamo=False,
        )
        quant_pre_process(full, ready, skip_symbolic_shape=True)
        quantize_dynamic(
            ready,
            target,
            per_channel=True,
            reduce_range=True,
            weight_type=QuantType.QInt8,
            op_types_to_quantize=["MatMul", "Gather"],
        )
        return float(numpy.abs(_answers(full) - _answers(target)).max())


def _answers(path: Path) -> numpy.ndarray:
    chance = numpy.random.default_rng(1)
    ids = chance.integers(1000, PIECES, (4, 100))
    features = chance.integers(0, 33, (4, 100))
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    mask = numpy.ones((4, 100), numpy.bool_)
    return numpy.asarray(session.run(None, {"ids": ids, "features": features, "mask": mask})[0])


def main() -> None:
    parser = argparse.ArgumentParser(description="Write the trained names model for ONNX Runtime.")
    parser.add_argument("--checkpoint", type=Path, required=True, help="what training.train wrote")
    parser.add_argument("--out", type=Path, required=True, help="folder for names.onnx")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    tagger = Tagger(len(LABELS), FEATURES)
    tagger.load_state_dict(torch.load(options.checkpoint)["model"])
    difference = export(tagger, options.out)
    size = (options.out / "names.onnx").stat().st_size
    print(f"{size} bytes; likelihoods differ from full precision by at most {difference:.3f}")


if __name__ == "__main__":
    main()
