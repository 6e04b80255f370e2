"""Names that an exporter has numbered in another way: ``add_89`` on one side and ``add_92`` on the other are the same sum.

Both sides are traced from one program, so that operators of one kind come in one order; their numbers also count operations on
sizes, and which of these there are depends on the export's dynamic axes. Where both sides have equally many names of one kind,
the first stands for the first, and so on.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Final

_NUMBERED: Final = re.compile(r"(.+?)(?:_(\d+))?$")


def renumbered(ours: Iterable[str], theirs: Iterable[str]) -> Mapping[str, str]:
    """Our name by theirs: that of the same rank among the names of one kind, else the same one if both sides have it."""
    own, other = _by_kind(ours), _by_kind(theirs)
    found: dict[str, str] = {}
    for kind, names in other.items():
        same = own.get(kind, [])
        if len(same) == len(names):
            found |= dict(zip(names, same, strict=True))
        else:
            found |= {name: name for name in names if name in same}
    return found


def _by_kind(names: Iterable[str]) -> dict[str, list[str]]:
    """The names without their numbers, with all names of each in the order of the numbers."""
    found: dict[str, dict[str, int]] = defaultdict(dict)
    for name in names:
        match = _NUMBERED.match(name)
        if match:
            found[match[1]][name] = int(match[2] or 0)
    return {kind: sorted(numbers, key=lambda name: numbers[name]) for kind, numbers in found.items()}
