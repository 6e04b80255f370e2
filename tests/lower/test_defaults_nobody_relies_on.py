"""A class or function that is driven by itself: the defaults that its calls replace, with whatever, are not used."""

from __future__ import annotations

import pytest

from dllint.config.discovery import Configuration
from dllint.engine.session import Session

MODEL = """
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self, width={width}, hidden={hidden}, heads={heads}):
        super().__init__()
        self.embed = nn.Linear(16, hidden)
        self.rnn = nn.GRU(hidden, width, num_layers=2)
        self.attention = nn.MultiheadAttention(width, heads)
        self.out = nn.Linear(width, {out})

    def forward(self, x):
        y = self.rnn(self.embed(x))[0]
        return self.out(self.attention(y, y, y)[0])
"""
#: Defaults with which no object can be made.
ODD = [("0", "8", "2"), ("6", "0", "4"), ("7", "8", "2")]
#: What says that the defaults do not count, in the file of the class or in another one.
CALLS = [
    "def main(args):\n    return Net(args.width, args.hidden, args.heads)\n",
    "def main(config):\n    return Net(**config)\n",
    "def main(cfg):\n    return Net(*cfg.sizes)\n",
    "def main(cfg):\n    return Net(width=cfg['width'], hidden=cfg['hidden'], heads=cfg.get('heads'))\n",
    "def main(width, hidden):\n    return Net(heads=2, width=width, hidden=hidden)\n",
]


def errors(tmp_path, model, call, apart):
    """What is reported of the file of the class."""
    path = tmp_path / "net.py"
    path.write_text(model if apart else model + "\n" + call)
    if apart:
        (tmp_path / "train.py").write_text("from net import Net, make\n\n" + call)
    return [finding.message for finding in Session(Configuration(isolated=True)).check_file(path).findings]


@pytest.mark.parametrize("apart", [False, True], ids=["beside", "apart"])
@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("odd", ODD)
def test_no_error_comes_from_them(tmp_path, odd, call, apart):
    width, hidden, heads = odd
    model = MODEL.format(width=width, hidden=hidden, heads=heads, out=3)
    assert not errors(tmp_path, model, call, apart)
    heir = model.replace("class Net(nn", "class Base(nn") + "\nclass Net(Base):\n    pass\n"
    assert not errors(tmp_path, heir, call, apart)
    made = model.replace("class Net(nn", "class Core(nn")
    made += f"\ndef make(width={width}, hidden={hidden}, heads={heads}):\n    return Core(width, hidden, heads)\n"
    assert not errors(tmp_path, made, call.replace("Net(", "make("), apart)


@pytest.mark.parametrize("apart", [False, True], ids=["beside", "apart"])
@pytest.mark.parametrize("call", CALLS)
def test_what_no_value_mends_is_found(tmp_path, call, apart):
    model = MODEL.format(width=8, hidden=8, heads=2, out=3).replace("nn.Linear(16, hidden)", "nn.Linear(16, hidden + 1)")
    assert errors(tmp_path, model, call, apart)


@pytest.mark.parametrize("odd", ODD)
def test_defaults_that_nothing_replaces_count(tmp_path, odd):
    width, hidden, heads = odd
    model = MODEL.format(width=width, hidden=hidden, heads=heads, out=3)
    assert errors(tmp_path, model, "", apart=False)
    assert errors(tmp_path, model, "def main(other):\n    return Other(other)\n", apart=False)
