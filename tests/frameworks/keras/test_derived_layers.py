"""A class derived from any layer of the library does what its own ``call`` says, however its base would be called."""

from __future__ import annotations

import itertools

import pytest

from dllint.frameworks.keras.layers.rows import LAYERS
from dllint.frameworks.keras.protocols.layer import SPECIAL
from dllint.frameworks.keras.protocols.wrappers import WRAPPERS

#: What the constructors of some layers need.
ARGUMENTS = {
    **dict.fromkeys(("TimeDistributed", "SpectralNormalization", "Wrapper"), "Dense(3)"),
    "Bidirectional": "LSTM(3)",
    "RNN": "LSTMCell(3)",
    "Lambda": "lambda x: x",
    "Dot": "1",
    "MultiHeadAttention": "2, 3",
    "GroupQueryAttention": "3, 2, 1",
    "Dense": "3",
    "LSTM": "3",
    "Embedding": "9, 3",
}
BASES = sorted({*WRAPPERS, *(name.rpartition(".")[2] for name in SPECIAL), "Dense", "LSTM", "Embedding", "Dropout"})
#: The body of ``call``, and the shape that it makes of (B, 8, 5).
BODIES = {
    "return ops.concatenate([inputs, inputs], axis=-1)": (None, 8, 10),
    "return inputs[:, 0]": (None, 5),
    "return ops.matmul(inputs, self.kept)": (None, 8, 7),
}
CLASS = """
class Own({base}):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.kept = ops.ones((5, 7))

    def call(self, inputs, **kwargs):
        {body}

class Derived(Own):
    pass

out = {name}({arguments})(Input((8, 5)))
"""


@pytest.mark.parametrize("base", BASES)
def test_its_own_call_is_what_it_does(base, inferred):
    for body, name in itertools.product(BODIES, ("Own", "Derived")):
        text = CLASS.format(base=base, body=body, name=name, arguments=ARGUMENTS.get(base, ""))
        assert inferred(text) == BODIES[body], (body, name)


def test_bases_are_layers_of_the_library():
    assert {f"keras.layers.{name}" for name in BASES} <= {*LAYERS, *(f"keras.layers.{name}" for name in WRAPPERS)}
