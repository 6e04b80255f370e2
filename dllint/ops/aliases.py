"""Which tensors share their elements: assigning to a view changes what it is a view of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from dllint.ir.program import Op, TensorVal

#: Operations of torch and numpy whose result shares the memory of their operand, or may do so.
_VIEWS: Final = frozenset({
    "view", "reshape", "flatten", "unflatten", "ravel", "squeeze", "unsqueeze", "transpose", "permute", "movedim", "swapaxes",
    "t", "contiguous", "getitem", "detach", "expand", "expand_as", "broadcast_to", "split", "chunk", "tensor_split", "unbind",
    "narrow", "select", "diagonal", "identity", "from_numpy", "cast", "dropout", "unfold_axis", "adjoint", "rearrange",
    "meshgrid",
})  # fmt: skip


#: How the operations of ``+=`` and its like are spelled.
AUGMENTED: Final = frozenset(
    f"operator.i{name}"
    for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor", "lshift", "rshift")
)


def is_in_place(op: Op) -> bool:
    """Whether an operation changes the elements of its operand ``x``."""
    return op.kind == "setitem" or op.spelled in AUGMENTED or (op.spelled.endswith("_") and not op.spelled.endswith("__"))


def sharing(value: TensorVal, changed: bool = False) -> Iterator[TensorVal]:
    """A tensor and those that it is a view of, nearest first; with ``changed`` also those that it has become of by changes of
    elements, which in a long row of changes are many."""
    current: object = value
    while isinstance(current, TensorVal):
        yield current
        maker = current.producer
        if maker is None or not (changed if is_in_place(maker) else maker.kind in _VIEWS):
            return
        several = maker.args.get("tensors")  # each result of torch.meshgrid is a view of one of them
        current = several[current.index] if isinstance(several, tuple) and current.index < len(several) else maker.args.get("x")
