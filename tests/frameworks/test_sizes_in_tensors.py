"""Sizes that stand in arrays have a rank; grids of vectors; metrics of the user's own are measured where a model is fitted."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from dllint.domains.lattice import Unknown
from dllint.domains.shape import shape_known
from tests.frameworks.test_files_of_arrays import attributes

HEAD = (
    "import numpy as np\nimport torch\nrng = np.random.default_rng(0)\nlengths = rng.integers(1, 9, size=20)\nn = lengths[3]\n"
)
#: What is made with a size that stands in an array, and its rank.
MADE = {
    "np.zeros(n)": 1, "np.ones((n, 3))": 2, "np.zeros((2, n, n))": 3, "np.full(n, 1.0)": 1, "rng.integers(1, 5, size=n)": 1,
    "rng.integers(1, 5, n)": 1, "rng.normal(size=(n, 4))": 2, "np.random.randint(0, 9, n)": 1, "np.random.randn(n, 2)": 2,
    "np.empty(lengths[:3])": 3, "torch.zeros(torch.from_numpy(lengths)[0])": 1, "torch.zeros(int(n), 4)": 2,
    "np.zeros((3, 9))[1, :n]": 1,
    "np.zeros((9, 3))[n:]": 2, "torch.zeros(9, 3)[: torch.from_numpy(lengths)[2]]": 2,
}  # fmt: skip


@pytest.mark.parametrize("made", MADE)
def test_what_is_made_with_such_a_size_has_a_rank(made, tmp_path):
    found = attributes(tmp_path, f"{HEAD}x = {made}\nm = x.shape[0]\n")["x"]
    assert not isinstance(found.type.shape, Unknown)
    assert len(found.type.shape) == MADE[made]
    if "int(" not in made:
        assert shape_known(found.type.shape)


def test_two_of_them_are_not_taken_for_equal_or_different(tmp_path):
    found = attributes(
        tmp_path, f"{HEAD}a = np.zeros((n, 3))\nb = np.zeros((lengths[4], 3))\nsame = a.shape == b.shape\nc = a + b\n"
    )
    assert found["same"] not in (True, False)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("indexing", ["", ", indexing='ij'", ", indexing='xy'"])
def test_grids(seed, indexing, tmp_path):
    random = Random(seed)
    vectors = [f"np.arange({random.randrange(2, 7)})" for _ in range(random.randrange(1, 4))]
    source = f"import numpy as np\ngrids = np.meshgrid({', '.join(vectors)}{indexing})\nx = np.stack(grids, axis=-1)\n"
    names: dict[str, object] = {"np": np}
    exec(source, names)
    assert attributes(tmp_path, source)["x"].type.shape == names["x"].shape


METRIC = """import keras
import numpy as np
from keras import backend as K, layers

def measured(a, b):
    product = a * b
    global seen
    seen = product
    return K.sum(K.clip(product, 0, 1)) / (K.sum(a) + K.epsilon())

model = keras.Sequential([keras.Input((8,)), layers.Dense(3, activation="softmax")])
model.compile(loss="categorical_crossentropy", metrics=[{metrics}])
model.fit(np.zeros((10, 8), "float32"), np.zeros((10, 3), {kind!r}))
"""


@pytest.mark.parametrize("kind", ["float32", "int64"])
@pytest.mark.parametrize("metrics", ["measured", "'accuracy', measured"])
def test_metrics_are_measured(metrics, kind, tmp_path):
    found = attributes(tmp_path, METRIC.replace("{metrics}", metrics).replace("{kind!r}", repr(kind)))
    assert found["seen"].type.shape[-1] == 3
