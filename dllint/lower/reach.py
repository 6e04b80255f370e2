"""The parts of mutable values, by which it is found what others can reach."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from dllint.domains.lattice import Unknown
from dllint.ir.program import TensorVal
from dllint.ir.values import (
    Assumed,
    BoundVal,
    ClassVal,
    DictVal,
    FuncVal,
    InstanceVal,
    IterVal,
    ListVal,
    PartialVal,
    SetVal,
    Value,
)
from dllint.lower.changes import Changes
from dllint.lower.lazy import ChoiceVal
from dllint.lower.scopes import Locals, Scope


def _enclosing(scope: Scope) -> Iterator[Value]:
    """The variables of the functions around a function."""
    inner: Scope | None = scope
    while inner is not None:
        if type(inner.vars) is Locals:
            yield inner.vars
        inner = inner.parent


#: The mutable values and those through which they are reached → their parts; lists and dicts are storage of the value.
PARTS: Final[dict[type, Any]] = {
    ListVal: lambda v: (v.items, v.rest),
    SetVal: lambda v: (v.items, v.rest),
    DictVal: lambda v: (v.items, v.rest, v.factory),
    IterVal: lambda v: (v.items, v.rest, v.cases),
    InstanceVal: lambda v: (v.cls, v.attrs, v.state, v.layer.args if v.layer is not None else None),
    ClassVal: lambda v: (v.attrs, v.bases),
    FuncVal: lambda v: (dict(v.defaults), v.owner, v.attrs, *_enclosing(v.scope)),
    BoundVal: lambda v: (v.func, v.receiver),
    PartialVal: lambda v: (v.func, v.args, v.kwargs),
    Assumed: lambda v: (v.value,),
    ChoiceVal: lambda v: (v.options,),
    TensorVal: lambda _v: (),
    Changes: lambda _v: (),
    Unknown: lambda _v: (),
}


def note_reached(values: Iterable[Value], known: dict[int, Any]) -> None:
    """Add to ``known``, by ``id``, all objects and storage that can be reached from some values."""
    todo = list(values)
    while todo:
        value = todo.pop()
        kind = type(value)
        if isinstance(value, (tuple, list)):
            todo.extend(value)
        elif kind in PARTS and id(value) not in known:
            known[id(value)] = value
            for part in PARTS[kind](value):
                if type(part) is list:
                    known[id(part)] = part
                    todo.extend(part)
                elif type(part) is dict or (type(part) is Locals and id(part) not in known):
                    known[id(part)] = part
                    todo.extend(part.values())
                elif part is not None:
                    todo.append(part)
