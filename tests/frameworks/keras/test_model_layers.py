"""``model.layers`` of functional models: as many as Keras has, in its order where layers follow one another."""

from __future__ import annotations

import pytest

from dllint.domains.lattice import Unknown
from dllint.ir.values import InstanceVal

CHAINS = {
    "dense": "i = Input((3, 4))\nm = Model(i, Dense(2)(Flatten()(i)))\n",
    "named": "i = Input((8,), name='given')\nx = Dense(5)(i)\nx = Dropout(0.1)(x)\nm = Model(inputs=i, outputs=Dense(2)(x))\n",
    "helper": "def f(x, n):\n    return Activation('relu')(Dense(n)(x))\ni = Input((8,))\nm = Model(i, f(f(i, 5), 2))\n",
    "images": "i = Input((8, 8, 3))\nm = Model([i], Flatten()(MaxPooling2D()(Conv2D(4, 3)(i))))\n",
}
BRANCHED = {
    "two outputs": "i = Input((8,))\nx = Dense(5)(i)\nm = Model(i, [Dense(2)(x), Dense(3)(x)])\n",
    "two inputs": "a, b = Input((8,)), Input((8,))\nm = Model([a, b], Dense(2)(concatenate([a, Dense(5)(b)])))\n",
    "a shortcut": "i = Input((8,))\nx = Dense(8)(i)\nm = Model(i, Dense(2)(Add()([x, i])))\n",
    "two ends": "i = Input((8,))\nx = Dense(5)(i)\ny = Dense(2)(BatchNormalization()(x))\nm = Model(i, [y, Dense(3)(x)])\n",
    "unknown parts": "from somewhere import sampler\ni = Input((8,))\nx = sampler(i)\nm = Model(i, [Dense(2)(x), x])\n",
}


def class_names(text: str) -> list[str]:
    from tests.frameworks.keras.conftest import PRELUDE

    names: dict = {}
    exec(PRELUDE + text, names)
    return [type(layer).__name__ for layer in names["m"].layers]


def cls_name(layer) -> str:
    return layer.cls.name.rpartition(".")[2]


@pytest.mark.parametrize("text", CHAINS.values(), ids=CHAINS.keys())
def test_a_chain_has_the_layers_of_keras(text, trace):
    expected = class_names(text)
    attrs = trace(text + f"out = m.layers\nlast = m.layers[-1]\nnone = m.layers[{len(expected) - 1}]\n").module.attrs
    assert [cls_name(layer) for layer in attrs["out"].items] == expected
    assert attrs["out"].rest is None
    assert cls_name(attrs["last"]) == cls_name(attrs["none"]) == expected[-1]


@pytest.mark.parametrize("text", BRANCHED.values(), ids=BRANCHED.keys())
@pytest.mark.parametrize("index", [-1, -2, 4, 9])
def test_layers_of_a_graph_have_no_known_place(text, index, trace, faults):
    attrs = trace(text + f"found = m.layers[{index}]\n").module.attrs
    assert isinstance(attrs["found"], (Unknown, InstanceVal))
    later = f"m.layers[{index}].name = 'renamed'\nout = Dense(4)(Reshape((3, 3))(Input((8,))))\n"
    assert ("reshape", "reshape-size") in faults(text + later)


@pytest.mark.parametrize("text", [text for text in BRANCHED.values() if "somewhere" not in text])
def test_what_is_known_of_a_place_in_a_graph_is_what_keras_has_there(text, trace):
    for index, name in enumerate(class_names(text)):
        found = trace(text + f"found = m.layers[{index}]\n").module.attrs["found"]
        assert isinstance(found, Unknown) or cls_name(found) == name


@pytest.mark.parametrize("text", CHAINS.values(), ids=CHAINS.keys())
def test_code_behind_the_last_layer_is_checked(text, faults):
    count = len(class_names(text))
    later = f"m.layers[{count - 1}].name = 'renamed'\nout = Dense(4)(Reshape((3, 3))(Input((8,))))\n"
    assert ("reshape", "reshape-size") in faults(text + later)
