"""A number of the source is never taken for an amount of work: an operation with an axis, a count or a size of two thousand
million does no more than one with a small number, whether the shapes of its tensors are known or not."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from types import FrameType
from typing import NoReturn

import pytest

from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.ops.spec import apply
from tests.ops.harness import arguments, canonical_arguments
from tests.ops.test_unknown_arguments import SAMPLES

LARGE = (2**31 - 1, -(2**31))
#: Seconds of processor time for one operation.
MOST = 0.5


class TookTooLongError(BaseException):
    """Not an Exception, so that no boundary of dllint takes it for a failure of its own."""


def give_up(_number: int, _frame: FrameType | None) -> NoReturn:
    raise TookTooLongError


def enlarged(value: object) -> Iterator[object]:
    """An argument with a large number in the place of one of its whole numbers."""
    if type(value) is int:
        yield from LARGE
    elif isinstance(value, tuple):
        for place, element in enumerate(value):
            for other in enlarged(element):
                yield (*value[:place], other, *value[place + 1 :])


def unknown(value: object) -> object:
    """A tensor of which the element type alone is known; what is no tensor stays."""
    return TensorType(Unknown("test"), value.dtype) if isinstance(value, TensorType) else value


@pytest.mark.parametrize("known", [True, False])
def test_large_numbers_take_no_longer(known):
    before = signal.signal(signal.SIGVTALRM, give_up)
    slow = set()
    try:
        for case, sample in SAMPLES:
            args = canonical_arguments(case, arguments(sample))
            args = args if known else {name: unknown(value) for name, value in args.items()}
            for name, value in args.items():
                for other in enlarged(value):
                    signal.setitimer(signal.ITIMER_VIRTUAL, MOST)
                    try:
                        apply(case.op, case.framework, {**args, name: other})
                    except TookTooLongError:
                        slow.add(f"{case.framework} {case.op} {name}={other}")
                    finally:
                        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    finally:
        signal.signal(signal.SIGVTALRM, before)
    assert sorted(slow) == []
