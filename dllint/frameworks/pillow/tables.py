"""The tables of Pillow as the registry loads them; importing this module registers the handlers."""

from __future__ import annotations

from dllint.frameworks.pillow import making, methods  # noqa: F401  (importing them registers the handlers)
