"""MiniLM with a tag for every piece: BERT's encoder (Devlin and others, 2019), six layers, case and gap added."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import torch
from safetensors.torch import load_file
from torch import Tensor, nn

__all__ = ["Tagger"]

WIDTH: Final = 384
INNER: Final = 1536
HEADS: Final = 12
LAYERS: Final = 6
PIECES: Final = 30522
PLACES: Final = 512
_EPSILON: Final = 1e-12


class Layer(nn.Module):
    """Attention and two linear maps, each added to what went in and normalised."""

    def __init__(self) -> None:
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(WIDTH, WIDTH) for _ in range(3))
        self.attended = nn.Linear(WIDTH, WIDTH)
        self.attended_norm = nn.LayerNorm(WIDTH, _EPSILON)
        self.inner = nn.Linear(WIDTH, INNER)
        self.outer = nn.Linear(INNER, WIDTH)
        self.outer_norm = nn.LayerNorm(WIDTH, _EPSILON)
        self.drop = nn.Dropout(0.1)

    def forward(self, state: Tensor, mask: Tensor) -> Tensor:
        rows, size, width = state.shape

        def heads(values: Tensor) -> Tensor:
            return values.view(rows, size, HEADS, -1).transpose(1, 2)

        query, key, value = heads(self.query(state)), heads(self.key(state)), heads(self.value(state))
        seen = nn.functional.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        seen = self.attended(seen.transpose(1, 2).reshape(rows, size, width))
        state = self.attended_norm(state + self.drop(seen))
        return self.outer_norm(state + self.drop(self.outer(nn.functional.gelu(self.inner(state)))))


_NAMES: Final = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "attended": "attention.output.dense",
    "attended_norm": "attention.output.LayerNorm",
    "inner": "intermediate.dense",
    "outer": "output.dense",
    "outer_norm": "output.LayerNorm",
}
"""Our parts of a layer, and what the start weights call them."""


class Tagger(nn.Module):
    """The whole network.

    Args:
        labels: tags it tells apart.
        features: values a piece's feature may have.
    """

    def __init__(self, labels: int, features: int) -> None:
        super().__init__()
        self.piece = nn.Embedding(PIECES, WIDTH)
        self.place = nn.Embedding(PLACES, WIDTH)
        self.kind = nn.Embedding(2, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, _EPSILON)
        self.feature = nn.Embedding(features, WIDTH)
        nn.init.normal_(self.feature.weight, std=0.02)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.drop = nn.Dropout(0.1)
        self.out = nn.Linear(WIDTH, labels)

    def forward(self, pieces: Tensor, features: Tensor, mask: Tensor) -> Tensor:
        """For sequences by places: for each place a number for each tag, the highest likeliest."""
        places = self.place(torch.arange(pieces.shape[1]))
        state = self.piece(pieces) + places + self.kind.weight[0] + self.feature(features)
        state = self.drop(self.norm(state))
        for layer in self.layers:
            state = layer(state, mask[:, None, None, :])
        return self.out(state)

    def start(self, path: Path) -> None:
        """Take the weights of a sentence model; feature and tags stay as they were drawn.

        Raises:
            OSError: there is no such file.
            KeyError: it is of another kind of model.
        """
        weights = load_file(path)

        def take(module: nn.Module, name: str) -> None:
            for part, parameter in module.named_parameters():
                parameter.data = weights[f"{name}.{part}"]

        take(self.piece, "embeddings.word_embeddings")
        take(self.place, "embeddings.position_embeddings")
        take(self.kind, "embeddings.token_type_embeddings")
        take(self.norm, "embeddings.LayerNorm")
        for number, layer in enumerate(self.layers):
            for ours, theirs in _NAMES.items():
                take(getattr(layer, ours), f"encoder.layer.{number}.{theirs}")
