"""Layers for images, on integers and on fractions: what is said of the result is what a run gives."""

from __future__ import annotations

import pytest

from benchmarks.differential.claims import claims
from benchmarks.differential.comparing import compared
from benchmarks.differential.running import run

pytest.importorskip("keras")
pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore")]

LAYERS = (
    "RandomFlip()", "RandomRotation(0.2)", "RandomZoom(0.2)", "RandomTranslation(0.2, 0.2)", "RandomContrast(0.2)",
    "RandomBrightness(0.2)", "RandomHue(0.2)", "RandomSaturation(0.2)", "RandomSharpness(0.2)", "RandomShear(0.2, 0.2)",
    "RandomPerspective()", "RandomPosterization(4)", "RandomInvert()", "RandomGrayscale()", "RandomGaussianBlur()",
    "RandomErasing()", "RandomElasticTransform()", "RandomColorJitter()", "RandAugment()", "AugMix()", "AutoContrast()",
    "Solarization()", "Equalization()", "Rescaling(0.5)", "Rescaling(2, offset=-1)", "Resizing(3, 5)", "CenterCrop(3, 4)",
    "CenterCrop(6, 8)", "RandomCrop(3, 4)", "MaxPooling2D()", "ZeroPadding2D()", "ReLU()",
    "Activation('relu')", "UpSampling2D()",
    "LeakyReLU()", "Flatten()", "Permute((2, 1, 3))", "Identity()", "GlobalMaxPooling2D()", "LayerNormalization()",
)  # fmt: skip
GIVEN = ("keras.ops.cast(pixels, '{}')", "pixels.astype('{}')", "keras.Input((4, 6, 3), dtype='{}')")


@pytest.mark.sampled(every=3)
@pytest.mark.parametrize("layer", LAYERS)
def test_an_image_layer(layer: str) -> None:
    for given in GIVEN:
        for dtype in ("uint8", "bool", "float16"):
            text = (
                "import keras\nimport numpy as np\nkeras.utils.set_random_seed(1)\n"
                "pixels = (np.arange(144) % 200).reshape(2, 4, 6, 3)\n"
                f"x = {given.format(dtype)}\ny = keras.layers.{layer}(x)\n"
            )
            verdict = compared(claims(text), run(text))
            assert not [*verdict.wrong, *verdict.false_errors], text
