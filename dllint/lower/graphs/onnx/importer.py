"""ONNX models: the protobuf message of a file as a program."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from google.protobuf.message import DecodeError, Message
from onnx import ModelProto

from dllint.ir.values import Value
from dllint.lower.graphs.builder import Imported, build
from dllint.lower.graphs.errors import GraphError
from dllint.lower.graphs.formats import LARGEST
from dllint.lower.graphs.onnx.reading import opsets_of, read_graph
from dllint.lower.graphs.onnx.translation import Translator
from dllint.source.regular import read_regular


def import_graph(path: Path) -> Imported:
    """The program of a model. Raises OSError, or GraphError if the file holds none."""
    model = _parsed(read_regular(path, LARGEST))
    _require_text(model)
    return build(path, read_graph(model, path.parent), Translator(opsets_of(model)))


def _parsed(data: bytes) -> ModelProto:
    model = ModelProto()
    try:
        _parse(model, data)
    except DecodeError as error:
        raise GraphError(f"no ONNX model, or a damaged one: {_first_line(error)}") from error
    if not model.HasField("graph") or not (model.graph.node or model.graph.output):
        raise GraphError("no ONNX model: it has no graph")
    return model


def _require_text(message: Any) -> None:
    """Refuse a damaged model: protobuf hands out names that are not UTF-8 as bytes."""
    for descriptor, value in message.ListFields():
        values = value if _is_sequence(value) else (value,)
        if descriptor.type == descriptor.TYPE_MESSAGE:
            for part in values:
                _require_text(part)
        elif descriptor.type == descriptor.TYPE_STRING and any(isinstance(part, bytes) for part in values):
            raise GraphError(f"no ONNX model, or a damaged one: a {descriptor.name} in it is no text")


def _is_sequence(value: Value) -> bool:
    return not isinstance(value, (str, bytes, Message)) and hasattr(value, "__len__")


def _parse(message: Message, data: bytes) -> None:
    message.ParseFromString(data)


def _first_line(error: Exception) -> str:
    return str(error).split("\n", 1)[0][:200]
