"""Faults under settings that the defaults do not choose: found by running the entry again under the setting."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from dllint.config.discovery import Configuration
from dllint.engine.session import Session
from dllint.finding import Confidence
from dllint.rules import calibration

CALLED = "\nnet = Net()\nnet(torch.zeros(1, 3, 32, 32))\n"


def check(source: str, ending: str = ""):
    """The findings of a snippet."""
    text = "import torch\nfrom torch import nn\n" + textwrap.dedent(source) + ending
    session = Session(Configuration(isolated=True))
    result = session.check_bytes(Path("/p/a.py"), text.encode())
    assert result.notices == []
    return result.findings


def notes(source: str, ending: str = "") -> list[tuple[str, str]]:
    """Code and setting of each finding of a snippet."""
    return [(f.code, f.message.rpartition(", when ")[2]) for f in check(source, ending)]


def model(init: str, forward: str, parameters: str, inputs: str = "x") -> str:
    return f"""
class Net(nn.Module):
    def __init__(self, {parameters}):
        super().__init__()
        self.conv = nn.Conv2d(3, 16, 3)
{textwrap.indent(textwrap.dedent(init), "        ")}
    def forward(self, {inputs}):
        x = self.conv(x)
{textwrap.indent(textwrap.dedent(forward), "        ")}
        return x
"""


FLAG = model(
    "self.use_bn = use_bn\nif use_bn:\n    self.bn = nn.BatchNorm2d(32)",
    "if self.use_bn:\n    x = self.bn(x)",
    "use_bn=False",
)


def test_a_flag_that_is_off_by_default():
    assert notes(FLAG) == [("DLT101", "use_bn is True")]


def test_it_is_less_certain_than_a_fault_that_the_defaults_have(monkeypatch):
    monkeypatch.setattr(calibration, "REACHED", {})
    assert check(FLAG)[0].confidence is Confidence.LOW
    assert check(FLAG.replace("False", "True"))[0].confidence is Confidence.HIGH


def test_a_flag_that_the_only_construction_leaves_off():
    assert notes(FLAG, CALLED) == [("DLT101", "use_bn is True")]


def test_a_flag_that_the_construction_sets_is_not_turned():
    assert notes(FLAG, CALLED.replace("Net()", "Net(use_bn=False)")) == []


def test_what_a_flag_builds_goes_with_what_it_uses():
    fitting = """
    self.wide = wide
    if wide:
        self.conv = nn.Conv2d(3, 32, 3)
        self.bn = nn.BatchNorm2d(32)
    """
    assert notes(model(fitting, "if self.wide:\n    x = self.bn(x)", "wide=False")) == []


def test_a_value_that_may_be_missing():
    init = "self.width = width\nif width is not None:\n    self.last = nn.Linear(17, width)"
    forward = "x = x.mean((2, 3))\nif self.width is not None:\n    x = self.last(x)"
    assert notes(model(init, forward, "width=None")) == [("DLT101", "width is given")]
    assert notes(model(init.replace("17", "16"), forward, "width=None")) == []


GIVEN = """
def net(image{annotation}=None):
    x = torch.zeros(1, 3, 8, 8) if image is None else image
    x = x * torch.ones(3, 1, 1)
    return nn.Conv2d(3, 16, 3)(x)
"""


@pytest.mark.parametrize("annotation", ["", ": Image"])
def test_what_is_given_instead_of_none_may_be_a_tensor(annotation: str):
    """It is no number: its product with a tensor has more axes than that tensor, if it has more itself."""
    assert notes(GIVEN.format(annotation=annotation)) == []
    fault = [("DLT104", "image is given")]
    assert notes(GIVEN.replace("else image", "else torch.zeros(3)").format(annotation=annotation)) == fault


def test_what_nothing_was_given_for_has_no_number_of_elements():
    for parts in ("zip(*(row.split() for row in rows))", "rows", "[len(row) for row in rows]", "map(str, rows)"):
        assert notes(f"def pairs(*rows):\n    names, sizes = {parts}\n    return names, sizes\n") == []
    assert [code for code, _ in notes("a, b = torch.ones(3).sum().shape\n")] == ["DLT109"]
    product = """
    import itertools
    def corners(sides):
        rows = []
        for side in sides:
            rows.append([(side, 1), (side, 2)])
        for items in itertools.product(*rows):
            places, weights = zip(*items)
    """
    assert notes(product) == []
    assert [code for code, _ in notes("a, b = zip((1, 2, 3), (4, 5, 6))\n")] == ["DLT109"]


def test_a_mode():
    init = "self.mode = mode\nself.last = nn.Linear(8, 2)"
    forward = "x = x.mean((2, 3))\nif self.mode == 'plain':\n    pass\nelif self.mode == 'head':\n    x = self.last(x)"
    expected = [("DLT101", "mode is 'head'")]
    assert notes(model(init, forward, "mode='plain'")) == expected
    assert notes(model(init, forward, "mode='plain'"), CALLED) == expected


def test_an_argument_of_the_forward_pass():
    forward = "if pool:\n    x = x.mean((2, 3))\n    x = self.bn(x)"
    assert notes(model("self.bn = nn.BatchNorm1d(8)", forward, "", "x, pool=False")) == [("DLT101", "pool is True")]


def test_a_setting_that_the_code_rejects_proves_nothing():
    refusing = FLAG.replace(
        "self.use_bn = use_bn", "if use_bn:\n            raise ValueError('not supported')\n        self.use_bn = use_bn"
    )
    assert notes(refusing) == []
    asserting = FLAG.replace("self.use_bn = use_bn", "assert not use_bn\n        self.use_bn = use_bn")
    assert notes(asserting) == []


def test_a_fault_that_the_defaults_have_is_reported_as_theirs():
    source = model(
        "self.deep = deep\nself.bn = nn.BatchNorm2d(8)", "x = self.bn(x)\nif self.deep:\n    x = self.conv(x)", "deep=False"
    )
    codes = [(f.code, f.message.rpartition(", when ")[1]) for f in check(source)]
    assert ("DLT101", "") in codes


def test_an_option_of_the_command_line():
    source = """
    import argparse
    parser = argparse.ArgumentParser()
    parser.add_argument("--wide", action="store_true")
    args = parser.parse_args()
    if args.wide:
        head = nn.Linear(64, 2)
    else:
        head = nn.Linear(32, 2)
    x = torch.zeros(4, 32)
    y = head(x)
    """
    assert notes(source) == [("DLT101", "wide is True")]
    assert notes(source.replace("x = torch.zeros(4, 32)", "x = torch.zeros(4, 64 if args.wide else 32)")) == []


def test_two_undecided_conditions_that_hold_together(monkeypatch):
    monkeypatch.setattr(calibration, "REACHED", {})
    source = """
    def f(x: torch.Tensor, a, b):
        y = torch.zeros(4, 8)
        if a:
            y = torch.zeros(4, 6)
            if b:
                y = y @ torch.zeros(8, 2)
        return y
    """
    found = check(source)
    assert [f.message.rpartition(", when ")[2] for f in found] == ["a and b"]
    assert found[0].confidence is Confidence.LOW


def test_the_other_arm_of_a_condition_is_named_by_its_contrary():
    source = """
    def f(a):
        y = torch.zeros(4, 8)
        if a is None:
            return y
        else:
            return y @ torch.zeros(6, 2)
    """
    assert [f.message.rpartition(", when ")[2] for f in check(source)] == ["a is not None"]


def test_a_last_batch_is_not_joined_with_a_condition_on_the_number_of_the_batch():
    source = """
    from torch.utils.data import DataLoader, TensorDataset
    loader = DataLoader(TensorDataset(torch.zeros(100, 4)), batch_size=32)
    def test(flag):
        for i, (x,) in enumerate(loader):
            if i == 0:
                y = x.view(32, 2, 2)
    """
    assert notes(source) == []
