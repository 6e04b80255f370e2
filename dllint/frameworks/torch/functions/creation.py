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
#: Methods that draw random numbers into their receiver, with the names of the parameters of their distributions.
DRAWING: Final = {
    "uniform": "low=0.0, to=1.0", "normal": "mean=0.0, std=1.0", "random": "low=0, to=None", "exponential": "lambd=1.0",
    "log_normal": "mean=1.0, std=2.0", "cauchy": "median=0.0, sigma=1.0", "geometric": "p",
}  # fmt: skip
#: Methods that give their receiver back with another trait.
MARKING: Final = ("requires_grad_", "retain_grad_")
_T: Final = "torch.Tensor"
METHODS: Final[tuple[FunctionRow, ...]] = (
    *(FunctionRow(f"{_T}.{name}", "identity", "torch", params="self, requires_grad=True") for name in MARKING),
    *(
        FunctionRow(
            f"{_T}.{name}_",
            "draw_into",
            "torch",
            {"from": "low", "to": "high"},
            {"distribution": name},
            f"self, {parameters}, *, generator=None",
        )
        for name, parameters in DRAWING.items()
    ),
    FunctionRow(f"{_T}.zero_", "fill_with", "torch", const={"value": 0}, params="self"),
    FunctionRow(f"{_T}.fill_", "fill_with", "torch", params="self, value"),
    FunctionRow(f"{_T}.copy_", "copy_into", "torch", {"other": "src"}, params="self, other, non_blocking=False"),
)
