"""Normalisation, embedding and dropout layers."""

from __future__ import annotations

from typing import Final

from dllint.frameworks.rows import LayerRow
from dllint.frameworks.torch.layers.row import row

DROPOUTS: Final = ("Dropout", "Dropout1d", "Dropout2d", "Dropout3d")
ALPHA_DROPOUTS: Final = ("AlphaDropout", "FeatureAlphaDropout")

ROWS: Final[tuple[LayerRow, ...]] = (
    *(row(f"BatchNorm{n}d", "batch_norm", const={"spatial": n}, trainable=True) for n in (1, 2, 3)),
    *(row(f"LazyBatchNorm{n}d", "batch_norm", const={"spatial": n}, trainable=True) for n in (1, 2, 3)),
    *(row(f"InstanceNorm{n}d", "instance_norm", const={"spatial": n}, trainable=True) for n in (1, 2, 3)),
    *(row(f"LazyInstanceNorm{n}d", "instance_norm", const={"spatial": n}, trainable=True) for n in (1, 2, 3)),
    row("SyncBatchNorm", "batch_norm", trainable=True),
    row("LayerNorm", "layer_norm", trainable=True),
    row("RMSNorm", "rms_norm", trainable=True),
    row("GroupNorm", "group_norm", trainable=True),
    row("LocalResponseNorm", "local_response_norm", {"size": "window"}),
    row("Embedding", "embedding", trainable=True),
    row("EmbeddingBag", "embedding_bag", call="x, offsets=None, per_sample_weights=None", trainable=True),
    *(row(name, "dropout") for name in DROPOUTS),
    *(row(name, "dropout", const={"noise": "alpha"}) for name in ALPHA_DROPOUTS),
)
