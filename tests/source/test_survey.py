"""What a text tells of code that nobody executes."""

from __future__ import annotations

import itertools

import pytest

from dllint.source.survey import FOREIGN, Survey, foreign_frameworks

IMPORTS = {
    "torch": ("import torch", "torch.cat((x, y))"),
    "alias": ("import torch.nn.functional as F", "F.relu(x)"),
    "from": ("from torch import nn", "nn.functional.relu(x)"),
    "name": ("from torch.nn.functional import (\n    relu,\n    gelu,\n)", "gelu(x)"),
    "renamed": ("from torch import cat as join", "join((x, y))"),
    "keras": ("from keras import ops", "ops.matmul(x, y)"),
    "tensorflow": ("import tensorflow as tf", "tf.nn.softmax(x)"),
    "einops": ("from einops import rearrange", "rearrange(x, 'a b -> b a')"),
    "method": ("import torch", "x.view(3)"),
    "chain": ("import torch", "self.data.flatten(1)"),
}
#: Calls of these libraries that compute nothing.
OTHERS = (
    "torch.cuda.is_available()", "torch.nn.Linear(3, 4)", "torch.optim.Adam(p)", "torch.device('cpu')", "torch.save(x, 'f')",
    "tf.keras.layers.Dense(3)", "print(torch)", "mytorch.cat(x)", "x.torch.cat(y)",
)  # fmt: skip
PLACES = {
    "": "{call}\n",
    "f": "def f(x, y):\n    return {call}\n\n\nprint(1)\n",
    "g": "def f(x, y):\n    def g(x):\n        return {call}\n    return g\n",
    "Net.forward": "class Net(Base):\n    def forward(self, x, y):\n        return {call}\n\n    flag = 1\n",
    "Inner.step": "class Outer:\n    class Inner:\n        async def step(self, x):\n            return {call}\n",
    "h": "def h(x): return {call}\nprint(2)\n",
    "Net.call": (
        "if True:\n    class Net(Base):\n        def call(self, x):\n            if x:\n                y = [\n"
        "                    {call},\n                ]\n"
    ),
}


@pytest.mark.parametrize(("kind", "function"), list(itertools.product(IMPORTS, PLACES)))
def test_calls_count_for_their_function(kind, function):
    head, call = IMPORTS[kind]
    assert Survey(f"{head}\n\n{PLACES[function].format(call=call)}").calls == {function: 1}


@pytest.mark.parametrize("call", OTHERS)
def test_what_computes_nothing_does_not_count(call):
    assert Survey(f"import torch\nimport tensorflow as tf\n{call}\n").calls.total() == 0


@pytest.mark.parametrize("quoting", ['"""{}"""', "'''\n{}\n'''", "# {}", 'x = """\n{}\n"""', '"""a # \'\'\' b"""\n# {}'])
def test_what_is_quoted_does_not_count(quoting):
    survey = Survey("import torch\n" + quoting.format("def f(x): return torch.relu(x)") + "\nimport flax\n")
    assert survey.calls.total() == 0
    assert survey.foreign == {"flax"}


def test_parts_of_an_object_are_applied_and_its_methods_are_not():
    methods = "    def forward(self, x):\n        self.log(1)\n        return self.fc(x)\n"
    text = f"import torch\nclass Net(Base):\n    def __init__(self):\n        self.fc: Layer = make()\n{methods}"
    assert Survey(text).calls == {"Net.forward": 1}


def test_models_have_bases_and_a_step():
    text = (
        "class A(nn.Module):\n    def forward(self, x): return x\n\n\nclass B(Layer):\n    def call(self, x):\n"
        "        return x\n\n\nclass C:\n    def forward(self, x):\n        return x\n\n\nclass D(Base):\n"
        "    def run(self):\n        pass\n"
    )
    assert Survey(text).models == {"A", "B"}


@pytest.mark.parametrize("name", sorted(FOREIGN))
@pytest.mark.parametrize(
    "line", ["import {}", "import {}.numpy as np", "from {} import a", "from {}.b import c", "import os, {}", "  import {}"]
)
def test_frameworks_that_are_not_known(name, line):
    text = f"import torch\n{line.format(name)}\n"
    assert Survey(text).foreign == {name}
    assert foreign_frameworks(text) == {name}


NO_IMPORTS = ("import jaxlib_of_mine", "# import jax", "x = 'import jax'", "from .jax import a", "important jax")


@pytest.mark.parametrize("text", NO_IMPORTS)
def test_and_what_is_none(text):
    assert foreign_frameworks(text + "\n") == set()


@pytest.mark.parametrize("alias", ["t)", "t(", "t[", "*", "t +", "?", "\\"])
def test_an_alias_that_is_no_name_binds_nothing(alias):
    imports = f"import torch as {alias}\nfrom torch.nn.functional import relu as {alias}\nimport numpy as np\n"
    text = f"{imports}\ndef f(x):\n    return np.sum(x)\n"
    assert Survey(text).calls["f"] <= 1
    assert Survey(text).models == frozenset()
