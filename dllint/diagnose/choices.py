"""Layers that are selected by a router (mixture of experts), as opposed to layers that are never used by mistake."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from dllint.diagnose.records import LayerRecord, RunRecord

_SAME: Final = 1e-6


def chosen_among(run: RunRecord, layer: LayerRecord) -> bool:
    """Whether an uncalled layer belongs to a container of similar layers of which different ones are called from step to step,
    or for different shares of the samples. The members of a chain are all called for the same share."""
    called = [name for name in _alike(run, layer) if any(name in step.layers for step in run.steps)]
    return any(_is_uneven(run, called[0], other) for other in called[1:])


def _alike(run: RunRecord, layer: LayerRecord) -> Iterator[str]:
    """The layers whose name differs in one number only."""
    parts = layer.name.split(".")
    numbered = [at for at, part in enumerate(parts) if part.isdecimal()]
    for other in run.layers:
        names = other.name.split(".")
        if other.kind == layer.kind and other.name != layer.name and len(names) == len(parts):
            differing = [at for at, (one, two) in enumerate(zip(parts, names, strict=True)) if one != two]
            if len(differing) == 1 and differing[0] in numbered and names[differing[0]].isdecimal():
                yield other.name


def _is_uneven(run: RunRecord, first: str, second: str) -> bool:
    """Whether the share of a layer's outputs in those of two changes from step to step."""
    shares = []
    for step in run.steps:
        counts = [step.layers[name].output.count if name in step.layers else 0 for name in (first, second)]
        if any(counts):
            shares.append(counts[0] / sum(counts))
    return max(shares, default=0.0) - min(shares, default=0.0) > _SAME
