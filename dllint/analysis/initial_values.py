"""Which layers and variables start with one value everywhere."""

from __future__ import annotations

from typing import Any, Final

import libcst as cst

from dllint.analysis.facts import Facts
from dllint.domains.lattice import Unknown
from dllint.ir.events import LibraryCall
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, Assumed, InstanceVal, LibSymbol, Value, unwrap
from dllint.ops.kinds import by_name
from dllint.ops.traits import Trait

#: Last part of an initializer's name, in lower case and without ``_initializer`` → what it gives.
_CONSTANTS: Final = {"zeros": "0", "zero": "0", "ones": "1", "one": "1", "constant": "one constant"}
#: The initializer that gives what it was given, which need not be one number.
_GIVEN: Final = "constant"
#: Operations that fill a tensor with one value.
_FILLS: Final = by_name({Trait.ZEROS: "0", Trait.ONES: "1", Trait.FULL: "one constant"})


def constant_initializer(layer: Value, facts: Facts) -> str | None:
    """The one value that a layer's ``kernel_initializer`` gives, in words; ``None`` for any other."""
    made = _initializer(layer)
    kind = initializer_kind(layer)
    if kind is None:
        return None
    return _one_value(made, facts) if kind == _GIVEN and isinstance(made, InstanceVal) else _CONSTANTS.get(kind)


def initializer_kind(layer: Value) -> str | None:
    """The name of a layer's ``kernel_initializer`` in small letters, by itself (``henormal``, ``he_normal``); ``None`` for one
    that is not known."""
    chosen = _initializer(layer)
    symbol = chosen.cls if isinstance(chosen, InstanceVal) else chosen
    name = symbol.name if isinstance(symbol, LibSymbol) else symbol
    return name.rpartition(".")[2].lower().removesuffix("_initializer") if isinstance(name, str) else None


def initializer_argument(layer: Value, name: str, position: int, default: Value, facts: Facts) -> Value:
    """An argument that a layer's initializer was made with; ``default`` for one that is named only."""
    made = _initializer(layer)
    if not isinstance(made, InstanceVal):
        return default
    arguments, given = made.state.get("arguments"), made.state.get("configuration")
    if not isinstance(arguments, dict):
        return Unknown("not-followed", name)
    positional = given.args if isinstance(given, Arguments) else ()
    return unwrap(arguments.get(name, positional[position] if position < len(positional) else default))


def _initializer(layer: Value) -> Value:
    config = layer.layer if isinstance(layer, InstanceVal) else None
    chosen = config.args.get("kernel_initializer") if config is not None else None
    return chosen.value if isinstance(chosen, Assumed) else chosen


def _one_value(initializer: InstanceVal, facts: Facts) -> str | None:
    """The value of ``Constant(value)``, if it is a number and not an array of weights."""
    value = _value_of(initializer, facts)
    if isinstance(value, TensorVal):
        filled = _FILLS.get(value.producer.kind) if value.producer is not None else None
        return "one constant" if value.shape == () else filled
    return "one constant" if isinstance(value, (int, float)) else None


def _value_of(initializer: InstanceVal, facts: Facts) -> Any:
    """The argument that an initializer was made with."""
    arguments = initializer.state.get("arguments")
    if isinstance(arguments, dict):
        given = initializer.state.get("configuration")
        positional = given.args[:1] if isinstance(given, Arguments) else ()
        return unwrap(arguments.get("value", *positional))
    bound = next((event.bound for event in facts.events(LibraryCall) if event.result is initializer), None)
    if bound is not None:
        return unwrap(bound.get("value", 0.0))
    node = initializer.site.node if initializer.site is not None else None
    first = node.args[0].value if isinstance(node, cst.Call) and node.args else None
    return first.evaluated_value if isinstance(first, (cst.Integer, cst.Float)) else None


def constant_weights(weights: TensorVal) -> str | None:
    """The one value that a variable with at least two axes starts with, in words."""
    variable = weights.producer
    if variable is None or variable.kind != "variable" or (weights.type.rank or 0) < 2:
        return None
    data = variable.args.get("data")
    maker = data.producer if isinstance(data, TensorVal) else None
    return _FILLS.get(maker.kind) if maker is not None else None
