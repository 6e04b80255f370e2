"""Images of data sets have their channels where the data format says when they are loaded."""

from __future__ import annotations

import pytest

from tests.lower.tracing import values


@pytest.mark.parametrize("name", ["cifar10", "cifar100"])
@pytest.mark.parametrize(("setting", "shape"), [
    ("", (50000, 32, 32, 3)), ("K.set_image_dim_ordering('th')", (50000, 3, 32, 32)),
    ("K.set_image_data_format('channels_first')", (50000, 3, 32, 32)),
    ("K.set_image_data_format('channels_last')", (50000, 32, 32, 3)),
])  # fmt: skip
def test_channels(name: str, setting: str, shape: tuple[int, ...]) -> None:
    text = f"from keras import backend as K\nfrom keras.datasets import {name}\n{setting}\n(x, y), _ = {name}.load_data()\n"
    assert values(text)["x"].shape == shape


@pytest.mark.parametrize("name", ["mnist", "fashion_mnist"])
def test_images_without_channels_stay(name: str) -> None:
    text = "from keras import backend as K\nfrom keras.datasets import {0}\n"
    text += "K.set_image_data_format('channels_first')\n(x, y), _ = {0}.load_data()\n"
    assert values(text.format(name))["x"].shape == (60000, 28, 28)
