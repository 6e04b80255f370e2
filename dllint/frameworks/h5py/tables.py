"""The tables of h5py as the registry loads them; importing this module registers the handlers."""

from __future__ import annotations

from dllint.frameworks.h5py import files  # noqa: F401  (importing it registers the handlers)
