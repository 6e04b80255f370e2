"""The tables of scikit-learn as the registry loads them; importing this module registers the handlers."""

from __future__ import annotations

from dllint.frameworks.sklearn import (  # noqa: F401  (importing them registers the handlers)
    datasets,
    encoders,
    evaluation,
    handlers,
)
