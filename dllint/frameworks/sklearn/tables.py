"""The tables of scikit-learn as the registry loads them; importing this module registers the handlers."""

from __future__ import annotations

from dllint.frameworks.sklearn import handlers as _handlers  # noqa: F401  (importing it registers the handlers)
