"""Reuse of results for equal constructor calls and for equal blocks in a row.

Deep models are stacks of blocks built by one call in a loop. An object built with the same arguments as the last one of
its class is a copy of that one, and a block that is structurally equal to the one just applied, to an input of the type
that one had, is not applied again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from dllint.domains.dim import DimExpr, same
from dllint.domains.lattice import Unknown
from dllint.ir.program import TensorVal
from dllint.ir.values import (
    Arguments,
    BoundVal,
    ClassVal,
    DictVal,
    InstanceVal,
    IterVal,
    LayerConfig,
    ListVal,
    SetVal,
    Value,
    moment,
)
from dllint.lower.joining import alike
from dllint.lower.last_instance import LastInstance
from dllint.lower.scopes import Locals

if TYPE_CHECKING:
    from dllint.lower.parts import Builds

#: Objects that a copy consists of at most.
_MOST_PARTS: Final = 20_000
#: Objects that an ordinary model consists of.
_ORDINARY: Final = 2_500
#: The types of most attributes: nothing in them can be changed, and no argument that can be is like them.
_PLAIN: Final = frozenset({int, float, bool, str, type(None), TensorVal})


def construct(m: Builds, cls: ClassVal, arguments: Arguments, run: Callable[[], InstanceVal]) -> InstanceVal:
    """Build an object, and keep it if building another one would do the same again: if it has changed nothing else."""
    began = moment()
    held = {key: copy(m, value) for key, value in _given(arguments).items() if _is_mutable(value)}
    m.journal.open()
    outside = m.journal.open_pass()
    try:
        instance = run()
    finally:
        log, made = list(m.journal.log or ()), m.journal.close_pass(outside)
        m.journal.keep()
    own = set(made)
    _note_own(instance, began, own)
    size = len(own) // 3  # an object, its attributes and its state
    _pay(m, size)
    m.run.last_instances.pop(id(cls), None)
    if size <= _MOST_PARTS and all(_is_own(container, key, began, own) for container, key, _ in log):
        known: dict[int, Value] = {}
        copy_ = _copied_instance(instance, known, began)
        m.run.last_instances[id(cls)] = LastInstance(arguments, held, copy_, began, m.control.changed, len(known))
    return instance


def _note_own(value: Value, began: int, own: set[int]) -> None:
    """Note the storage of what was made since a moment, as far as a value holds it and that is not more than is copied: every
    object around a large one would have to look through all of it again."""
    seen: set[int] = set()
    todo = [value]
    while todo and len(own) // 3 <= _MOST_PARTS:
        part = todo.pop()
        if type(part) in _PLAIN or id(part) in seen:
            continue
        seen.add(id(part))
        if isinstance(part, tuple):
            todo += part
        elif isinstance(part, (InstanceVal, ListVal, SetVal, DictVal)) and part.born > began:
            todo += _storage(part, own)


def _storage(value: InstanceVal | ListVal | SetVal | DictVal, own: set[int]) -> list[Value]:
    own.add(id(value))
    if isinstance(value, InstanceVal):
        own.update((id(value.attrs), id(value.state)))
        return [*value.attrs.values(), *value.state.values()]
    own.add(id(value.items))
    return list(value.items.values() if isinstance(value, DictVal) else value.items)


def _is_own(container: Value, key: Value, began: int, own: set[int]) -> bool:
    """Whether a write belongs to the object under construction, to a variable of a function, or to something irrelevant."""
    if isinstance(key, (ListVal, SetVal, IterVal)):
        return key.born > began
    if isinstance(container, (ListVal, SetVal, DictVal, IterVal, InstanceVal)):
        return container.born > began
    return id(container) in own or not isinstance(container, (dict, list)) or isinstance(container, Locals)


def copy_of_last(m: Builds, cls: ClassVal, arguments: Arguments) -> InstanceVal | None:
    """A copy of the last object of a class if it was made with the same arguments, else ``None``."""
    last = m.run.last_instances.get(id(cls))
    if last is None or not last.instance.attrs or last.changed != m.control.changed or not _same(last.arguments, arguments):
        return None
    if not all(alike(last.held[key], value) for key, value in _given(arguments).items() if key in last.held):
        return None
    known = {id(old): new for old, new in zip(last.arguments.args, arguments.args, strict=True)}
    known |= {id(old): arguments.kwargs[name] for name, old in last.arguments.kwargs.items()}
    _pay(m, last.size)
    if m.budget.fuel < 0:
        return InstanceVal(cls, site=m.site, open=Unknown("fuel"))
    out = _copied_instance(last.instance, {key: new for key, new in known.items() if _is_mutable(new)}, last.began)
    out.site = m.site
    return out


def _given(arguments: Arguments) -> dict[int | str, Value]:
    given: dict[int | str, Value] = dict(enumerate(arguments.args))
    given.update(arguments.kwargs)
    return given


def _is_mutable(value: Value) -> bool:
    return isinstance(value, (InstanceVal, ListVal, SetVal, DictVal))


def _same(a: Arguments, b: Arguments) -> bool:
    if a.star is not None or b.star is not None or a.double_star is not None or b.double_star is not None:
        return False
    if len(a.args) != len(b.args) or a.kwargs.keys() != b.kwargs.keys():
        return False
    return all(map(_interchangeable, a.args, b.args)) and all(_interchangeable(v, b.kwargs[k]) for k, v in a.kwargs.items())


def _interchangeable(a: Value, b: Value) -> bool:
    """Whether an object made with one is an object made with the other; two sizes that are not known need not be equal, and an
    object that holds a tensor is none that holds another one."""
    if isinstance(a, DimExpr):
        return isinstance(b, (int, DimExpr)) and same(a, b)
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(map(_interchangeable, a, b))
    return a is b if isinstance(a, (InstanceVal, TensorVal)) else alike(a, b)


def copy(m: Builds, value: Value) -> Value:
    """A copy of a value and of what it holds, if that is not too much."""
    size = _size(value)
    _pay(m, size)
    if m.budget.fuel < 0 or size > _MOST_PARTS:
        return Unknown("fuel" if m.budget.fuel < 0 else "large-object")
    return copied(value, {})


def _pay(m: Builds, size: int) -> None:
    """Charge fuel for a copy that is larger than an ordinary model needs."""
    m.pay(max(size - _ORDINARY, 0))


def _size(value: Value) -> int:
    """The number of objects that a value consists of, counted a little beyond the most that is copied."""
    seen: set[int] = set()
    todo = [value]
    while todo and len(seen) <= _MOST_PARTS:
        part = todo.pop()
        if type(part) in _PLAIN:
            continue
        if isinstance(part, tuple):
            todo += part
        elif isinstance(part, (InstanceVal, ListVal, SetVal, DictVal)) and id(part) not in seen:
            seen.add(id(part))
            todo += _storage(part, set())
    return len(seen)


def copied(value: Value, known: dict[int, Value], since: int = 0) -> Value:
    """A copy of a mutable value and of what it holds, as far as that was made since a moment; sharing inside it is kept.
    ``known`` maps ``id`` to copies."""
    if type(value) in _PLAIN:
        return value
    if id(value) in known:
        return known[id(value)]
    if isinstance(value, tuple):
        return tuple(copied(item, known, since) for item in value)
    if isinstance(value, BoundVal):  # a method of what is copied is one of the copy (``self.forward = self.plain_forward``)
        receiver = copied(value.receiver, known, since)
        return value if receiver is value.receiver else BoundVal(value.func, receiver)
    if not isinstance(value, (InstanceVal, ListVal, SetVal, DictVal)) or value.born < since:
        return value
    if isinstance(value, InstanceVal):
        return _copied_instance(value, known, since)
    if isinstance(value, DictVal):
        mapping = known[id(value)] = DictVal(
            {}, value.rest, value.factory, others=value.others, read=value.read, named=value.named
        )
        mapping.items.update({k: copied(v, known, since) for k, v in value.items.items()})
        return mapping
    out = known[id(value)] = ListVal([], value.rest, most=value.most) if isinstance(value, ListVal) else SetVal([], value.rest)
    out.items.extend(copied(item, known, since) for item in value.items)
    return out


def _copied_instance(value: InstanceVal, known: dict[int, Value], since: int) -> InstanceVal:
    out = InstanceVal(value.cls, {}, value.site, None, value.open, handed=value.handed, later=value.later)
    known[id(value)] = out
    if value.layer is not None:
        out.layer = LayerConfig(value.layer.row, dict(value.layer.args), value.layer.nodes, value.layer.defaulted)
    for here, there in ((value.attrs, out.attrs), (value.state, out.state)):
        for key, part in here.items():
            there[key] = part if type(part) in _PLAIN else copied(part, known, since)
    return out


def same_block(a: Value, b: Value) -> bool:
    """Whether two objects are structurally equal modules."""
    return isinstance(a, InstanceVal) and isinstance(b, InstanceVal) and alike(a, b, loose=True)
