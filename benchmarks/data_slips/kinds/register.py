"""The register of the kinds of faults of data and losses."""

from __future__ import annotations

from typing import Final

from benchmarks.training_slips.kinds.kind import Registry

kind: Final = Registry()
