"""Library functions that share the shape of a canonical operation but compute other values."""

from __future__ import annotations

from typing import Final

from dllint.domains.interval import UNKNOWN, Interval, Origin, between
from dllint.ir.program import Op

_ANY: Final = UNKNOWN
_SHARE: Final = between(0, 1, Origin.UNKNOWN)
#: By operation and the last part of the name: what is known of the numbers.
_RANGES: Final[dict[str, dict[str, Interval]]] = {
    "identity": {
        **dict.fromkeys(
            (
                "adjust_brightness", "adjust_contrast", "adjust_gamma", "adjust_hue", "adjust_saturation", "angle", "bias_add",
                "cholesky", "clip_by_average_norm", "clip_by_norm", "fake_quant_with_min_max_args",
                "fake_quant_with_min_max_vars", "fill_diagonal", "hsv_to_rgb", "inv", "per_image_standardization",
                "per_image_whitening", "random_brightness", "random_contrast", "random_hue", "random_jpeg_quality",
                "random_saturation", "rgb_to_hsv", "set_diag", "sparse_plus", "squareplus", "tensor_scatter_nd_add",
                "tensor_scatter_nd_update", "band_part",
            ),
            _ANY,
        ),
        "sparsemax": _SHARE,
    },
    "cast": {"bitcast": _ANY, "convert_image_dtype": _ANY},
    "mean": {"zero_fraction": _SHARE, "percentile": _ANY, "quantile": _ANY},
}  # fmt: skip


def of_other_function(op: Op) -> Interval | None:
    """The range of a function that only shares an operation's shape; ``None`` if it is the operation itself."""
    names = _RANGES.get(op.kind)
    return None if names is None else names.get(op.spelled.rpartition(".")[2].rstrip("_"))
