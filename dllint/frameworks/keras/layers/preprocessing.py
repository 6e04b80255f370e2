"""Preprocessing layers: those that keep the shape, those that resize, and those that make vectors of text and categories."""

from __future__ import annotations

from typing import Final

from dllint.frameworks.keras.layers.row import row

#: Layers whose output has the input's shape.
SAME_SHAPE: Final = (
    "RandomFlip", "RandomRotation", "RandomZoom", "RandomTranslation", "RandomContrast",
    "RandomBrightness", "RandomHue", "RandomSaturation", "RandomSharpness", "RandomShear", "RandomPerspective",
    "RandomPosterization",
    "RandomInvert", "RandomGrayscale", "RandomGaussianBlur", "RandomErasing", "RandomElasticTransform", "RandomColorJitter",
    "RandomColorDegeneration", "RandAugment", "AugMix", "AutoContrast", "Solarization", "Equalization",
    "ContrastLimitedAdaptiveHistogramEqualization",
)  # fmt: skip

#: Layers that bring numbers to another scale.
SCALING: Final = ("Rescaling", "Normalization")
#: Layers whose output has the declared height and width.
RESIZED: Final = ("Resizing", "CenterCrop", "RandomCrop")

ROWS: Final = (
    *(row(name, "identity") for name in SAME_SHAPE),
    *(row(name, "rescale") for name in SCALING),
    *(row(name, "resize_image") for name in RESIZED),
    row("TextVectorization", "text_vectors"),
    row("CategoryEncoding", "category_encoding", call="x, count_weights=None"),
    *(row(name, "lookup", {"num_bins": "tokens", "max_tokens": "tokens"}) for name in ("Discretization", "Hashing",
    "IntegerLookup",
                                                                                     "StringLookup")),
)  # fmt: skip
