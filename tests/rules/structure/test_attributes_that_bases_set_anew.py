"""An attribute that ``__init__`` gives a number, and a base later a layer, is no layer when it is assigned."""

from __future__ import annotations

from itertools import product

import pytest

from tests.rules.harness import findings

HEAD = "import torch\nfrom torch import nn\n\n\n"
#: How a base sets its layer, after its own ``super().__init__()``.
SET = (
    "        self.{name} = nn.Dropout({name})\n",
    "        self.{name} = nn.Dropout({name}) if {name} > 0 else nn.Identity()\n",
    "        self.build({name})\n\n    def build(self, rate):\n        self.{name} = nn.Dropout(rate)\n",
    "        setattr(self, '{name}', nn.Dropout({name}))\n",
)
#: What the class assigns before the base is initialised, and what it gives the base.
EARLY = (
    ("self.{name} = {name}", "{name}"),
    ("self.{name} = float({name})", "self.{name}"),
    ("self.{name} = 2 * {name}", "0.1"),
)
LAYERS = ("self.{name} = nn.Dropout({name})", "self.{name} = part = nn.Dropout({name})")


def program(name: str, early: str, given: str, body: str) -> str:
    base = f"class Base(nn.Module):\n    def __init__(self, {name}):\n        super().__init__()\n{body.format(name=name)}\n\n"
    middle = f"class Middle(Base):\n    def __init__(self, {name}=0.1):\n        super().__init__({name})\n\n\n"
    lines = (early.format(name=name), f"super().__init__({given.format(name=name)})")
    written = "".join(f"        {line}\n" for line in lines)
    net = f"class Net(Middle):\n    def __init__(self, {name}=0.1):\n{written}\n"
    return (
        f"{HEAD}{base}{middle}{net}    def forward(self, x):\n        return self.{name}(x)\n\n\nNet(0.2)(torch.ones(2, 3))\n"
    )


@pytest.mark.parametrize(("body", "early"), list(product(SET, EARLY)))
def test_what_the_base_sets_anew_is_silent(body: str, early: tuple[str, str]) -> None:
    text = program("rate", *early, body)
    exec(compile(text, "program", "exec"), {"__name__": "program"})
    assert "DLS109" not in [found.code for found in findings(text)]


@pytest.mark.parametrize(("body", "early", "name"), list(product(SET[:3], LAYERS[:1], ("rate", "dropout"))))
def test_a_layer_that_is_assigned_early_is_found(body: str, early: str, name: str) -> None:
    own = program(name, early, "{name}", "        self.other = nn.Identity()\n")
    assert "DLS109" in [found.code for found in findings(own)]
    with pytest.raises(AttributeError):
        exec(compile(own, "program", "exec"), {"__name__": "program"})
