"""The tables of pandas as the registry loads them; importing this module registers the handlers."""

from __future__ import annotations

from dllint.frameworks.pandas import (  # noqa: F401  (importing them registers the handlers)
    arithmetic,
    columns,
    construction,
    members,
    reading,
    rows,
    selection,
    windows,
)
