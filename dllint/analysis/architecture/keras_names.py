"""Names that Keras makes for layers that were given none.

Keras counts the unnamed objects of each class in the order in which they are constructed, not in that in which they are
applied (``keras.src.utils.naming.auto_name``): ``conv2d``, ``conv2d_1`` and so on. Layers that a layer makes for itself count,
too, and so does what a program has built before the model (:mod:`keras_built`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from dllint.analysis.architecture.keras_built import Built
from dllint.analysis.modules import elements, is_module
from dllint.domains.lattice import Unknown
from dllint.frameworks.keras.protocols.replay import between
from dllint.ir.program import Op, TensorVal, tensors_in
from dllint.ir.values import ClassVal, DictVal, InstanceVal, LibSymbol, ListVal, Value, unwrap

#: What functions on symbolic tensors (``a + b``, ``keras.ops.reshape``) are counted as, which layers are called, too.
_ALSO_OPERATIONS: Final = frozenset(
    ("add", "average", "concatenate", "dot", "maximum", "minimum", "multiply", "re_lu", "reshape", "softmax", "subtract")
)
#: Layers that make layers of their own without names, when they are built, and what those are called.
_MAKE_OTHERS: Final = {
    "MultiHeadAttention": ("dropout", "softmax"),
    "GroupQueryAttention": ("dropout", "softmax"),
}


def named(layers: list[Value], root: InstanceVal, built: Built) -> Iterator[tuple[str, Value]]:
    """Layers with the names that they were given, else with those that Keras makes for the layers of a model, the ``root``.

    A layer whose number is not known is called ``dropout_?[0]``.
    """
    names = _automatic([*layers, root], built)
    uncounted: dict[str, int] = {}
    for number, layer in enumerate(layers):
        if not isinstance(layer, InstanceVal):
            yield f"layers[{number}]", layer
            continue
        name = names.get(id(layer), "")
        given = unwrap(layer.state.get("name"))
        if not isinstance(given, str) and not name:
            base = _base(layer)
            name = f"{base}_?[{uncounted.setdefault(base, 0)}]"
            uncounted[base] += 1
        yield given if isinstance(given, str) else name, layer


def _automatic(layers: Iterable[Value], built: Built) -> dict[int, str]:
    """The names of the layers without one, by ``id``, as far as their numbers are known."""
    found = list({id(layer): layer for layer in (*_all_in(layers), *built.objects)}.values())
    graphs = [op for layer in found for op in graph(layer)]
    always = _ALSO_OPERATIONS if any(performer(op) is None for op in graphs) else frozenset()
    doubtful = set(always)
    counts: dict[str, int] = {}
    names: dict[int, str] = {}
    for layer in sorted(found, key=lambda found: found.born):
        base, given = _base(layer), unwrap(layer.state.get("name"))
        if layer.born in built.first:
            doubtful, counts = set(always), {}
        doubtful.update(_MAKE_OTHERS.get(class_name(layer), ()))
        if isinstance(given, Unknown) or (given is None and layer.born in built.doubtful):
            doubtful.add(base)
        if given is not None or base in doubtful:
            continue
        count = counts[base] = counts.get(base, -1) + 1
        names[id(layer)] = f"{base}_{count}" if count else base
    return names


def _all_in(layers: Iterable[Value]) -> list[InstanceVal]:
    """The layers and those that they hold."""
    found: list[InstanceVal] = []
    seen: set[int] = set()
    todo = list(layers)
    while todo:
        value = unwrap(todo.pop())
        if not isinstance(value, (InstanceVal, ListVal, DictVal, tuple)) or id(value) in seen:
            continue
        seen.add(id(value))
        if not isinstance(value, InstanceVal):
            todo += elements(value)
        elif is_module(value):
            found.append(value)
            todo += (*value.attrs.values(), value.state.get("layers"), value.state.get("layer"))
            todo += (layer for op in graph(value) if (layer := performer(op)) is not None)
    return found


def graph(module: InstanceVal) -> list[Op]:
    """The operations of a functional model from its inputs to its outputs; none of another module."""
    return between(tuple(_tensors(module.state.get("inputs"))), tuple(_tensors(module.state.get("outputs"))))


def performer(op: Op) -> InstanceVal | None:
    """The layer that performs an operation, a library's or one of the user's own; None if a function does."""
    return op.owner if op.layer is None and isinstance(op.owner, InstanceVal) and is_module(op.owner) else op.layer


def _tensors(value: Value) -> Iterator[TensorVal]:
    value = unwrap(value)
    yield from tensors_in(tuple(value.items) if isinstance(value, ListVal) else value)


def class_name(instance: InstanceVal) -> str:
    """The name of an object's class, without the library's path to it."""
    cls = instance.cls
    if isinstance(cls, ClassVal):
        return cls.name
    if not isinstance(cls, LibSymbol):
        return "?"
    application, name = instance.state.get("application"), cls.name.rpartition(".")[2]
    if isinstance(application, str):
        return application
    return "Functional" if name == "Model" and "outputs" in instance.state else name


def _base(layer: InstanceVal) -> str:
    """``Conv2D`` to ``conv2d``, ``BatchNormalization`` to ``batch_normalization``, as Keras names layers."""
    name = re.sub(r"\W+", "", class_name(layer))
    name = re.sub(r"(.)([A-Z][a-z]+)", r"\1_\2", name)
    return re.sub(r"([a-z])([A-Z])", r"\1_\2", name).lower()
