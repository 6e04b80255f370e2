"""Which values are modules or layers, and which of them have weights."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, Literal

from dllint.domains.lattice import Unknown
from dllint.frameworks.registry import layer_row
from dllint.ir.program import Op
from dllint.ir.values import ClassVal, DictVal, InstanceVal, LayerConfig, LibSymbol, ListVal, Value
from dllint.lower.lazy import ChoiceVal
from dllint.ops.kinds import having
from dllint.ops.spec import weight_types
from dllint.ops.traits import Trait

Library = Literal["torch", "keras"]
_TORCH: Final = ("torch.nn.", "pytorch_lightning.", "lightning.")
_KERAS: Final = ("keras.layers.", "keras.Model", "keras.Sequential", "keras.models.")
#: Operations of layers that carry weights whatever their table says.
WEIGHTED: Final = having(Trait.LEARNED) - having(Trait.VARIABLE)
#: Operations of layers whose weights the arguments may all leave out.
_SWITCHED: Final = having(Trait.STARTS_PLAIN)


def library_of(cls: Value) -> Library | None:
    """The library whose module or layer class a class is or derives from; ``None`` if it is none, or not known."""
    for base in cls.mro if isinstance(cls, ClassVal) else (cls,):
        if isinstance(base, Unknown):
            return None
        if isinstance(base, LibSymbol):
            if base.name.startswith(_TORCH):
                return "torch"
            if base.name.startswith(_KERAS):
                return "keras"
    return None


def user_classes(cls: ClassVal) -> list[ClassVal]:
    """The classes of the analysed code in a class's resolution order."""
    return [base for base in cls.mro if isinstance(base, ClassVal)]


def is_resolved(cls: ClassVal) -> bool:
    """Whether all bases of a class are known."""
    return not any(isinstance(base, Unknown) for base in cls.mro)


def is_module(value: Value) -> bool:
    """Whether a value is a module or layer object."""
    return isinstance(value, InstanceVal) and (value.layer is not None or library_of(value.cls) is not None)


def is_layer_class(value: Value) -> bool:
    """Whether a value is a layer class itself, not an object."""
    if isinstance(value, LibSymbol):
        return layer_row(value.name) is not None
    return isinstance(value, ClassVal) and library_of(value) is not None


def is_weighted(op: Op) -> bool:
    """Whether a layer of a library that has weights performs an operation."""
    return op.layer is not None and op.layer.layer is not None and has_weights(op.layer)


def has_weights(value: Value, of: Callable[[InstanceVal], bool] = lambda _: True) -> bool:
    """Whether a module has weights of its own or in its parts; of the parts, only those count that ``of`` accepts."""
    return any(module.layer is not None and _is_trainable(module.layer) for module in tree(value, of))


def _is_trainable(layer: LayerConfig) -> bool:
    """Whether a layer has weights, or statistics: not a normalisation whose scale, shift and statistics are switched off."""
    row = layer.row
    if row.op in _SWITCHED and weight_types(row.op, layer.args, row.framework) == {}:
        return False
    return bool(row.trainable) or row.op in WEIGHTED


def tree(value: Value, of: Callable[[InstanceVal], bool] = lambda _: True) -> Iterator[InstanceVal]:
    """A module and the modules in it, each once, without parts of library layers and of what ``of`` does not accept."""
    seen: set[int] = set()  # parts may refer to each other in a circle
    todo = [value]
    while todo:
        module = todo.pop()
        if not isinstance(module, InstanceVal) or id(module) in seen or not of(module):
            continue
        seen.add(id(module))
        yield module
        if module.layer is None:
            todo.extend(parts(module))


def parts(value: InstanceVal) -> Iterator[InstanceVal]:
    """The modules that a module holds directly, also in its containers; of a choice between several, each."""
    for held in (*value.attrs.values(), *value.state.values()):
        for member in elements(held):
            for option in member.options if isinstance(member, ChoiceVal) else (member,):
                if isinstance(option, InstanceVal) and is_module(option) and option is not value:
                    yield option


def elements(value: Value) -> list[Any]:
    """The members of a plain container, or the value itself."""
    if isinstance(value, ListVal):
        return list(value.items) + ([value.rest] if value.rest is not None else [])
    if isinstance(value, DictVal):
        return list(value.items.values())
    return list(value) if isinstance(value, tuple) else [value]


def in_plain_container(value: Value) -> list[InstanceVal]:
    """The modules in a list, dict or tuple; empty for anything else."""
    if not isinstance(value, (ListVal, DictVal, tuple)):
        return []
    return [member for member in elements(value) if is_module(member)]
