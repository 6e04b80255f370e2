"""Which adapter a reference needs."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from dllint.bisection.errors import BisectionError
from dllint.bisection.protocols import Reference


def reference_of(model: Any, example: Sequence[np.ndarray], device: str) -> Reference:
    """The adapter for a model; whose class it is tells the framework, so that no other one is imported.

    Raises :class:`BisectionError` for anything that is no model.
    """
    # With the torch backend a Keras model is a torch.nn.Module as well.
    keras = sys.modules.get("keras")
    if keras is not None and isinstance(model, keras.Model):
        from dllint.bisection.references.keras_functional import KerasReference

        return KerasReference(model)
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(model, torch.nn.Module):
        from dllint.bisection.references.torch_export import TorchReference

        return TorchReference(model, example, device)
    if hasattr(model, "graph") and hasattr(model, "run"):
        return model  # type: ignore[no-any-return]
    raise BisectionError(f"the reference is a {type(model).__name__}", "name a torch.nn.Module or a Keras model")
