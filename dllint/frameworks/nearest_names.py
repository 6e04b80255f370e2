"""Names that are one slip away from what is written."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Final

#: So long a name may have two slips.
_LONG: Final = 10


def nearest(written: str, names: Iterable[str]) -> str:
    """The name that differs from what is written in case, or by one slip (two in a long name); empty if none does, or if they
    differ in a digit, which makes another name."""
    known = {name.lower(): name for name in sorted(names)}
    lower = written.lower()
    if lower in known:
        return known[lower]
    near = get_close_matches(lower, known, 3, 0.7)
    slips = 2 if len(lower) >= _LONG else 1
    found = (name for name in near if _digits(name) == _digits(lower) and is_within(lower, name, slips))
    return next((known[name] for name in found), "")


def _digits(name: str) -> str:
    return re.sub(r"\D", "", name)


def is_within(first: str, second: str, slips: int) -> bool:
    """Whether two words differ by no more than some letters that are left out, added, exchanged or swapped with the next."""
    if not slips or not first or not second:
        return first == second or (abs(len(first) - len(second)) <= slips and not (first and second))
    if first[0] == second[0]:
        return is_within(first[1:], second[1:], slips)
    swapped = first[:2] == second[1::-1] and len(first) > 1 and is_within(first[2:], second[2:], slips - 1)
    return (
        swapped
        or is_within(first[1:], second, slips - 1)
        or is_within(first, second[1:], slips - 1)
        or is_within(first[1:], second[1:], slips - 1)
    )
