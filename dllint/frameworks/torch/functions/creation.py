"""Functions and methods that make tensors."""

from __future__ import annotations

from typing import Final

from dllint.frameworks.rows import FunctionRow, rows

#: ``*size`` one by one or as a sequence.
SIZED: Final = {"zeros": "zeros", "ones": "ones", "empty": "empty", "rand": "rand", "randn": "randn"}
LIKE: Final = {
    "zeros_like": "zeros_like", "ones_like": "ones_like", "full_like": "full_like", "rand_like": "rand_like",
    "randn_like": "randn_like", "empty_like": "empty_like", "randint_like": "randint_like",
}  # fmt: skip

ROWS: Final[tuple[FunctionRow, ...]] = (
    *(FunctionRow(f"torch.{name}", op, "torch", {"size": "shape"}) for op, name in SIZED.items()),
    *rows("torch", "torch", LIKE),
    FunctionRow("torch.full", "full", "torch"),
    FunctionRow("torch.linspace", "linspace", "torch"),
    FunctionRow("torch.logspace", "logspace", "torch"),
    FunctionRow("torch.eye", "eye", "torch"),
    FunctionRow("torch.randperm", "randperm", "torch"),
    FunctionRow("torch.normal", "normal", "torch"),
)
#: Methods that fill their receiver and give it back.
FILLING: Final = (
    "zero_", "fill_", "uniform_", "normal_", "random_", "exponential_", "copy_", "set_", "log_normal_", "cauchy_", "geometric_",
    "fill_diagonal_",
)  # fmt: skip
#: Methods that give their receiver back with another trait.
MARKING: Final = ("requires_grad_", "retain_grad_")
METHODS: Final[tuple[FunctionRow, ...]] = tuple(
    FunctionRow(f"torch.Tensor.{name}", "identity", "torch", params="self, *args, **kwargs", inplace=name in FILLING)
    for name in FILLING + MARKING
)
