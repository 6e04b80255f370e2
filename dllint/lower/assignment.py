"""Assignment to names, attributes, items and patterns of names."""

from __future__ import annotations

from collections.abc import Sequence
from types import NoneType
from typing import TYPE_CHECKING, Any, Final

import libcst as cst

from dllint.domains.dim import symbol
from dllint.domains.lattice import Unknown, UnknownResult, UnknownText
from dllint.frameworks import kinds
from dllint.ir import events
from dllint.ir.program import Fault, Op, TensorVal
from dllint.ir.values import Assumed, DictVal, InstanceVal, LibSymbol, ListVal, SetVal, Value, unwrap
from dllint.lower import arguments, demands, effects, exceptions, keeping, lists, operators, sets, subscripts
from dllint.lower.dispatch import executes
from dllint.lower.documented import ranges
from dllint.lower.iteration import element
from dllint.lower.joining import further
from dllint.lower.lazy import ShapeVal
from dllint.lower.scopes import MISSING, NORMAL, Frame
from dllint.lower.telling import telling
from dllint.ops import faults

if TYPE_CHECKING:
    from dllint.lower.machine import Interpreter


#: Unknown values that are another one in each element of a list.
_OF_MANY: Final = (Unknown, UnknownResult, UnknownText)
#: Objects of whose attributes rules hear when they are written to.
_TOLD: Final = (InstanceVal, TensorVal, Unknown)


def assign(m: Interpreter, target: Any, value: Value) -> None:
    """``target = value`` for a target node."""
    kind = type(target)
    if kind is cst.Name:
        name = target.value
        old = m.frame.scope.vars.get(name, MISSING)
        if type(old) is TensorVal or (type(old) is InstanceVal and old.layer is not None):
            m.frame.node = target
            m.event(events.Rebind, name=name, old=old, new=value, node=target)
        elif (told := telling(value)) is not None:
            m.frame.node = target
            m.event(events.Bind, name=name, value=told, node=target)
        keeping.averaged(m, target, old, value)
        if type(value) is TensorVal and not value.name:
            m.journal.note_lasting(value, "name")
            value.name = name
        m.store(name, value if m.options.stated is None else ranges.configured(m, name, value))
    elif kind is cst.Attribute:
        receiver = m.eval(target.value)
        m.frame.node = target
        if isinstance(receiver, _TOLD) and receiver is not m.frame.owner:
            m.event(events.AttributeWrite, receiver=receiver, name=target.attr.value, value=value)
        if type(receiver) is InstanceVal:
            keeping.averaged(m, target, receiver.attrs.get(target.attr.value), value)
        m.setattr(receiver, target.attr.value, value)
    elif kind is cst.Subscript:
        receiver = m.eval(target.value)
        index = subscripts.index_of(m, target)
        m.frame.node = target
        if type(receiver) is DictVal and isinstance(index, str):
            keeping.averaged(m, target, receiver.items.get(index), value)
        subscripts.put_item(m, receiver, index, value)
    elif kind in (cst.Tuple, cst.List):
        _unpack(m, target, value)
    elif kind is cst.StarredElement:
        assign(m, target.value, value)


def _unpack(m: Interpreter, target: Any, value: Value) -> None:
    elements = target.elements
    star = next((i for i, e in enumerate(elements) if isinstance(e, cst.StarredElement)), None)
    m.frame.node = target
    names = [e.value.value if isinstance(e.value, cst.Name) else "" for e in elements]
    patterns = frozenset(i for i, e in enumerate(elements) if isinstance(e.value, (cst.Tuple, cst.List)))
    items = unpacked(m, value, len(elements), star, names, patterns)
    for element_node, part in zip(elements, items, strict=True):
        assign(m, element_node.value, part)


def unpacked(
    m: Interpreter,
    value: Value,
    count: int,
    star: int | None,
    names: Sequence[str] = (),
    patterns: frozenset[int] = frozenset(),
) -> list[Value]:
    """The parts of ``value`` for ``count`` targets, of which the one at ``star`` takes any number. If they do not fit, nothing
    is known of those for ``patterns``, the targets that are unpacked further."""
    value = value.value if isinstance(value, Assumed) else value
    if isinstance(value, ShapeVal):
        value = _shape_parts(m, value, count, star, names)
    items = m.consume(value)
    if not isinstance(items, list):
        return _unknown_parts(m, value, count, star, names)
    if star is None:
        if len(items) != count:
            _record_mismatch(m, value, items, count)
            items = [Unknown("unpack") if i in patterns or i >= len(items) else items[i] for i in range(count)]
        return items
    after = count - star - 1
    if len(items) < count - 1:
        _record_mismatch(m, value, items, count)
        return [Unknown("unpack") for _ in range(count)]
    return [*items[:star], ListVal(items[star : len(items) - after]), *items[len(items) - after :]]


def _unknown_parts(m: Interpreter, value: Value, count: int, star: int | None, names: Sequence[str]) -> list[Value]:
    """The parts of what has any number of elements: as many values as there are targets, none of which determines another."""
    if star is not None:
        parts = [_any_element(m, value, number) for number in range(count)]
        return [*parts[:star], ListVal([], further(parts[star])), *parts[star + 1 :]]
    if arguments.is_open(value, m.known):
        return [arguments.part(m, value, i, names[i] if i < len(names) else "") for i in range(count)]
    if isinstance(value, TensorVal):
        known = value.type.rank is not None and value.type.rank > 0
        return [m.getitem(value, i) if known else Unknown("unpack", "rows of an open number") for i in range(count)]
    return [_any_element(m, value, number) for number in range(count)]


def _any_element(m: Interpreter, value: Value, number: int) -> Value:
    """An element of a value with any number of elements: it has what all of them have in common. Of an unknown value, always
    the same object."""
    if isinstance(value, Unknown):
        return m.derive(("item", id(value), number), lambda: Unknown(value.reason, value.detail), value)
    part = element(m, value)
    if isinstance(part, TensorVal):
        return part.redrawn(part.type)
    return Unknown(part.reason, part.detail) if isinstance(part, Unknown) and type(part) in _OF_MANY else part


def _shape_parts(m: Interpreter, value: ShapeVal, count: int, star: int | None, names: Sequence[str]) -> Value:
    """``B, C, H, W = x.shape`` means that x has rank 4."""
    shape = value.tensor.type.shape
    if not isinstance(shape, Unknown):
        return shape
    if star is not None or exceptions.expects_fault(m.control, "python"):
        exceptions.may_raise(m, (LibSymbol("builtins.ValueError"),))
        return Unknown("unknown-rank", "shape")
    origin = demands.origin_of_sizes(m.known, value.tensor)
    named = (names[i] if i < len(names) and names[i] not in ("", "_") else f"n{i}" for i in range(count))
    sizes = tuple(symbol(name, origin) for name in named)
    demands.settle(m, value.tensor, sizes)
    return value.tensor.type.shape


def _record_mismatch(m: Interpreter, value: Value, items: list[Value], count: int) -> None:
    """Record a tuple whose length does not fit its targets as a fault of an ``unpack`` operation. Not recorded: numbers under
    an undecided condition (the tuple may be a setting whose length the condition tests), and empty values where ``*args`` may
    have supplied elements, because an entry is run without extra arguments."""
    if not items and _takes_further(m.frame):
        return
    exceptions.raise_fault(m, "python", faults.UNPACK)
    if all(isinstance(item, int) for item in items) and any(condition.default is None for condition in m.control.path):
        return
    sizes = None if isinstance(value, ListVal) else kinds.sizes(tuple(items))
    fault = Fault(faults.UNPACK, operand="x", expected=count, actual=len(items), shapes=() if sizes is None else (sizes,))
    frame = m.frame
    m.record(Op("unpack", {"x": value, "count": count}, (), frame.site(), "python", "unpack", faults=(fault,),
                path=m.control.path, scope=frame.name, owner=frame.owner))  # fmt: skip


def _takes_further(frame: Frame | None) -> bool:
    """Whether a function that is being run takes any number of arguments."""
    while frame is not None:
        if frame.func is not None and isinstance(frame.func.node.params.star_arg, cst.Param):
            return True
        frame = frame.parent
    return False


@executes(cst.Assign)
def _assign(m: Interpreter, node: cst.Assign) -> int:
    value = m.eval(node.value)
    keeping.summed(m, node, value)
    for target in node.targets:
        assign(m, target.target, value)
    return NORMAL


@executes(cst.AnnAssign)
def _annotated(m: Interpreter, node: cst.AnnAssign) -> int:
    if node.value is not None:
        assign(m, node.target, m.eval(node.value))
    elif m.frame.scope.is_class and isinstance(node.target, cst.Name):
        m.note_annotation(node.target.value, node.annotation.annotation)
        return NORMAL
    if m.frame.scope.is_class and isinstance(node.target, cst.Name):
        m.note_annotation(node.target.value, node.annotation.annotation)
    return NORMAL


#: Operators that change a set.
_ON_SETS: Final = {cst.BitOr: "bitwise_or", cst.BitAnd: "bitwise_and", cst.Subtract: "sub", cst.BitXor: "bitwise_xor"}


def _changed_in_place(m: Interpreter, kind: type, target: Value, value: Value) -> bool:
    """Whether an operator changes a container itself: then that has been done."""
    if isinstance(target, ListVal) and kind is cst.Add and not isinstance(value, (int, float, NoneType)):
        more = m.consume(value)
        if isinstance(more, list):
            lists.extend(m, target, more)
        else:
            lists.extend(m, target, [], value if isinstance(value, Unknown) else element(m, value))
    elif isinstance(target, ListVal) and kind is cst.Multiply:
        made = operators.binary(m, kind, target, value)
        if isinstance(made, ListVal) and made.rest is None:
            lists.reorder(m, target, made.items)
        else:
            lists.loosen(m, target)
    elif isinstance(target, SetVal) and isinstance(value, SetVal) and kind in _ON_SETS:
        made = sets.combined(m, _ON_SETS[kind], target, value)
        if isinstance(made, SetVal) and made.rest is None:
            lists.reorder(m, target, made.items)
        else:
            lists.loosen(m, target, value.items)
    elif isinstance(target, DictVal) and kind is cst.BitOr and target.factory is None:
        m.call_method(target, "update", value)
    else:
        return False
    return True


def _is_kept(old: Value, target: cst.Subscript) -> bool:
    """Whether a tensor is an element of a list or dict, and not made by taking a part of another tensor."""
    return isinstance(old, TensorVal) and (old.producer is None or old.producer.site.node is not target)


@executes(cst.AugAssign)
def _augmented(m: Interpreter, node: cst.AugAssign) -> int:
    old = m.eval(node.target)
    value = m.eval(node.value)
    m.frame.node = node
    kind = operators.AUGMENTED[type(node.operator)]
    plain = unwrap(old)
    if kind is cst.Add:
        keeping.added(m, node.target, plain, value)
    if _changed_in_place(m, kind, plain, unwrap(value)):
        if isinstance(node.target, cst.Attribute):  # which may be one of the class, or a property
            assign(m, node.target, old)
        return NORMAL
    result = operators.in_place(m, kind, old, value)
    if not isinstance(node.target, cst.Subscript) or _is_kept(plain, node.target):  # elements of tensors are assigned to
        result = effects.augmented(m, old, result, operators.BINARY[kind][2])
    assign(m, node.target, result)
    return NORMAL
