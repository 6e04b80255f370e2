"""Windows that keep the size of their input, for branches whose sizes differ where they meet."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from dllint.fixes.repairs.flow import Candidate, Faulty
from dllint.fixes.windows import kept_sizes
from dllint.ops.faults import BROADCAST, CONCAT

_MEETING: Final = (BROADCAST, CONCAT)


def windows(found: Faulty) -> Iterator[Candidate]:
    """Another stride, kernel or padding of a layer before the place where sizes meet."""
    if found.fault.kind in _MEETING:
        for place, (what, edits) in enumerate(kept_sizes(found.op)):
            yield Candidate(what, edits, 2 + min(place, 3))
