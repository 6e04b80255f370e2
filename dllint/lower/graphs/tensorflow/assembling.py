"""From a stored TensorFlow graph to the form that all formats share."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

from dllint.domains.dim import symbol
from dllint.domains.dtype import DType
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape, TensorType
from dllint.ir.values import Value
from dllint.lower.graphs.model import Graph, Node
from dllint.lower.graphs.raw import Constant, weight
from dllint.lower.graphs.tensorflow.flattening import flattened, without_loops
from dllint.lower.graphs.tensorflow.stored import StoredGraph, StoredNode
from dllint.lower.graphs.tensorflow.values import SILENT, element_type

#: What ``tf.gradients`` makes: it repeats the dangers of the operations that it is the gradient of.
_GRADIENTS: Final = re.compile(r"(?:^|/)(?:gradients|gradient_tape)(?:_\d+)?/")
_FED: Final = frozenset({"Placeholder", "PlaceholderV2", "_Arg"})
_EXECUTION: Final = frozenset({"use_locking", "use_cudnn_on_gpu", "grad_a", "grad_b", "N", "Index", "seed", "seed2"})
#: Node types that give what is read from somewhere: the attributes that list its types and shapes.
_READ: Final = {
    "IteratorGetNext": ("output_types", "output_shapes"),
    "QueueDequeueV2": ("component_types", ""),
    "QueueDequeueManyV2": ("component_types", ""),
    "QueueDequeueUpToV2": ("component_types", ""),
}


def assembled(name: str, stored: StoredGraph) -> Graph:
    """The graph with its functions written out, constants and inputs apart, and without the nodes of gradients.

    Raises:
        GraphError: it has too many nodes.
    """
    nodes = [node for node in without_loops(flattened(stored)) if not _left_out(node)]
    graph = Graph(name, "tensorflow", [], {})
    used = _highest(nodes)
    for node in nodes:
        if node.operator in ("Const", "HostConst") and isinstance(node.attributes.get("value"), Constant):
            graph.weights[node.name] = weight(node.attributes["value"])
        elif node.operator in _FED:
            graph.inputs[node.name] = _input_type(node.attributes.get("dtype"), node.attributes.get("shape"))
        elif node.operator in _READ:
            graph.inputs.update(_read(node))
        else:
            graph.nodes.append(_node(node, used.get(node.name, 0)))
    taken = {given for node in graph.nodes for given in node.inputs}
    graph.outputs = [node.name for node in graph.nodes if taken.isdisjoint(node.outputs)]
    return graph


def _left_out(node: StoredNode) -> bool:
    return node.operator in SILENT or _GRADIENTS.search(node.name) is not None


def _highest(nodes: Iterable[StoredNode]) -> dict[str, int]:
    """The number of the last result of each node that is taken by another."""
    out: dict[str, int] = {}
    for node in nodes:
        for given in node.inputs:
            name, colon, number = given.rpartition(":")
            if colon and number.isdecimal() and int(number) < 1000:
                out[name] = max(out.get(name, 0), int(number))
    return out


def _node(node: StoredNode, highest: int) -> Node:
    outputs = (node.name, *(f"{node.name}:{number}" for number in range(1, highest + 1)))
    attributes = {name: value for name, value in node.attributes.items() if not _is_noise(name, value)}
    return Node(node.name, node.operator, node.inputs, outputs, attributes, node.line, node.trace)


def _is_noise(name: str, value: Value) -> bool:
    """Whether an attribute only repeats an operand's element type or concerns execution."""
    return name.startswith("_") or name in _EXECUTION or (isinstance(value, DType) and name[0] == "T" and name != "Tout")


def _read(node: StoredNode) -> dict[str, TensorType]:
    types, shapes = (node.attributes.get(name) for name in _READ[node.operator])
    given: Sequence[Any] = types if isinstance(types, tuple) else ()
    out = {}
    for number, dtype in enumerate(given):
        shape = shapes[number] if isinstance(shapes, tuple) and number < len(shapes) else None
        out[f"{node.name}:{number}" if number else node.name] = _input_type(dtype, shape)
    return out


def _input_type(dtype: Value, shape: Value) -> TensorType:
    """The type of an input of the graph; every unknown size gets a symbol of its own."""
    return TensorType(_sizes(shape), element_type(dtype))


def _sizes(shape: Any) -> Shape | Unknown:
    if not isinstance(shape, tuple):
        return Unknown("no-argument", "shape")
    return tuple(symbol("B" if axis == 0 else f"N{axis}") if size is None else size for axis, size in enumerate(shape))
