"""The strings Keras resolves to objects, with the object's canonical name.

Losses and activations have tables of their own (:mod:`losses`, :mod:`functions.activations`). Metrics are listed by class.
"""

from __future__ import annotations

from typing import Final

OPTIMIZERS: Final = {
    "sgd": "keras.optimizers.SGD", "rmsprop": "keras.optimizers.RMSprop", "adam": "keras.optimizers.Adam",
    "adamw": "keras.optimizers.AdamW", "adagrad": "keras.optimizers.Adagrad", "adadelta": "keras.optimizers.Adadelta",
    "adamax": "keras.optimizers.Adamax", "nadam": "keras.optimizers.Nadam", "ftrl": "keras.optimizers.Ftrl",
    "adafactor": "keras.optimizers.Adafactor", "lion": "keras.optimizers.Lion",
    "muon": "keras.optimizers.Muon",
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
