"""ATen operators, as exported programs name them: ``aten.<name>.<overload>``.

Most have the name and the parameters of a public function or method, whose row counts for them. What differs stands here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dllint.frameworks.rows import EMPTY, FunctionRow
from dllint.frameworks.torch.tables import FUNCTIONS
from dllint.ir.values import Value

#: Where an operator's row is looked for, in order.
_HOMES: Final = ("torch", "torch.nn.functional", "torch.Tensor", "torch.linalg", "torch.special")
#: Parameter names of ATen beside those that all rows rename.
RENAMES: Final = {"train": "training", "reps": "repeats", "mat2": "y", "exponent": "y", "vec": "y"}


def _row(name: str, op: str, rename: Mapping[str, str] = EMPTY, **const: Value) -> FunctionRow:
    return FunctionRow(f"aten.{name}", op, "torch", rename, const)


_UPSAMPLED: Final = {"output_size": "size", "scale_factors": "scale_factor"}
_ROWS: Final = (
    _row("add", "add"), _row("sub", "sub"), _row("rsub", "sub", {"self": "y", "other": "x"}),
    _row("max", "amax"), _row("max.dim", "max_dim"), _row("max.other", "maximum"),
    _row("min", "amin"), _row("min.dim", "min_dim"), _row("min.other", "minimum"),
    _row("pow", "pow", {"exponent": "y"}),
    _row("where", "where", {"self": "x", "other": "y"}),
    _row("clamp_min", "clamp", {"min": "min"}), _row("clamp_max", "clamp", {"max": "max"}),
    _row("_softmax", "softmax"), _row("_log_softmax", "log_softmax"),
    *(_row(name, "reshape") for name in ("view", "_unsafe_view", "reshape")),  # how memory is laid out was checked on export
    _row("expand", "expand"), _row("einsum", "einsum", {"tensors": "operands"}),
    _row("permute", "permute"), _row("repeat", "repeat", {"repeats": "repeats"}), _row("t", "t"),
    _row("split", "split", {"split_size": "sections", "split_sizes": "sections"}),
    _row("split_with_sizes", "split", {"split_sizes": "sections"}),
    _row("_to_copy", "cast"), _row("to", "cast"), _row("type_as", "cast", {"other": "dtype"}),
    *(_row(name, "identity") for name in (
        "alias", "lift_fresh_copy", "lift_fresh", "clone", "positive", "_conj", "resolve_conj", "resolve_neg", "contiguous",
    )),
    _row("detach_", "detach"),
    _row("arange.start", "arange"), _row("arange.start_step", "arange"), _row("arange", "arange"),
    _row("scalar_tensor", "tensor", {"s": "data"}),
    _row("full", "full"), _row("full_like", "full_like"),
    _row("linalg_vector_norm", "norm"), _row("norm", "norm"),
    _row("var", "var"), _row("std", "std"),
    _row("addmm", "addmm", {"mat2": "mat2"}), _row("baddbmm", "baddbmm"),
    _row("embedding", "embedding", {"indices": "x"}),
    _row("max_pool2d_with_indices", "max_pool", spatial=2, return_indices=True),
    _row("_adaptive_avg_pool2d", "adaptive_avg_pool", spatial=2),
    _row("_adaptive_avg_pool3d", "adaptive_avg_pool", spatial=3),
    *(_row(f"upsample_{mode}{n}d", "interpolate", _UPSAMPLED, spatial=n, mode=spelled) for mode, n, spelled in (
        ("nearest", 1, "nearest"), ("nearest", 2, "nearest"), ("nearest", 3, "nearest"), ("linear", 1, "linear"),
        ("bilinear", 2, "bilinear"), ("trilinear", 3, "trilinear"), ("bicubic", 2, "bicubic"),
    )),
    _row("constant_pad_nd", "pad"),
    _row("cross_entropy_loss", "cross_entropy"), _row("nll_loss_nd", "nll_loss"),
    _row("binary_cross_entropy_with_logits", "bce_with_logits"), _row("binary_cross_entropy", "binary_cross_entropy"),
            _row("native_dropout", "dropout"),
)  # fmt: skip
_OWN: Final[dict[str, FunctionRow]] = {row.name.removeprefix("aten."): row for row in _ROWS}


def aten_row(operator: str) -> FunctionRow | None:
    """The row of ``name.overload``; ``None`` if nothing is said about it."""
    name, _, _ = operator.partition(".")
    own = _OWN.get(operator) or _OWN.get(name)
    if own is not None:
        return own
    plain = name.removeprefix("linalg_").removeprefix("special_").removesuffix("_")
    return next((found for home in _HOMES if (found := FUNCTIONS.get(f"{home}.{plain}")) is not None), None)
