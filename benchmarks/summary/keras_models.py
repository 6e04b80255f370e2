"""Architectures of ``keras.applications``: which there are, and what Keras says about them."""

from __future__ import annotations

import importlib
import os
import random
from typing import Any

from benchmarks.summary.found import Truth


def _keras() -> Any:
    os.environ.setdefault("KERAS_BACKEND", "torch")
    return importlib.import_module("keras")


def drawn(library: str, seed: int, count: int) -> list[str]:
    """Names of architectures, drawn from all that there are; without those of the largest size."""
    applications = _keras().applications
    names = [name for name in dir(applications) if name[0].isupper() and callable(getattr(applications, name))]
    names = [name for name in names if not name.endswith(("XLarge", "Large", "V2L", "B6", "B7"))]
    return sorted(random.Random(seed).sample(sorted(names), min(count, len(names))))


def script(library: str, model: str) -> str:
    """A script that makes the architecture."""
    return f"import keras\nmodel = keras.applications.{model}(weights=None)\n"


def truth(library: str, model: str) -> Truth:
    """What Keras counts, and torch for the operations of its backend."""
    keras = _keras()
    torch = importlib.import_module("torch")
    counter = importlib.import_module("torch.utils.flop_counter").FlopCounterMode(display=False)
    built = getattr(keras.applications, model)(weights=None)
    calls = {layer.name: [tuple(layer.output.shape)] for layer in built.layers if type(layer).__name__ != "InputLayer"}
    with torch.no_grad(), counter:
        built(torch.zeros(1, *built.input_shape[1:]))
    found = Truth(built.count_params(), counter.get_total_flops() // 2, tuple(built.output_shape), calls)
    keras.backend.clear_session()
    return found
