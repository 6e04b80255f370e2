"""From the bytes of a file to a graph: binary and text form, alone or inside a SavedModel."""

from __future__ import annotations

import re
from typing import Any, Final

from dllint.lower.graphs.errors import GraphError
from dllint.lower.graphs.tensorflow.decoding import graph_of
from dllint.lower.graphs.tensorflow.messages import message_class
from dllint.lower.graphs.tensorflow.stored import StoredGraph

#: A SavedModel begins with its version, a number; a graph with its first node, which has a length.
_VERSION_FIRST: Final = b"\x08"
_NODE: Final = re.compile(r"node\s*:?\s*[{<]")
_TEXT_OF_MODEL: Final = (b"saved_model_schema_version", b"meta_graphs")


def read(data: bytes, *, text: bool) -> StoredGraph:
    """The graph in a file's content; the first one of a SavedModel.

    Raises:
        GraphError: the content is no such file.
        ImportError: the ``protobuf`` package is not installed.
    """
    if not data.strip():
        raise GraphError("it is empty")
    message = _from_text(data) if text else _from_bytes(data)
    if not message.node and not message.library.function:
        raise GraphError("no TensorFlow graph: it has no nodes")
    lines = _lines(data.decode("utf-8", "replace")) if text else []
    return graph_of(message, lines if len(lines) == len(message.node) else [])


def _lines(text: str) -> list[int]:
    """The 1-based lines on which the graph's own nodes begin, as it is written by tools: not indented."""
    return [number for number, line in enumerate(text.split("\n"), 1) if _NODE.match(line)]


def _from_bytes(data: bytes) -> Any:
    from google.protobuf.message import DecodeError

    name = "SavedModel" if data.startswith(_VERSION_FIRST) else "GraphDef"
    try:
        return _graph(message_class(name).FromString(data))
    except DecodeError as error:
        raise GraphError("no TensorFlow graph, or a damaged one") from error


def _from_text(data: bytes) -> Any:
    from google.protobuf import text_format

    name = "SavedModel" if data.lstrip().startswith(_TEXT_OF_MODEL) else "GraphDef"
    message = message_class(name)()
    try:
        text_format.Parse(data, message, allow_unknown_field=True)
    except (text_format.ParseError, UnicodeDecodeError, RecursionError, ValueError) as error:
        detail = str(error).split("\n", 1)[0][:120]
        raise GraphError(f"no text form of a TensorFlow graph, or a damaged one: {detail}") from error
    return _graph(message)


def _graph(message: Any) -> Any:
    if not hasattr(message, "meta_graphs"):
        return message
    if not message.meta_graphs:
        raise GraphError("a SavedModel without a graph")
    return message.meta_graphs[0].graph_def
