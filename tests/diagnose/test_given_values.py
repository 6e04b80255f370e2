"""Repairs of values that are options, settings or arguments: the edit is where the value is given."""

from __future__ import annotations

from pathlib import Path

import pytest

from dllint.diagnose.causes.code import Code, keyword
from dllint.edit import apply_edits
from tests.diagnose.loops import NET, NUMBERS, SQUARES, loop
from tests.diagnose.test_causes import applied

HEADS = {
    "option": (
        "from argparse import ArgumentParser\np = ArgumentParser()\n"
        'p.add_argument("--value", type=type({value}), default={value})\na = p.parse_args([])\n',
        "a.value",
    ),
    "data class": (
        "from dataclasses import dataclass\n\n\n@dataclass\nclass Config:\n    value: object = {value}\n\n\nc = Config()\n",
        "c.value",
    ),
    "dictionary": ('settings = {{"value": {value}}}\n', 'settings["value"]'),
}
#: Kind of the repair → the faulty value, a program that uses it, and the value that it becomes.
FAULTS = {
    "learning-rate": ("50.0", {"optimizer": "SGD(net.parameters(), lr=VALUE)", "data": NUMBERS, "loss": SQUARES}, ("5", "0.5")),
    "dropout": (
        "0.98",
        {"model": "net = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Dropout(VALUE), nn.Linear(32, 3))"},
        ("0.2",),
    ),
    "weight-decay": ("5.0", {"optimizer": "SGD(net.parameters(), lr=0.1, weight_decay=VALUE)"}, ("1e-4",)),
    "loss-reduction": (
        '"sum"',
        {
            "model": NET.replace("32, 3", "32, 2"),
            "data": NUMBERS,
            "loss": "loss = F.mse_loss(net(xb), yb, reduction=VALUE)",
            "optimizer": "SGD(net.parameters(), lr=0.05)",
        },
        ('"mean"',),
    ),
}


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("way", HEADS)
@pytest.mark.parametrize("kind", FAULTS)
def test_the_value_is_changed_where_it_is_given(diagnose, kind, way):
    value, parts, wanted = FAULTS[kind]
    head, used = HEADS[way]
    parts = {"model": NET.replace("32, 3", "32, 2") if parts.get("data") == NUMBERS else NET} | parts
    text = head.format(value=value) + loop(**parts).replace("VALUE", used)
    fixes = [fix for finding in diagnose(text).findings for fix in finding["fixes"] if fix["kind"] == kind]

    assert fixes
    after = applied(text, fixes[0])
    assert used in after
    assert any(
        head.format(value=one).splitlines()[-1] in after or f"= {one}\n" in after or f"={one})" in after for one in wanted
    )


@pytest.mark.parametrize("settings", ['{"momentum": 0.9997, "epsilon": 1e-3}', "dict(epsilon=1e-3, momentum=0.9997)"])
@pytest.mark.parametrize("name", ["SETTINGS", "norm"])
def test_arguments_that_a_dictionary_passes_on_are_repaired_there(name, settings):
    text = f"{name} = {settings}\nfirst = BatchNormalization(**{name})\n"
    code = Code(Path("/project/train.py"), text)
    call = next(call for call in code.calls() if code.name(call.func) == "BatchNormalization")
    edit = code.with_keyword(call, "momentum", "0.9")
    assert apply_edits(text, [edit]) == text.replace("0.9997", "0.9")


@pytest.mark.parametrize(
    "line",
    ['SETTINGS["momentum"] = 0.5', "SETTINGS.update(momentum=0.5)", "SETTINGS = dict(momentum=0.5)", "SETTINGS |= other"],
)
def test_dictionaries_that_are_changed_are_left_alone(line):
    text = f'SETTINGS = {{"momentum": 0.9997}}\n{line}\nfirst = BatchNormalization(**SETTINGS)\n'
    code = Code(Path("/project/train.py"), text)
    call = next(call for call in code.calls() if code.name(call.func) == "BatchNormalization")
    assert keyword(call, "momentum") is None
