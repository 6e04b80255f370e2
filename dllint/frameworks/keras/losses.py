"""Losses: classes, functions and the strings ``compile(loss=…)`` accepts, each with its kind.

A kind is the function's snake-case name; the canonical operation is ``keras_loss`` with ``kind``.
"""

from __future__ import annotations

from typing import Final

#: Class → kind.
CLASSES: Final = {
    "BinaryCrossentropy": "binary_crossentropy",
    "BinaryFocalCrossentropy": "binary_focal_crossentropy",
    "CategoricalCrossentropy": "categorical_crossentropy",
    "CategoricalFocalCrossentropy": "categorical_focal_crossentropy",
    "CategoricalGeneralizedCrossEntropy": "categorical_generalized_cross_entropy",
    "CategoricalHinge": "categorical_hinge",
    "SparseCategoricalCrossentropy": "sparse_categorical_crossentropy",
    "MeanSquaredError": "mean_squared_error",
    "MeanAbsoluteError": "mean_absolute_error",
    "MeanAbsolutePercentageError": "mean_absolute_percentage_error",
    "MeanSquaredLogarithmicError": "mean_squared_logarithmic_error",
    "CosineSimilarity": "cosine_similarity",
    "Huber": "huber",
    "LogCosh": "log_cosh",
    "KLDivergence": "kl_divergence",
    "Poisson": "poisson",
    "Hinge": "hinge",
    "SquaredHinge": "squared_hinge",
    "Dice": "dice",
    "Tversky": "tversky",
    "Circle": "circle",
    "CTC": "ctc",
}

#: Other spellings of the kinds as strings and function names.
SYNONYMS: Final = {
    "mse": "mean_squared_error", "MSE": "mean_squared_error", "mae": "mean_absolute_error", "MAE": "mean_absolute_error",
    "mape": "mean_absolute_percentage_error", "MAPE": "mean_absolute_percentage_error",
    "msle": "mean_squared_logarithmic_error",
    "MSLE": "mean_squared_logarithmic_error", "bce": "binary_crossentropy", "BCE": "binary_crossentropy",
    "kld": "kl_divergence", "KLD": "kl_divergence", "kullback_leibler_divergence": "kl_divergence", "logcosh": "log_cosh",
    "huber_loss": "huber", "cosine_proximity": "cosine_similarity", "cosine": "cosine_similarity",
    "crossentropy": "crossentropy",
}  # fmt: skip

KINDS: Final = frozenset(CLASSES.values())


def kind_named(identifier: str) -> str | None:
    """The kind a loss string, function name or class name stands for; ``None`` if Keras has no such loss."""
    if identifier in KINDS:
        return identifier
    return CLASSES.get(identifier) or SYNONYMS.get(identifier)
