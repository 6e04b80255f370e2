"""Keras 2 convolved inputs with further axes in front of their images; Keras 3 refuses them."""

from __future__ import annotations

import pytest

from tests.rules.harness import findings

LAYERS = {"Conv1D(8, 3)": 3, "Conv2D(8, 3, padding='same')": 4, "Conv2D(filters=8, kernel_size=(3, 3), strides=2)": 4}
OTHERS = ("Conv2DTranspose(8, 3)", "MaxPooling2D()", "SeparableConv2D(8, 3)")


def _told(layer: str, axes: int, today: bool = False) -> set[str]:
    shape = (5, 9, 16, 16, 3)[5 - axes + 1 :]
    source = f"from keras import Input, layers\nx = Input({shape})\ny = layers.{layer}(x)\n"
    return {finding.severity.value for finding in findings(source, today) if finding.code == "DLT102"}


@pytest.mark.oracle
@pytest.mark.parametrize("layer", LAYERS)
def test_one_axis_more_is_one_of_old_releases(layer: str) -> None:
    keras = pytest.importorskip("keras")
    with pytest.raises(Exception, match=r"Kernel shape|expected"):
        eval(f"keras.layers.{layer}(keras.Input((5, 9, 16, 16, 3)[-LAYERS[{layer!r}] :]))", {"keras": keras, "LAYERS": LAYERS})
    assert _told(layer, LAYERS[layer] + 1) == {"info"}
    assert _told(layer, LAYERS[layer] + 1, today=True) == {"warning"}


@pytest.mark.parametrize("layer", LAYERS)
def test_one_axis_less_never_worked(layer: str) -> None:
    assert _told(layer, LAYERS[layer] - 1) == {"warning"}


@pytest.mark.parametrize("layer", OTHERS)
def test_other_layers_never_took_more(layer: str) -> None:
    assert _told(layer, 5) == {"warning"}
