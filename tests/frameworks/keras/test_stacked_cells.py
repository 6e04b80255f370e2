"""``RNN`` over a list of cells returns one state for each of them, whatever a cell keeps."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from tests.lower.tracing import lower, values

CELLS = ("[layers.LSTMCell(4)]", "[layers.GRUCell(4), layers.GRUCell(6)]", "[layers.LSTMCell(4), layers.LSTMCell(6)]")
FLAGS = ("return_state=True", "return_state=True, return_sequences=True")


@pytest.mark.oracle
@pytest.mark.parametrize(("cells", "flags"), list(itertools.product(CELLS, FLAGS)))
def test_there_are_as_many_states_as_in_keras(cells: str, flags: str) -> None:
    pytest.importorskip("keras")
    source = f"import numpy as np\nfrom keras import layers\nout = layers.RNN({cells}, {flags})(np.zeros((2, 5, 3)))\n"
    names: dict[str, Any] = {}
    exec(source, names)
    out = values(source)["out"]
    assert len(out) == len(names["out"])
    assert out[0].shape == tuple(names["out"][0].shape)


@pytest.mark.parametrize("unpacked", ["out, state", "out, (h, c)"])
def test_the_states_of_one_cell_are_unpacked_together(unpacked: str) -> None:
    source = (
        f"from keras import Input, layers\n{unpacked} = layers.RNN([layers.LSTMCell(4)], return_state=True)(Input((5, 3)))\n"
    )
    assert [op for program in lower(source).programs for op in program.ops if op.faults] == []
