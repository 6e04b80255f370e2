"""Objects that a call got which is not followed, or that a library wraps, may have attributes that no table names."""

from __future__ import annotations

from itertools import product

import pytest

from dllint.domains.lattice import Unknown
from tests.lower.tracing import values

HEAD = """\
import foreign
import torch
from foreign import prepare
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 3)


class Plain:
    pass


"""
OBJECTS = ("Net()", "Plain()", "nn.Linear(2, 3)", "nn.Conv2d(3, 4, 3)", "nn.Sequential(nn.ReLU())")
HANDINGS = (
    "prepare(x)", "foreign.wrap(model=x)", "foreign.Trainer(x)", "foreign.quantize.fuse(x, inplace=True)",
    "y = foreign.first(foreign.second(x))",
)  # fmt: skip
WRAPPERS = ("torch.jit.script(x)", "nn.DataParallel(x)", "torch.compile(x)", "nn.utils.parametrizations.weight_norm(x)")
ASKED = ("y = hasattr(x, 'scale')", "y = x.scale", "try:\n    y = x.scale\nexcept AttributeError:\n    y = None")


@pytest.mark.parametrize(("made", "handing", "asked"), list(product(OBJECTS, HANDINGS, ASKED)))
def test_objects_that_unknown_code_got(made, handing, asked):
    assert values(f"{HEAD}x = {made}\n{handing}\n{asked}\n")["y"] not in (None, False)


@pytest.mark.parametrize(("made", "wrapper", "asked"), list(product(("Net()", "nn.Linear(2, 3)"), WRAPPERS, ASKED)))
def test_objects_that_torch_wraps(made, wrapper, asked):
    assert values(f"{HEAD}x = {made}\nx = {wrapper}\n{asked}\n")["y"] not in (None, False)


@pytest.mark.parametrize("made", OBJECTS)
def test_other_objects_lack_what_nobody_gave_them(made):
    assert values(f"{HEAD}x = {made}\ny = hasattr(x, 'scale')\n")["y"] is False


#: Constructions of modules that no row describes, with an attribute that they have.
UNDESCRIBED = {
    "nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2), 2)": "layers",
    "nn.TransformerDecoder(nn.TransformerDecoderLayer(4, 2), 2)": "num_layers",
    "nn.Transformer(4, 2, 1, 1, 8)": "d_model",
    "nn.AdaptiveLogSoftmaxWithLoss(8, 10, [4])": "head",
    "nn.ParameterList([torch.zeros(2)])": "extend",
}


@pytest.mark.oracle
@pytest.mark.parametrize("made", UNDESCRIBED)
def test_modules_without_a_row(made):
    space: dict[str, object] = {}
    exec(f"{HEAD.replace('import foreign', '').replace('from foreign import prepare', '')}x = {made}\n", space)
    assert hasattr(space["x"], UNDESCRIBED[made])
    found = values(f"{HEAD}x = {made}\ntry:\n    y = x.{UNDESCRIBED[made]}\nexcept AttributeError:\n    y = None\n")
    assert found["y"] is not None


@pytest.mark.parametrize("name", [name for name in dir(None) if name.startswith("__")])
def test_what_none_has(name):
    assert values(f"try:\n    y = None.{name}\nexcept AttributeError:\n    y = 'raised'\n")["y"] != "raised"


#: Operations that Python performs, though they look as if it raised.
RUNNING = (
    "y = Counter('abca'); del y['z']", "y = Counter({'a': [1]})", "y = Counter({1: 'x'})", "y = (1, 2) + np.int64(3)",
    "y = [1, 2] + np.float32(3)", "y = np.float32(2) / 0", "y = np.float64(2) % 0", "y = b'abc' * np.int64(3)",
    "y = np.int64(3) - (1, 2)", "y = [3] * np.int64(2)",
)  # fmt: skip


@pytest.mark.parametrize("line", RUNNING)
def test_what_runs_raises_nothing(line):
    text = f"from collections import Counter\nimport numpy as np\ntry:\n    {line}\n    z = 1\nexcept Exception:\n    z = 2\n"
    space: dict[str, object] = {}
    exec(text, space)
    assert space["z"] == 1
    assert isinstance(found := values(text)["z"], Unknown) or found != 2
