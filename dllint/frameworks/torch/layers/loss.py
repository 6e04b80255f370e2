"""Losses as layers; the call is ``loss(input, target)`` unless noted."""

from __future__ import annotations

from typing import Final

from dllint.frameworks.rows import LayerRow
from dllint.frameworks.torch.layers.row import row

LOSSES: Final = {
    "CrossEntropyLoss": "cross_entropy", "NLLLoss": "nll_loss", "NLLLoss2d": "nll_loss", "BCELoss": "binary_cross_entropy",
    "BCEWithLogitsLoss": "bce_with_logits", "MSELoss": "mse_loss", "L1Loss": "l1_loss", "SmoothL1Loss": "smooth_l1_loss",
    "HuberLoss": "huber_loss", "KLDivLoss": "kl_div", "PoissonNLLLoss": "poisson_nll",
    "HingeEmbeddingLoss": "hinge_embedding_loss",
    "SoftMarginLoss": "soft_margin_loss", "MultiMarginLoss": "multi_margin_loss",
    "MultiLabelMarginLoss": "multilabel_margin_loss",
    "MultiLabelSoftMarginLoss": "multilabel_soft_margin_loss",
}  # fmt: skip
_PAIR: Final = {"input1": "x", "input2": "y"}
ROWS: Final[tuple[LayerRow, ...]] = (
    *(row(name, op, {"log_input": "x"}, call="x, target") for name, op in LOSSES.items()),
    row("GaussianNLLLoss", "gaussian_nll_loss", call="x, target, var"),
    row("CTCLoss", "ctc_loss", {"log_probs": "x", "targets": "target"}, call="x, target, input_lengths, target_lengths"),
    row("CosineEmbeddingLoss", "cosine_embedding_loss", _PAIR, call="x, y, target"),
    row("MarginRankingLoss", "margin_ranking_loss", _PAIR, call="x, y, target"),
    row("TripletMarginLoss", "triplet_margin_loss", call="anchor, positive, negative"),
    row("TripletMarginWithDistanceLoss", "triplet_margin_loss", call="anchor, positive, negative"),
    row("CosineSimilarity", "cosine_similarity", call="x, y"),
    row("PairwiseDistance", "pairwise_distance", call="x, y"),
)
