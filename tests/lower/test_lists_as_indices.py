"""A list between brackets indexes as an array, or as a tuple of its items would: what a library takes it for."""

from __future__ import annotations

from pathlib import Path

import pytest

from dllint.domains.lattice import Unknown
from dllint.ir.program import TensorVal
from dllint.lower.document import lower_document
from dllint.source.document import Document

pytestmark = pytest.mark.oracle

MADE = {
    "torch": "import torch\nx = torch.zeros(6, 4)\nrow = torch.zeros(6)\nmask = row == 0\npair = torch.tensor([0, 1])\n",
    "tensorflow": "import tensorflow as tf\nx = tf.zeros((6, 4))\nrow = tf.zeros((6,))\none = tf.constant(0)\n",
    "numpy": "import numpy as np\nx = np.zeros((6, 4))\nrow = np.zeros(6)\nmask = row == 0\npair = np.array([0, 1])\n",
}
INDICES = {
    "torch": (
        "row[[mask]]", "x[[mask]]", "x[[mask, 0]]", "x[[pair, pair]]", "x[[pair]]", "x[[0, 1]]", "x[[slice(0, 3)]]",
        "x[[None]]", "x[[...]]", "x[[[0, 1], [1, 2]]]", "x[[(0, 1), (1, 2)]]", "x[[0, pair]]", "x[[0] * 40]",
        "x[[pair[0]] * 40]", "x[[0, 1], 0]",
    ),
    "tensorflow": ("x[[0, 1]]", "x[[0]]", "row[[3]]", "x[[slice(0, 3)]]", "x[[one]]", "x[[0, slice(1, 3)]]"),
    "numpy": ("x[[0, 1]]", "x[[pair, pair]]", "x[[0, 1], 0]", "row[[0, 1, 2]]"),
}  # fmt: skip
FORMS = {
    "written": "found = {tensor}[{index}]\n",
    "named": "chosen = {index}\nfound = {tensor}[chosen]\n",
    "helper": "def take(given, chosen):\n    return given[chosen]\n\n\nfound = take({tensor}, ({index}))\n",
    "grown": "chosen = []\nchosen.extend({index})\nfound = {tensor}[chosen]\n",
}
CASES = [(library, form, index) for library in MADE for form in FORMS for index in INDICES[library]]


def program(library: str, form: str, index: str) -> str:
    tensor, _, rest = index.partition("[")
    inner = rest[:-1]
    if form == "grown" and (not inner.startswith("[") or not inner.endswith("]")):
        return MADE[library] + f"found = {index}\n"  # two items between the brackets
    return MADE[library] + FORMS[form].format(tensor=tensor, index=inner)


def claimed(text: str) -> TensorVal:
    (*_, last) = (lowered.ops[-1] for lowered in lower_document(Document.from_text(Path("program.py"), text)).programs)
    return last.output


@pytest.mark.sampled(every=3)
@pytest.mark.parametrize(("library", "form", "index"), CASES)
def test_the_shape_is_that_of_a_run(library: str, form: str, index: str) -> None:
    pytest.importorskip(library)
    text, names = program(library, form, index), dict[str, object]()
    exec(compile(text, "program.py", "exec"), names)
    real = tuple(names["found"].shape)
    shape = claimed(text).shape
    assert len(shape) == len(real), text
    assert all(size == actual for size, actual in zip(shape, real, strict=True) if isinstance(size, int)), text


@pytest.mark.parametrize("index", ["x[[given]]", "x[[0, given]]", "x[[*given]]", "x[[0, *given]]"])
@pytest.mark.parametrize("library", ["torch"])
def test_of_a_list_with_items_that_are_not_known_nothing_is_claimed(library: str, index: str) -> None:
    text = "from elsewhere import given\n" + MADE[library] + f"found = {index}\n"
    assert isinstance(claimed(text).shape, Unknown), text
