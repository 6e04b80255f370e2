"""Ranges that somebody has written down: their notation, and where they stand."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Final

from dllint.domains.interval import Bound, Interval, Origin

_NOTATION: Final = re.compile(r"\s*(?P<left>[\[(])(?P<low>[^,\[\]()]*),(?P<high>[^,\[\]()]*)(?P<right>[\])])\s*")
#: An end that nothing is said about.
_OPEN: Final = "?"


@dataclass(frozen=True, slots=True)
class Stated:
    """An interval and the place it is written at, for the reader (``line 12``, ``pyproject.toml``)."""

    interval: Interval
    where: str


def read_interval(text: str) -> Interval:
    """The interval that ``[0, 1]``, ``(0, inf)`` or ``[0, ?)`` stands for; ``?`` leaves an end open to what is known otherwise.

    Raises:
        ValueError: it is no interval; the message says why and completes "`text` …".
    """
    match = _NOTATION.fullmatch(text)
    if match is None:
        raise ValueError("is no interval; write for example `[0, 1]`, `(0, inf)` or `[0, ?)`")
    low = _end(match["low"], -math.inf, closed=match["left"] == "[")
    high = _end(match["high"], math.inf, closed=match["right"] == "]")
    return checked(Interval(low, high))


def written(found: Interval) -> str:
    """An interval in the notation that :func:`read_interval` reads."""
    left, right = ("[" if _closed(found.low) else "("), ("]" if _closed(found.high) else ")")
    return f"{left}{_shown(found.low)}, {_shown(found.high)}{right}"


def checked(found: Interval) -> Interval:
    """The interval, if there is a number in it. Raises ValueError, as :func:`read_interval` does."""
    low, high = found.low, found.high
    if math.isnan(low.value) or math.isnan(high.value):
        raise ValueError("has no number at one of its ends")
    if low.value > high.value:
        raise ValueError(f"is empty: {low.value:g} is above {high.value:g}")
    if low.value == high.value and not (low.closed and high.closed and math.isfinite(low.value)):
        raise ValueError("is empty")
    return found


def _end(text: str, infinite: float, *, closed: bool) -> Bound:
    text = text.strip()
    if text == _OPEN:
        return Bound(infinite, Origin.UNKNOWN)
    try:
        return Bound(float(text), Origin.STATED, closed)
    except ValueError:
        raise ValueError(f"has the end `{text}`, which is no number") from None


def _closed(bound: Bound) -> bool:
    return bound.closed and bound.known


def _shown(bound: Bound) -> str:
    return f"{bound.value!r}".removesuffix(".0") if bound.known else _OPEN
