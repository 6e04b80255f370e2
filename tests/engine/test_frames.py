"""Below a function with room for frames, calls ask the system for no memory, at whatever depth they are made."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest

from dllint.engine.frames import with_room_for_frames

resource = pytest.importorskip("resource")
_CALLS = 50
#: Depths that lie more than one chunk apart at the least size of a frame.
_DEPTHS = range(100, 500)


def _faults(call: Callable[[], None]) -> int:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    call()
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before


def _at_depth(depth: int) -> None:
    if depth:
        _at_depth(depth - 1)
    else:
        for _ in range(_CALLS):
            _nothing()


def _nothing() -> None:
    pass


def _at_all_depths() -> None:
    for depth in _DEPTHS:
        _at_depth(depth)


def test_calls_at_any_depth_are_cheap() -> None:
    _at_all_depths()
    without, with_room = _faults(_at_all_depths), _faults(with_room_for_frames(_at_all_depths))
    assert with_room < _CALLS, (without, with_room)


def test_results_and_errors_are_those_of_the_function() -> None:
    @with_room_for_frames
    def divide(a: int, *, by: int) -> float:
        """A quotient."""
        return a / by

    assert divide(6, by=4) == 1.5
    assert divide.__doc__ == "A quotient."
    with pytest.raises(ZeroDivisionError):
        divide(1, by=0)


def test_recursion_ends_where_it_does_elsewhere() -> None:
    @with_room_for_frames
    def forever() -> None:
        _at_depth(sys.getrecursionlimit() + 1)

    with pytest.raises(RecursionError):
        forever()
