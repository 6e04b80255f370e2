"""From the JSON of an exported program to the form that all formats share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from math import prod
from typing import Any, Final

from dllint.domains.dim import Dim
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.lower.graphs.model import Graph, Node, Weight
from dllint.lower.graphs.raw import Constant, decoded, weight
from dllint.lower.graphs.torch_export.archive import Archive
from dllint.lower.graphs.torch_export.arguments import named, outputs, read, references
from dllint.lower.graphs.torch_export.types import Sizes
from dllint.lower.graphs.traces import frames

#: Stands for a tensor that training changes, or whose numbers are not in the archive as they are.
PARAMETER: Final = "Parameter"
_PREFIX: Final = "torch.ops."


class Reader:
    """Reads one program. ``arguments`` has the arguments of each node by its first result, ``sizes`` what names of sizes stand
    for. Raises LookupError, TypeError, ValueError or AttributeError where the JSON is not of the schema's form."""

    def __init__(self, program: Mapping[str, Any], archive: Archive) -> None:
        self._module = program["graph_module"]
        self._stored = self._module["graph"]
        self._archive = archive
        self._sizes = Sizes()
        self.arguments: dict[str, dict[str, Any]] = {}
        self.sizes: dict[str, Dim] = {
            name: self._sizes.of(value) for name, value in self._stored.get("sym_int_values", {}).items()
        }

    def graph(self, name: str) -> Graph:
        """The program as a graph."""
        declared = {name: self._sizes.type_of(meta) for name, meta in self._stored["tensor_values"].items()}
        graph = Graph(name, "torch", [], {}, declared=declared)
        for value, kind, stored in self._given():
            type_ = declared.get(value, TensorType(Unknown("no-argument", value), Unknown("no-argument", value)))
            known = None if kind in ("parameter", "user_input") else self._weight(stored, type_)
            if kind == "user_input":
                graph.inputs[value] = type_
            elif known is not None:
                graph.weights[value] = known
            else:
                graph.nodes.append(Node(value, PARAMETER, (), (value,)))
        graph.nodes += [found for node in self._stored["nodes"] if (found := self._node(node)) is not None]
        graph.outputs = [name for output in self._stored["outputs"] for name in references(read(output))]
        return graph

    def _given(self) -> Iterator[tuple[str, str, str]]:
        """What the program is given: the name of the value, what it is, and the name it is stored under."""
        for spec in self._module["signature"]["input_specs"]:
            ((kind, content),) = spec.items()
            argument = content.get("arg", {})
            for name in references(read(argument)) if "name" not in argument else (named(argument["name"]),):
                stored = content.get(f"{kind.removesuffix('_constant')}_name", content.get(f"{kind}_name", ""))
                yield name, kind, stored

    def _weight(self, stored: str, type_: TensorType) -> Weight | None:
        """A buffer or constant whose numbers lie in the archive as they are."""
        entry = self._weights.get(stored)
        meta = {} if entry is None else entry.get("tensor_meta", {})
        if entry is None or entry.get("use_pickle") or meta.get("requires_grad") or not _is_dense(meta):
            return None
        sizes = tuple(size for size in type_.shape if isinstance(size, int)) if isinstance(type_.shape, tuple) else ()
        numbers = decoded(self._archive.raw(entry["file"]), type_.dtype)
        return weight(Constant(type_.dtype, sizes, numbers)) if len(numbers) == prod(sizes) else None

    @cached_property
    def _weights(self) -> dict[str, Any]:
        return self._archive.weights()

    def _node(self, node: Mapping[str, Any]) -> Node | None:
        """A node; ``None`` for what computes sizes and what only asserts."""
        results = outputs(node)
        if not any(results):
            return None
        arguments = {named(argument["name"]): read(argument["arg"]) for argument in node["inputs"]}
        self.arguments[results[0]] = arguments
        inputs = tuple(name for value in arguments.values() for name in references(value) if name not in self.sizes)
        plain = {name: value for name, value in arguments.items() if value is not None and not list(references(value))}
        operator = node["target"].removeprefix(_PREFIX)
        trace = frames(node.get("metadata", {}).get("stack_trace", ""))
        return Node(results[0], operator, inputs, results, plain, trace=trace)


def _is_dense(meta: Mapping[str, Any]) -> bool:
    """Whether elements lie one after the other from the start of the file, in row-major order."""
    step = 1
    for size, stride in zip(reversed(meta.get("sizes", ())), reversed(meta.get("strides", ())), strict=True):
        if stride.get("as_int") != step:
            return False
        step *= size.get("as_int", 0)
    return bool(meta.get("storage_offset", {}).get("as_int") == 0)
