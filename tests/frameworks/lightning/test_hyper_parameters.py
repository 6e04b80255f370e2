"""``save_hyperparameters``: which widths layers get from it, held against Lightning itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from dllint.config.discovery import Configuration
from dllint.engine.session import Session
from tests.frameworks.torch.real_torchvision import real_torchvision

real_torchvision()  # as torchmetrics imports it, and lightning by that
pytest.importorskip("lightning")

PROGRAM = """import torch
from argparse import Namespace
from torch import nn
import lightning.pytorch as pl

{before}
class Model(pl.LightningModule):
    def __init__(self, {parameters}):
        super().__init__()
{body}
        self.first = nn.Linear(28, {width})
        self.second = nn.Linear({next}, 3)

    def forward(self, x):
        return self.second(self.first(x))

{after}
print({call}(torch.randn(3, 28)).shape)
"""
#: Parameters, statements, the width as layers read it, and calls that make it 64.
FORMS = {
    "all": ("width=64, lr=1e-3", "self.save_hyperparameters()", "self.hparams.width", "Model()"),
    "as an item": ("width, lr=1e-3", "self.save_hyperparameters()", 'self.hparams["width"]', "Model(64)"),
    "by name": ("depth, width", 'self.save_hyperparameters("width", "depth")', "self.hparams.width", "Model(3, width=64)"),
    "twice": (
        "width, model=None",
        'self.save_hyperparameters("width")\nself.save_hyperparameters(ignore=["model"])',
        "self.hparams.width",
        "Model(64, nn.Identity())",
    ),
    "without one": ("width, net=None", 'self.save_hyperparameters(ignore="net")', "self.hparams.width", "Model(64)"),
    "keywords": ("*, lr=1.0, **options", "self.save_hyperparameters()", "self.hparams.width", "Model(width=64)"),
    "a namespace": ("config", "self.save_hyperparameters(config)", "self.hparams.width", "Model(Namespace(width=64))"),
    "a dict": ("config", "self.save_hyperparameters(config)", "self.hparams.width", 'Model({"width": 64})'),
    "an argument": ("config", "self.save_hyperparameters()", "self.hparams.config.width", "Model(Namespace(width=64))"),
    "what it was bound to again": (
        "width",
        "width = 2 * width\nself.save_hyperparameters()",
        "self.hparams.width",
        "Model(32)",
    ),
    "asked for": ("width", "self.save_hyperparameters()", 'self.hparams.get("width", 3)', "Model(64)"),
    "in a subclass": (
        "width",
        "self.save_hyperparameters()",
        "self.hparams.width",
        "Derived(64, 5)",
    ),
}
DERIVED = """class Derived(Model):
    def __init__(self, width, more):
        super().__init__(width)
        print(self.hparams.more)
"""


def program(form: str, following: int) -> str:
    parameters, body, width, call = FORMS[form]
    lines = "\n".join(f"        {line}" for line in body.split("\n"))
    after = DERIVED if "Derived" in call else ""
    given = {"parameters": parameters, "body": lines, "width": width, "next": following, "call": call}
    return PROGRAM.format(before="", after=after, **given)


@pytest.mark.parametrize("following", [64, 32])
@pytest.mark.parametrize("form", FORMS)
def test_layers_have_the_sizes_that_were_saved(form: str, following: int, tmp_path: Path) -> None:
    text = program(form, following)
    (tmp_path / "main.py").write_text(text, encoding="utf-8")
    findings = Session(Configuration(isolated=True)).check_file(tmp_path / "main.py").findings
    assert [finding.code for finding in findings] == ([] if following == 64 else ["DLT101"])
    if following == 64:
        exec(compile(text, "main.py", "exec"), {"__name__": "__main__"})
    else:
        with pytest.raises(RuntimeError):
            exec(compile(text, "main.py", "exec"), {"__name__": "__main__"})
