"""A functional model with a declared batch size computes data of any number of samples, as Keras does."""

from __future__ import annotations

import pytest

from tests.frameworks.keras.conftest import PRELUDE, shapes_of

INPUTS = {
    "keyword": "i = Input((8, 8, 3), batch_size=5)\n",
    "whole shape": "i = Input(batch_shape=(5, 8, 8, 3))\n",
}
GRAPHS = {
    "reshaped": "m = Model(i, Dense(2)(Reshape((-1, 6))(i)))\n",
    "flattened": "m = Model(i, Dense(2)(Flatten()(Conv2D(4, 3)(i))))\n",
    "two outputs": "h = Reshape((16, -1))(i)\nm = Model(i, [h, GRU(3)(h)])\n",
    "a helper": "def f(x):\n    return Reshape((4, -1))(Conv2D(4, 1)(x))\nm = Model(inputs=i, outputs=f(i))\n",
}
CALLS = {
    "predict": "out = m.predict(np.zeros((9, 8, 8, 3)), verbose=0)\n",
    "predict in batches": "out = m.predict(np.zeros((9, 8, 8, 3)), batch_size=3, verbose=0)\n",
    "declared": "out = m.predict(np.zeros((5, 8, 8, 3)), verbose=0)\n",
    "called": "out = m(np.zeros((7, 8, 8, 3), 'float32'))\n",
}


@pytest.mark.oracle
@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
@pytest.mark.parametrize("graph", GRAPHS.values(), ids=GRAPHS)
@pytest.mark.parametrize("given", INPUTS.values(), ids=INPUTS)
def test_outputs_are_those_of_keras(given, graph, call, trace):
    names: dict = {}
    exec(PRELUDE + given + graph + call, names)
    real = names["out"] if isinstance(names["out"], list) else [names["out"]]
    lowered = trace(given + graph + call)
    assert [fault for program in lowered.programs for op in program.ops for fault in op.faults] == []
    out = lowered.module.attrs["out"]
    inferred = shapes_of(out) if len(real) > 1 else [shapes_of(out)]
    assert [tuple(shape) for shape in inferred] == [tuple(value.shape) for value in real]


def test_data_that_do_not_fit_are_still_told(trace):
    text = INPUTS["keyword"] + GRAPHS["reshaped"] + "out = m.predict(np.zeros((9, 8, 9, 3)))\n"
    assert [op.kind for program in trace(text).programs for op in program.ops if op.faults] == ["model_input"]
