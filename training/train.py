"""Trains the names model: `python -m training.train --corpora DIR --weights model.safetensors --out DIR`.

A run that was stopped goes on where it was when started again with the same folder.
"""

from __future__ import annotations

import argparse
import multiprocessing
import time
from pathlib import Path
from typing import Any, Final

import torch
from torch import nn

from .encode import FEATURES, IGNORED, LABELS
from .mixture import Batch, produce
from .model import Tagger

__all__ = ["CHECKPOINT", "main", "optimiser", "step"]

CHECKPOINT: Final = "checkpoint.pt"
WARMING: Final = 200
"""Steps until the full rate is reached; from there it falls evenly to a fiftieth."""

LEAST: Final = 0.02
SAVED: Final = 100
"""Steps between two checkpoints."""

PAUSE: Final = 8.0
"""Seconds a step counts at most: a process that was halted does not lose its time."""


def optimiser(model: Tagger) -> torch.optim.Optimizer:
    """AdamW: what is new learns fast, the layers at a middle rate, the embeddings slowest."""
    new: list[nn.Parameter] = []
    embedded: list[nn.Parameter] = []
    layers: list[nn.Parameter] = []
    for name, parameter in model.named_parameters():
        part = name.split(".")[0]
        group = new if part in ("feature", "out") else embedded if part in ("piece", "place", "kind") else layers
        group.append(parameter)
    rates = ((layers, 1.6e-4), (embedded, 1.3e-4), (new, 1e-3))
    groups = [{"params": group, "lr": rate, "base": rate} for group, rate in rates]
    return torch.optim.AdamW(groups, weight_decay=0.01)


def step(model: Tagger, steps: torch.optim.Optimizer, batch: Batch) -> float:
    """Learn from one batch; its loss."""
    pieces, features, tags, mask = (torch.from_numpy(part) for part in batch)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        out = model(pieces, features, mask)
    loss = nn.functional.cross_entropy(out.float().flatten(0, 1), tags.flatten(), ignore_index=IGNORED)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    steps.step()
    steps.zero_grad()
    return float(loss.item())


def main() -> None:
    options = _options()
    options.out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(options.seed)
    torch.set_num_threads(options.threads)
    model = Tagger(len(LABELS), FEATURES)
    model.start(options.weights)
    steps = optimiser(model)
    saved = options.out / CHECKPOINT
    state: dict[str, Any] = {"step": 0, "spent": 0.0}
    if saved.exists():
        state = torch.load(saved)
        model.load_state_dict(state["model"])
        steps.load_state_dict(state["optimiser"])
    queue: multiprocessing.Queue[Batch] = multiprocessing.Queue(24)
    # A run that goes on draws other texts than it began with, or it would see those twice.
    arguments = (queue, options.corpora, options.seed + state["step"])
    multiprocessing.Process(target=produce, args=arguments, daemon=True).start()
    _learn(model, steps, queue, state, saved, options.minutes * 60)


def _learn(
    model: Tagger, steps: torch.optim.Optimizer, queue: Any, state: dict[str, Any], saved: Path, seconds: float
) -> None:
    number, spent, mean = state["step"], state["spent"], 0.0
    model.train()
    mark = time.monotonic()
    while spent < seconds:
        rate = min(1, (number + 1) / WARMING) * max(LEAST, 1 - spent / seconds)
        for group in steps.param_groups:
            group["lr"] = group["base"] * rate
        loss = step(model, steps, queue.get())
        mean = 0.98 * mean + 0.02 * loss if mean else loss
        number += 1
        now = time.monotonic()
        spent += min(now - mark, PAUSE)
        mark = now
        if number % 50 == 0:
            print(f"step {number}, loss {mean:.4f}, {spent / 60:.1f} minutes", flush=True)
        if number % SAVED == 0 or spent >= seconds:
            state = {"model": model.state_dict(), "optimiser": steps.state_dict(), "step": number, "spent": spent}
            torch.save(state, saved.with_suffix(".new"))
            saved.with_suffix(".new").replace(saved)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Train the names model.")
    parser.add_argument("--corpora", type=Path, required=True, help="folder with the clones that README.md lists")
    parser.add_argument("--weights", type=Path, required=True, help="model.safetensors of all-MiniLM-L6-v2")
    parser.add_argument("--out", type=Path, required=True, help="folder for the checkpoint")
    parser.add_argument("--minutes", type=float, default=37.0)
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--threads", type=int, default=2)
    return parser.parse_args()


if __name__ == "__main__":
    main()
