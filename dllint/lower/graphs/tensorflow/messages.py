"""Message classes for the stored graphs, made at run time from the table of their fields.

They live in a pool and a package of their own: a process that has imported TensorFlow knows messages of the same names.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any, Final

from dllint.lower.graphs.tensorflow.schema import CHOICES, DATA_TYPES, MESSAGES

_PACKAGE: Final = "dllint.graphdef"
_ENUM: Final = "DataType"
_FIELD: Final = re.compile(r"(\w+) (\d+) (map<(\w+),(\w+)>|\w+)(\*?)(?:, |$)")


def message_class(name: str) -> Any:
    """The class of a message (``"GraphDef"``).

    Raises:
        ImportError: the ``protobuf`` package is not installed.
    """
    from google.protobuf import message_factory

    return message_factory.GetMessageClass(_pool().FindMessageTypeByName(f"{_PACKAGE}.{name}"))


@cache
def _pool() -> Any:
    from google.protobuf.descriptor_pool import DescriptorPool

    pool = DescriptorPool()
    pool.AddSerializedFile(_file().SerializeToString())
    return pool


def _file() -> Any:
    """The description of all messages, as ``protoc`` would make it of a file."""
    from google.protobuf.descriptor_pb2 import FileDescriptorProto

    file = FileDescriptorProto(name="dllint/graphdef.proto", package=_PACKAGE, syntax="proto3")
    enum = file.enum_type.add(name=_ENUM)
    for label, number in DATA_TYPES.items():
        enum.value.add(name=label, number=number)
    for name, fields in MESSAGES.items():
        message = file.message_type.add(name=name)
        if name in CHOICES:
            message.oneof_decl.add(name=CHOICES[name])
        for field in _FIELD.finditer(fields):
            _add_field(message, field, name)
    return file


def _add_field(message: Any, field: re.Match[str], name: str) -> None:
    label, number, kind, key, value, star = field.groups()
    added = message.field.add(name=label, number=int(number))
    added.label = added.LABEL_REPEATED if star or key else added.LABEL_OPTIONAL
    if key:
        _set_type(added, _entry(message, label, key, value))
        return
    _set_type(added, kind)
    if name in CHOICES:
        added.oneof_index = 0


def _entry(message: Any, label: str, key: str, value: str) -> str:
    """The nested message that the pairs of a map are stored as, by its full name."""
    entry = message.nested_type.add(name=f"{label.title().replace('_', '')}Entry")
    entry.options.map_entry = True
    for number, (part, kind) in enumerate((("key", key), ("value", value)), 1):
        added = entry.field.add(name=part, number=number, label=1)
        _set_type(added, kind)
    return f"{message.name}.{entry.name}"


def _set_type(field: Any, kind: str) -> None:
    scalar = f"TYPE_{kind.upper()}"
    if hasattr(field, scalar):
        field.type = getattr(field, scalar)
        return
    field.type = field.TYPE_ENUM if kind == _ENUM else field.TYPE_MESSAGE
    field.type_name = f".{_PACKAGE}.{kind}"
