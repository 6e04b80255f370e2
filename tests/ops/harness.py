"""Differential testing of operations: samples are run through a real library and through ``dllint.ops.spec.apply``.

A :class:`Case` names an operation, the library function and its parameters; each sample is a tuple of arguments in which
tensors are written ``t(2, 3)`` or ``t(2, 3, dtype=INT64)``. The library is called by position and by keyword. The library
raises exactly if we record a fault; otherwise shapes, element types and (torch) strides are compared. ``Quiet`` marks a
sample on which the library raises and we say nothing, ``Loose`` one whose result sizes depend on the data.
"""

from __future__ import annotations

import functools
import importlib
import os
import pkgutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from dllint.domains.dim import DimExpr, is_fixed, opaque, symbols
from dllint.domains.dtype import FLOAT32, DType
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.domains.substitution import substitute
from dllint.ops import all as all_operations
from dllint.ops.spec import Outcome, apply

assert all_operations
os.environ.setdefault("KERAS_BACKEND", "torch")
FRAMEWORKS = ("torch", "keras", "numpy", "tensorflow")


def t(*shape: Any, dtype: DType = FLOAT32) -> TensorType:
    """A tensor in a sample."""
    return TensorType(shape, dtype)


@dataclass(frozen=True)
class Quiet:
    """A sample on which the library raises but we may say nothing (an undecidable or unmodelled refusal)."""

    args: tuple[Any, ...]


@dataclass(frozen=True)
class Loose:
    """A sample whose result has sizes that depend on the data."""

    args: tuple[Any, ...]


@dataclass(frozen=True)
class Case:
    """``params`` lists the library's parameter names in order, ``library:canonical`` where they differ; a leading ``*``
    marks a variadic parameter, a leading ``/`` one that cannot be passed by keyword. ``const`` are canonical arguments
    that the library's function implies. ``prepare`` names a function of this module that makes the real arguments."""

    op: str
    name: str
    params: str
    samples: tuple[Any, ...]
    const: Mapping[str, Any] = field(default_factory=dict)
    framework: str = "torch"

    @property
    def library(self) -> list[str]:
        return [p.partition(":")[0].lstrip("*/") for p in self.params.split()]

    @property
    def canonical(self) -> list[str]:
        return [(p.partition(":")[2] or p).lstrip("*/") for p in self.params.split()]

    @property
    def variadic(self) -> bool:
        return "*" in self.params

    @property
    def positional(self) -> int:
        """How many leading parameters cannot be passed by keyword."""
        return sum(p.startswith("/") for p in self.params.split())


def arguments(sample: Any) -> tuple[Any, ...]:
    found = sample.args if isinstance(sample, Quiet | Loose) else sample
    return found if isinstance(found, tuple) else (found,)


def canonical_arguments(case: Case, args: tuple[Any, ...]) -> dict[str, Any]:
    """What the lowering would hand to the operation: variadic arguments as a tuple."""
    names = case.canonical
    if case.variadic:
        at = next(i for i, p in enumerate(case.params.split()) if p.startswith("*"))
        args = (*args[:at], tuple(args[at:]))
    return {**dict(zip(names, args, strict=False)), **case.const}


def ours(case: Case, args: tuple[Any, ...]) -> Outcome:
    return apply(case.op, case.framework, canonical_arguments(case, args))  # type: ignore[arg-type]


# --- the real library ---------------------------------------------------------------------------------------------


def _torch_tensor(type_: TensorType) -> Any:
    import torch

    return torch.zeros(type_.shape, dtype=getattr(torch, type_.dtype.name))


def _numpy_tensor(type_: TensorType) -> Any:
    import numpy as np

    return np.zeros(type_.shape, dtype=type_.dtype.name)


def _keras_tensor(type_: TensorType) -> Any:
    """A tensor of Keras's torch backend."""
    return importlib.import_module("keras").ops.zeros(type_.shape, dtype=type_.dtype.name)


def _symbolic_tensor(type_: TensorType) -> Any:
    return importlib.import_module("keras").KerasTensor(type_.shape, dtype=type_.dtype.name)


def _tensorflow_tensor(type_: TensorType) -> Any:
    import tensorflow as tf

    return tf.zeros(type_.shape, dtype=type_.dtype.name)


#: Functions whose symbolic shape is wrong in Keras itself (3.15).
SYMBOLIC_ERRORS = frozenset({"keras.ops.vstack"})
MAKERS = {
    "torch": _torch_tensor,
    "numpy": _numpy_tensor,
    "keras": _keras_tensor,
    "symbolic": _symbolic_tensor,
    "tensorflow": _tensorflow_tensor,
}


def real(value: Any, framework: str) -> Any:
    """An argument of a sample as the library wants it."""
    if isinstance(value, TensorType):
        return MAKERS[framework](value)
    if isinstance(value, DType):
        return getattr(importlib.import_module("torch"), value.name) if framework == "torch" else value.name
    if isinstance(value, tuple):
        return tuple(real(v, framework) for v in value)
    if isinstance(value, dict):
        return {k: real(v, framework) for k, v in value.items()}
    return value


def resolve(name: str) -> Any:
    """The library object of a qualified name."""
    parts = name.split(".")
    for cut in range(len(parts), 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:cut]))
        except ImportError:
            continue
        return functools.reduce(getattr, parts[cut:], found)
    raise LookupError(name)


def type_of(value: Any) -> Any:
    """A library result as our types: tensors, sequences of them, plain numbers."""
    if isinstance(value, tuple | list):
        return tuple(type_of(v) for v in value)
    if hasattr(value, "shape") and hasattr(value, "dtype"):
        name = str(getattr(value.dtype, "name", value.dtype)).removeprefix("torch.")
        return TensorType(tuple(opaque() if n is None else int(n) for n in value.shape), DType(name, *_kind(name)))
    return value


def _kind(name: str) -> tuple[Any, ...]:
    from dllint.domains.dtype import dtype_named

    found = dtype_named(name)
    return (found.kind, found.bits, found.signed) if found else ("string", 0)


def call_library(case: Case, args: tuple[Any, ...], by_keyword: bool, symbolic: bool = False) -> Any:
    function = resolve(case.name)
    values = [real(v, "symbolic" if symbolic else case.framework) for v in args]
    if not by_keyword:
        return function(*values)
    cut = case.positional
    return function(*values[:cut], **dict(zip(case.library[cut:], values[cut:], strict=False)))


# --- comparison ---------------------------------------------------------------------------------------------------


def mismatch(found: Any, wanted: Any, loose: bool) -> str | None:
    """Why our result is not the library's, ``None`` if it is."""
    if isinstance(wanted, tuple):
        if loose and isinstance(found, Unknown):
            return None
        if not isinstance(found, tuple) or len(found) != len(wanted):
            return f"{found} is not {wanted}"
        return next((m for m in (mismatch(f, w, loose) for f, w in zip(found, wanted, strict=True)) if m), None)
    if isinstance(wanted, TensorType):
        return _tensor_mismatch(found, wanted, loose)
    return None if found == wanted or (isinstance(found, TensorType) and found.shape == ()) else f"{found} is not {wanted}"


def _tensor_mismatch(found: Any, wanted: TensorType, loose: bool) -> str | None:
    if not isinstance(found, TensorType):
        return None if loose and isinstance(found, Unknown) else f"{found} is not {wanted}"
    if found.dtype != wanted.dtype and not (loose and isinstance(found.dtype, Unknown)):
        return f"{found} has not the element type of {wanted}"
    if isinstance(found.shape, Unknown):
        return None if loose else f"{found} has not the shape of {wanted}"
    sizes = zip(found.shape, wanted.shape, strict=False)
    fits = len(found.shape) == len(wanted.shape) and all(f == w or (loose and isinstance(f, DimExpr)) for f, w in sizes)
    return None if fits else f"{found} has not the shape of {wanted}"


def stride_mismatch(found: Any, result: Any) -> str | None:
    """Why the strides we claim are not those of a torch tensor."""
    if isinstance(found, tuple) and isinstance(result, tuple | list):
        return next((m for m in (stride_mismatch(f, r) for f, r in zip(found, result, strict=False)) if m), None)
    if (
        not isinstance(found, TensorType)
        or not isinstance(found.strides, tuple)
        or not hasattr(result, "stride")
        or result.numel() == 0
    ):
        return None
    pairs = [(a, b) for a, b, n in zip(found.strides, result.stride(), result.shape, strict=True) if n != 1]
    return None if all(a == b for a, b in pairs) else f"{found} has strides {found.strides}, not {result.stride()}"


def calls(case: Case, args: tuple[Any, ...]) -> Iterator[bool]:
    yield False
    if not case.variadic and case.positional < len(args):
        yield True


def check(case: Case, sample: Any) -> str | None:
    """Why a sample fails, ``None`` if it agrees."""
    args = arguments(sample)
    outcome = ours(case, args)
    if isinstance(outcome.result, Unknown) and outcome.result.reason in ("op-failed", "unmodelled-op", "missing-argument"):
        return str(outcome.result)
    for by_keyword in calls(case, args):
        try:
            result = call_library(case, args, by_keyword)
        except Exception as error:  # every library has error classes of its own
            if not outcome.faults and not isinstance(sample, Quiet):
                how = "by keyword" if by_keyword else "by position"
                return f"{case.name} raises {type(error).__name__}: {str(error)[:120]!r} {how}, we give {outcome.result}"
            continue
        if outcome.faults:
            return f"{case.name} gives {type_of(result)}, we report {outcome.faults}"
        wrong = mismatch(outcome.result, type_of(result), isinstance(sample, Loose | Quiet))
        wrong = wrong or (stride_mismatch(outcome.result, result) if case.framework == "torch" else None)
        wrong = wrong or (_symbolic_mismatch(case, args, outcome, sample) if case.framework == "keras" else None)
        if wrong:
            return wrong
    return None


def _symbolic_mismatch(case: Case, args: tuple[Any, ...], outcome: Outcome, sample: Any) -> str | None:
    """Why our shape is not that of the same call on a KerasTensor; some functions have no symbolic form. Element types
    are those of the eager call: symbolic ones depend on the backend (64-bit types become 32-bit ones)."""
    if case.name in SYMBOLIC_ERRORS or not any(True for _ in tensors_in(args)):
        return None
    try:
        result = call_library(case, args, by_keyword=False, symbolic=True)
    except Exception:
        return None
    return mismatch(_untyped(outcome.result), _untyped(type_of(result)), isinstance(sample, Loose | Quiet))


def _untyped(result: Any) -> Any:
    """A result with all element types made the same."""
    if isinstance(result, tuple):
        return tuple(map(_untyped, result))
    return result.with_dtype(FLOAT32) if isinstance(result, TensorType) else result


def failures(case: Case) -> list[str]:
    """What is wrong with a case, one line per sample."""
    found = [(sample, check(case, sample)) for sample in case.samples]
    return [f"{case.op}{arguments(sample)}: {wrong}" for sample, wrong in found if wrong]


# --- symbolic sizes -----------------------------------------------------------------------------------------------


def symbolise(value: Any, names: Mapping[int, DimExpr]) -> Any:
    """Tensor sizes replaced by symbols."""
    if isinstance(value, TensorType):
        return TensorType(tuple(names.get(n, n) for n in value.shape), value.dtype)
    return tuple(symbolise(v, names) for v in value) if isinstance(value, tuple) else value


def concrete(result: Any, names: Mapping[int, DimExpr]) -> Any:
    """Symbols replaced by the sizes they stand for."""
    values = {next(iter(symbols(d))): n for n, d in names.items()}
    if isinstance(result, tuple):
        return tuple(concrete(r, names) for r in result)
    if isinstance(result, TensorType) and not isinstance(result.shape, Unknown):
        return TensorType(tuple(substitute(d, values) for d in result.shape), result.dtype)
    return result


def contains(found: Any, wanted: Any) -> bool:
    """Whether a result of symbolic sizes, made concrete, agrees with the concrete result wherever it is known."""
    if isinstance(found, Unknown) or isinstance(wanted, Unknown):
        return True
    if isinstance(wanted, tuple) or isinstance(found, tuple):
        if not (isinstance(wanted, tuple) and isinstance(found, tuple)):
            return False
        return len(found) == len(wanted) and all(contains(f, w) for f, w in zip(found, wanted, strict=True))
    if not isinstance(wanted, TensorType) or not isinstance(found, TensorType):
        return bool(found == wanted) or isinstance(found, DimExpr)
    if not isinstance(found.dtype, Unknown) and not isinstance(wanted.dtype, Unknown) and found.dtype != wanted.dtype:
        return False
    if isinstance(found.shape, Unknown) or isinstance(wanted.shape, Unknown):
        return True
    sizes = zip(found.shape, wanted.shape, strict=False)
    return len(found.shape) == len(wanted.shape) and all(not is_fixed(f) or not is_fixed(w) or f == w for f, w in sizes)


# --- the tables ---------------------------------------------------------------------------------------------------


def cases(framework: str) -> list[Case]:
    """All cases of ``tests/ops/<framework>_samples``."""
    try:
        package = importlib.import_module(f"tests.ops.{framework}_samples")
    except ModuleNotFoundError:
        return []
    modules = [importlib.import_module(f"{package.__name__}.{m.name}") for m in pkgutil.iter_modules(package.__path__)]
    return [case for module in modules for case in module.CASES]


def tensors_in(value: Any) -> Iterator[TensorType]:
    """All tensors of a sample, sequences flattened."""
    if isinstance(value, TensorType):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from tensors_in(item)
