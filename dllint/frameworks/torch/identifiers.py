"""The strings that functions and classes of PyTorch take, where they refuse all others. Data only; the tests call them all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_GAINS: Final = (
    "linear", "conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d", "sigmoid", "tanh",
    "relu", "leaky_relu", "selu",
)  # fmt: skip
_FANS: Final = ("fan_in", "fan_out")
_SAMPLING: Final = ("nearest", "linear", "bilinear", "bicubic", "trilinear", "area", "nearest-exact")
_PADDING: Final = ("zeros", "reflect", "replicate", "circular")
_APPROXIMATE: Final = ("none", "tanh")
_REDUCTIONS: Final = ("none", "mean", "sum")
_LOSSES: Final = (
    "L1Loss", "MSELoss", "CrossEntropyLoss", "NLLLoss", "BCELoss", "BCEWithLogitsLoss", "SmoothL1Loss", "HuberLoss",
    "KLDivLoss", "PoissonNLLLoss", "GaussianNLLLoss", "HingeEmbeddingLoss", "MarginRankingLoss", "TripletMarginLoss",
    "CosineEmbeddingLoss", "CTCLoss", "SoftMarginLoss", "MultiMarginLoss", "MultiLabelMarginLoss", "MultiLabelSoftMarginLoss",
)  # fmt: skip

#: Callable → parameter → the strings that it takes.
STRINGS: Final[Mapping[str, Mapping[str, tuple[str, ...]]]] = {
    "torch.nn.init.calculate_gain": {"nonlinearity": _GAINS},
    "torch.nn.init.kaiming_normal_": {"nonlinearity": _GAINS, "mode": _FANS},
    "torch.nn.init.kaiming_uniform_": {"nonlinearity": _GAINS, "mode": _FANS},
    "torch.nn.RNN": {"nonlinearity": ("tanh", "relu")},
    "torch.nn.RNNCell": {"nonlinearity": ("tanh", "relu")},
    "torch.nn.TransformerEncoderLayer": {"activation": ("relu", "gelu")},
    "torch.nn.TransformerDecoderLayer": {"activation": ("relu", "gelu")},
    "torch.nn.GELU": {"approximate": _APPROXIMATE},
    "torch.nn.functional.gelu": {"approximate": _APPROXIMATE},
    **{f"torch.nn.Conv{n}d": {"padding_mode": _PADDING} for n in (1, 2, 3)},
    **{f"torch.nn.{name}": {"reduction": _REDUCTIONS} for name in _LOSSES},
    "torch.nn.Upsample": {"mode": _SAMPLING},
    "torch.nn.functional.interpolate": {"mode": _SAMPLING},
    "torch.nn.functional.grid_sample": {
        "mode": ("bilinear", "nearest", "bicubic"), "padding_mode": ("zeros", "border", "reflection")
    },
    "torch.nn.functional.pad": {"mode": ("constant", "reflect", "replicate", "circular")},
    "torch.nn.EmbeddingBag": {"mode": ("sum", "mean", "max")},
    "torch.optim.lr_scheduler.ReduceLROnPlateau": {"mode": ("min", "max"), "threshold_mode": ("rel", "abs")},
    "torch.optim.lr_scheduler.OneCycleLR": {"anneal_strategy": ("cos", "linear")},
    "torch.optim.lr_scheduler.CyclicLR": {"mode": ("triangular", "triangular2", "exp_range")},
    "torch.meshgrid": {"indexing": ("ij", "xy")},
}  # fmt: skip
