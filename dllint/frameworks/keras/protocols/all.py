"""Importing this module registers every handler of the package."""

from dllint.frameworks.keras.protocols import (
    activation,
    application,
    attention,
    backend,
    construct,
    data,
    formats,
    images,
    inspect,
    layer,
    loss,
    merging,
    model,
    objects,
    sequential,
    steps,
    training,
    wrappers,
)

__all__ = [
    "activation", "application", "attention", "backend", "construct", "data", "formats", "images", "inspect", "layer", "loss",
    "merging", "model", "objects", "sequential", "steps", "training", "wrappers",
]  # fmt: skip
