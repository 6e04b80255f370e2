"""Arguments of the two operators beside one another, under the reference's names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dllint.bisection.suspicions.evidence import Evidence

#: What an argument is about.
_SUBJECTS: Final[Mapping[str, str]] = {
    "epsilon": "epsilon",
    "axis": "axis",
    "padding": "padding",
    "stride": "stride",
    "dilation": "dilation",
    "groups": "groups",
    "approximate": "approximation",
    "align_corners": "sampling positions",
    "mode": "interpolation",
    "negative_slope": "slope",
    "training": "training mode",
    "keepdim": "kept axes",
    "ceil_mode": "rounding of sizes",
    "count_include_pad": "padding counted in means",
}


def differing(given: Evidence) -> str | None:
    """The first argument that both operators tell and tell differently."""
    ours, theirs = given.settings
    for name, subject in _SUBJECTS.items():
        if name in ours and name in theirs and not _equal(name, ours[name], theirs[name], given.expected.ndim):
            return f"{subject}: {theirs[name]} in the candidate, {ours[name]} in the reference"
    return None


def _equal(name: str, ours: object, theirs: object, rank: int) -> bool:
    if name == "axis":
        return _counted(ours, rank) == _counted(theirs, rank)
    if name == "epsilon" and isinstance(ours, int | float) and isinstance(theirs, int | float):
        return abs(ours - theirs) <= 1e-3 * max(abs(ours), abs(theirs))
    if isinstance(ours, float) and isinstance(theirs, float | int):
        return abs(ours - theirs) <= 1e-5 * max(1.0, abs(ours))
    if name in ("padding", "stride", "dilation"):
        return _spread(ours, theirs)
    return ours == theirs


def _counted(axis: object, rank: int) -> object:
    """From the front; an axis counted from the end of values of this rank is the same."""
    if isinstance(axis, list | tuple):
        return tuple(_counted(each, rank) for each in axis) if len(axis) != 1 else _counted(axis[0], rank)
    return axis % rank if isinstance(axis, int) and rank else axis


def _spread(ours: object, theirs: object) -> bool:
    """A number, or one per spatial axis, or (ONNX) all beginnings and then all ends."""
    first, second = _listed(ours), _listed(theirs)
    count = max(len(first), len(second))
    if not first or not second or count % len(first) or count % len(second):
        return first == second
    return first * (count // len(first)) == second * (count // len(second))


def _listed(value: object) -> list[object]:
    return list(value) if isinstance(value, list | tuple) else [value]
