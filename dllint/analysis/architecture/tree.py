"""The tree of modules under a module: what each holds, by name, in the framework's order."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeGuard

from dllint.analysis.architecture.keras_built import Built
from dllint.analysis.architecture.keras_names import class_name, graph, named, performer
from dllint.analysis.architecture.weights import Weights
from dllint.analysis.modules import elements, is_module, library_of
from dllint.domains.dim import Dim, same
from dllint.domains.lattice import Unknown, UnknownFloat
from dllint.frameworks.keras.protocols.replay import between
from dllint.frameworks.torch.protocols.module_tree import children as torch_children
from dllint.ir.events import ModuleCall
from dllint.ir.program import Program, TensorVal, tensors_in
from dllint.ir.values import ClassVal, InstanceVal, LibSymbol, ListVal, Value, unwrap
from dllint.lower.lazy import ChoiceVal

#: Modules of a tree at most; beyond that it is cut, which is said.
_MOST: Final = 20_000


@dataclass(slots=True)
class Call:
    """A call of a module: what it was given and what it gave; ``mult_adds`` of the operations that no module in it performs,
    ``None`` if one of them is not known."""

    inputs: tuple[Value, ...]
    output: Value


@dataclass(slots=True, eq=False)
class Module:
    """A module in the tree of another. ``name`` is what its holder calls it, ``path`` the way from the root. ``is_again``: it
    stands in the tree before, under another name; it has no children here and counts nothing. ``gaps`` say what is not
    followed."""

    instance: InstanceVal
    name: str
    path: str
    children: list[Module] = field(default_factory=list)
    is_again: bool = False
    #: Whether it may hold modules that are not here.
    is_open: bool = False
    #: What may stand in its place, where a branch that is not decided has chosen; None: no module.
    others: list[Module | None] = field(default_factory=list)
    #: Whether the object that stands for it stands for others, too, so that its calls are not known (:func:`_held`).
    is_blurred: bool = False
    own: Weights = field(default_factory=Weights)
    calls: list[Call] = field(default_factory=list)
    #: Multiplications with an addition of the operations that it performs itself, in all its calls.
    mult_adds: Dim = 0
    gaps: dict[str, None] = field(default_factory=dict)
    #: Whether a number of multiplications is not known, so that ``mult_adds`` is a lower bound.
    is_cost_open: bool = False

    @property
    def kind(self) -> str:
        """The name of its class in the framework's vocabulary (``Conv2d``), or the user's own."""
        return kind_of(self.instance)

    def walk(self) -> Iterator[Module]:
        """The module and those below it, holders first."""
        yield self
        for child in self.children:
            yield from child.walk()

    @property
    def weights(self) -> Weights:
        """The weights of the module and of those below it, each once."""
        total = self.own + Weights(is_open=self.is_open)
        for child in self.children:
            total = total + child.weights
        others = [other.weights if other is not None else Weights() for other in self.others]
        return total if all(_is_same(total, other) for other in others) else Weights(is_open=True)

    @property
    def cost(self) -> Dim:
        """The multiplications with an addition of the module and of those below it."""
        total: Dim = self.mult_adds
        for child in self.children:
            total = total + child.cost
        return total if self._costs_the_same(total) else 0

    @property
    def has_open_cost(self) -> bool:
        """Whether the module, or one below it, may cost more."""
        if self.is_cost_open or any(child.has_open_cost for child in self.children):
            return True
        total: Dim = self.mult_adds
        for child in self.children:
            total = total + child.cost
        return not self._costs_the_same(total)

    def _costs_the_same(self, total: Dim) -> bool:
        return all(bool(same(total, other.cost if other is not None else 0)) for other in self.others)

    def everything(self) -> Iterator[Module]:
        """The module and those below it, with what may stand in their places."""
        for module in self.walk():
            yield module
            for other in module.others:
                if other is not None:
                    yield from other.everything()


def _is_same(one: Weights, other: Weights) -> bool:
    trained, fixed = same(one.trainable, other.trainable), same(one.fixed, other.fixed)
    return bool(trained and fixed) and not one.is_open and not other.is_open


def kind_of(instance: InstanceVal) -> str:
    """The name of an object's class, without the library's path to it."""
    return class_name(instance)


@dataclass(frozen=True, slots=True)
class Around:
    """What is known of models of Keras besides themselves: what is built, and the calls of models, by which it is known that
    one applies another."""

    built: Built = field(default_factory=Built)
    calls: Sequence[ModuleCall] = ()

    @classmethod
    def of(cls, programs: Sequence[Program]) -> Around:
        """What programs tell, one run after the other."""
        events = [event for program in programs for event in program.events]
        calls = [event for event in events if isinstance(event, ModuleCall) and is_graph(event.callee)]
        return cls(Built.of(events), calls)


def tree_of(root: InstanceVal, name: str = "", around: Around | None = None) -> Module:
    """The tree of modules under a module; ``around`` is what its program tells."""
    known = around or Around()
    top = Module(root, name, "")
    seen = {id(root): top}
    todo = [top]
    while todo:
        holder = todo.pop()
        for key, value in held_by(holder.instance, root, known):
            todo += _held(holder, key, value, seen)
        if len(seen) > _MOST:
            top.gaps.setdefault(f"more than {_MOST} modules: the others are left out")
            top.is_open = True
            break
    return top


def _held(holder: Module, key: str, value: Value, seen: dict[int, Module]) -> Iterator[Module]:
    """Add what a module holds under a name to it; the modules that are new.

    Blocks that are made with equal arguments are copies of one another to the analysis (``lower/repeats.py``), which have the
    alternatives of an undecided branch in common: each block has its own, which are *blurred*.
    """
    if isinstance(value, TensorVal):
        return
    options = value.options if isinstance(value, ChoiceVal) else (value,)
    path = f"{holder.path}.{key}" if holder.path else key
    is_copied = isinstance(value, ChoiceVal) or holder.is_blurred
    found = [_found(one, key, path, seen, is_copied) for one in options if isinstance(one, InstanceVal)]
    unknown = next((one for one in options if one is not None and not isinstance(one, InstanceVal)), None)
    if unknown is not None or not found:
        holder.is_open = True
        holder.gaps.setdefault(f"`{key}` is not followed{_why(unknown)}")
    if not found:
        return
    holder.children.append(found[0])
    found[0].others = [*found[1:], *((None,) if None in options else ())]
    for module in found:
        if not module.is_again:
            seen[id(module.instance)] = module
            yield module


def _found(one: InstanceVal, key: str, path: str, seen: dict[int, Module], is_copied: bool) -> Module:
    first = seen.get(id(one))
    if first is None or not is_copied:
        return Module(one, key, path, is_again=first is not None)
    first.is_blurred = True
    return Module(_another(one), key, path, is_blurred=True)


def _why(value: Value) -> str:
    if not isinstance(value, Unknown):
        return ""
    return f" ({value.reason.replace('-', ' ')}{f': {value.detail}' if value.detail else ''})"


def held_by(module: InstanceVal, root: InstanceVal, around: Around) -> Iterator[tuple[str, Value]]:
    """The modules that a module holds directly, with their names, in order; Unknown where something may be one."""
    if module.open is not None:
        yield "further parts", module.open
    if library_of(module.cls) == "keras" or (module.layer is not None and module.layer.row.framework == "keras"):
        yield from _of_keras(module, around, root if is_graph(root) else module)
        return
    known = torch_children(module)
    names = {name for name, _ in known}
    repeats = module.state.get("num_layers")
    for name, value in known:
        if name == "layer" and isinstance(repeats, int):
            for number in range(repeats):
                yield f"layers.{number}", _another(value) if number and isinstance(value, InstanceVal) else value
        elif value is not None:
            yield name, value
    yield from ((name, value) for name, value in _perhaps_modules(module) if name not in names)


def _another(value: InstanceVal) -> InstanceVal:
    """A layer like one that stands for several."""
    return InstanceVal(value.cls, value.attrs, value.site, value.layer, value.open, value.state)


def _perhaps_modules(module: InstanceVal) -> Iterator[tuple[str, Value]]:
    """Attributes of which it is not known what they hold, or which of several modules."""
    for name, value in module.attrs.items():
        value = unwrap(value)
        if (isinstance(value, Unknown) and not _is_plain_number(value)) or _is_choice(value):
            yield name, value
        elif _is_foreign(value):
            yield name, Unknown("unknown-class", kind_of(value) if isinstance(value, InstanceVal) else "")


def _is_foreign(value: Value) -> bool:
    """Whether a value is an object of a class of which it is not known whether it is a module."""
    if not isinstance(value, InstanceVal) or is_module(value):
        return False
    bases = value.cls.mro if isinstance(value.cls, ClassVal) else (value.cls,)
    return any(isinstance(base, Unknown) or (isinstance(base, LibSymbol) and _root(base) not in _NO_MODULES) for base in bases)


def _root(symbol: LibSymbol) -> str:
    return symbol.name.partition(".")[0]


#: Libraries of whose classes it is known which are modules.
_NO_MODULES: Final = frozenset({"torch", "keras", "tensorflow", "numpy", "builtins", *sys.stdlib_module_names})


def _is_choice(value: Value) -> bool:
    """Whether a value is one of several of which one is a module."""
    return isinstance(value, ChoiceVal) and any(map(is_module, value.options))


#: Reasons for which a number, a flag or a mode is not known, which is no module.
_NO_OBJECTS: Final = frozenset({"undecided", "training-mode", "tensor-element", "unknown-number", "random-number"})


def _is_plain_number(value: Unknown) -> bool:
    return isinstance(value, UnknownFloat) or value.reason in _NO_OBJECTS


def is_graph(value: Value) -> TypeGuard[InstanceVal]:
    """Whether a value is a functional model or a stack of Keras."""
    if not isinstance(value, InstanceVal) or not isinstance(value.cls, LibSymbol) or library_of(value.cls) != "keras":
        return False
    return "outputs" in value.state or isinstance(value.state.get("layers"), ListVal)


def _of_keras(module: InstanceVal, around: Around, root: InstanceVal) -> Iterator[tuple[str, Value]]:
    if isinstance(opened := module.state.get("open"), Unknown):
        yield "layers", opened
    held = module.state.get("layers")
    if isinstance(held, ListVal):
        yield from named([unwrap(value) for value in held.items], root, around.built)
    elif "outputs" in module.state and not _attributes(module):
        layers = _of_graph(module, around.calls)
        if not layers:
            yield "graph", Unknown("graph", "from its inputs to its outputs")
        yield from named(layers, root, around.built)
    elif isinstance(inner := unwrap(module.state.get("layer")), InstanceVal):
        yield "layer", inner
    else:
        yield from _attributes(module)


def _attributes(module: InstanceVal) -> list[tuple[str, Value]]:
    """The layers that are attributes, also in lists, of which Keras keeps track."""
    found: list[tuple[str, Value]] = []
    for name, value in module.attrs.items():
        value = unwrap(value)
        members = elements(value)
        several = isinstance(value, ListVal)
        for number, member in enumerate(map(unwrap, members)):
            if _is_foreign(member):
                member = Unknown("unknown-class", kind_of(member) if isinstance(member, InstanceVal) else "")
            elif isinstance(member, Unknown) and member.reason in _NO_OBJECTS:
                continue
            if isinstance(member, Unknown) or (is_module(member) and member is not module) or _is_choice(member):
                found.append((f"{name}[{number}]" if several else name, member))
    return found


def _of_graph(module: InstanceVal, functional: Sequence[ModuleCall]) -> list[Value]:
    """The layers of a functional model, in an order in which each follows what it is given, and the models that it applies."""
    ops = graph(module)
    applied = _applied(module, {id(op) for op in ops}, functional)
    found = (applied.get(id(op)) or performer(op) for op in ops)
    return list({id(layer): layer for layer in found if layer is not None and layer is not module}.values())


def _applied(module: InstanceVal, ops: set[int], functional: Sequence[ModuleCall]) -> dict[int, InstanceVal]:
    """By the ``id`` of an operation of a graph, the model that is applied there: the outermost one."""
    found: dict[int, InstanceVal] = {}
    for call in functional:
        inner = between(tuple(tensors_in((*call.args, *call.keywords.values()))), tuple(tensors_in(call.result)))
        if call.callee is not module and isinstance(call.callee, InstanceVal) and inner:
            within = {id(op) for op in inner}
            if within <= ops and not within <= found.keys():
                found |= dict.fromkeys(within, call.callee)
    return found
