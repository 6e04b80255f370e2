"""The tables of Gymnasium and Gym as the registry loads them; importing this module registers the handlers."""

from __future__ import annotations

from dllint.frameworks.gymnasium import environments, spaces  # noqa: F401  (importing them registers the handlers)
