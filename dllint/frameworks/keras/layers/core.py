"""Core layers: dense, embedding, activations, noise, reshaping, masking."""

from __future__ import annotations

from typing import Final

from dllint.frameworks.keras.layers.row import WEIGHTED, row

ROWS: Final = (
    row("Dense", "linear", {"units": "out_features", "use_bias": "bias"}, **WEIGHTED),
    row("EinsumDense", "einsum_dense", {"output_shape": "shape"}, **WEIGHTED),
    row("Embedding", "embedding", {"input_dim": "num_embeddings", "output_dim": "embedding_dim"}, trainable=True),
    row("ReversibleEmbedding", "embedding", {"input_dim": "num_embeddings", "output_dim": "embedding_dim"}, trainable=True),
    row("Activation", "identity", activation="activation"),
    row("Identity", "identity"),
    row("ActivityRegularization", "identity"),
    row("Masking", "identity"),
    row("GaussianNoise", "identity"),
    row("Dropout", "dropout", {"rate": "p"}),
    *(row(f"SpatialDropout{n}D", "dropout", {"rate": "p"}, {"axes": n + 2}) for n in (1, 2, 3)),
    row("AlphaDropout", "dropout", {"rate": "p"}, {"noise": "alpha"}),
    row("GaussianDropout", "dropout", {"rate": "p"}, {"noise": "normal"}),
    row("Flatten", "flatten", const={"start_dim": 1, "end_dim": -1}),
    row("Reshape", "reshape", {"target_shape": "shape"}),
    row("Permute", "permute"),
    row("RepeatVector", "repeat_vector"),
    row("ReLU", "relu"),
    row("LeakyReLU", "leaky_relu"),
    row("ThresholdedReLU", "threshold", {"theta": "threshold"}, params="theta=1.0, **kwargs"),
    row("ELU", "elu"),
    row("PReLU", "prelu", trainable=True),
    row("Softmax", "softmax", {"axis": "dim"}, call="x, mask=None"),
    row("Highway", "identity", params="**kwargs"),
)
