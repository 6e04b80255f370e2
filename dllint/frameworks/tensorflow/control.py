"""Control flow inside a graph: branches, loops, maps, and functions made into graphs."""

from __future__ import annotations

from typing import Final

from dllint.domains.lattice import Unknown
from dllint.frameworks.given import given
from dllint.frameworks.keras.protocols.plain import argument, plain
from dllint.frameworks.kinds import shape_of
from dllint.frameworks.machine import Machine, each, handler
from dllint.frameworks.tensorflow.composites import emit
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, DictVal, LibSymbol, ListVal, Value

_COND: Final = "pred=None, true_fn=None, false_fn=None, strict=False, name=None, fn1=None, fn2=None"


@handler("tensorflow.cond", "tensorflow.contrib.framework.smart_cond", "tensorflow.layers.smart_cond")
def cond(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """Both arms are built, as TensorFlow does; the result is what they have in common."""
    asked = given(_COND, arguments)
    first = machine.call(asked["true_fn"] or asked["fn1"], Arguments())
    second = machine.call(asked["false_fn"] or asked["fn2"], Arguments())
    return machine.join(first, second)


@handler("tensorflow.case")
def case(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """Every branch is built; the result is what they have in common."""
    asked = given("pred_fn_pairs=None, default=None, *rest, **options", arguments)
    pairs = asked["pred_fn_pairs"]
    found = pairs.items.values() if isinstance(pairs, DictVal) else machine.iterate(pairs)
    branches = [] if isinstance(found, Unknown) else [p[-1] if isinstance(p, tuple) else p for p in found]
    results = [machine.call(branch, Arguments()) for branch in (*branches, asked["default"]) if branch is not None]
    if not results:
        return machine.unknown("unknown-length", "tensorflow.case")
    out = results[0]
    for other in results[1:]:
        out = machine.join(out, other)
    return out


@handler("tensorflow.while_loop")
def while_loop(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """The body is built once from the first values; what it changes is joined with them."""
    asked = given("cond=None, body=None, loop_vars=None, shape_invariants=None, *rest, **options", arguments)
    variables = plain(asked["loop_vars"])
    values = variables if isinstance(variables, tuple) else (variables,)
    after = plain(machine.call(asked["body"], Arguments(tuple(values))))
    results = after if isinstance(after, tuple) else (after,)
    if len(results) != len(values):
        return machine.unknown("unknown-length", "tensorflow.while_loop")
    joined = tuple(machine.join(before, now) for before, now in zip(values, results, strict=True))
    return joined if isinstance(variables, tuple) else joined[0]


def _element(machine: Machine, elements: Value) -> Value:
    """One row of the tensors that are mapped over."""
    elements = plain(elements)
    if isinstance(elements, tuple):
        return tuple(_element(machine, e) for e in elements)
    return emit(machine, "getitem", "map_fn", x=elements, index=(0,))


def _length(elements: Value) -> Value:
    elements = plain(elements)
    shape = shape_of(elements[0] if isinstance(elements, tuple) and elements else elements)
    return shape[0] if shape else Unknown("unknown-length", "map_fn")


def _stacked(machine: Machine, row: Value, length: Value) -> Value:
    """Rows one above the other."""
    row = plain(row)
    if isinstance(row, tuple):
        return tuple(_stacked(machine, part, length) for part in row)
    raised = emit(machine, "unsqueeze", "map_fn", x=row, dim=0)
    if not isinstance(raised, TensorVal) or isinstance(raised.shape, Unknown) or isinstance(length, Unknown):
        return machine.unknown("unknown-length", "map_fn")
    return emit(machine, "broadcast_to", "map_fn", x=raised, shape=(length, *raised.shape[1:]))


@handler("tensorflow.map_fn", "tensorflow.vectorized_map")
def map_fn(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """The function's result on one row, for every row."""
    elements = argument(arguments, "elems", 1)
    row = machine.call(argument(arguments, "fn", 0), Arguments((_element(machine, elements),)))
    return _stacked(machine, row, _length(elements))


@handler("tensorflow.scan")
def scan(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """The function of the last result and a row, for every row; all results are kept."""
    asked = given("fn=None, elems=None, initializer=None, *rest, **options", arguments)
    row = _element(machine, asked["elems"])
    start = plain(asked["initializer"]) if asked["initializer"] is not None else row
    after = machine.call(asked["fn"], Arguments((start, row)))
    return _stacked(machine, after, _length(asked["elems"]))


@handler("tensorflow.foldl", "tensorflow.foldr")
def fold(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """The function of the last result and a row, over all rows; the last result."""
    asked = given("fn=None, elems=None, initializer=None, *rest, **options", arguments)
    row = _element(machine, asked["elems"])
    start = plain(asked["initializer"]) if asked["initializer"] is not None else row
    return machine.join(start, machine.call(asked["fn"], Arguments((start, row))))


@handler("tensorflow.tuple")
def grouped(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """The tensors themselves, all computed."""
    given = argument(arguments, "tensors", 0)
    if isinstance(given, TensorVal):
        return given
    parts = machine.iterate(given)
    return parts if isinstance(parts, Unknown) else ListVal(parts)


@handler("tensorflow.function", "tensorflow.autograph.experimental.do_not_convert",
         "tensorflow.contrib.eager.defun")  # fmt: skip
def function(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """A decorator with or without arguments; the function computes what it did."""
    func = next(iter(arguments.args), None)
    return each(machine, func, lambda one: LibSymbol("keras.utils.decorated") if one is None or isinstance(one, bool) else one)


@handler("tensorflow.custom_gradient")
def custom_gradient(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """A function that returns its result beside a function for the gradient; not followed."""
    return machine.unknown("unmodelled-call", "tensorflow.custom_gradient")
