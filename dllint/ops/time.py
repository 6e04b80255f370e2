"""Applying a layer to every time step: steps become samples, and samples steps again."""

from __future__ import annotations

from dllint.domains.dim import mul
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.ir.values import Value
from dllint.ops import faults
from dllint.ops.sizes import is_dim
from dllint.ops.spec import Call, Result, known_shape, op
from dllint.ops.traits import Trait


@op("time_steps", traits=Trait.KEEPS_ORDER)
def time_steps(call: Call, x: TensorType) -> Result:
    """(batch, time, …) as (batch·time, …): the samples a wrapped layer sees. A sequence has at least 3 axes."""
    shape = known_shape(x)
    if shape is None:
        return x
    if len(shape) < 3:
        kind = faults.SEQUENCE_RANK if len(shape) == 2 else faults.RANK
        call.fault(kind, operand="x", expected=(3, 4, 5), actual=len(shape), shapes=(shape,))
        return x.with_shape(shape)
    return x.with_shape((mul(shape[0], shape[1]), *shape[2:]))


@op("time_join", traits=Trait.KEEPS_ORDER)
def time_join(call: Call, x: TensorType, *, batch: Value = None, time: Value = None) -> Result:
    """(batch·time, …) as (batch, time, …): the inverse of ``time_steps``."""
    shape = known_shape(x)
    if shape is None or not is_dim(batch) or not is_dim(time):
        return x if shape is None else x.with_shape(Unknown("no-argument", "time"))
    return x.with_shape((batch, time, *shape[1:]))
