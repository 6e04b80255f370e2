"""Truth of abstract values, three-valued."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from dllint.domains.dim import DimExpr, bounds
from dllint.domains.dtype import DType
from dllint.domains.lattice import Unknown, UnknownBool, UnknownFloat, UnknownInt
from dllint.frameworks import registry
from dllint.frameworks.machine import HANDLERS
from dllint.ir.program import TensorVal
from dllint.ir.values import (
    Arguments,
    Assumed,
    BoundVal,
    ClassVal,
    DictVal,
    FuncVal,
    InstanceVal,
    IterVal,
    LibSymbol,
    ListVal,
    ModuleVal,
    NativeVal,
    PartialVal,
    RangeVal,
    SetVal,
    SliceVal,
    Value,
)
from dllint.lower import bulk, calling, comparisons, mro
from dllint.lower.lazy import ChoiceVal

if TYPE_CHECKING:
    from dllint.frameworks.machine import Machine
    from dllint.lower.machine import Interpreter


def truth(m: Interpreter, value: Value) -> bool | None:
    """Whether a value is true; ``None`` if that is not decided (an Assumed value counts as its default)."""
    known = _TRUTH.get(type(value))
    if known is not None:
        return known(m, value)
    if isinstance(value, (int, float, complex, str, bytes, tuple)) or value is None:
        return bool(value)
    return True if isinstance(value, _ALWAYS) or value is ... else None


_ALWAYS = (FuncVal, ClassVal, ModuleVal, BoundVal, PartialVal, NativeVal, IterVal, SliceVal, DType)


def _sized(_m: Machine, value: ListVal | DictVal | SetVal) -> bool | None:
    return True if value.items else (False if value.rest is None else None)


def _dim(_m: Machine, value: DimExpr) -> bool | None:
    low, high = bounds(value)
    return True if (low is not None and low > 0) or (high is not None and high < 0) else None


def _float(value: UnknownFloat) -> bool | None:
    is_apart = (value.low is not None and value.low > 0) or (value.high is not None and value.high < 0)
    return True if is_apart else None


def _symbol(_m: Machine, value: LibSymbol) -> bool | None:
    """Functions, classes and modules are true; another library may be missing, and of what a module holds nothing is known."""
    known = value.name in sys.stdlib_module_names or value.name.startswith("builtins.") or registry.known(value.name)
    return True if known else None


def _instance(m: Interpreter, value: InstanceVal) -> bool | None:
    """Objects without ``__bool__`` and ``__len__`` are true. Of a library's classes we know that of layers and of those whose
    objects are called (a transform)."""
    for name in ("__bool__", "__len__"):
        method = mro.special(value, name)
        if method is not None:
            return truth(m, calling.call(m, method, Arguments()))
    if isinstance(value.cls, ClassVal):
        return None if value.open is not None or mro.may_be_anything(value) else True
    is_called = isinstance(value.cls, LibSymbol) and f"{value.cls.name}.__call__" in HANDLERS
    return True if value.layer is not None or is_called else None


def _choice(m: Interpreter, value: ChoiceVal) -> bool | None:
    found = {truth(m, option) for option in value.options}
    return found.pop() if len(found) == 1 else None


def _range(m: Interpreter, value: RangeVal) -> bool | None:
    start, stop, step = value.start, value.stop, value.step
    if isinstance(start, int) and isinstance(stop, int) and isinstance(step, int) and step:
        return bool(bulk.steps(start, stop, step))
    return truth(m, comparisons.compare(m, "lt", start, stop)) if isinstance(step, int) and step > 0 else None


_TRUTH: dict[type, Callable[[Any, Any], bool | None]] = {
    bool: lambda _m, v: v,
    Unknown: lambda m, v: True if v in m.known.given else None,
    UnknownBool: lambda m, v: True if v in m.known.given else None,
    UnknownInt: lambda m, v: True if v in m.known.given else None,
    UnknownFloat: lambda m, v: True if v in m.known.given else _float(v),
    TensorVal: lambda _m, _v: None,
    Assumed: lambda m, v: truth(m, v.value),
    ListVal: _sized,
    SetVal: _sized,
    DictVal: _sized,
    RangeVal: _range,
    DimExpr: _dim,
    LibSymbol: _symbol,
    InstanceVal: _instance,
    ChoiceVal: _choice,
}
