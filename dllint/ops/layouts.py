"""Which operations of torch leave their results in row-major order.

A new tensor is laid out row by row, unless the operation lets an operand's layout decide. Operations that work that out
themselves are listed as such; of the others nothing is known where an operand is laid out in another way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType

#: Operations that say themselves how their result is laid out.
TELLING: Final = frozenset({
    "view", "reshape", "flatten", "unflatten", "ravel", "squeeze", "unsqueeze", "transpose", "permute", "movedim", "swapaxes",
    "t", "contiguous", "getitem", "expand", "expand_as", "broadcast_to", "split", "chunk", "tensor_split", "unbind", "narrow",
    "select", "unfold_axis", "adjoint", "linear", "matmul", "detach", "identity", "diagonal", "setitem", "fill_with",
    "copy_into", "draw_into", "resize_memory", "overwrite", "unfold", "dropout", "view_dtype", "as_strided", "sum_to_size",
})  # fmt: skip
#: Operations that make new tensors row by row, whatever they are given.
ROW_BY_ROW: Final = frozenset({
    "tensor", "zeros", "ones", "empty", "full", "rand", "randn", "randint", "arange", "linspace", "logspace", "eye",
    "randperm", "new_zeros", "new_ones", "new_full", "new_empty", "repeat", "tile", "one_hot", "meshgrid", "block_diag",
    "cartesian_prod", "embedding", "outer", "mm", "bmm", "mv", "dot", "masked_select", "take", "pixel_shuffle",
    "channel_shuffle", "stack", "repeat_interleave", "flip_copy", "index_select", "gather", "bincount", "histc", "layer_norm",
})  # fmt: skip
#: Operations whose results lie in memory in an order of their own.
OWN_ORDER: Final = frozenset({
    "rot90", "nonzero", "einsum", "svd", "solve", "tensordot", "cdist", "rnn", "multihead_attention", "inverse",
    "triangular_solve", "scaled_dot_product_attention", "rearrange", "fold", "pixel_unshuffle", "batch_dot", "kron",
})  # fmt: skip
#: Operations that combine elements and at times lay the result out as their operand, at times row by row.
MIXING: Final = frozenset({"softmax", "log_softmax", "softmin", "gumbel_softmax", "group_norm", "instance_norm", "batch_norm"})


def settled(kind: str, args: Mapping[str, object], result: object) -> object:
    """A result with an unknown layout where the operation has not told it and it need not be row by row."""
    if isinstance(result, tuple):
        return tuple(settled(kind, args, part) for part in result)
    if not isinstance(result, TensorType) or kind in TELLING or kind in ROW_BY_ROW:
        return result
    if result.strides is not None and kind not in MIXING:
        return result
    if not result.shape or (kind not in OWN_ORDER and all(given.strides is None for given in _tensors(tuple(args.values())))):
        return result
    return replace(result, strides=Unknown("layout", kind))


def _tensors(value: object) -> Iterator[TensorType]:
    """The tensors among arguments, sequences flattened."""
    if isinstance(value, TensorType):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from _tensors(part)
