"""``torch.nn.functional``: activations, convolutions, pooling, normalisation, losses and the rest."""

from __future__ import annotations

from typing import Final

from dllint.frameworks.rows import FunctionRow, rows
from dllint.frameworks.torch.layers.activation import RANDOM_SLOPE

F: Final = "torch.nn.functional"
ACTIVATIONS: Final = {
    name: name
    for name in ("relu", "relu6", "leaky_relu", "elu", "selu", "celu", "gelu", "silu", "mish", "softplus", "softsign",
    "softshrink",
                 "hardshrink", "tanhshrink", "hardtanh", "hardsigmoid", "hardswish", "threshold", "glu", "tanh", "sigmoid",
                 "logsigmoid", "softmax", "softmin", "log_softmax", "gumbel_softmax", "normalize", "dropout", "prelu")
}  # fmt: skip
VARIANTS: Final = {
    "dropout": "dropout dropout1d dropout2d dropout3d",
}
LOSSES: Final = {
    "cross_entropy": "cross_entropy", "nll_loss": "nll_loss", "binary_cross_entropy": "binary_cross_entropy",
    "bce_with_logits": "binary_cross_entropy_with_logits", "mse_loss": "mse_loss", "l1_loss": "l1_loss",
    "smooth_l1_loss": "smooth_l1_loss", "huber_loss": "huber_loss", "kl_div": "kl_div", "poisson_nll": "poisson_nll_loss",
    "ctc_loss": "ctc_loss", "cosine_embedding_loss": "cosine_embedding_loss", "triplet_margin_loss": "triplet_margin_loss",
    "margin_ranking_loss": "margin_ranking_loss", "hinge_embedding_loss": "hinge_embedding_loss",
    "soft_margin_loss": "soft_margin_loss", "multi_margin_loss": "multi_margin_loss",
    "multilabel_margin_loss": "multilabel_margin_loss", "multilabel_soft_margin_loss": "multilabel_soft_margin_loss",
    "gaussian_nll_loss": "gaussian_nll_loss",
}  # fmt: skip
LOSS_RENAME: Final = {"log_probs": "x", "targets": "target", "input1": "x", "input2": "y", "x1": "x", "x2": "y"}
#: One function per number of spatial axes: ``conv1d``, ``conv2d``, ``conv3d``.
WINDOWED: Final = (
    "conv",
    "conv_transpose",
    "max_pool",
    "avg_pool",
    "lp_pool",
    "max_unpool",
    "adaptive_avg_pool",
    "adaptive_max_pool",
)
#: The same functions found directly in ``torch``.
TOP_LEVEL: Final = ("conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d", "prelu", "celu",
    "selu",
                    "dropout", "layer_norm", "group_norm", "batch_norm", "embedding", "pairwise_distance", "cosine_similarity",
                    "adaptive_avg_pool1d", "max_pool1d", "max_pool2d", "avg_pool1d", "pixel_shuffle", "pixel_unshuffle",
                    "channel_shuffle", "bilinear", "rms_norm", "rrelu", "threshold", "hardshrink", "instance_norm")  # fmt: skip

WINDOWS: Final[tuple[FunctionRow, ...]] = tuple(
    FunctionRow(f"{F}.{op}{spatial}d", op, "torch", const={"spatial": spatial}) for op in WINDOWED for spatial in (1, 2, 3)
)
IN_PLACE: Final = ("relu_", "elu_", "selu_", "celu_", "leaky_relu_", "hardtanh_", "threshold_")

OTHERS: Final[tuple[FunctionRow, ...]] = (
    FunctionRow(f"{F}.rrelu", "leaky_relu", "torch", const=RANDOM_SLOPE),
    FunctionRow(f"{F}.alpha_dropout", "dropout", "torch", const={"noise": "alpha"}),
    FunctionRow(f"{F}.feature_alpha_dropout", "dropout", "torch", const={"noise": "alpha"}),
    FunctionRow(f"{F}.linear", "linear", "torch"),
    FunctionRow(f"{F}.bilinear", "bilinear", "torch", {"input1": "x", "input2": "y"}),
    FunctionRow(f"{F}.embedding", "embedding", "torch", {"indices": "x"}),
    FunctionRow(f"{F}.embedding_bag", "embedding_bag", "torch"),
    FunctionRow(f"{F}.batch_norm", "batch_norm", "torch"),
    FunctionRow(f"{F}.layer_norm", "layer_norm", "torch"),
    FunctionRow(f"{F}.group_norm", "group_norm", "torch"),
    FunctionRow(f"{F}.instance_norm", "instance_norm", "torch"),
    FunctionRow(f"{F}.rms_norm", "rms_norm", "torch"),
    FunctionRow(f"{F}.local_response_norm", "local_response_norm", "torch", {"size": "window"}),
    FunctionRow(f"{F}.interpolate", "interpolate", "torch", {"size": "size"}),
    FunctionRow(f"{F}.upsample", "interpolate", "torch", {"size": "size"}),
    FunctionRow(f"{F}.upsample_nearest", "interpolate", "torch", {"size": "size"}),
    FunctionRow(f"{F}.upsample_bilinear", "interpolate", "torch", {"size": "size"}),
    FunctionRow(f"{F}.pad", "pad", "torch"),
    FunctionRow(f"{F}.fold", "fold", "torch"),
    FunctionRow(f"{F}.unfold", "unfold", "torch"),
    FunctionRow(f"{F}.pixel_shuffle", "pixel_shuffle", "torch", {"upscale_factor": "factor"}),
    FunctionRow(f"{F}.pixel_unshuffle", "pixel_unshuffle", "torch", {"downscale_factor": "factor"}),
    FunctionRow(f"{F}.channel_shuffle", "channel_shuffle", "torch"),
    FunctionRow(f"{F}.grid_sample", "grid_sample", "torch"),
    FunctionRow(f"{F}.affine_grid", "affine_grid", "torch", {"size": "size"}),
    FunctionRow(f"{F}.cosine_similarity", "cosine_similarity", "torch", {"x1": "x", "x2": "y"}),
    FunctionRow(f"{F}.pairwise_distance", "pairwise_distance", "torch", {"x1": "x", "x2": "y"}),
    FunctionRow(f"{F}.scaled_dot_product_attention", "scaled_dot_product_attention", "torch"),
    *(FunctionRow(f"{F}.{name}", name.removesuffix("_"), "torch") for name in IN_PLACE),
    FunctionRow(f"{F}.gumbel_softmax", "gumbel_softmax", "torch", {"logits": "x"}),
)
FUNCTIONAL: Final[tuple[FunctionRow, ...]] = (
    *rows(F, "torch", ACTIVATIONS | VARIANTS),
    *rows(F, "torch", LOSSES, LOSS_RENAME),
    *WINDOWS,
    *OTHERS,
)
_BY_NAME: Final = {row.name: row for row in FUNCTIONAL}
ROWS: Final[tuple[FunctionRow, ...]] = (
    *FUNCTIONAL,
    *(
        FunctionRow(f"torch.{name}", row.op, "torch", row.rename, row.const)
        for name in TOP_LEVEL
        if (row := _BY_NAME[f"{F}.{name}"])
    ),
)
