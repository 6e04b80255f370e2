"""Everything that can be called with values: operations, handlers, properties, rows of functions and of layers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from benchmarks.borders.workshop import Workshop
from dllint.frameworks import registry
from dllint.frameworks.binding import REQUIRED
from dllint.frameworks.machine import CLASS_METHODS, HANDLERS, LIBRARY_BASES, PROPERTIES
from dllint.ir.program import Framework
from dllint.ir.values import Arguments, LibSymbol, Value
from dllint.lower import library
from dllint.lower.attributes import NATIVE
from dllint.lower.tensors import TENSOR_CLASS
from dllint.ops.spec import OPS

Given = Mapping[str, Value]
RECEIVER: Final = "self"
_FRAMEWORKS: Final[tuple[Framework, ...]] = ("torch", "keras", "tensorflow", "numpy")
#: How many arguments are tried where no signature is known.
_POSITIONS: Final = ("first", "second", "third")


@dataclass(frozen=True, slots=True)
class Subject:
    """Something to call. ``required`` are those of ``parameters`` that every call gives; values come by parameter."""

    name: str
    parameters: tuple[str, ...]
    required: tuple[str, ...]
    call: Callable[[Workshop, Given, Arguments], Value]


def subjects() -> Iterator[Subject]:
    """All of them. Tables must have been loaded."""
    yield from map(_operation, *zip(*((name, framework) for name in sorted(OPS) for framework in _FRAMEWORKS), strict=True))
    for name in sorted(HANDLERS):
        yield _handler(name)
    for name in sorted(PROPERTIES):
        yield _property(name)
    for name in sorted(registry._functions):
        yield _function(name)
    for name in sorted(registry._layers):
        yield _layer(name)


def _operation(name: str, framework: Framework) -> Subject:
    parameters = tuple(OPS[name].parameters)
    required = tuple(
        parameter for parameter in parameters if OPS[name].defaults.get(parameter) is OPS[name].parameters[parameter].empty
    )

    def call(w: Workshop, given: Given, more: Arguments) -> Value:
        return w.machine.emit(name, dict(given), framework=framework)

    return Subject(f"operation {name} ({framework})", parameters, required, call)


def owner_of(name: str) -> str | None:
    """The class whose method or attribute a name is."""
    owner, _, last = name.rpartition(".")
    if last == "__new__" or name in CLASS_METHODS:
        return None
    known = owner in LIBRARY_BASES or registry.layer_row(owner) is not None or owner in NATIVE.values()
    return owner if known or owner in TENSOR_CLASS.values() or last.startswith("__") else None


def names_of(name: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The parameters of a library callable that can be given by name, and those that must be."""
    found = [p for p in registry.parameters(name) or () if p.kind in ("pos", "only") and p.name != RECEIVER]
    if not found:
        return _POSITIONS, _POSITIONS[:1]
    return tuple(p.name for p in found), tuple(p.name for p in found if p.default is REQUIRED)


def arguments(given: Given, more: Arguments) -> Arguments:
    """What is given by parameter as the arguments of a call: by position where no names are known."""
    args = tuple(given[name] for name in _POSITIONS if name in given)
    kwargs = {name: value for name, value in given.items() if name not in (*_POSITIONS, RECEIVER)}
    return Arguments((*args, *more.args), {**kwargs, **more.kwargs}, more.star, more.double_star)


def _handler(name: str) -> Subject:
    owner, (names, required) = owner_of(name), names_of(name)

    def call(w: Workshop, given: Given, more: Arguments) -> Value:
        return HANDLERS[name](w.machine, given.get(RECEIVER), arguments(given, more))

    if owner is None:
        return Subject(f"handler {name}", names, required, call)
    return Subject(f"handler {name}", (RECEIVER, *names), (RECEIVER, *required), call)


def _property(name: str) -> Subject:
    return Subject(
        f"property {name}", (RECEIVER,), (RECEIVER,), lambda w, given, more: PROPERTIES[name](w.machine, given.get(RECEIVER))
    )


def _function(name: str) -> Subject:
    row = registry.function_row(name)
    assert row is not None
    found = [p for p in registry.parameters(name, row.params) or () if p.kind in ("pos", "only")]
    names = tuple(p.name for p in found) or _POSITIONS
    required = tuple(p.name for p in found if p.default is REQUIRED) or names[:1]
    receives = name.rpartition(".")[0] in TENSOR_CLASS.values()
    if receives and RECEIVER not in names:
        names, required = (RECEIVER, *names), (RECEIVER, *required)

    def call(w: Workshop, given: Given, more: Arguments) -> Value:
        if receives:
            return library.call_method(w.machine, LibSymbol(name), given.get(RECEIVER), arguments(given, more))
        return w.machine.call(LibSymbol(name), arguments(given, more))

    return Subject(f"function {name}", names, required, call)


def _layer(name: str) -> Subject:
    names, required = names_of(name)

    def call(w: Workshop, given: Given, more: Arguments) -> Value:
        own = {key: value for key, value in given.items() if key != "x"}
        return w.machine.call(w.machine.call(LibSymbol(name), arguments(own, more)), Arguments((given.get("x"),)))

    return Subject(f"layer {name}", (*names, "x"), (*required, "x"), call)
