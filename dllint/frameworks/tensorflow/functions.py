"""Rows of element-wise functions, reductions and functions that move elements, by their canonical names."""

from __future__ import annotations

from typing import Final

from dllint.domains.dtype import FLOAT32
from dllint.frameworks.rows import FunctionRow, rows

MATH: Final = {
    "neg": "negative", "abs": "abs", "exp": "exp", "sqrt": "sqrt", "square": "square", "sin": "sin", "cos": "cos", "tan": "tan",
    "tanh": "tanh", "sigmoid": "sigmoid", "floor": "floor", "sign": "sign", "round": "round rint", "logical_not": "logical_not",
    "add": "add", "sub": "subtract", "mul": "multiply scalar_mul", "div": "divide truediv divide_no_nan", "pow": "pow",
    "maximum": "maximum", "minimum": "minimum",
    "eq": "equal", "ne": "not_equal", "lt": "less", "le": "less_equal", "gt": "greater", "ge": "greater_equal",
    "logical_and": "logical_and", "logical_or": "logical_or", "logical_xor": "logical_xor",
    "sum": "reduce_sum", "mean": "reduce_mean", "prod": "reduce_prod", "amax": "reduce_max", "amin": "reduce_min",
    "all": "reduce_all", "any": "reduce_any", "logsumexp": "reduce_logsumexp", "std": "reduce_std", "var": "reduce_variance",
    "count_nonzero": "count_nonzero", "argmax": "argmax", "argmin": "argmin", "cumsum": "cumsum", "cumprod": "cumprod",
    "asin": "asin", "acos": "acos", "atan": "atan", "cosh": "cosh", "sinh": "sinh", "asinh": "asinh", "acosh": "acosh",
    "atanh": "atanh", "log": "log", "log1p": "log1p", "expm1": "expm1", "rsqrt": "rsqrt", "reciprocal": "reciprocal",
    "ceil": "ceil", "erf": "erf", "erfc": "erfc", "softplus": "softplus", "isnan": "is_nan", "isinf": "is_inf",
    "isfinite": "is_finite", "floor_divide": "floordiv", "mod": "mod floormod", "logsigmoid": "log_sigmoid", "topk": "top_k",
    "lgamma": "lgamma", "digamma": "digamma", "erfinv": "erfinv", "softsign": "softsign", "xlogy": "xlogy",
    "logcumsumexp": "cumulative_logsumexp", "norm": "reduce_euclidean_norm",
    "unknown_activation": "reciprocal_no_nan bessel_i0 bessel_i1 ndtri",
}  # fmt: skip

NN: Final = {
    "relu": "relu", "relu6": "relu6", "leaky_relu": "leaky_relu", "elu": "elu", "selu": "selu", "gelu": "gelu",
    "silu": "silu swish", "softsign": "softsign", "softmax": "softmax", "log_softmax": "log_softmax", "dropout": "dropout",
    "normalize": "l2_normalize",
}  # fmt: skip

#: Functions that give their first tensor back, beside those with an operation of their own.
KEEPING: Final = """
    identity guarantee_const Print debugging.check_numerics verify_tensor_all_finite
    convert_to_tensor_or_sparse_tensor
"""

#: Functions that keep the shape of their first tensor, and its type if it is a floating-point one.
ALTERING: Final = """
    clip_by_norm clip_by_average_norm quantization.fake_quant_with_min_max_args quantization.fake_quant_with_min_max_vars
    image.random_brightness image.random_contrast image.random_saturation image.random_hue image.adjust_brightness
    image.adjust_contrast image.adjust_hue image.adjust_saturation image.rgb_to_hsv image.hsv_to_rgb image.adjust_gamma
    image.random_jpeg_quality image.per_image_standardization
    linalg.inv linalg.band_part linalg.set_diag linalg.cholesky math.conj
    tensor_scatter_nd_add tensor_scatter_nd_update tensor_scatter_nd_sub tensor_scatter_nd_max tensor_scatter_nd_min
    image.stateless_random_brightness image.stateless_random_contrast image.stateless_random_saturation
    image.stateless_random_hue image.stateless_random_flip_left_right image.stateless_random_flip_up_down
    image.stateless_random_jpeg_quality image.adjust_jpeg_quality image.rgb_to_yuv image.yuv_to_rgb image.rgb_to_yiq
    image.yiq_to_rgb image.draw_bounding_boxes linalg.expm linalg.logm linalg.sqrtm
"""

FIRST: Final = "x, *rest, **options"

SETS: Final = "a, b, aminusb=True, validate_indices=True"

#: Without an axis the classes come last.
ONE_HOT: Final = "indices, depth, on_value=None, off_value=None, axis=-1, dtype=None, name=None"

_MOVING: Final = (
    FunctionRow("tensorflow.reshape", "reshape", "tensorflow"),
    FunctionRow("tensorflow.transpose", "permute", "tensorflow", {"a": "x", "perm": "dims"}),
    FunctionRow("tensorflow.linalg.matrix_transpose", "swapaxes", "tensorflow", {"matrix": "x"}, {"dim0": -2, "dim1": -1}),
    FunctionRow("tensorflow.expand_dims", "unsqueeze", "tensorflow"),
    FunctionRow("tensorflow.squeeze", "squeeze", "tensorflow"),
    FunctionRow("tensorflow.unstack", "unbind", "tensorflow"),
    FunctionRow("tensorflow.tile", "tile", "tensorflow", {"multiples": "repeats"}),
    FunctionRow("tensorflow.repeat", "repeat_interleave", "tensorflow"),
    FunctionRow("tensorflow.broadcast_to", "broadcast_to", "tensorflow"),
    FunctionRow("tensorflow.reverse", "flip", "tensorflow"),
    FunctionRow("tensorflow.roll", "roll", "tensorflow", {"shift": "shifts"}),
    FunctionRow("tensorflow.pad", "pad", "tensorflow", {"paddings": "pad"}),
    FunctionRow("tensorflow.argsort", "argsort", "tensorflow", {"values": "x"}),
    FunctionRow(
        "tensorflow.space_to_depth", "space_to_depth", "tensorflow", params="input, block_size, name=None, data_format='NHWC'"
    ),
    FunctionRow("tensorflow.nn.space_to_depth", "space_to_depth", "tensorflow"),
    FunctionRow(
        "tensorflow.depth_to_space", "depth_to_space", "tensorflow", params="input, block_size, name=None, data_format='NHWC'"
    ),
    FunctionRow("tensorflow.nn.depth_to_space", "depth_to_space", "tensorflow"),
)

_CHOOSING: Final = (
    FunctionRow("tensorflow.where", "where", "tensorflow"),
    FunctionRow("tensorflow.select", "where", "tensorflow", params="condition, x, y, name=None"),
    FunctionRow("tensorflow.gather", "take", "tensorflow", {"params": "x", "indices": "index"}),
    FunctionRow("tensorflow.gather_nd", "gather_nd", "tensorflow", {"params": "x", "indices": "index"}),
    FunctionRow("tensorflow.slice", "slice", "tensorflow", {"input_": "x"}),
    FunctionRow("tensorflow.scatter_nd", "scatter_nd", "tensorflow", {"indices": "index", "updates": "src"}),
    FunctionRow("tensorflow.boolean_mask", "boolean_mask", "tensorflow"),
    FunctionRow("tensorflow.one_hot", "one_hot", "tensorflow", {"indices": "x", "depth": "num_classes"}, params=ONE_HOT),
    FunctionRow(
        "tensorflow.clip_by_value", "clamp", "tensorflow", {"t": "x", "clip_value_min": "min", "clip_value_max": "max"}
    ),
    FunctionRow("tensorflow.cast", "cast", "tensorflow"),
    FunctionRow("tensorflow.bitcast", "cast", "tensorflow", {"type": "dtype"}),
    FunctionRow("tensorflow.saturate_cast", "cast", "tensorflow"),
    FunctionRow("tensorflow.stop_gradient", "detach", "tensorflow"),
    FunctionRow("tensorflow.sequence_mask", "sequence_mask", "tensorflow", {"lengths": "x"}),
    *(
        FunctionRow(f"tensorflow.math.segment_{kind}", "segment", "tensorflow", {"data": "x"})
        for kind in ("sum", "mean", "max", "min", "prod")
    ),
    *(
        FunctionRow(f"tensorflow.math.unsorted_segment_{kind}", "segment", "tensorflow", {"data": "x"})
        for kind in ("sum", "max", "min", "prod")
    ),
    FunctionRow("tensorflow.math.unsorted_segment_mean", "segment", "tensorflow", {"data": "x"}, {"divided": True}),
    FunctionRow("tensorflow.math.in_top_k", "in_top_k", "tensorflow", {"predictions": "x", "targets": "target"}),
    FunctionRow("tensorflow.math.confusion_matrix", "confusion_matrix", "tensorflow", {"labels": "target", "predictions": "x"}),
    FunctionRow("tensorflow.nn.zero_fraction", "mean", "tensorflow", const={"dtype": FLOAT32}),
)

ROWS: Final[tuple[FunctionRow, ...]] = (
    *rows("tensorflow.math", "tensorflow", MATH),
    FunctionRow("tensorflow.math.atan2", "atan2", "tensorflow", {"y": "x", "x": "y"}),
    *rows("tensorflow.nn", "tensorflow", NN),
    *(
        FunctionRow(f"tensorflow.sets.{name}", "set_operation", "tensorflow", params=SETS)
        for name in ("intersection", "union", "difference")
    ),
    *(FunctionRow(f"tensorflow.{name}", "identity", "tensorflow", params=FIRST) for name in KEEPING.split()),
    *(FunctionRow(f"tensorflow.{name}", "unknown_activation", "tensorflow", params=FIRST) for name in ALTERING.split()),
    *(
        FunctionRow(f"tensorflow.math.{name}", op, "tensorflow")
        for name, op in (("real", "real_part"), ("imag", "imaginary_part"), ("angle", "angle"))
    ),
    FunctionRow("tensorflow.complex", "complex_of_parts", "tensorflow", {"real": "x", "imag": "y"}),
    FunctionRow("tensorflow.image.rot90", "rot90", "tensorflow", {"image": "x"}, const={"dims": (-3, -2)}),
    *_MOVING,
    *_CHOOSING,
)
