"""The public names of Keras 3 whose signatures the Keras tables bind with (generate with ``KERAS_BACKEND=torch``).

The ``**kwargs`` of layers and optimizers is replaced by what the base class accepts, so that an unknown keyword is known
to be unknown.
``keras.backend`` functions of Keras 2 come from Keras 3's own legacy module.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Iterator
from typing import Any, Final

from dllint.dev.signatures import of_object, public
from dllint.dev.stubs import Signature

MODULES: Final = (
    "keras.layers", "keras.losses", "keras.metrics", "keras.optimizers", "keras.optimizers.schedules", "keras.callbacks",
    "keras.activations",
    "keras.initializers", "keras.regularizers", "keras.constraints", "keras.ops", "keras.random", "keras.utils",
    "keras.applications",
    "keras.backend", "keras.saving", "keras.ops.image", "keras.preprocessing.image",
)  # fmt: skip
#: Modules that Keras 3 keeps for old code, listed under the name old code uses.
LEGACY: Final = {
    "keras.src.legacy.backend": "keras.backend",
    "keras.src.legacy.preprocessing.image": "keras.preprocessing.image",
    "keras.src.legacy.preprocessing.text": "keras.preprocessing.text",
}
DATASETS: Final = ("boston_housing", "california_housing", "cifar10", "cifar100", "fashion_mnist", "imdb", "mnist", "reuters")
CLASSES: Final = (
    "Model",
    "Sequential",
    "layers.Layer",
    "preprocessing.image.ImageDataGenerator",
    "preprocessing.text.Tokenizer",
)
#: Keywords ``keras.layers.Layer`` takes in place of its ``**kwargs``.
BASE_KEYWORDS: Final[Signature] = [
    [name, "only", default]
    for name, default in (
        ("activity_regularizer", None), ("trainable", True), ("dtype", None), ("autocast", True), ("name", None),
        ("input_shape", None), ("input_dim", None),
    )
]  # fmt: skip


def _find(name: str) -> Any:
    for module, prefix in LEGACY.items():
        owner, _, attribute = name.rpartition(".")
        if prefix == owner and hasattr(importlib.import_module(module), attribute):
            return getattr(importlib.import_module(module), attribute)
    value: Any = importlib.import_module("keras")
    for part in name.split(".")[1:]:
        value = getattr(value, part)
    return value


def names() -> Iterator[tuple[str, Any]]:
    """Every public callable of the listed modules and classes; today's objects win over legacy ones."""
    for module, prefix in LEGACY.items():
        yield from public(importlib.import_module(module), prefix)
    for module in MODULES:
        yield from public(_find(module), module)
    for name in DATASETS:
        yield f"keras.datasets.{name}.load_data", _find(f"keras.datasets.{name}.load_data")
    for name in CLASSES:
        yield f"keras.{name}", _find(f"keras.{name}")
        yield from public(_find(f"keras.{name}"), f"keras.{name}", inspect.isroutine)
    yield "keras.Input", _find("keras.Input")
    yield "keras.Variable", _find("keras.Variable")


def stubs() -> dict[str, Signature]:
    """None: every function has its own signature."""
    return {}


def more() -> dict[str, Signature]:
    """Keywords that older releases took."""
    return {"keras.utils.image_dataset_from_directory": [["smart_resize", "also"]]}


def closed() -> dict[str, Signature]:
    """Constructors whose ``**kwargs`` takes nothing: layers (with the base class's keywords written out) and optimizers."""
    layers, optimizers = importlib.import_module("keras.layers"), importlib.import_module("keras.optimizers")
    out: dict[str, Signature] = {}
    for name, value in public(layers, "keras.layers", inspect.isclass):
        if issubclass(value, layers.Layer):
            signature = _closed(value)
            own = {p[0] for p in signature}
            out[name] = signature + [p for p in BASE_KEYWORDS if p[0] not in own]
    for name, value in public(optimizers, "keras.optimizers", inspect.isclass):
        out[name] = _closed(value)
    return out


def _closed(value: Any) -> Signature:
    return [p for p in of_object(value) or [] if p[1] not in ("args", "kwargs")]
