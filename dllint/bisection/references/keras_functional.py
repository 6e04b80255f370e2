"""A Keras model as graph: the calls of its layers, made one by one from wherever values are put in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import keras
import numpy as np

from dllint.bisection.batching import in_batches
from dllint.bisection.errors import BisectionError
from dllint.bisection.graph import Graph, Node
from dllint.bisection.protocols import Arrays
from dllint.bisection.references.keras_places import place_of


class KerasReference:
    """A functional or sequential model in inference mode, whatever backend Keras runs on.

    A node is a layer's call and has the name of the layer; further calls of it have a number behind the name, further results
    of one call a colon and a number. A model that serves as layer is one node.
    """

    def __init__(self, model: keras.Model) -> None:
        """Raises :class:`BisectionError` for subclassed models, whose calls are in Python code."""
        functional = _functional(model)
        self._names: dict[int, str] = {}
        self._makers: dict[str, tuple[Any, list[str]]] = {}
        self._weights: dict[str, Any] = {}
        inputs = [self._named(tensor, tensor.name) for tensor in functional.inputs]
        nodes = [Node(name, "placeholder") for name in inputs]
        for call in _calls(functional):
            nodes += self._called(call)
        outputs = tuple(self._names[id(tensor)] for tensor in functional.outputs)
        self.graph = Graph(tuple(nodes), tuple(inputs), outputs)
        self._kinds = {name: tensor.dtype for name, tensor in zip(inputs, functional.inputs, strict=True)}
        sizes = {tensor.shape[0] for tensor in functional.inputs}
        self._batch = sizes.pop() if len(sizes) == 1 and None not in sizes else None

    def run(self, inputs: Arrays, injected: Arrays, wanted: Sequence[str]) -> dict[str, np.ndarray]:
        """The wanted values, from the inputs and injected ones."""
        return in_batches(lambda piece: self._run(piece, wanted), {**inputs, **injected}, self._batch)

    def weight(self, name: str) -> np.ndarray | None:
        """A variable by its path."""
        found = self._weights.get(name)
        return None if found is None else np.asarray(keras.ops.convert_to_numpy(found))

    def _run(self, given: Arrays, wanted: Sequence[str]) -> dict[str, np.ndarray]:
        values = {name: self._tensor(name, array) for name, array in given.items()}
        for name in self.graph.needed(set(values), wanted):
            if name not in values:
                call, results = self._makers[name]
                known = {id(tensor): values[self._names[id(tensor)]] for tensor in call.input_tensors}
                args, kwargs = call.arguments.fill_in(known)
                made = keras.tree.flatten(_inferred(call.operation, args, kwargs))
                values = {**dict(zip(results, made, strict=True)), **values}
        return {name: np.asarray(keras.ops.convert_to_numpy(values[name])) for name in wanted}

    def _tensor(self, name: str, array: np.ndarray) -> Any:
        return keras.ops.convert_to_tensor(array, dtype=self._kinds.get(name))

    def _called(self, call: Any) -> Iterator[Node]:
        operation = call.operation
        results = [
            self._named(tensor, f"{operation.name}:{i}" if i else operation.name) for i, tensor in enumerate(call.outputs)
        ]
        variables = {variable.path: variable for variable in getattr(operation, "variables", ())}
        self._weights |= variables
        inputs = tuple(dict.fromkeys(self._names[id(tensor)] for tensor in call.input_tensors))
        kind, place = type(operation).__name__, place_of(call)
        for name, tensor in zip(results, call.outputs, strict=True):
            self._makers[name] = call, results
            yield Node(name, kind, inputs, operation.name, place, _sample_shape(tensor), tuple(variables))

    def _named(self, tensor: Any, wanted: str) -> str:
        taken, name, number = set(self._names.values()), wanted, 1
        while name in taken:
            name, number = f"{wanted}_call{number}", number + 1
        self._names[id(tensor)] = name
        return name


def _functional(model: keras.Model) -> Any:
    if isinstance(model, keras.Sequential):
        model = model._functional
    if not hasattr(model, "_nodes_by_depth"):
        text = "the Keras model is no functional or sequential one (or was not built)"
        raise BisectionError(text, "call it once, or write it with keras.Model(inputs, outputs)")
    return model


def _calls(model: Any) -> Iterator[Any]:
    """The calls of layers, each behind those that it takes values from."""
    for depth in sorted(model._nodes_by_depth, reverse=True):
        yield from (call for call in model._nodes_by_depth[depth] if not call.is_input)


def _inferred(operation: Any, args: Any, kwargs: Any) -> Any:
    if getattr(operation, "_call_has_training_arg", False):
        kwargs = {**kwargs, "training": False}
    return operation(*args, **kwargs)


def _sample_shape(tensor: Any) -> tuple[int, ...] | None:
    sizes = tuple(tensor.shape)[1:]
    floating = "float" in str(tensor.dtype) and len(tensor.shape) > 0
    return sizes if floating and all(isinstance(size, int) for size in sizes) else None
