"""The element type that a model computes with is the declared one, whatever is given."""

from __future__ import annotations

from itertools import product

import pytest

from tests.frameworks.keras.conftest import PRELUDE

MODELS = {
    "sequential": "Sequential([keras.Input((5,), dtype={declared}), Lambda(look)])",
    "sequential with a layer for its input": "Sequential([InputLayer(shape=(5,), dtype={declared}), Lambda(look)])",
    "sequential that grows": """Sequential()
model.add(keras.Input((5,), dtype={declared}))
model.add(Lambda(look))""",
    "functional": """keras.Input((5,), dtype={declared})
model = Model(model, Lambda(look)(model))""",
}
TYPES = ("'int32'", "'float32'", "'uint8'", "'bool'", "None")
GIVEN = ("int16", "int64", "uint8", "bool", "float32")
TEXT = """
seen = []
def look(x):
    seen.append(x + x)
    return x
model = {model}
model(np.ones((4, 5), np.{given}))
out = seen[-1]
"""


def text(model: str, declared: str, given: str) -> str:
    return TEXT.format(model=MODELS[model].format(declared=declared), given=given)


@pytest.mark.oracle
@pytest.mark.parametrize(("model", "declared", "given"), list(product(MODELS, TYPES, GIVEN)))
def test_whole_numbers_become_the_declared_type(model, declared, given, trace):
    keras = pytest.importorskip("keras")
    source, names = text(model, declared, given), dict[str, object]()
    lowered = trace(source)
    exec(compile(PRELUDE + source, "program.py", "exec"), names)
    assert lowered.module.attrs["out"].dtype.name == keras.backend.standardize_dtype(names["out"].dtype)
