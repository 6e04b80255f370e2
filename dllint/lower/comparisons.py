"""Comparisons of abstract values."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

import libcst as cst

from dllint.domains.dim import DimExpr, bounds, same
from dllint.domains.lattice import Unknown, UnknownFloat
from dllint.domains.shape import TensorType, broadcast
from dllint.frameworks.array_like import as_array
from dllint.frameworks.machine import Machine
from dllint.frameworks.tensorflow.graph_code import builds_graphs
from dllint.ir import events
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, Assumed, DictVal, FuncVal, InstanceVal, ListVal, SetVal, Value
from dllint.lower import bulk, calling, identity, mro, nan_tests, operators, sets
from dllint.lower.arguments import as_dim
from dllint.lower.dispatch import EVALUATE, evaluates
from dllint.lower.lazy import Arithmetic
from dllint.lower.scopes import MISSING
from dllint.lower.strings import constant

if TYPE_CHECKING:
    from dllint.lower.machine import Interpreter
    from dllint.lower.parts import Derives
    from dllint.lower.state import Identities

#: Operator node → name of the comparison.
COMPARE: dict[type, str] = {
    cst.Equal: "eq", cst.NotEqual: "ne", cst.LessThan: "lt", cst.LessThanEqual: "le", cst.GreaterThan: "gt",
    cst.GreaterThanEqual: "ge", cst.Is: "is", cst.IsNot: "is not", cst.In: "in", cst.NotIn: "not in",
}  # fmt: skip


#: Comparisons that NaN answers as no number does.
_ASKING_EQUALITY = frozenset({"eq", "ne", "is", "is not", "in", "not in"})


@evaluates(cst.Comparison)
def _comparison(m: Interpreter, node: cst.Comparison) -> Value:
    left = m.eval(node.left)
    result: Value = True
    undecided: Value = None
    for target in node.comparisons:
        right = EVALUATE[type(target.comparator)](m, target.comparator)
        m.frame.node = node
        name = COMPARE[type(target.operator)]
        if name in _ASKING_EQUALITY:
            nan_tests.record(m, name, node, left, right)
        result = compare(m, name, left, right)
        if len(node.comparisons) > 1:
            decided = m.truth(result)
            if decided is False:
                return result
            undecided = result if decided is None and undecided is None else undecided
        left = right
    return result if undecided is None else undecided


def compare(m: Interpreter, name: str, a: Value, b: Value) -> Value:
    """The result of a comparison: a bool, a tensor, an Assumed bool, or an Unknown that is the same for the same question."""
    source = a.source if type(a) is Assumed else b.source if type(b) is Assumed else None
    if source is not None:
        plain_a, plain_b = a.value if type(a) is Assumed else a, b.value if type(b) is Assumed else b
        inner = compare(m, name, plain_a, plain_b)
        missing = (plain_a is None or plain_b is None) and isinstance(plain_b if plain_a is None else plain_a, (int, float))
        return Assumed(inner, source, compared=missing) if isinstance(inner, bool) else inner
    if name in ("is", "is not", "eq", "ne") and _may_be_none(m.known, a, b):
        return _answer(m, "is", name in ("is", "eq"), None, a, b)
    if name in ("is", "is not"):
        same = False if b is None and a in m.known.given else identity.identical(a, b)
        return _answer(m, "is", name == "is", same, a, b)
    if name in ("eq", "ne") and {type(a), type(b)} == {Arithmetic, str}:
        return name == "ne"
    if name in ("in", "not in"):
        return _answer(m, "in", name == "in", _contains(m, a, b), a, b)
    if (found := _compare_array_like(m, name, a, b)) is not None:
        return found
    if isinstance(a, TensorVal) or isinstance(b, TensorVal):
        return _compare_tensors(m, name, a, b)
    if (own := _own_comparison(m, name, a, b)) is not MISSING:
        return own
    if name in ("eq", "ne"):
        return _answer(m, "eq", name == "eq", False if _are_apart(a, b) else identity.equals(m, a, b), a, b)
    return _ordered(m, name, a, b)


def _compare_tensors(m: Interpreter, name: str, a: Value, b: Value) -> Value:
    """The comparison of a tensor with anything, element by element where there are elements to compare."""
    if a is None or b is None:
        return name == "ne"
    framework = operators.framework_of(a, b)
    if isinstance(a, str) or isinstance(b, str):  # of an array of texts, each element is compared
        return name == "ne" if framework == "torch" else Unknown("text-comparison")
    if name in ("eq", "ne") and framework == "torch" and (isinstance(a, _SEQUENCES) or isinstance(b, _SEQUENCES)):
        return _compare_sequence(m, name, a, b)
    found = _compare_graphs(m, name, a, b) if name in ("eq", "ne") and framework in ("tensorflow", "keras") else None
    if found is not None:
        return found
    result = m.emit(
        name, {"x": operators.operand(m, a), "y": operators.operand(m, b)}, framework=framework, spelled=f"operator.{name}"
    )
    if framework == "tensorflow" and name in ("eq", "ne") and isinstance(result, TensorVal) and not _surely_fit(a, b):
        result.type = TensorType(Unknown("undecided", "shapes may differ"), result.dtype)
    return result


_SEQUENCES = (tuple, ListVal)


def _compare_sequence(m: Machine, name: str, a: Value, b: Value) -> Value:
    """``==`` of a tensor of torch and a tuple or list is false, whatever they hold (2.13, run). What is given from outside may
    be an array, for which elements are compared."""
    is_left = isinstance(a, _SEQUENCES)
    sequence, tensor = (a, b) if is_left else (b, a)
    if not isinstance(tensor, TensorVal):
        return Unknown("undecided", "a sequence")
    m.event(events.SequenceComparison, sequence=sequence, tensor=tensor, is_left=is_left)
    return name == "ne" if tensor.producer is not None else Unknown("undecided", "a sequence")


def _surely_fit(*operands: Value) -> bool:
    """Whether shapes that are known are broadcast to each other whatever their symbols are."""
    shapes = [value.shape for value in operands if isinstance(value, TensorVal) and isinstance(value.shape, tuple)]
    pairs = zip(*map(reversed, shapes), strict=False) if len(shapes) == len(operands) else ()
    return all(same(n, k) or 1 in (n, k) for n, k in pairs)


def _own_comparison(m: Interpreter, name: str, a: Value, b: Value) -> Value:
    """The result of an object's own comparison method; MISSING if its class defines none."""
    for receiver, other, method in ((a, b, name), (b, a, _MIRRORED[name])):
        if not isinstance(receiver, InstanceVal):
            continue
        found = mro.find_user_attribute(receiver.cls, f"__{method}__")
        if isinstance(found, FuncVal):
            return calling.call(m, found, Arguments((receiver, other)))
        opposite = mro.find_user_attribute(receiver.cls, "__eq__") if method == "ne" else None
        if isinstance(opposite, FuncVal):
            return operators.negate(m, calling.call(m, opposite, Arguments((receiver, other))))
    return MISSING


def _compare_graphs(m: Interpreter, name: str, a: Value, b: Value) -> Value | None:
    """``==`` of tensors of TensorFlow and Keras where it is not element by element: TensorFlow 1 asks whether they are one
    object, as Keras does of what it builds models of, and tensors whose shapes do not fit are not equal."""
    document = m.site.document
    if document is not None and operators.framework_of(a, b) == "tensorflow" and document.answer(builds_graphs):
        return _answer(m, "is", name == "eq", a is b or None, a, b)
    shapes = [value.shape for value in (a, b) if isinstance(value, TensorVal) and isinstance(value.shape, tuple)]
    unequal = len(shapes) == len((a, b)) and broadcast(shapes)[1] is not None
    return Unknown("undecided", "shapes differ") if unequal else None


def _may_be_none(known: Identities, a: Value, b: Value) -> bool:
    """Whether a tensor that may be None is compared with None."""
    other = a if b is None else b if a is None else None
    return isinstance(other, TensorVal) and other in known.perhaps_none


_MIRRORED = {"eq": "eq", "ne": "ne", "lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}


def _compare_array_like(m: Interpreter, name: str, a: Value, b: Value) -> Value | None:
    """A column of a table is compared element by element."""
    for receiver, other, method in ((a, b, name), (b, a, _MIRRORED.get(name, ""))):
        if isinstance(receiver, InstanceVal) and as_array(receiver) is not receiver:
            found = mro.special(receiver, f"__{method}__")
            return calling.call(m, found, Arguments((other,))) if found is not None else None
    return None


def _answer(m: Interpreter, question: str, positive: bool, found: bool | None, a: Value, b: Value) -> Value:
    if found is not None:
        return found is positive
    unknown = _undecided(m, question, a, b)
    if question == "eq" and positive and isinstance(a, DimExpr) and type(b) is int:
        m.known.equations.note(unknown, (a, b))
    return unknown if positive else operators.negate(m, unknown)


def _undecided(m: Derives, question: str, a: Value, b: Value) -> Value:
    """The answer that is the same for the same question, noted if it is about the rank of a tensor."""
    unknown = m.derive((question, _identity(a), _identity(b)), lambda: Unknown("undecided", question), a, b)
    if any(isinstance(value, Unknown) and value.reason == "unknown-rank" for value in (a, b)):
        m.known.of_rank.note(unknown, True)
    return unknown


def _identity(value: Value) -> Any:
    return value if isinstance(value, (int, float, str, bytes, DimExpr)) or value is None else id(value)


def _contains(m: Interpreter, item: Value, container: Value) -> bool | None:
    if isinstance(container, str):
        return item in container if isinstance(item, str) else None
    if isinstance(container, DictVal):
        key = identity.key_of(item)
        if key is MISSING:
            return None if container.items or container.rest is not None else False
        if key not in container.items:
            m.complete(container, item)
        if key in container.items:
            return True
        absent = container.rest is None or (bool(container.perhaps) and key not in container.perhaps)
        return False if absent else None
    if isinstance(container, InstanceVal):
        found = mro.special(container, "__contains__")
        return m.truth(calling.call(m, found, Arguments((item,)))) if found is not None else None
    if isinstance(container, ListVal) and container.rest is not None and not bulk.is_bulky(container):
        return True if any(identity.equals(m, item, other) for other in container.items) else None
    items = m.consume(container) if not isinstance(container, (Unknown, TensorVal)) else None
    if not isinstance(items, list):
        return None
    answers = {identity.equals(m, item, other) for other in items}
    return True if True in answers else None if None in answers else False


def _between(value: Value) -> tuple[float, float] | None:
    """The numbers between which a float lies."""
    if isinstance(value, UnknownFloat) and value.low is not None and value.high is not None:
        return value.low, value.high
    return (value, value) if isinstance(value, (int, float)) else None


def _ordered_bounds(name: str, a: Value, b: Value) -> bool | None:
    """The order of two numbers that lie apart."""
    left, right = _between(a), _between(b)
    if left is None or right is None:
        return None
    compare_ = getattr(operator, name)
    answers = {bool(compare_(one, other)) for one in left for other in right}
    return answers.pop() if len(answers) == 1 else None


def _are_apart(a: Value, b: Value) -> bool:
    """Whether one of two numbers is not known but that it is less or greater than the other."""
    if not isinstance(a, UnknownFloat) and not isinstance(b, UnknownFloat):
        return False
    return _ordered_bounds("lt", a, b) is True or _ordered_bounds("gt", a, b) is True


def _ordered(m: Interpreter, name: str, a: Value, b: Value) -> Value:
    a, b = as_dim(m, a), as_dim(m, b)
    if isinstance(a, (int, float, DimExpr)) and isinstance(b, (int, float, DimExpr)):
        found = _ordered_numbers(name, a, b)
    elif isinstance(a, (str, tuple, ListVal)) and type(a) is type(b):
        found = _ordered_constants(name, a, b)
    elif isinstance(a, SetVal) and isinstance(b, SetVal) and name in ("le", "ge"):
        found = sets.is_subset(m, *((a, b) if name == "le" else (b, a)))
    else:
        found = _ordered_bounds(name, a, b) if isinstance(a, UnknownFloat) or isinstance(b, UnknownFloat) else None
    if found is not None:
        return found
    opposite = {"lt": "ge", "ge": "lt", "gt": "le", "le": "gt"}[name]
    if name in ("ge", "gt"):
        return operators.negate(m, _ordered_unknown(m, opposite, a, b))
    return _ordered_unknown(m, name, a, b)


def _ordered_constants(name: str, a: Value, b: Value) -> bool | None:
    """An order of texts or sequences of which everything is known."""
    try:
        answer = operators.calculated(getattr(operator, name), constant(a), constant(b))
    except TypeError:
        return None
    return answer if isinstance(answer, bool) else None


def _ordered_unknown(m: Derives, name: str, a: Value, b: Value) -> Value:
    return _undecided(m, name, a, b)


def _ordered_numbers(name: str, a: float | DimExpr, b: float | DimExpr) -> bool | None:
    compare_ = getattr(operator, name)
    if not isinstance(a, DimExpr) and not isinstance(b, DimExpr):
        return bool(compare_(a, b))
    if isinstance(a, float) or isinstance(b, float):
        (alo, ahi), (blo, bhi) = ((v, v) if isinstance(v, float) else bounds(v) for v in (a, b))
        low = alo - bhi if alo is not None and bhi is not None else None
        high = ahi - blo if ahi is not None and blo is not None else None
    else:
        low, high = bounds(a - b)
    if low is not None and high is not None and compare_(low, 0) == compare_(high, 0):
        return bool(compare_(low, 0))
    if low is not None and (low > 0 or (low >= 0 and name in ("ge", "lt"))):
        return name in ("gt", "ge")
    if high is not None and (high < 0 or (high <= 0 and name in ("le", "gt"))):
        return name in ("lt", "le")
    return None
