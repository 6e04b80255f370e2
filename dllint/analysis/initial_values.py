"""Which layers and variables start with one value everywhere."""

from __future__ import annotations

from typing import Any, Final

import libcst as cst

from dllint.analysis.facts import Facts
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
    config = layer.layer if isinstance(layer, InstanceVal) else None
    chosen = config.args.get("kernel_initializer") if config is not None else None
    chosen = chosen.value if isinstance(chosen, Assumed) else chosen
    made = chosen if isinstance(chosen, InstanceVal) else None
    symbol = made.cls if made is not None else chosen
    name = symbol.name if isinstance(symbol, LibSymbol) else symbol
    if not isinstance(name, str):
        return None
    kind = name.rpartition(".")[2].lower().removesuffix("_initializer")
    return _one_value(made, facts) if kind == _GIVEN and made is not None else _CONSTANTS.get(kind)


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
