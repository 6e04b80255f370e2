"""Parts of an ONNX graph: what some values need, as a model of its own."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from typing import Any, Final

import onnx

from dllint.bisection.protocols import Observable

_FX_NODE: Final = re.compile(r"%(\w+) :")
#: Operators of ONNX Runtime whose values hold the channels in blocks of 8 or 16 under the shape of a plain layout.
_BLOCKED: Final = "com.microsoft.nchwc"
_QUOTED: Final = re.compile(r"'([^']*)'")


def needed(graph: onnx.GraphProto, fed: Collection[str], wanted: Iterable[str]) -> list[onnx.NodeProto]:
    """The nodes that compute the wanted values from the fed ones, in the order of the graph."""
    makers = {name: i for i, node in enumerate(graph.node) for name in node.output if name}
    waiting, kept = list(wanted), set()
    while waiting:
        name = waiting.pop()
        maker = makers.get(name)
        if name in fed or maker is None or maker in kept:
            continue
        kept.add(maker)
        waiting.extend(taken(graph.node[maker]))
    return [graph.node[i] for i in sorted(kept)]


def taken(node: onnx.NodeProto) -> list[str]:
    """The values that a node takes, those that its branches take from outside included."""
    found = [name for name in node.input if name]
    for attribute in node.attribute:
        for inner in [attribute.g, *attribute.graphs] if attribute.type in _GRAPHS else []:
            own = {value.name for value in inner.input} | {name for each in inner.node for name in each.output}
            found += [name for each in inner.node for name in taken(each) if name not in own]
            found += [value.name for value in inner.output if value.name not in own]
    return found


_GRAPHS: Final = (onnx.AttributeProto.GRAPH, onnx.AttributeProto.GRAPHS)


def part(model: onnx.ModelProto, fed: dict[str, Any], wanted: Sequence[str]) -> onnx.ModelProto:
    """A model from fed values (name → array, for their element types) to the wanted ones; inputs that it needs stay inputs."""
    graph = model.graph
    nodes = needed(graph, fed, wanted)
    used = {name for node in nodes for name in taken(node)} | set(wanted)
    inputs = [value for value in graph.input if value.name in used and value.name not in fed]
    inputs += [_value(name, array) for name, array in fed.items() if name in used]
    made = onnx.GraphProto(name=graph.name)
    made.node.extend(nodes)
    made.input.extend(inputs)
    made.initializer.extend(tensor for tensor in graph.initializer if tensor.name in used and tensor.name not in fed)
    made.output.extend(onnx.ValueInfoProto(name=name) for name in wanted)
    out = onnx.ModelProto()
    out.CopyFrom(_without_graph(model))
    out.graph.CopyFrom(made)
    return out


def observables(model: onnx.ModelProto) -> list[Observable]:
    """The values inside, with what exporters wrote about the nodes that make them."""
    constants = {tensor.name for tensor in model.graph.initializer}
    return [
        Observable(
            name,
            node.op_type,
            _fx_name(node),
            _module(node),
            tuple(given for given in node.input if given in constants),
            tuple(given for given in taken(node) if given not in constants),
            plain=node.domain != _BLOCKED or node.op_type == "ReorderOutput",
        )
        for node in model.graph.node
        for name in node.output
        if name and node.op_type not in ("Constant", "Shape")
    ]


def _value(name: str, array: Any) -> onnx.ValueInfoProto:
    kind = onnx.helper.np_dtype_to_tensor_dtype(array.dtype)
    return onnx.helper.make_tensor_value_info(name, kind, [None] * array.ndim)


def _without_graph(model: onnx.ModelProto) -> onnx.ModelProto:
    kept = {"ir_version": model.ir_version, "producer_name": model.producer_name, "functions": model.functions}
    return onnx.ModelProto(opset_import=model.opset_import, **kept)


def _fx_name(node: onnx.NodeProto) -> str:
    match = _FX_NODE.match(_metadata(node, "pkg.torch.onnx.fx_node"))
    return match[1] if match else ""


def _module(node: onnx.NodeProto) -> str:
    """The path of the innermost module: the scopes but the last, which names the operator."""
    scopes = _QUOTED.findall(_metadata(node, "pkg.torch.onnx.name_scopes"))
    return scopes[-2] if len(scopes) > 1 else _legacy_module(node)


def _legacy_module(node: onnx.NodeProto) -> str:
    """The path that the exporter by TorchScript writes into names: ``/layer1/conv/Conv``."""
    return ".".join(node.name.strip("/").split("/")[:-1]) if node.name.startswith("/") else ""


def _metadata(node: onnx.NodeProto, key: str) -> str:
    return next((entry.value for entry in node.metadata_props if entry.key == key), "")
