"""Layers that change images at random or by what they show, for more variety in training data."""

from __future__ import annotations

from dllint.domains.dtype import DType
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.ir.values import Value
from dllint.ops.promotion import floating
from dllint.ops.spec import Call, Result, op
from dllint.ops.traits import Trait


@op("augment", traits=Trait.RESAMPLES | Trait.KEEPS_SHAPE)
def augment(call: Call, x: TensorType, *, integers: Value = "computed") -> Result:
    """Images of the same shape with other elements. ``integers`` says what the layer makes of images of integers or
    booleans: ``"computed"`` floating-point numbers, ``"kept"`` as they are, or ``"unknown"``."""
    if integers == "kept" or (isinstance(x.dtype, DType) and x.dtype.kind == "float"):
        return x.with_shape(x.shape)
    if integers == "computed":
        return TensorType(x.shape, floating(call, x))
    return TensorType(x.shape, Unknown("no-argument", "element type"))
