"""Probability distributions: their parameters, what is drawn from them, and what they give of values.

A distribution is the tensor of its parameters ``x``, broadcast to one shape. Its last ``event`` axes belong to one draw; with
``classes``, the last axis holds the weights of the classes, of which a draw is the number of one.
"""

from __future__ import annotations

from dllint.domains.dim import Dim
from dllint.domains.dtype import FLOAT32, INT64
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape, TensorType, broadcast
from dllint.ir.values import Value
from dllint.ops import faults
from dllint.ops.binary import broadcast_operands
from dllint.ops.operand import as_tensor
from dllint.ops.sizes import size
from dllint.ops.spec import Call, Result, known_shape, op
from dllint.ops.traits import Trait


@op("distribution")
def distribution(call: Call, x: Value, y: Value = None) -> Result:
    """The parameters of a distribution, one or two of them, broadcast to one shape."""
    given = [as_tensor(call, operand) for operand in (x, y) if operand is not None]
    shape = broadcast_operands(call, *(operand for operand in (x, y) if operand is not None))
    unknown = next((each.dtype for each in given if isinstance(each.dtype, Unknown)), None)
    known = [each.dtype for each in given if not isinstance(each.dtype, Unknown) and each.dtype.kind == "float"]
    widest = max(known, key=lambda dtype: dtype.bits, default=FLOAT32)
    return TensorType(shape, unknown if unknown is not None else widest)


def _drawn(x: TensorType, sample_shape: Value, classes: Value) -> Result:
    shape, more = known_shape(x), _sizes(sample_shape)
    if not isinstance(classes, bool):
        unknown = Unknown("dynamic-argument", "classes")
        return TensorType(unknown, unknown)
    dtype = INT64 if classes else x.dtype
    if shape is None or more is None or (classes and not shape):
        return TensorType(Unknown("dynamic-argument", "sample_shape") if shape is not None else x.shape, dtype)
    return TensorType((*more, *(shape[:-1] if classes else shape)), dtype)


def _sizes(sample_shape: Value) -> tuple[Dim, ...] | None:
    if not isinstance(sample_shape, tuple):
        return None
    return tuple(size(each, "sample_shape") for each in sample_shape)


@op("distribution_sample", traits=Trait.NO_GRADIENT)
def sample(call: Call, x: TensorType, *, sample_shape: Value = (), classes: Value = False) -> Result:
    """Draws through which no gradient passes."""
    return _drawn(x, sample_shape, classes)


@op("distribution_rsample")
def rsample(call: Call, x: TensorType, *, sample_shape: Value = (), classes: Value = False) -> Result:
    """Draws that are differentiable in the parameters."""
    return _drawn(x, sample_shape, classes)


@op("distribution_log_prob")
def log_prob(call: Call, x: TensorType, value: TensorType, *, event: Value = 0, classes: Value = False) -> Result:
    """The logarithm of the density or probability of ``value``: one number for each draw, with ``value`` broadcast against the
    batch of distributions."""
    shape, given = known_shape(x), known_shape(value)
    if shape is None or given is None or not isinstance(event, int) or not isinstance(classes, bool) or (classes and not shape):
        return TensorType(Unknown("unknown-rank", "log_prob"), x.dtype)
    whole, conflict = broadcast((given, shape[:-1] if classes else shape))
    if conflict is not None:
        call.fault(
            faults.BROADCAST,
            operand="value",
            axis=conflict.axis,
            expected=conflict.right,
            actual=conflict.left,
            shapes=(given, shape),
        )
        return TensorType(Unknown("raised", "log_prob"), x.dtype)
    return TensorType(_without(whole, event), x.dtype)


@op("distribution_batch")
def batch(call: Call, x: TensorType, *, event: Value = 0) -> Result:
    """One number for each distribution of the batch: its entropy, or its divergence from another."""
    shape = known_shape(x)
    if shape is None or not isinstance(event, int):
        return TensorType(Unknown("unknown-rank", "distribution") if shape is not None else x.shape, x.dtype)
    return TensorType(_without(shape, event), x.dtype)


def _without(shape: Shape, axes: int) -> Shape:
    return shape[: len(shape) - axes] if axes else shape
