"""Calls of TensorFlow with the order of arguments of releases before 1.0, or each other's keyword: no later release takes them.

Measured with TensorFlow 2: an axis that is a list, a number that is to be split and a size that is one number are refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from dllint.analysis.own_statements import is_watched
from dllint.analysis.said_in_files import any_says
from dllint.ir.events import LibraryCall
from dllint.ir.program import TensorVal
from dllint.ir.values import ListVal, Value, unwrap


@dataclass(frozen=True, slots=True)
class FormerOrder:
    """``taken``: what the function takes today; ``is_former``: whether a call cannot be meant so; ``names``: what the arguments
    by position were, in today's words."""

    name: str
    taken: str
    is_former: Callable[[LibraryCall], bool]
    names: tuple[str, ...] = ()


def _is_number(value: Value) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _joins_along_list(call: LibraryCall) -> bool:
    axis = unwrap(call.bound.get("axis"))
    return isinstance(axis, (ListVal, tuple)) or (isinstance(axis, TensorVal) and bool(axis.type.rank))


def _splits_number(call: LibraryCall) -> bool:
    return call.positional > 2 and _is_number(unwrap(call.bound.get("value")))


def _sizes_apart(call: LibraryCall) -> bool:
    return _is_number(unwrap(call.bound.get("size"))) and _is_number(unwrap(call.bound.get("method")))


ROWS: Final = (
    FormerOrder("tensorflow.concat", "the tensors first, and then the axis", _joins_along_list, ("axis", "values")),
    FormerOrder(
        "tensorflow.split", "the tensor first, then the number of parts and the axis", _splits_number,
        ("axis", "num_or_size_splits", "value"),
    ),
    *(
        FormerOrder(f"tensorflow.image.{name}", "height and width as one list", _sizes_apart)
        for name in ("resize", "resize_images")
    ),
)  # fmt: skip
#: A branch on the release.
_ASKS_RELEASE: Final = re.compile(r"\bif\b.*(?:__version__|VERSION)|LooseVersion|parse_version", re.MULTILINE)
#: The release in which the orders changed.
SINCE: Final = "1.0"
NAMES: Final = tuple(row.name for row in ROWS)


def former_order(call: LibraryCall) -> FormerOrder | None:
    """The order that a call does not have; none is told of a call that is tried, or in a file that asks for the release."""
    row = next((row for row in ROWS if row.name == call.name and row.is_former(call)), None)
    if row is None or any(is_watched(place) for place in call.site.stack()) or any_says([call.site.document], _ASKS_RELEASE):
        return None
    return row
