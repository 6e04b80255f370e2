"""The strings Keras resolves to objects, with the object's canonical name.

Losses and activations have tables of their own (:mod:`losses`, :mod:`functions.activations`).
"""

from __future__ import annotations

from typing import Final

OPTIMIZERS: Final = {
    "sgd": "keras.optimizers.SGD", "rmsprop": "keras.optimizers.RMSprop", "adam": "keras.optimizers.Adam",
    "adamw": "keras.optimizers.AdamW", "adagrad": "keras.optimizers.Adagrad", "adadelta": "keras.optimizers.Adadelta",
    "adamax": "keras.optimizers.Adamax", "nadam": "keras.optimizers.Nadam", "ftrl": "keras.optimizers.Ftrl",
    "adafactor": "keras.optimizers.Adafactor", "lion": "keras.optimizers.Lion", "lamb": "keras.optimizers.Lamb",
    "muon": "keras.optimizers.Muon", "loss_scale": "keras.optimizers.LossScaleOptimizer",
}  # fmt: skip

METRIC_CLASSES: Final = (
    "Accuracy", "AUC", "BinaryAccuracy", "BinaryCrossentropy", "BinaryIoU", "CategoricalAccuracy", "CategoricalCrossentropy",
    "CategoricalHinge", "ConcordanceCorrelation", "CosineSimilarity", "F1Score", "FBetaScore", "FalseNegatives",
    "FalsePositives",
    "Hinge", "IoU", "KLDivergence", "LogCoshError", "Mean", "MeanAbsoluteError", "MeanAbsolutePercentageError", "MeanIoU",
    "MeanSquaredError", "MeanSquaredLogarithmicError", "OneHotIoU", "OneHotMeanIoU", "PearsonCorrelation", "Poisson",
    "Precision",
    "PrecisionAtRecall", "R2Score", "Recall", "RecallAtPrecision", "RootMeanSquaredError", "SensitivityAtSpecificity",
    "SparseCategoricalAccuracy", "SparseCategoricalCrossentropy", "SparseTopKCategoricalAccuracy", "SpecificityAtSensitivity",
    "SquaredHinge", "Sum", "TopKCategoricalAccuracy", "TrueNegatives", "TruePositives",
)  # fmt: skip

METRICS: Final = {
    "accuracy": "accuracy", "acc": "accuracy", "crossentropy": "crossentropy", "ce": "crossentropy",
    "binary_accuracy": "BinaryAccuracy", "categorical_accuracy": "CategoricalAccuracy",
    "sparse_categorical_accuracy": "SparseCategoricalAccuracy", "top_k_categorical_accuracy": "TopKCategoricalAccuracy",
    "sparse_top_k_categorical_accuracy": "SparseTopKCategoricalAccuracy", "auc": "AUC", "precision": "Precision",
    "recall": "Recall", "mse": "MeanSquaredError", "mean_squared_error": "MeanSquaredError", "mae": "MeanAbsoluteError",
    "mean_absolute_error": "MeanAbsoluteError", "mape": "MeanAbsolutePercentageError", "msle": "MeanSquaredLogarithmicError",
    "binary_crossentropy": "BinaryCrossentropy", "categorical_crossentropy": "CategoricalCrossentropy",
    "sparse_categorical_crossentropy": "SparseCategoricalCrossentropy", "cosine_similarity": "CosineSimilarity",
    "root_mean_squared_error": "RootMeanSquaredError", "rmse": "RootMeanSquaredError", "poisson": "Poisson",
    "kl_divergence": "KLDivergence", "hinge": "Hinge", "squared_hinge": "SquaredHinge", "categorical_hinge": "CategoricalHinge",
    **{name: name for name in METRIC_CLASSES},
}  # fmt: skip

PADDINGS: Final = ("valid", "same", "causal")
DATA_FORMATS: Final = ("channels_last", "channels_first")
MERGE_MODES: Final = ("sum", "mul", "concat", "ave")
