"""Images have their channels where the data format says, which a file need not say itself."""

from __future__ import annotations

import itertools

import pytest

from tests.lower.tracing import values
from tests.rules.harness import findings


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


BLOCK = """
from keras import backend as K
from keras.layers import Conv2D, Input, MaxPooling2D, ZeroPadding2D, concatenate
{setting}

def block(x):
    one = Conv2D(8, (1, 1), data_format="channels_first")(x)
    other = MaxPooling2D(pool_size=3, strides=2, {named})(x)
    other = ZeroPadding2D(padding={padding}, {named})(other)
    return concatenate([one, other], axis=1)


def model(shape{default}):
    x = Input(shape)
    x = {first}(x)
    x = Conv2D(16, (3, 3), strides=(1, 1))(x)
    x = MaxPooling2D((2, 2))(x)
    return block(x)
"""
FIRST = ("ZeroPadding2D((3, 3))", "Conv2D(64, (7, 7), strides=(2, 2))", "MaxPooling2D(3, strides=2)")
NAMED = ("data_format='channels_first'", 'data_format = "channels_first"')


@pytest.mark.parametrize("default", ["", "=(3, 96, 96)"])
def test_layers_beside_those_with_channels_in_front_are_of_a_format_that_is_set_elsewhere(default: str) -> None:
    for first, named in itertools.product(FIRST, NAMED):
        text = BLOCK.format(first=first, named=named, default=default, setting="", padding="((3, 4), (3, 4))")
        assert not [found for found in findings(text) if found.code.startswith("DLT")], (first, named)


def test_a_format_that_the_file_sets_counts() -> None:
    text = BLOCK.format(
        first=FIRST[0],
        named=NAMED[0],
        default="=(3, 96, 96)",
        setting="K.set_image_data_format('channels_first')",
        padding="((3, 3), (3, 3))",
    )
    assert "DLT109" in {found.code for found in findings(text + "\n\nout = model((3, 96, 96))\n")}
