"""The tables of safetensors as the registry loads them; importing this module registers the handlers."""

from __future__ import annotations

from dllint.frameworks.safetensors import files  # noqa: F401  (importing it registers the handlers)
