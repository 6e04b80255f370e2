"""The tables of absl as the registry loads them; importing this module registers the handlers."""

from __future__ import annotations

from dllint.frameworks.absl import flags as _flags  # noqa: F401  (importing it registers the handlers)
