"""Faults of rank that rest on a batch axis which nothing shows.

A layer of torch that takes ``(N, C, H, W)`` takes ``(C, H, W)``, too. A tensor of unknown rank that such a layer is given is
assumed to have the batch axis (:class:`dllint.ops.demands.Demand`), since most have it. If the code then puts an axis of size 1
in front, it has none: ``pool(image).unsqueeze(0)`` is a batch of one image.
"""

from __future__ import annotations

from dllint.domains.dim import DimExpr
from dllint.domains.lattice import Unknown
from dllint.ir.program import Fault, Op, TensorVal
from dllint.ops.faults import RANK


def rests_on_assumed_batch(op: Op) -> bool:
    """Whether each fault of an operation is that of one axis too many, where the second one, behind an axis of size 1, is a
    batch axis that was assumed."""
    return all(fault.kind == RANK and _is_assumed(op, fault) for fault in op.faults)


def _is_assumed(op: Op, fault: Fault) -> bool:
    accepted = fault.expected if isinstance(fault.expected, tuple) else (fault.expected,)
    x = op.args.get(fault.operand or "x")
    shape = x.shape if isinstance(x, TensorVal) else Unknown("no-tensor")
    if isinstance(shape, Unknown) or len(shape) < 2 or len(shape) - 1 not in accepted or shape[0] != 1:
        return False
    batch = shape[1]
    return isinstance(batch, DimExpr) and batch.symbol is not None and batch.symbol.optional
