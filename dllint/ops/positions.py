"""Positions of true elements: operations whose result sizes depend on the data."""

from __future__ import annotations

from types import NoneType

from dllint.domains.dim import Dim, counted
from dllint.domains.dtype import INT64
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.ir.values import Value
from dllint.ops.operand import as_tensor
from dllint.ops.spec import Call, Result, op
from dllint.ops.traits import Trait


def true_elements() -> Dim:
    """How many elements of a mask are true."""
    return counted("true elements")


def positions(x: TensorType, as_tuple: bool) -> Result:
    """The indices of true elements: one vector per axis, or one row per element."""
    count = true_elements()
    if as_tuple:
        return x.shape if isinstance(x.shape, Unknown) else (TensorType((count,), INT64),) * max(1, len(x.shape))
    return TensorType(x.shape if isinstance(x.shape, Unknown) else (count, len(x.shape)), INT64)


@op("nonzero", traits=Trait.POSITIONS | Trait.OWN_ORDER, various=True)
def nonzero(call: Call, x: TensorType, as_tuple: Value = None) -> Result:
    """The positions of elements that are not zero: rows (torch), or a tuple of vectors (``as_tuple``, numpy). What Keras
    gives depends on its backend."""
    if not isinstance(as_tuple, (bool, NoneType)):
        return Unknown("no-argument", "as_tuple")
    if call.framework == "keras":
        return Unknown("backend", "nonzero")
    return positions(as_tensor(call, x), call.framework == "numpy" if as_tuple is None else bool(as_tuple))
