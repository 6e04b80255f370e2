"""TensorFlow graphs written down by hand, for the tests."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

from dllint.lower.graphs.tensorflow.messages import message_class
from dllint.lower.graphs.tensorflow.schema import DATA_TYPES


def graph(*nodes: tuple[str, str, list[str], dict[str, Any]]) -> Any:
    """A ``GraphDef`` message of nodes ``(name, type, inputs, attributes)``."""
    message = message_class("GraphDef")()
    for node in nodes:
        add(message.node, *node)
    return message


def add(nodes: Any, name: str, type_: str, inputs: list[str], attributes: dict[str, Any]) -> None:
    """Add a node to a graph's or a function's."""
    node = nodes.add(name=name, op=type_, input=inputs)
    for key, value in attributes.items():
        _set(node.attr[key], value)


def _set(attribute: Any, value: Any) -> None:
    if isinstance(value, bool):
        attribute.b = value
    elif isinstance(value, int):
        attribute.i = value
    elif isinstance(value, str) and value.startswith("DT_"):
        attribute.type = DATA_TYPES[value]
    elif isinstance(value, str):
        attribute.s = value.encode()
    elif isinstance(value, Floats):
        value.write(attribute.tensor)
    elif isinstance(value, list):
        for size in value:
            attribute.shape.dim.add(size=-1 if size is None else size)
    else:
        attribute.list.i.extend(value)


class Floats:
    """A constant tensor."""

    def __init__(self, *numbers: float, shape: tuple[int, ...] = (), dtype: str = "DT_FLOAT") -> None:
        self.numbers, self.shape, self.dtype = numbers, shape, dtype

    def write(self, tensor: Any) -> None:
        tensor.dtype = DATA_TYPES[self.dtype]
        for size in self.shape:
            tensor.tensor_shape.dim.add(size=size)
        if self.dtype == "DT_FLOAT":
            tensor.tensor_content = struct.pack(f"<{len(self.numbers)}f", *self.numbers)
        else:
            tensor.int_val.extend(int(number) for number in self.numbers)


def const(name: str, *numbers: float, shape: tuple[int, ...] = (), dtype: str = "DT_FLOAT") -> Any:
    """A node that holds a constant."""
    return (name, "Const", [], {"value": Floats(*numbers, shape=shape, dtype=dtype), "dtype": dtype})


def variable(name: str, *shape: int) -> Any:
    """A node of a variable."""
    return (name, "VariableV2", [], {"shape": list(shape), "dtype": "DT_FLOAT"})


def placeholder(name: str, *shape: int | None, dtype: str = "DT_FLOAT") -> Any:
    """A node that is fed."""
    return (name, "Placeholder", [], {"shape": list(shape), "dtype": dtype})


def written(path: Path, message: Any) -> Path:
    """The file of a graph, as text if its suffix says so."""
    if path.suffix == ".pbtxt":
        from google.protobuf import text_format

        path.write_text(text_format.MessageToString(message))
    else:
        path.write_bytes(message.SerializeToString())
    return path
