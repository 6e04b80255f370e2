"""``keras.applications``: default input size, feature width and stride of each architecture.

``features`` is the channel count of the last feature map without the top; ``reduction`` the factor between input and
feature map along each spatial axis with "same" padding. Where the feature map is not the ceiling of ``size/reduction``
(valid convolutions in the stem), ``reduction`` is 0 and the spatial sizes are not known.
Sources: keras.applications documentation and the models built with ``include_top=False`` (Keras 3.15).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Architecture:
    """One architecture's default input size, feature channels and reduction."""

    size: int
    features: int
    reduction: int


def _family(names: str, features: str, size: int | str = 224, reduction: int = 32) -> dict[str, Architecture]:
    widths = [int(f) for f in features.split()]
    sizes = [int(s) for s in str(size).split()]
    return {
        name: Architecture(sizes[i % len(sizes)], widths[i % len(widths)], reduction) for i, name in enumerate(names.split())
    }


