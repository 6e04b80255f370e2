"""Reshaping, joining and splitting: ``torch.*`` and tensor methods."""

from __future__ import annotations

from typing import Final

from dllint.frameworks.rows import FunctionRow, rows

RENAME: Final = {
    "tensor": "x", "split_size_or_sections": "sections", "split_size": "sections", "indices_or_sections": "sections",
    "tensor_indices_or_sections": "sections", "indices": "sections", "axis0": "dim0", "axis1": "dim1",
}  # fmt: skip
#: Functions that are methods with the same arguments.
BOTH: Final = {
    "flatten": "flatten", "ravel": "ravel", "squeeze": "squeeze", "unsqueeze": "unsqueeze",
    "transpose": "transpose swapaxes swapdims", "movedim": "movedim moveaxis", "broadcast_to": "broadcast_to",
    "repeat_interleave": "repeat_interleave", "roll": "roll", "rot90": "rot90", "t": "t", "split": "split",
    "chunk": "chunk", "unbind": "unbind", "tensor_split": "tensor_split", "clone": "clone", "detach": "detach",
    "adjoint": "adjoint", "unflatten": "unflatten",
}  # fmt: skip
#: Functions of a sequence of tensors.
SEQUENCE: Final = {
    "cat": "cat concat concatenate", "stack": "stack", "hstack": "hstack", "column_stack": "column_stack",
    "vstack": "vstack row_stack", "dstack": "dstack", "block_diag": "block_diag", "meshgrid": "meshgrid",
    "cartesian_prod": "cartesian_prod", "broadcast_tensors": "broadcast_tensors",
}  # fmt: skip
#: Methods whose sizes may be written as one sequence or one by one.
SIZES: Final = {
    "reshape": "self, *shape", "permute": "self, *dims", "expand": "self, *size, implicit=False", "repeat": "self, *repeats",
    "flip": "self, *dims",
}  # fmt: skip
#: Flips of one axis.
FLIPS: Final = {"fliplr": 1, "flipud": 0}

ROWS: Final[tuple[FunctionRow, ...]] = (
    *rows("torch", "torch", BOTH, RENAME),
    *rows("torch", "torch", SEQUENCE),
    FunctionRow("torch.reshape", "reshape", "torch"),
    FunctionRow("torch.permute", "permute", "torch"),
    FunctionRow("torch.tile", "tile", "torch", {"dims": "repeats"}),
    FunctionRow("torch.flip", "flip", "torch"),
    *(FunctionRow(f"torch.{name}", "flip", "torch", const={"dims": (axis,)}) for name, axis in FLIPS.items()),
)
METHODS: Final[tuple[FunctionRow, ...]] = (
    *rows("torch.Tensor", "torch", BOTH, RENAME),
    *(FunctionRow(f"torch.Tensor.{name}", name, "torch", params=params) for name, params in SIZES.items()),
    FunctionRow("torch.Tensor.squeeze", "squeeze", "torch", const={"listed": True}, params="self, *dim"),
    FunctionRow("torch.Tensor.tile", "tile", "torch", {"dims": "repeats"}, params="self, *dims"),
    FunctionRow("torch.Tensor.sum_to_size", "sum_to_size", "torch", {"size": "shape"}, params="self, *size"),
    FunctionRow("torch.Tensor.unfold", "unfold_axis", "torch", {"dimension": "dim", "size": "size"}),
    FunctionRow("torch.Tensor.contiguous", "contiguous", "torch"),
    *(FunctionRow(f"torch.Tensor.{name}", "flip", "torch", const={"dims": (axis,)}) for name, axis in FLIPS.items()),
)
#: Methods with an in-place form, which changes the shape of the receiver.
IN_PLACE: Final = {
    "squeeze": "squeeze", "unsqueeze": "unsqueeze", "transpose": "transpose swapaxes swapdims", "t": "t", "detach": "detach",
}  # fmt: skip
