"""Modules are told at every place of the attribute or name that holds them, and nowhere else."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest

from dllint.cli.opening import open_analysed
from dllint.server.attempts import Attempts
from dllint.server.pages import Pages
from dllint.server.places import known_places

NET = """\
import torch
from torch import nn


class {block}(nn.Module):
    def __init__({own}, width):
        super().__init__()
        {own}.inner = nn.Linear(width, width)

    def forward({own}, x):
        return {own}.inner(x)


class {net}(nn.Module):
    def __init__({own}, depth=3):
        super().__init__()
        {own}.{held} = {made}
        {own}.gain = nn.Parameter(torch.zeros(4))

    def make({own}, depth):
        return nn.Sequential(*[{block}(4) for _ in range(depth)])

    def forward({own}, x):
        for {one} in {own}.{held}:
            x = {one}(x)
            keep = {one}
        return x * {own}.gain


def count(model):
    return sum(p.numel() for p in model.parameters())


{around}
"""
MADE = ("self.make(depth)", "nn.ModuleList([{block}(4) for _ in range(depth)])", "nn.Sequential({block}(4), {block}(4))")
AROUND = (
    "model = {net}()\nout = model(torch.ones(2, 4))\nprint(count(model))",
    "def test():\n    model = {net}()\n    out = model(torch.ones(2, 4))\n    print(count(model), model)",
    "if __name__ == '__main__':\n    model = {net}()\n    model.eval()\n    out = model(torch.ones(2, 4))\n    print(model)",
)
NAMES = (("Block", "Net", "self", "layers", "layer"), ("Residual", "Classifier", "this", "stages", "stage"))


def told(text: str, folder: Path) -> dict[int, tuple[int, str]]:
    path = folder / "net.py"
    path.write_text(text, encoding="utf-8")
    places = known_places(open_analysed(path, None).analysis, Pages(folder / "pages"), lambda: None, Attempts(pytest.fail))
    others = (place for place in places if text[place.start : place.end] not in ("self", "this"))
    return {place.start: (place.end, place.text) for place in others}


def missing(text: str, pattern: str, found: dict[int, tuple[int, str]], expected: str) -> list[str]:
    """The places of a pattern at which nothing is told that names what is expected."""
    return [
        text[: match.end()].rpartition("\n")[2]
        for match in re.finditer(pattern, text)
        if expected not in found.get(match.start(), (0, ""))[1]
    ]


@pytest.mark.parametrize(("made", "around", "names"), list(product(MADE, AROUND, NAMES)))
def test_every_place_of_a_module_tells_it(made: str, around: str, names: tuple[str, ...], tmp_path: Path) -> None:
    block, net, own, held, one = names
    shown = {"block": block, "net": net}
    text = NET.format(
        own=own, held=held, one=one, made=made.format(**shown).replace("self", own), around=around.format(**shown), **shown
    )
    found = told(text, tmp_path)
    container = "ModuleList" if "ModuleList" in made else "Sequential"
    assert not missing(text, rf"\b{own}\.{held}\b", found, container)
    assert not missing(text, rf"(?<=for ){one}\b|(?<=keep = ){one}\b|(?<=x = ){one}\b", found, block)
    used = text.index(around.format(**shown)[:12])
    places = [match.start() for match in re.finditer(r"(?<![\w.])model\b", text) if match.start() >= used]
    assert all(net in found.get(place, (0, ""))[1] for place in places)
    assert "f32[4]" in found[text.index(f"{own}.gain")][1]


def told_of_self(text: str, own: str, folder: Path) -> list[str]:
    """What is told at each place of a name that is nothing else there, in order; empty where nothing is."""
    (folder / "net.py").write_text(text, encoding="utf-8")
    analysis = open_analysed(folder / "net.py", None).analysis
    places = known_places(analysis, Pages(folder / "pages"), lambda: None, Attempts(pytest.fail))
    found = {(place.start, place.end): place.text for place in places}
    return [found.get(match.span(), "") for match in re.finditer(rf"\b{own}\b", text)]


@pytest.mark.parametrize("names", NAMES)
def test_the_object_of_a_method_is_told_with_its_parameters_and_calls(names: tuple[str, ...], tmp_path: Path) -> None:
    block, net, own, held, one = names
    shown = {"block": block, "net": net}
    around = AROUND[0].format(**shown)
    text = NET.format(own=own, held=held, one=one, made=MADE[2].format(**shown).replace("self", own), around=around, **shown)
    told = told_of_self(text, own, tmp_path)
    assert all(block in one and "20 parameters" in one for one in told[:4])
    assert all(net in one and "44 parameters" in one for one in told[4:])
    assert all("Called with `f32[2, 4]`, gives `f32[2, 4]`" in one for one in told)


def test_what_is_no_object_of_the_class_is_not_told_as_one(tmp_path: Path) -> None:
    methods = """
    @staticmethod
    def size(self):
        return self

    @classmethod
    def made(self):
        return self

    def other(self, x):
        self = x
        return self
"""
    text = f"from torch import nn\n\n\nclass Net(nn.Linear):\n    pass\n{methods}\n\nnet = Net(2, 3)\n"
    told = told_of_self(text, "self", tmp_path)
    assert [("Net" in one) for one in told] == [False, False, False, False, True, False, False]


#: Names that hold one thing here and another there.
CHANGING = (
    "m = nn.Linear(3, 4)\n{read}\nm = nn.Linear(4, 5)", "m = nn.Linear(3, 4)\nfor m in range(3):\n    {read}",
    "m = nn.Linear(3, 4)\ndef g(m):\n    {read}", "m = nn.Linear(3, 4)\nf = lambda m: {read}",
    "m = nn.Linear(3, 4)\nr = [{read} for m in range(3)]", "m = nn.Linear(3, 4)\nwith open('x') as m:\n    {read}",
    "m = nn.Linear(3, 4)\ntry:\n    pass\nexcept ValueError as m:\n    {read}", "m = nn.Linear(3, 4)\nimport m\n{read}",
    "m = nn.Linear(3, 4)\nm += 1\n{read}", "def g():\n    global m\n    m = nn.Linear(3, 4)\n    {read}",
)  # fmt: skip


@pytest.mark.parametrize("text", CHANGING)
@pytest.mark.parametrize("in_function", [False, True])
def test_a_name_that_is_bound_elsewhere_is_not_told(text: str, in_function: bool, tmp_path: Path) -> None:
    body = text.format(read="print(m)")
    if in_function:
        body = "def f():\n" + "\n".join(f"    {line}" for line in body.splitlines())
    text = f"from torch import nn\n{body}\n"
    assert text.index("print(m)") + 6 not in told(text, tmp_path)


KEPT = """\
import torch
from torch import nn


class {outer}(nn.Module):
    def __init__(self, {given}, scale=1.0):
        super().__init__()
        {before}
        self.{held} = {given}
        {after}

    def forward(self, x):
        return self.{held}(x) * {use}


model = {outer}(nn.Linear(4, 4))
out = model(torch.zeros(2, 4))
"""


@pytest.mark.parametrize("before", ["pass", "print({given})", "if scale > 2:\n            print({given}.weight)"])
@pytest.mark.parametrize("names", [("Residual", "fn", "fn"), ("Scaled", "body", "inner")])
def test_a_module_that_is_given_and_kept_is_told_where_it_is_given(
    before: str, names: tuple[str, str, str], tmp_path: Path
) -> None:
    outer, given, held = names
    text = KEPT.format(outer=outer, given=given, held=held, before=before.format(given=given), after="pass", use="1")
    found = told(text, tmp_path)
    head = text[: text.index("def forward")]
    assert not missing(head, rf"(?<![\w.]){given}\b(?!\()", found, "torch.nn.Linear")


@pytest.mark.parametrize(("before", "after"), [
    ("pass", "self.body = nn.Sequential(self.body)"), ("fn = nn.Identity()", "pass"), ("pass", "fn = nn.Conv2d(1, 1, 1)"),
])  # fmt: skip
def test_what_is_kept_may_be_another_module_than_what_is_given(before: str, after: str, tmp_path: Path) -> None:
    text = KEPT.format(outer="Residual", given="fn", held="body", before=before, after=after, use="1")
    assert text.index("fn, scale") not in told(text, tmp_path)
