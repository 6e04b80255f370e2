"""Courses with fewer points that look the same."""

from __future__ import annotations

import math
from collections.abc import Sequence

Point = tuple[float, float]


def thinned(points: Sequence[Point], most: int) -> list[Point]:
    """At most so many points: of every stretch the lowest, the highest and what is not finite, in order."""
    if len(points) <= most:
        return list(points)
    size = math.ceil(len(points) / max(most // 3, 1))
    return [point for at in range(0, len(points), size) for point in _outer(points[at : at + size])]


def _outer(points: Sequence[Point]) -> list[Point]:
    finite = [number for number, (_, value) in enumerate(points) if math.isfinite(value)]
    kept = {min(finite, key=lambda n: points[n][1]), max(finite, key=lambda n: points[n][1])} if finite else set()
    odd = next((number for number, (_, value) in enumerate(points) if not math.isfinite(value)), None)
    if odd is not None:
        kept.add(odd)
    return [points[number] for number in sorted(kept)]


def smoothed(points: Sequence[Point], window: int) -> list[Point]:
    """The exponential moving average over about ``window`` points; values that are not finite are left out."""
    weight = 2 / (window + 1)
    result: list[Point] = []
    mean = total = 0.0
    for step, value in points:
        if math.isfinite(value):
            mean, total = mean + weight * (value - mean), total + weight * (1 - total)
            result.append((step, mean / total))
    return result


def evenly(count: int, most: int) -> list[int]:
    """At most so many of the numbers below ``count``, evenly spread, the first and the last among them."""
    if count <= most:
        return list(range(count))
    return sorted({round(number * (count - 1) / (most - 1)) for number in range(most)})
