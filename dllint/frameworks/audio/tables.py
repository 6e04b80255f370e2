"""The tables of the libraries for sound as the registry loads them; importing this module registers the handlers."""

from __future__ import annotations

from dllint.frameworks.audio import features, recordings  # noqa: F401  (importing them registers the handlers)
from dllint.frameworks.audio.transforms import FUNCTIONS, LAYERS

__all__ = ["FUNCTIONS", "LAYERS"]
