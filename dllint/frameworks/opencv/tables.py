"""The tables of OpenCV as the registry loads them; importing this module registers the handlers."""

from __future__ import annotations

from dllint.frameworks.opencv import images  # noqa: F401  (importing it registers the handlers)
