"""``.safetensors``: eight bytes with the length of a JSON text that names each tensor with its type and shape.

Format: https://huggingface.co/docs/safetensors, "Format".
"""

from __future__ import annotations

from typing import Final

from dllint.source.data import formats
from dllint.source.data.held import ArrayHead, Held, is_shape
from dllint.source.data.plain import Plain, UnreadableError
from dllint.source.data.window import Window

_LONGEST_HEADER: Final = 2**20
_COUNT_BYTES: Final = 8
_NOT_A_TENSOR: Final = "__metadata__"
TYPES: Final = {
    "F64": "float64", "F32": "float32", "F16": "float16", "BF16": "bfloat16", "I64": "int64", "I32": "int32", "I16": "int16",
    "I8": "int8", "U8": "uint8", "BOOL": "bool", "C64": "complex64", "F8_E4M3": "float8_e4m3fn", "F8_E5M2": "float8_e5m2",
    "U16": "uint16", "U32": "uint32", "U64": "uint64",
}  # fmt: skip


def safetensors(file: Window) -> Held:
    """The tensors of the file by name. Raises UnreadableError."""
    length = int.from_bytes(file.at(0, _COUNT_BYTES), "little")
    if length > _LONGEST_HEADER:
        raise UnreadableError("a header that is too large")
    try:
        header = formats.from_json(file.at(_COUNT_BYTES, length).decode("utf-8"))
    except UnicodeDecodeError as error:
        raise UnreadableError("no text") from error
    if not isinstance(header, dict):
        raise UnreadableError("no header")
    return {str(name): _tensor(entry) for name, entry in header.items() if name != _NOT_A_TENSOR}


def _tensor(entry: Plain) -> ArrayHead:
    shape = entry.get("shape") if isinstance(entry, dict) else None
    kind = entry.get("dtype") if isinstance(entry, dict) else None
    if not isinstance(shape, list) or not is_shape(shape) or not isinstance(kind, str):
        raise UnreadableError("no tensor")
    return ArrayHead(tuple(size for size in shape if isinstance(size, int)), TYPES.get(kind, ""))
