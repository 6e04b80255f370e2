"""A graph of torch operators, interpreted from wherever values are put in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch

from dllint.bisection.arrays import as_array
from dllint.bisection.batching import in_batches
from dllint.bisection.graph import Graph, Node
from dllint.bisection.protocols import Arrays
from dllint.bisection.references.stack_trace import user_place
from dllint.bisection.references.torch_settings import settings_of


class TorchGraph:
    """An exported module without operations in place; its parameters are where it was put."""

    def __init__(self, module: torch.fx.GraphModule, device: str = "cpu") -> None:
        self._device = torch.device(device)
        self.module = module
        every = list(module.graph.nodes)
        self._nodes = {node.name: node for node in every if node.op in ("placeholder", "call_function")}
        self._weights = {node.name: str(node.target) for node in every if node.op == "get_attr"}
        self._constants = {name: _attribute(module, target) for name, target in self._weights.items()}
        self.graph = Graph(
            tuple(self._node(node) for node in self._nodes.values()),
            tuple(node.name for node in self._nodes.values() if node.op == "placeholder"),
            _outputs(module),
        )
        self._batch = _fixed_batch([self._nodes[name] for name in self.graph.inputs])

    def run(self, inputs: Arrays, injected: Arrays, wanted: Sequence[str]) -> dict[str, np.ndarray]:
        """The wanted values; an injected value takes the element type that the graph's own value has."""
        return in_batches(lambda piece: self._run(piece, wanted), {**inputs, **injected}, self._batch)

    def weight(self, name: str) -> np.ndarray | None:
        """A parameter or buffer by the name it has in the module."""
        found = [self._constants[node] for node, target in self._weights.items() if target == name]
        return as_array(found[0]) if found and isinstance(found[0], torch.Tensor) else None

    def settings(self, name: str) -> Mapping[str, object]:
        """Arguments of the operator of a node."""
        return settings_of(self._nodes[name])

    def tensor(self, name: str, array: np.ndarray) -> torch.Tensor:
        """An array as the value of a node: its element type, on the device."""
        kind = getattr(self._nodes[name].meta.get("val"), "dtype", None)
        made = torch.from_numpy(np.array(array)).to(self._device)
        return made if kind is None else made.to(kind)

    def _run(self, given: Arrays, wanted: Sequence[str]) -> dict[str, np.ndarray]:
        values: dict[str, Any] = {name: self.tensor(name, array) for name, array in given.items()}
        with torch.no_grad():
            for name in self.graph.needed(set(values), wanted):
                if name not in values:
                    values[name] = self._performed(self._nodes[name], values)
        return {name: as_array(values[name]) for name in wanted}

    def _performed(self, node: torch.fx.Node, values: Mapping[str, Any]) -> Any:
        def value(argument: torch.fx.Node) -> Any:
            return values[argument.name] if argument.name in values else self._constants[argument.name]

        args, kwargs = torch.fx.map_arg((node.args, node.kwargs), value)
        return node.target(*args, **kwargs)  # type: ignore[operator]

    def _node(self, node: torch.fx.Node) -> Node:
        taken = [argument.name for argument in node.all_input_nodes]
        return Node(
            node.name,
            _kind(node),
            tuple(name for name in taken if name in self._nodes),
            _module_path(node),
            user_place(str(node.meta.get("stack_trace") or ""), _kind(node), _module_path(node)),
            _sample_shape(node.meta.get("val")),
            tuple(self._weights[name] for name in taken if name in self._weights),
        )


def _fixed_batch(placeholders: Sequence[torch.fx.Node]) -> int | None:
    """The number of samples that the export has fixed."""
    shapes = [tuple(getattr(node.meta.get("val"), "shape", ())) for node in placeholders]
    sizes = [shape[0] for shape in shapes if shape]
    # A free size is a symbol, which cannot be hashed.
    fixed = all(isinstance(size, int) for size in sizes) and len(set(sizes)) == 1
    return sizes[0] if fixed else None


def _attribute(module: torch.nn.Module, target: str) -> Any:
    found: Any = module
    for name in target.split("."):
        found = getattr(found, name)
    return found


def _outputs(module: torch.fx.GraphModule) -> tuple[str, ...]:
    (output,) = [node for node in module.graph.nodes if node.op == "output"]
    return tuple(dict.fromkeys(node.name for node in output.all_input_nodes))


def _kind(node: torch.fx.Node) -> str:
    name = getattr(node.target, "_opname", None) or getattr(node.target, "__name__", str(node.target))
    return "placeholder" if node.op == "placeholder" else str(name)


def _module_path(node: torch.fx.Node) -> str:
    stack = node.meta.get("nn_module_stack") or {}
    return str(next(reversed(stack.values()))[0]) if stack else ""


def _sample_shape(value: Any) -> tuple[int, ...] | None:
    """The shape without the batch axis, of a tensor of floating-point numbers whose other axes are fixed."""
    if not isinstance(value, torch.Tensor) or not value.is_floating_point() or not value.dim():
        return None
    sizes = tuple(value.shape)[1:]
    return tuple(int(size) for size in sizes) if all(isinstance(size, int) for size in sizes) else None
