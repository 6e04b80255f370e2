"""Refinement of names by a condition, inside the arm where it holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final

import libcst as cst

from dllint.domains.dim import symbol
from dllint.domains.lattice import Unknown, UnknownFloat
from dllint.domains.shape import TensorType
from dllint.ir.program import Framework, TensorVal
from dllint.ir.values import Assumed, DictVal, LibSymbol, ListVal, SetVal, Value, unwrap
from dllint.lower import comparisons, instances, lists
from dllint.lower.arguments import as_dim
from dllint.lower.identity import key_of
from dllint.lower.lazy import ChoiceVal
from dllint.lower.measured import Measure, measure
from dllint.source.walk import children, walk

if TYPE_CHECKING:
    from dllint.lower.machine import Interpreter
    from dllint.lower.parts import Evaluates, Narrows


# Exact classes: libcst's are abstract base classes, of which instance checks are slow.
_NAMED = frozenset({cst.Name, cst.Attribute})
#: Parts of expressions whose evaluation does nothing.
_PLAIN = frozenset({
    cst.Name, cst.Attribute, cst.Dot, cst.SimpleString, cst.Integer, cst.Float, cst.Tuple, cst.List, cst.Set, cst.Element,
    cst.Comma, cst.LeftParen, cst.RightParen, cst.LeftSquareBracket, cst.RightSquareBracket, cst.LeftCurlyBrace,
    cst.RightCurlyBrace, cst.SimpleWhitespace, cst.UnaryOperation, cst.Minus,
})  # fmt: skip
_SAME = frozenset({cst.Is, cst.Equal})
#: Operands of ``and`` or ``or`` that a later operand looks back on.
_NEAREST = 24
_DIFFERENT = frozenset({cst.IsNot, cst.NotEqual})


def narrow(m: Interpreter, node: cst.CSTNode, arm: bool) -> None:
    """Refine names by the assumption that ``node`` is true (``arm``) or false."""
    if node.__class__ is cst.UnaryOperation and node.operator.__class__ is cst.Not:
        narrow(m, node.expression, not arm)
    elif node.__class__ is cst.BooleanOperation:
        if (node.operator.__class__ is cst.And) is arm:
            narrow(m, node.left, arm)
            narrow(m, node.right, arm)
    elif node.__class__ is cst.Comparison and len(node.comparisons) == 1:
        _narrow_comparison(m, node, arm)
    elif (
        node.__class__ is cst.Call
        and node.func.__class__ is cst.Name
        and node.func.value == "isinstance"
        and len(node.args) == 2
    ):
        _narrow_instance(m, node, arm)
    elif node.__class__ in _NAMED:
        _contradict(m, node, arm)
        _choose(m, node, lambda option: m.truth(option), arm)


def narrow_nearest(m: Interpreter, node: cst.CSTNode, arm: bool) -> None:
    """Assume that the operand before another one is true or false. In a long chain only the nearest operands are used, since
    each one would repeat all before it."""
    row: list[Any] = []
    while node.__class__ is cst.BooleanOperation and (node.operator.__class__ is cst.And) is arm and len(row) < _NEAREST:
        row.append(node.right)
        node = node.left
    if len(row) < _NEAREST:
        row.append(node)
    for operand in reversed(row):
        narrow(m, operand, arm)


def exclude_none(m: Narrows, node: cst.CSTNode) -> None:
    """Behind a test that measures one of several values (``x.shape[1] == 5``), the value is none that has no measures."""
    measured = measure(node.left) if node.__class__ is cst.Comparison and len(node.comparisons) == 1 else None
    if measured is not None and any(unwrap(option) is None for option in _options(_present(m, measured.node))):
        _choose(m, measured.node, lambda option: unwrap(option) is not None, arm=True)


def exclude_default(m: Interpreter, node: cst.CSTNode, source: str, arm: bool) -> None:
    """Assume that ``node`` is ``arm``, which the default ``source`` excludes: values that are this default become unknown."""
    narrow(m, node, arm)
    for part in spoken_of(node):
        value = _present(m, part)
        if isinstance(value, Assumed) and value.source == source:
            _assign(m, part, Unknown("parameter", source))


def spoken_of(node: Any) -> Iterator[cst.Name | cst.Attribute]:
    """The names, and attributes of names, that a condition mentions."""
    todo = [node]
    while todo:
        current = todo.pop()
        cls = current.__class__
        if cls is cst.Name:
            yield current
        elif cls is cst.Call:
            todo += [arg.value for arg in current.args]
        elif cls is not cst.Attribute:
            todo += children(current)
        elif current.value.__class__ is cst.Name:
            yield current
        else:
            todo.append(current.value)


def words(node: cst.Name | cst.Attribute) -> tuple[str, ...]:
    """The parts of a name, or of an attribute of a name."""
    if isinstance(node, cst.Name):
        return (node.value,)
    return (node.value.value, node.attr.value) if isinstance(node.value, cst.Name) else ()


def _present(m: Evaluates, node: cst.CSTNode) -> Value:
    return m.eval(node) if node.__class__ in _NAMED else None


def _assign(m: Narrows, node: cst.CSTNode, value: Value) -> None:
    if node.__class__ is cst.Name:
        m.store(node.value, value)
    elif node.__class__ is cst.Attribute:
        m.setattr(m.eval(node.value), node.attr.value, value)


def _contradict(m: Narrows, node: cst.CSTNode, arm: bool) -> None:
    """Make a default unknown in an arm that excludes it."""
    value = _present(m, node)
    if isinstance(value, Assumed) and m.truth(value) is not arm:
        _assign(m, node, (not value.value) if isinstance(value.value, bool) else Unknown("parameter", value.source))


def _choose(m: Narrows, node: cst.CSTNode, holds: Callable[[Value], bool | None], arm: bool) -> None:
    """Drop the alternatives of a joined value that the arm excludes."""
    value = _present(m, node)
    options = _options(value)
    kept = [option for option in options if holds(option) is not (not arm)]
    if kept and len(kept) < len(options):
        left = kept[0] if len(kept) == 1 else ChoiceVal(tuple(kept))
        _assign(m, node, Assumed(left, value.source) if isinstance(value, Assumed) and left is not None else left)


def _options(value: Value) -> tuple[Value, ...]:
    """The alternatives of a value, if it is one of several."""
    value = value.value if isinstance(value, Assumed) else value
    return value.options if isinstance(value, ChoiceVal) else ()


def _narrow_comparison(m: Interpreter, node: cst.Comparison, arm: bool) -> None:
    target = node.comparisons[0]
    name = comparisons.COMPARE[target.operator.__class__]
    measured = measure(node.left)
    if measured is not None and _options(_present(m, measured.node)):
        if all(part.__class__ in _PLAIN for part in walk(target.comparator)):
            _narrow_measured(m, measured, name, m.eval(target.comparator), arm)
        return
    if _options(_present(m, node.left)):
        if all(part.__class__ in _PLAIN for part in walk(target.comparator)):
            right = m.eval(target.comparator)
            _choose(m, node.left, lambda option: _compared(m, name, option, right), arm)
        return
    if target.operator.__class__ in (cst.In, cst.NotIn):
        _narrow_membership(m, node, (target.operator.__class__ is cst.In) is arm, arm)
        return
    if name in _ORDERED:
        _narrow_order(m, node.left, name if arm else _REFUTED[name], target.comparator)
        return
    positive = target.operator.__class__ in _SAME
    if not positive and target.operator.__class__ not in _DIFFERENT:
        return
    value = _present(m, node.left)
    holds = positive is arm
    constant = _constant(m, target.comparator)
    if constant is _NOTHING:
        return
    if holds and isinstance(value, (Unknown, Assumed)):
        _assign(m, node.left, constant)
    elif not holds and isinstance(value, Assumed) and value.value is constant:
        _assign(m, node.left, Unknown("parameter", value.source))


def _narrow_measured(m: Interpreter, measured: Measure, name: str, limit: Value, arm: bool) -> None:
    """``x.dim() == 3``: of several values, those remain that may measure so; None measures nothing."""

    def holds(option: Value) -> bool | None:
        if unwrap(option) is None:
            return not arm
        return _compared(m, name, measured.of(option), limit) if isinstance(option, TensorVal) else None

    if all(holds(option) is (not arm) for option in _options(_present(m, measured.node))):
        _assign(m, measured.node, Unknown("joined-branches"))
    _choose(m, measured.node, holds, arm)


#: Comparisons of numbers, and those that hold if they do not.
_ORDERED: Final = frozenset({"lt", "le", "gt", "ge"})
_REFUTED: Final = {"lt": "ge", "le": "gt", "gt": "le", "ge": "lt"}


def _narrow_order(m: Interpreter, node: cst.CSTNode, name: str, bound: cst.BaseExpression) -> None:
    """``n > 0``: a default that does not fulfil it is not the value here, but a number that does."""
    value = _present(m, node)
    if not isinstance(value, Assumed) or not all(part.__class__ in _PLAIN for part in walk(bound)):
        return
    limit = m.eval(bound)
    if not isinstance(limit, (int, float)) or _compared(m, name, value.value, limit) is not False:
        return
    least = limit + (name == "gt") if isinstance(limit, int) and name in ("gt", "ge") else -1
    counted = isinstance(value.value, int) and not isinstance(value.value, bool) and least >= 0
    _assign(m, node, symbol(value.source, "parameter", int(least)) if counted else Unknown("parameter", value.source))


def _compared(m: Interpreter, name: str, option: Value, other: Value) -> bool | None:
    """Whether a comparison holds for one of several values; one of tensors would be performed."""
    if name not in ("is", "is not") and (isinstance(option, TensorVal) or isinstance(other, TensorVal)):
        return None
    return m.truth(comparisons.compare(m, name, option, other))


def _narrow_membership(m: Interpreter, test: cst.Comparison, inside: bool, arm: bool) -> None:
    """``key in table``: an entry that a dict has on some paths is there, or is not. ``kind in ("lstm", "gru")``: an unknown
    kind is one of them."""
    node, container = test.left, test.comparisons[0].comparator
    options = _present(m, container)
    if isinstance(options, DictVal) and options.perhaps:
        if all(part.__class__ in _PLAIN for part in walk(node)):
            lists.decide(m, options, key_of(m.eval(node)), there=inside)
        return
    if not inside or not arm:
        return
    options = options if container.__class__ in _NAMED else m.eval(container)
    found = m.iterate(options) if isinstance(options, (tuple, ListVal, SetVal)) else options
    if not isinstance(_present(m, node), Unknown) or not isinstance(found, list) or not 1 <= len(found) <= _MOST_OPTIONS:
        return
    if all(isinstance(option, (str, int)) for option in found):
        _assign(m, node, ChoiceVal(tuple(found)) if len(found) > 1 else found[0])


_MOST_OPTIONS = 6
_NOTHING: Any = object()


def _constant(m: Evaluates, node: cst.CSTNode) -> Any:
    if node.__class__ is cst.Name and node.value in ("None", "True", "False"):
        return {"None": None, "True": True, "False": False}[node.value]
    if isinstance(node, (cst.SimpleString, cst.Integer)):
        return m.eval(node)
    return _NOTHING


def _narrow_instance(m: Interpreter, node: cst.Call, arm: bool) -> None:
    subject = node.args[0].value
    value = _present(m, subject)
    if not isinstance(value, (Unknown, ChoiceVal, TensorVal)):
        return
    kind = m.eval(node.args[1].value)
    if isinstance(value, TensorVal):
        if value in m.known.presumed and instances.is_any_instance(value, kind) is (not arm):
            _assign(m, subject, Unknown("argument", value.name))
        return
    _choose(m, subject, lambda option: instances.is_any_instance(option, kind), arm)
    if arm and isinstance(value, Unknown) and isinstance(kind, LibSymbol):
        made = _of_type(m, value, kind.name)
        if made is not None:
            _assign(m, subject, made)


#: Classes of tensors and arrays.
_ARRAYS: Final[dict[str, Framework]] = {
    "torch.Tensor": "torch", "numpy.ndarray": "numpy", "tensorflow.Tensor": "tensorflow",
}  # fmt: skip


def _of_type(m: Interpreter, value: Unknown, kind: str) -> Value:
    if kind == "builtins.int":
        return as_dim(m, value, surely=True)
    if kind == "builtins.float":
        return UnknownFloat(value.reason, value.detail)
    if kind == "builtins.list":
        return ListVal([], Unknown(value.reason, value.detail))
    if kind == "builtins.dict":
        return DictVal({}, Unknown(value.reason, value.detail))
    framework = _ARRAYS.get(kind)
    return m.tensor(TensorType(value, value), framework=framework, name=value.detail) if framework is not None else None
