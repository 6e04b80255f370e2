"""Reshaping, joining and splitting: ``torch.*`` and tensor methods."""

from __future__ import annotations

from typing import Final

from dllint.frameworks.rows import FunctionRow, rows

RENAME: Final = {"tensor": "x", "split_size_or_sections": "sections", "split_size": "sections",
    "indices_or_sections": "sections",
                 "axis0": "dim0", "axis1": "dim1", "sizes": "shape", "arr": "x", "sections": "sections"}  # fmt: skip
#: Functions that are methods with the same arguments.
BOTH: Final = {
    "flatten": "flatten", "unflatten": "unflatten", "ravel": "ravel", "squeeze": "squeeze", "unsqueeze": "unsqueeze",
    "transpose": "transpose swapaxes swapdims", "movedim": "movedim moveaxis", "broadcast_to": "broadcast_to",
    "repeat_interleave": "repeat_interleave", "roll": "roll", "rot90": "rot90", "t": "t", "split": "split",
    "chunk": "chunk", "unbind": "unbind", "tensor_split": "tensor_split", "clone": "clone", "detach": "detach",
    "fliplr": "fliplr", "flipud": "flipud", "adjoint": "adjoint",
}  # fmt: skip
#: Functions of a sequence of tensors.
SEQUENCE: Final = {
    "cat": "cat concat concatenate", "stack": "stack", "hstack": "hstack", "column_stack": "column_stack",
    "vstack": "vstack row_stack",
    "dstack": "dstack", "block_diag": "block_diag", "meshgrid": "meshgrid", "broadcast_tensors": "broadcast_tensors",
    "cartesian_prod": "cartesian_prod", "atleast_1d": "atleast_1d", "atleast_2d": "atleast_2d",
}  # fmt: skip
#: Methods whose sizes may be written as one sequence or one by one.
SIZES: Final = {
    "reshape": "self, *shape", "permute": "self, *dims", "expand": "self, *shape", "repeat": "self, *repeats",
    "tile": "self, *repeats", "flip": "self, *dims",
}  # fmt: skip
SAME: Final = {"reshape": "reshape_as", "expand": "expand_as", "view": "view_as"}

ROWS: Final[tuple[FunctionRow, ...]] = (
    *rows("torch", "torch", BOTH, RENAME),
    *rows("torch", "torch", SEQUENCE),
    FunctionRow("torch.reshape", "reshape", "torch"),
    FunctionRow("torch.permute", "permute", "torch"),
    FunctionRow("torch.tile", "tile", "torch", {"dims": "repeats"}),
    FunctionRow("torch.flip", "flip", "torch"),
    FunctionRow("torch.hsplit", "hsplit", "torch", RENAME),
    FunctionRow("torch.vsplit", "vsplit", "torch", RENAME),
)
METHODS: Final[tuple[FunctionRow, ...]] = (
    *rows("torch.Tensor", "torch", BOTH, RENAME),
    *(FunctionRow(f"torch.Tensor.{name}", name, "torch", params=params) for name, params in SIZES.items()),
    FunctionRow("torch.Tensor.unfold", "unfold_axis", "torch", {"dimension": "dim", "size": "size"}),
    FunctionRow("torch.Tensor.contiguous", "contiguous", "torch"),
    *rows("torch.Tensor", "torch", {"contiguous": "view_as_real"}),
)
#: Methods with an in-place form, which changes the shape of the receiver.
IN_PLACE: Final = {
    "squeeze": "squeeze", "unsqueeze": "unsqueeze", "transpose": "transpose swapaxes", "t": "t", "detach": "detach",
}  # fmt: skip
