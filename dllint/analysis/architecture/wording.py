"""How a module is worded on one line: its construction in the library's own terms, its result, its parameters."""

from __future__ import annotations

from typing import Final

from dllint.analysis.architecture.shapes import outputs_of
from dllint.analysis.architecture.tree import Module
from dllint.analysis.architecture.weights import Weights
from dllint.domains.dim import Dim, DimExpr, show
from dllint.ir.values import ClassVal, InstanceVal, Value, unwrap

_UNITS: Final = ("", " K", " M", " B", " T")
_THOUSAND: Final = 1000
#: From so many on, a number is rounded.
_EXACT_BELOW: Final = 1_000_000
_TENS: Final = 100
_LONGEST: Final = 60


def short_number(value: Dim) -> str:
    """``7,674``, ``12.4 M``; an expression of symbols as it is."""
    if not isinstance(value, int):
        return show(value)
    if abs(value) < _EXACT_BELOW:
        return f"{value:,}"
    amount, unit = float(value), 0
    while abs(amount) >= _THOUSAND - 0.5 and unit + 1 < len(_UNITS):
        amount, unit = amount / _THOUSAND, unit + 1
    return f"{amount:.0f}{_UNITS[unit]}" if abs(amount) >= _TENS else f"{amount:.1f}{_UNITS[unit]}"


def parameters_text(weights: Weights) -> str:
    """``12.4 M parameters``; empty if there are none, ``≥`` in front of a lower bound that says something."""
    if weights.total == 0:
        return ""
    return f"{'≥ ' if weights.is_open else ''}{short_number(weights.total)} parameters"


def output_text(module: Module) -> str:
    """``f32[B, 10]``: what the calls of a module give; empty if it is not called."""
    return outputs_of(module.calls) if module.calls else ""


def summary_text(module: Module) -> str:
    """``12.4 M parameters · out f32[B, 10]``."""
    result = output_text(module)
    return " · ".join(filter(None, (parameters_text(module.weights), f"out {result}" if result else "")))


def construction_text(instance: InstanceVal) -> str:
    """``in_features=4, out_features=2``: with what a layer of a library was built, on a short line."""
    text = arguments_text(instance)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def arguments_text(instance: InstanceVal) -> str:
    """With what a layer of a library was built, under the names of its library; empty for objects of other classes."""
    layer = instance.layer
    if layer is None or isinstance(instance.cls, ClassVal):
        return ""
    library = {canonical: name for name, canonical in layer.row.rename.items()}
    given = [key for key in layer.nodes if key in layer.args and key != "name"]
    keys = given or [key for key in layer.args if layer.defaulted and key not in {*layer.defaulted, *layer.row.const}]
    shown = ((library.get(key, key), _argument(layer.args[key])) for key in keys)
    return ", ".join(f"{key}={text}" for key, text in shown if text)


def _argument(value: Value) -> str:
    """An argument in words; empty for what is no number, text, size or tuple of these."""
    value = unwrap(value)
    if isinstance(value, DimExpr):
        return show(value)
    if isinstance(value, (bool, int, float, str)):
        return repr(value)
    if isinstance(value, tuple):
        inside = [_argument(item) for item in value]
        return f"({', '.join(inside)}{',' if len(inside) == 1 else ''})" if inside and all(inside) else ""
    return ""
