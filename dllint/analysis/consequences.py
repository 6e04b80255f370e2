"""Faults that only follow from another fault.

After a fault the interpreter goes on with the declared size. If the declaration was the mistake, the next layer meets
the same two sizes the other way round; that is the same root cause, not another one.
"""

from __future__ import annotations

from itertools import islice

from dllint.analysis.facts import Facts
from dllint.ir.program import Fault, Op

#: How many operations back a consequence is looked for.
_REACH = 60


def is_consequence(op: Op, facts: Facts) -> bool:
    """Whether every fault of an operation confuses two sizes that a fault of one of its ancestors confuses already."""
    earlier = {_sizes(f) for ancestor in islice(facts.ancestors(*op.inputs), _REACH) for f in ancestor.faults} - {None}
    return bool(earlier) and all(_sizes(fault) in earlier for fault in op.faults)


def _sizes(fault: Fault) -> frozenset[object] | None:
    """The two sizes a fault is about, in no order."""
    if fault.expected is None or fault.actual is None or isinstance(fault.expected, tuple):
        return None
    return frozenset((fault.expected, fault.actual))
