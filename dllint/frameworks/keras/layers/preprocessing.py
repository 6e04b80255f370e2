"""Preprocessing layers: those that keep the shape, those that resize, and those that make vectors of text and categories."""

from __future__ import annotations

from typing import Final

from dllint.frameworks.keras.layers.row import row

#: Layers that change images without changing their shape, and compute in floating point whatever they are given.
AUGMENTING: Final = (
    "RandomFlip", "RandomRotation", "RandomZoom", "RandomTranslation", "RandomHue", "RandomSharpness", "RandomShear",
    "RandomPerspective", "RandomPosterization", "RandomInvert", "RandomGaussianBlur", "RandomErasing", "RandomElasticTransform",
    "RandomColorJitter", "RandAugment", "AugMix", "AutoContrast", "Solarization",
)  # fmt: skip
#: The same that give integers back as integers or refuse them, depending on whether the images are symbolic.
PARTLY_AUGMENTING: Final = (
    "RandomContrast", "RandomBrightness", "RandomSaturation", "RandomColorDegeneration", "Equalization",
    "ContrastLimitedAdaptiveHistogramEqualization",
)  # fmt: skip

#: Layers that bring numbers to another scale.
SCALING: Final = ("Rescaling", "Normalization")
#: Layers whose output has the declared height and width.
CROPPED: Final = ("CenterCrop", "RandomCrop")

ROWS: Final = (
    *(row(name, "augment") for name in AUGMENTING),
    *(row(name, "augment", const={"integers": "unknown"}) for name in PARTLY_AUGMENTING),
    row("RandomGrayscale", "augment", const={"integers": "kept"}),
    *(row(name, "rescale") for name in SCALING),
    row("Resizing", "resize_image"),
    *(row(name, "resize_image", const={"computes": True}) for name in CROPPED),
    row("TextVectorization", "text_vectors"),
    row("CategoryEncoding", "category_encoding", call="x, count_weights=None"),
    *(row(name, "lookup", {"num_bins": "tokens", "max_tokens": "tokens"}) for name in ("Discretization", "Hashing",
    "IntegerLookup",
                                                                                     "StringLookup")),
)  # fmt: skip
#: The names of the layers that can be called with numbers, as ``tf.data`` may do.
TAKING_NUMBERS: Final = frozenset(row.name for row in ROWS)
