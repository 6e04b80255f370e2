"""Several types of one name in one: what the calls of a block have in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from dllint.domains.dim import Dim, same, symbol
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType, show_type
from dllint.ir.program import TensorVal
from dllint.ir.values import ListVal, Value, unwrap
from dllint.server.wording import MOST_ELEMENTS, in_brackets

#: The names of axes by library and number of axes, as its documentation has them.
_AXES: Final = {
    ("torch", 4): "BCHW", ("torch", 5): "BCDHW", ("keras", 4): "BHWC", ("tensorflow", 4): "BHWC", ("keras", 5): "BDHWC",
}  # fmt: skip


def joined_type(values: Sequence[Value]) -> str:
    """The type that several tensors have in common, with a symbol where their sizes differ; that of each element of sequences
    of one length. Empty if they are not all tensors of known shapes, of one type and of one number of axes."""
    found = [value.items if isinstance(value, ListVal) else value for value in map(unwrap, values)]
    sequences = [one for one in found if isinstance(one, (tuple, list))]
    if not sequences:
        return _joined_type(values)
    if len(sequences) < len(values) or len(set(map(len, sequences))) > 1 or len({type(one) for one in sequences}) > 1:
        return ""
    parts = [_joined_type(items) for items in list(zip(*sequences, strict=True))[:MOST_ELEMENTS]]
    return in_brackets(parts, len(sequences[0]), is_list=isinstance(sequences[0], list)) if all(parts) else ""


def _joined_type(values: Sequence[Value]) -> str:
    tensors = [tensor for value in values if isinstance(tensor := unwrap(value), TensorVal)]
    if len(tensors) < len(values) or not tensors or len({tensor.dtype for tensor in tensors}) > 1:
        return ""
    shapes = [tensor.shape for tensor in tensors if not isinstance(tensor.shape, Unknown)]
    if len(shapes) < len(tensors) or len(set(map(len, shapes))) > 1:
        return ""
    names = _AXES.get((tensors[0].framework, len(shapes[0]))) or [f"n{axis}" for axis in range(len(shapes[0]))]
    sizes = tuple(_joined(sizes, name) for sizes, name in zip(zip(*shapes, strict=True), names, strict=True))
    return show_type(TensorType(sizes, tensors[0].dtype))


def _joined(sizes: Sequence[Dim], name: str) -> Dim:
    return sizes[0] if all(same(sizes[0], size) for size in sizes[1:]) else symbol(name)
