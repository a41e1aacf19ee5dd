"""How the names model is made: documents and corpora in, `names.onnx` out.  Not part of the package."""
