"""From messages to plain data: nodes, attributes, functions, constants, traces."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from dllint.domains.dtype import BFLOAT16, FLOAT16, DType, dtype_named
from dllint.domains.lattice import Unknown
from dllint.lower.graphs.model import Frame
from dllint.lower.graphs.raw import Constant, decoded, halves
from dllint.lower.graphs.tensorflow.schema import DATA_TYPES, REFERENCE
from dllint.lower.graphs.tensorflow.stored import Function, FunctionName, StoredGraph, StoredNode

_NUMBERS: Final = {number: label[3:].lower() for label, number in DATA_TYPES.items()}
#: Fields of a tensor whose elements are listed one by one.
_LISTED: Final = (
    "float_val", "double_val", "int_val", "int64_val", "bool_val", "uint32_val", "uint64_val", "half_val",
)  # fmt: skip
_LISTS: Final = ("s", "i", "f", "b", "type", "shape", "tensor", "func")

Traces = Mapping[str, tuple[Frame, ...]]


def graph_of(message: Any, lines: Sequence[int] = ()) -> StoredGraph:
    """A ``GraphDef`` message as plain data; ``lines`` has the line of each node in a text."""
    traces = _traces(message.debug_info)
    functions = {}
    for definition in message.library.function:
        functions[definition.signature.name] = _function(definition, traces)
    nodes = _nodes(message.node, traces)
    if lines:
        nodes = tuple(replace(node, line=line) for node, line in zip(nodes, lines, strict=True))
    return StoredGraph(nodes, functions)


def _nodes(messages: Iterable[Any], traces: Traces, function: str = "") -> tuple[StoredNode, ...]:
    """Traces of a function's nodes are filed under ``node@function``, those of the graph's own under ``node``."""
    return tuple(_node(message, traces, function) for message in messages)


def _node(message: Any, traces: Traces, function: str) -> StoredNode:
    attrs = {name: attribute(value) for name, value in message.attr.items()}
    trace = traces.get(f"{message.name}@{function}") or traces.get(message.name) or ()
    return StoredNode(message.name, message.op, tuple(message.input), attrs, trace)


def _function(message: Any, traces: Traces) -> Function:
    signature = message.signature
    returns = (message.ret.get(output.name, "") for output in signature.output_arg)
    nodes = _nodes(message.node_def, traces, signature.name)
    return Function(signature.name, tuple(arg.name for arg in signature.input_arg), nodes, tuple(returns))


def attribute(message: Any) -> Any:
    """The value of an attribute; ``None`` if it has none."""
    kind = message.WhichOneof("value")
    if kind == "list":
        return next(
            (tuple(_plain(name, item) for item in found) for name in _LISTS if (found := getattr(message.list, name))), ()
        )
    return None if kind is None else _plain(kind, getattr(message, kind))


def _plain(kind: str, value: Any) -> Any:
    if kind == "s":
        return value.decode("utf-8", "replace")
    if kind == "type":
        return element_type(value)
    if kind == "shape":
        return shape_of(value)
    if kind == "tensor":
        return _constant(value)
    return FunctionName(value.name) if kind == "func" else value


def element_type(number: int) -> DType | Unknown:
    """The element type of a number of the format; of a reference, that of what it refers to."""
    name = _NUMBERS.get(number % REFERENCE, str(number))
    return dtype_named(name) or Unknown("element-type", name)


def shape_of(message: Any) -> tuple[int | None, ...] | None:
    """Sizes, ``None`` for those that are open; ``None`` for an open rank."""
    if message.unknown_rank:
        return None
    return tuple(axis.size if axis.size >= 0 else None for axis in message.dim)


def _constant(message: Any) -> Constant:
    dtype, shape = element_type(message.dtype), shape_of(message.tensor_shape)
    sizes = None if shape is None or None in shape else tuple(size for size in shape if size is not None)
    if message.tensor_content:
        return Constant(dtype, sizes, decoded(message.tensor_content, dtype))
    listed: Any = next((found for name in _LISTED if (found := getattr(message, name))), ())
    if listed and dtype in (FLOAT16, BFLOAT16) and isinstance(dtype, DType):
        return Constant(dtype, sizes, halves(listed, dtype))
    if not listed and isinstance(dtype, DType) and dtype.kind in ("bool", "int", "float") and not message.string_val:
        return Constant(dtype, sizes, (0,))  # zeros are not written
    return Constant(dtype, sizes, tuple(listed))


def _traces(message: Any) -> Traces:
    """The places that made nodes, by the name the traces are filed under. Of the two forms that the format has had, the
    older one begins with the innermost place."""
    files = list(message.files)

    def frames(places: Iterable[Any]) -> tuple[Frame, ...]:
        return tuple(
            Frame(files[place.file_index], place.line, place.func, place.code.strip())
            for place in places
            if 0 <= place.file_index < len(files) and place.line > 0
        )

    out = {name: frames(reversed(trace.file_line_cols)) for name, trace in message.traces.items()}
    known = message.frames_by_id
    for name, number in message.name_to_trace_id.items():
        if number in message.traces_by_id:
            trace = message.traces_by_id[number]
            out[name] = frames((*reversed(trace.file_line_cols), *(known[i] for i in trace.frame_id if i in known)))
    return out
