"""DLA110 on attributes of objects: slips in names that the objects have, wherever the object comes from."""

from __future__ import annotations

import pytest

from dllint.config.discovery import Configuration
from dllint.engine.session import Session
from tests.rules import training_variants

SESSION = Session(Configuration(isolated=True, overrides={"select": ("DLA110",)}))
HEAD = """import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(4, 2)

    def forward(self, x):
        return self.inner(x)


def same(value):
    return value


net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.StepLR(torch.optim.SGD(net.parameters(), lr=0.1), 3)
x = torch.randn(3, 4)
"""


def codes(text: str) -> list[str]:
    """The codes of what is reported for a text."""
    return training_variants.codes(text, SESSION)


SLIPS = [
    ("net", "trian()"), ("net", "evla()"), ("net", "paramters()"), ("net", "state_dic()"), ("net", "iner"),
    ("net.inner", "in_feature"), ("optimizer", "zero_gard()"), ("optimizer", "stepp()"),
    ("scheduler", "get_last_lrr()"), ("x", "reshpe(4, 3)"), ("net(x)", "sofmax(dim=1)"), ("(x * 2)", "unsqeeze(0)"),
    ("x.exp()", "contigous()"),
]  # fmt: skip
RIGHT = [
    ("net", "train()"), ("net", "inner"), ("net", "training"), ("net.inner", "weight"), ("net.inner", "in_features"),
    ("optimizer", "zero_grad()"), ("optimizer", "param_groups"), ("optimizer", "state"), ("scheduler", "last_epoch"),
    ("x", "softmax(1)"), ("net(x)", "grad_fn"), ("x", "is_leaf"),
]  # fmt: skip
PLACES = ["{0}.{1}", "same({0}).{1}", "for number in range(3):\n    value = {0}.{1}", "held = [{0}]\nheld[0].{1}"]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.sampled(every=3)
@pytest.mark.parametrize(("receiver", "slip"), SLIPS)
def test_slips_are_told(receiver, slip, place):
    assert "DLA110" in codes(HEAD + place.format(receiver, slip) + "\n")


@pytest.mark.sampled(every=6)
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(("receiver", "name"), RIGHT)
def test_names_that_objects_have_are_not(receiver, name, place):
    assert "DLA110" not in codes(HEAD + place.format(receiver, name) + "\n")


@pytest.mark.parametrize(
    "before",
    [
        "net.trian = net.train",
        "setattr(net, 'trian', net.train)",
        "torch.nn.Module.trian = torch.nn.Module.train",
        "for name in names: setattr(net, name, 1)",
        "net = unknown(net)",
        "class Other(Net):\n    def trian(self): pass\nnet = Other()",
        "class Other(Net):\n    def __getattr__(self, name): return print\nnet = Other()",
    ],
)
def test_attributes_that_are_set_are_not_misspelt(before):
    assert "DLA110" not in codes(f"{HEAD}{before}\nnet.trian()\n")


@pytest.mark.parametrize(
    "use",
    [
        "if hasattr(net, 'trian'):\n    net.trian()",
        "try:\n    net.trian()\nexcept AttributeError:\n    pass",
        "getattr(net, 'trian', None)",
        "def f(model):\n    model.trian()",
    ],
)
def test_uses_that_are_guarded_or_of_unknown_objects(use):
    assert "DLA110" not in codes(f"{HEAD}{use}\n")


OBJECTS = {
    "nn.MultiheadAttention(4, 2)": "nn.MultiheadAttention(4, 2)",
    "nn.TransformerEncoder": "nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2), 2)",
    "nn.LSTM": "nn.LSTM(4, 4, 2)",
    "nn.BatchNorm2d": "nn.BatchNorm2d(4)",
    "nn.Sequential": "nn.Sequential(nn.Linear(4, 4))",
    "nn.EmbeddingBag": "nn.EmbeddingBag(4, 4)",
    "LBFGS": "torch.optim.LBFGS(p)",
    "LambdaLR": "torch.optim.lr_scheduler.LambdaLR(o, lambda e: 1.0)",
    "ReduceLROnPlateau": "torch.optim.lr_scheduler.ReduceLROnPlateau(o)",
    "CyclicLR": "torch.optim.lr_scheduler.CyclicLR(o, 0.1, 0.2)",
    "OneCycleLR": "torch.optim.lr_scheduler.OneCycleLR(o, 0.1, total_steps=10)",
    "Tensor": "torch.randn(2, 3)",
}


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("made", OBJECTS.values(), ids=OBJECTS)
def test_no_attribute_of_an_object_of_today_is_misspelt(made):
    torch = pytest.importorskip("torch")
    p = [torch.zeros(3, requires_grad=True)]
    o = torch.optim.SGD(p, lr=0.1, momentum=0.9)
    names = [name for name in dir(eval(made, {"torch": torch, "nn": torch.nn, "p": p, "o": o})) if name[0] != "_"]
    setup = "p = [torch.zeros(3, requires_grad=True)]\no = torch.optim.SGD(p, lr=0.1, momentum=0.9)\n"
    text = f"import torch\nfrom torch import nn\n{setup}v = {made}\n" + "".join(f"w = v.{name}\n" for name in names)
    assert "DLA110" not in codes(text)


PATCHES = [
    "torch.Tensor.reshpe = torch.Tensor.reshape",
    "setattr(torch.Tensor, 'reshpe', 1)",
    "for n in names: setattr(torch.Tensor, n, 1)",
]


@pytest.mark.parametrize("patch", ["pass", *PATCHES])
@pytest.mark.parametrize("way", ["import patches", "from patches import *", "import between"])
def test_attributes_that_an_imported_file_sets(patch, way, tmp_path):
    (tmp_path / "patches.py").write_text(f"import torch\nnames = open('names').read().split()\n{patch}\n")
    (tmp_path / "between.py").write_text("import patches as other\n")
    main = tmp_path / "main.py"
    main.write_text(f"{way}\n{HEAD}x.reshpe(4, 3)\n")
    session = Session(Configuration(isolated=True, overrides={"select": ("DLA110",)}))
    found = {finding.code for finding in session.check_file(main).findings}
    assert ("DLA110" in found) == (patch == "pass")


@pytest.mark.parametrize(
    "use",
    [
        "class Own(torch.Tensor):\n    def __getattr__(self, name): return 3\ny = x.as_subclass(Own)\n(y + 1).reshpe",
        "if torch.__version__ < '1.0':\n    x.reshpe(4, 3)",
    ],
)
def test_tensors_of_own_classes_and_other_releases(use):
    assert "DLA110" not in codes(f"{HEAD}{use}\n")
