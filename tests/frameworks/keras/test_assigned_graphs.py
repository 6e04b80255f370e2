"""A model whose outputs or inputs were assigned computes something else than it was built for."""

from __future__ import annotations

from itertools import product

import pytest

from dllint.domains.lattice import Unknown

MODELS = {
    "functional": "Model(given, Dense(3, activation='softmax')(hidden))",
    "stack": "Sequential([given, Dense(7), Dense(3)])",
    "application": "keras.applications.VGG16(weights=None)",
}
ASSIGNED = ("model.outputs = [model.layers[1].output]", "model.outputs = hidden", "model.inputs = [given]")
USES = ("model(x)", "Model(x, model(x)).output", "Sequential([model])(x)")
TEXT = """
given = keras.Input((4,))
hidden = Dense(7)(given)
model = {model}
{assigned}
x = keras.Input((9,))
out = {use}
"""


@pytest.mark.parametrize(("model", "assigned", "use"), list(product(MODELS, ASSIGNED, USES)))
def test_nothing_is_claimed_of_it(model, assigned, use, trace, faults):
    text = TEXT.format(model=MODELS[model], assigned=assigned, use=use)
    assert faults(text) == []
    out = trace(text).module.attrs["out"]
    assert isinstance(out, Unknown) or isinstance(out.shape, Unknown)


@pytest.mark.parametrize("model", MODELS)
def test_without_an_assignment_it_is_checked(model, faults):
    assert faults(TEXT.format(model=MODELS[model], assigned="", use="model(x)"))
