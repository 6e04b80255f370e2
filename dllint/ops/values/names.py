"""The library names under which operations compute what is declared of them.

Several functions share an operation because they give the same shape; not all of them give the same numbers
(``numpy.percentile`` is a ``mean`` to whoever asks for its shape). Only names that stand here are computed.
"""

from __future__ import annotations

from typing import Final

#: Operation → the last parts of its names, beside its own; operators without the ``i`` that those in place begin with.
_ALIASES: Final = {
    "abs": "absolute fabs",
    "all": "reduce_all",
    "amax": "max reduce_max",
    "amin": "min reduce_min",
    "any": "reduce_any",
    "arange": "range",
    "array": "constant convert_to_tensor asarray float32 float64 int32 int64 float16 stack tensor",
    "asinh": "arcsinh",
    "atan": "arctan",
    "bitwise_and": "and",
    "bitwise_not": "invert",
    "bitwise_or": "or",
    "bitwise_xor": "xor",
    "broadcast_to": "expand",
    "cast": "astype to float double int long bool type type_as float32 float64 int32 int64 asarray array tensor "
    "convert_to_tensor",
    "cat": "concat concatenate append",
    "clamp": "clip clip_by_value clamp_min clamp_max",
    "clone": "copy",
    "detach": "stop_gradient",
    "div": "divide true_divide truediv",
    "dot": "matmul",
    "eq": "equal",
    "eye": "identity",
    "flatten": "ravel append batch_flatten",
    "flip": "fliplr flipud",
    "floor_divide": "floordiv",
    "full": "fill constant",
    "ge": "greater_equal",
    "gt": "greater",
    "hardtanh": "hard_tanh",
    "identity": "asarray ascontiguousarray copy stop_gradient convert_to_tensor check_numerics guarantee_const resolve_conj "
    "resolve_neg retain_grad print_tensor Print",
    "le": "less_equal",
    "logical_and": "and",
    "logical_not": "not",
    "logical_or": "or",
    "logical_xor": "xor",
    "logsigmoid": "log_sigmoid",
    "logsumexp": "reduce_logsumexp",
    "lt": "less",
    "matmul": "mm dot",
    "max_dim": "max",
    "mean": "reduce_mean",
    "min_dim": "min",
    "mod": "remainder floormod",
    "mul": "multiply scalar_mul",
    "mv": "matmul",
    "mm": "matmul",
    "bmm": "matmul",
    "ne": "not_equal",
    "neg": "negative",
    "norm": "vector_norm",
    "permute": "transpose permute_dimensions T",
    "pow": "power rpow",
    "prod": "reduce_prod",
    "repeat_interleave": "repeat repeat_elements",
    "reshape": "constant",
    "round": "around rint",
    "setitem": "",
    "sigmoid": "expit",
    "sign": "sgn",
    "silu": "swish",
    "std": "reduce_std",
    "sub": "subtract",
    "sum": "reduce_sum",
    "swapaxes": "matrix_transpose mT",
    "t": "T transpose",
    "take": "gather",
    "take_along_dim": "take_along_axis",
    "tensor": "FloatTensor DoubleTensor LongTensor IntTensor BoolTensor Tensor new_tensor as_tensor",
    "topk": "top_k",
    "transpose": "swapaxes swapdims mT T",
    "tensor_split": "array_split",
    "trunc": "fix",
    "unbind": "unstack iteration",
    "unsqueeze": "expand_dims newaxis",
    "var": "reduce_variance",
    "vstack": "row_stack",
}
_NAMES: Final = {kind: frozenset({kind, *names.split()}) for kind, names in _ALIASES.items()}
_OPERATORS: Final = "operator."


def is_meant(kind: str, spelled: str) -> bool:
    """Whether a library name stands for what is declared of an operation."""
    name = spelled.rpartition(".")[2].rstrip("_")
    names = _NAMES.get(kind, frozenset({kind}))
    return name in names or (spelled.startswith(_OPERATORS) and name.startswith("i") and name[1:] in names)
