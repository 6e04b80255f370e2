"""Importing this module registers every handler of the package."""

from dllint.frameworks.keras.protocols import (
    activation,
    application,
    attention,
    backend,
    construct,
    data,
    folders,
    formats,
    images,
    input_spec,
    inspect,
    labels,
    layer,
    legacy_backend,
    loss,
    merging,
    model,
    objects,
    precision,
    saved,
    sequential,
    steps,
    texts,
    training,
    wrappers,
)

__all__ = [
    "activation", "application", "attention", "backend", "construct", "data", "folders", "formats", "images", "input_spec",
    "inspect", "labels", "layer", "legacy_backend", "loss", "merging", "model", "objects", "precision", "saved", "sequential",
    "steps", "texts", "training", "wrappers",
]  # fmt: skip
