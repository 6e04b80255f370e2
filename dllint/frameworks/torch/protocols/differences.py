"""``torch.diff``: each element less the one before it."""

from __future__ import annotations

from dllint.domains.dim import DimExpr, bounds
from dllint.domains.dtype import DType
from dllint.frameworks.given import given
from dllint.frameworks.machine import Machine, handler
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, Value

_FURTHER = "n=1, dim=-1, prepend=None, append=None"


@handler("torch.diff")
def diff(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``torch.diff(x, dim=…)``; of what is longer by one."""
    return _differences(machine, given(f"input, {_FURTHER}", arguments))


@handler("torch.Tensor.diff", on=TensorVal)
def own_diff(machine: Machine, x: TensorVal, arguments: Arguments) -> Value:
    """``x.diff(dim=…)``."""
    return _differences(machine, {"input": x, **given(_FURTHER, arguments)})


def _differences(machine: Machine, options: dict[str, Value]) -> Value:
    x, dim = options.get("input"), options.get("dim")
    is_plain = options.get("n") == 1 and options.get("prepend") is None and options.get("append") is None
    length = _length(x, dim) if is_plain and isinstance(x, TensorVal) else None
    if length is None:
        return machine.unknown("unmodelled-call", "torch.diff")
    later, earlier = (
        machine.emit(
            "narrow", {"x": x, "dim": dim, "start": start, "length": length}, framework="torch", spelled="torch.narrow"
        )
        for start in (1, 0)
    )
    return machine.emit("sub", {"x": later, "y": earlier}, framework="torch", spelled="torch.sub")


def _length(x: TensorVal, dim: Value) -> int | DimExpr | None:
    """The number of differences along an axis; truths are not subtracted."""
    numeric = isinstance(x.dtype, DType) and x.dtype.kind != "bool"
    if not numeric or not isinstance(x.shape, tuple) or not isinstance(dim, int) or not -len(x.shape) <= dim < len(x.shape):
        return None
    size = x.shape[dim]
    least = size if isinstance(size, int) else bounds(size)[0]
    return size - 1 if least is not None and least >= 1 else None
