"""The samples of torch's own test-suite (OpInfo, ModuleInfo) as calls."""

from __future__ import annotations

import inspect
import math
import random
import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from itertools import islice
from typing import Any, Final

import torch
from torch.testing._internal.common_methods_invocations import op_db
from torch.testing._internal.common_modules import module_db

from benchmarks.differential.calls import Argument, Call, Code, Row, mapped, tensors
from benchmarks.differential.running import seed_all
from benchmarks.differential.tensors import TYPES, WHOLES, Tensor

#: So many samples of an operation are looked at, and tensors of so many elements.
_SAMPLES: Final = 60
_ELEMENTS: Final = 4096
_LITERAL: Final = 48
_SIGNS: Final = {
    "add": "{} + {}", "sub": "{} - {}", "mul": "{} * {}", "div": "{} / {}", "true_divide": "{} / {}",
    "floor_divide": "{} // {}", "remainder": "{} % {}", "pow": "{} ** {}", "matmul": "{} @ {}", "eq": "{} == {}",
    "ne": "{} != {}", "lt": "{} < {}", "gt": "{} > {}", "le": "{} <= {}", "ge": "{} >= {}", "bitwise_and": "{} & {}",
    "bitwise_or": "{} | {}", "bitwise_xor": "{} ^ {}", "bitwise_left_shift": "{} << {}",
    "bitwise_right_shift": "{} >> {}", "neg": "-{}", "bitwise_not": "~{}", "__radd__": "{1} + {0}",
    "__rsub__": "{1} - {0}", "__rmul__": "{1} * {0}", "__rdiv__": "{1} / {0}", "__rpow__": "{1} ** {0}",
    "__rmod__": "{1} % {0}", "__rmatmul__": "{1} @ {0}", "__getitem__": "{}[{}]", "__rand__": "{1} & {0}",
    "__ror__": "{1} | {0}", "__rxor__": "{1} ^ {0}",
}  # fmt: skip


class UnwritableError(Exception):
    """A sample that cannot be written as source text."""


#: Element types that programs have.
KNOWN: Final = frozenset(getattr(torch, name) for name in TYPES)


@cache
def operations() -> tuple[Any, ...]:
    """The operations whose samples can be written down."""
    skipped = ("jiterator", "sparse", "to_sparse", "ops.", "fft.", "nested", "quantize", "bfloat16.", "special.airy")
    fourier = ("fft.fft", "fft.rfft", "fft.irfft", "fft.fft2", "fft.fftshift", "fft.fftn")
    found = [info for info in op_db if not info.name.startswith(skipped) or info.name in fourier]
    return tuple(info for info in found if KNOWN.intersection(info.dtypes) and _spellings(info) is not None)


@cache
def modules() -> tuple[Any, ...]:
    """The classes of layers and losses with samples."""
    return tuple(info for info in module_db if info.module_cls.__module__.startswith("torch.nn.modules"))


def _resolved(name: str) -> Any:
    found: Any = torch
    for part in name.split("."):
        found = getattr(found, part, None)
    return found


def _spellings(info: Any) -> dict[str, Any] | None:
    """How an operation is written: as a function, method, sign, in-place method; ``None`` if in no public way."""
    name = info.name
    names = [n for n in (name, *(alias.name for alias in info.aliases)) if callable(_resolved(n))]
    method = name if callable(getattr(torch.Tensor, name, None)) and not name.startswith("_") else ""
    sign = _SIGNS.get(name, "")
    if name.startswith("_") and not sign:
        return None
    if not names and not method and not sign:
        return None
    in_place = f"{name}_" if callable(getattr(torch.Tensor, f"{name}_", None)) else ""
    return {"names": names, "method": method, "sign": sign, "in_place": in_place, "out": info.supports_out}


@cache
def keywords(name: str) -> tuple[str, ...]:
    """The names of a function's positions; empty where they are not known."""
    function = _resolved(name)
    try:
        found = inspect.signature(function).parameters.values()
        return tuple(p.name for p in found if p.kind is p.POSITIONAL_OR_KEYWORD)
    except (TypeError, ValueError):
        schemas = torch._C._jit_get_schemas_for_operator(f"aten::{name.rpartition('.')[2]}")
    usual = [s for s in schemas if "out" not in s.overload_name]
    if not usual:
        return ()
    names = [argument.name for argument in usual[0].arguments if not argument.kwarg_only]
    return tuple("input" if name == "self" else name for name in names)


@cache
def calls_of(number: int, dtype: torch.dtype, faulty: bool) -> tuple[Call, ...]:
    """The calls of the samples of an operation by its number, or of those that its authors know to raise."""
    info = operations()[number]
    seed_all(number)
    spelled = _spellings(info)
    assert spelled is not None, "operations() leaves out those that cannot be written"
    found = info.error_inputs("cpu") if faulty else info.sample_inputs("cpu", dtype)
    out = []
    for sample in _surely(found):
        sample = sample.sample_input if faulty else sample
        try:
            args = tuple(argument(value) for value in (sample.input, *sample.args))
            kwargs = {name: argument(value) for name, value in sample.kwargs.items()}
        except UnwritableError:
            continue
        name = f"torch.{spelled['names'][0]}" if spelled["names"] else ""
        call = Call(name, args, kwargs, None, spelled["method"], spelled["sign"], spelled["in_place"], spelled["out"],
                    keywords(spelled["names"][0]) if spelled["names"] else ())  # fmt: skip
        if all(tensor.count <= _ELEMENTS for tensor in tensors(call)):
            out.append(call)
    return tuple(out)


def _surely(found: Any) -> Iterator[Any]:
    """The first samples, as far as they can be made."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            yield from islice(found, _SAMPLES)
        except Exception:  # some need a library or a device
            return


@cache
def module_calls(number: int, dtype: torch.dtype, training: bool) -> tuple[Call, ...]:
    """The calls of the samples of a layer by its number."""
    info = modules()[number]
    seed_all(number)
    try:
        samples = info.module_inputs_func(info, "cpu", dtype, False, training)
    except Exception:
        return ()
    name = f"torch.nn.{info.module_cls.__name__}"
    out = []
    for sample in samples[:_SAMPLES]:
        if sample.forward_input is None:
            continue
        try:
            built = _inputs(sample.constructor_input)
            given = _inputs(sample.forward_input)
        except UnwritableError:
            continue
        out.append(Call(name, given[0], given[1], Call(name, *built)))
    return tuple(call for call in out if all(tensor.count <= _ELEMENTS for tensor in tensors(call)))


def _inputs(given: Any) -> tuple[tuple[Argument, ...], dict[str, Argument]]:
    args = tuple(argument(value) for value in given.args)
    return args, {name: argument(value) for name, value in given.kwargs.items()}


# --- arguments --------------------------------------------------------------------------------------------------------

_CODES: Final[dict[type, Callable[[Any], str]]] = {
    torch.dtype: str,
    torch.memory_format: str,
    torch.layout: str,
    torch.device: lambda value: repr(str(value)),
    slice: lambda value: f"slice({value.start}, {value.stop}, {value.step})",
    type(Ellipsis): lambda _: "...",
}


def argument(value: Any) -> Argument:
    """A value of a sample as an argument.

    Raises:
        UnwritableError: it is no tensor, number, text, type or row of such.
    """
    if isinstance(value, torch.Tensor):
        return described(value)
    if isinstance(value, bool | int | float | complex | str | None):
        return value
    if type(value) in _CODES:
        return Code(_CODES[type(value)](value))
    if isinstance(value, tuple | list):
        return Row(tuple(map(argument, value)), "[]" if isinstance(value, list) else "()")
    raise UnwritableError(type(value).__name__)


def described(value: torch.Tensor) -> Tensor:
    """A tensor with elements of the same kind."""
    dtype = str(value.dtype).removeprefix("torch.")
    if value.layout is not torch.strided or value.device.type != "cpu" or dtype not in TYPES or value.is_nested:
        raise UnwritableError(dtype)
    plain = value.detach().resolve_conj().resolve_neg()
    made = _filled(plain, tuple(value.shape), dtype)
    layout, axes = _layout(value)
    return Tensor(made.shape, dtype, made.fill, made.low, made.high, made.data, layout, axes)


def _filled(value: torch.Tensor, shape: tuple[int, ...], dtype: str) -> Tensor:
    if value.numel() == 0:
        return Tensor(shape, dtype, "constant")
    if dtype.startswith("complex"):
        return Tensor(shape, dtype, "normal")
    numbers = value.double() if value.is_floating_point() else value
    low, high = numbers.min().item(), numbers.max().item()
    if _is_definite(numbers):
        return Tensor(shape, dtype, "eye")
    if value.numel() <= _LITERAL:
        data = tuple(round(n, 3) if isinstance(n, float) else n for n in value.flatten().tolist())
        return Tensor(shape, dtype, "literal", _end(low, math.floor), _end(high, math.ceil) + (dtype in WHOLES), data)
    if dtype == "bool":
        return Tensor(shape, dtype, "whole", 0, 2)
    if not value.is_floating_point():
        return Tensor(shape, dtype, "whole", low, high + 1)
    return Tensor(shape, dtype, "uniform", _end(low, math.floor), _end(high, math.ceil))


def _end(number: float, rounding: Callable[[float], int]) -> float:
    return float(rounding(max(min(number, 1e6), -1e6))) if math.isfinite(number) else 0.0


def _is_definite(value: torch.Tensor) -> bool:
    """Whether matrices are symmetric, as only those are that have to be."""
    if value.dim() < 2 or value.shape[-1] != value.shape[-2] or value.shape[-1] < 2 or not value.is_floating_point():
        return False
    return bool(torch.allclose(value, value.mT, atol=1e-3)) and not bool((value == value.flatten()[0]).all())


def _layout(value: torch.Tensor) -> tuple[Any, tuple[int, ...]]:
    if value.is_contiguous() or value.numel() == 0:
        return "plain", ()
    if 0 in value.stride():
        return "expanded", ()
    axes = tuple(sorted(range(value.dim()), key=lambda a: -value.stride()[a]))
    if value.permute(axes).is_contiguous():
        return "permuted", tuple(axes.index(a) for a in range(value.dim()))
    return "strided", ()


def drawn(call: Call, source: random.Random) -> Call:
    """A sample with elements that are drawn in place of some of its literals."""

    def change(value: Argument) -> Argument:
        if not isinstance(value, Tensor) or value.fill != "literal" or not value.dtype.startswith("float"):
            return value
        if value.count <= 6 and source.random() < 0.6:
            return value
        return replace(value, fill="uniform", high=max(value.high, value.low + 1))

    return mapped(call, change)
