"""A fault that only a default brings about is none where nobody relies on the default."""

from __future__ import annotations

from itertools import product

import pytest

from tests.lower.tracing import lower

HEAD = "import torch\nfrom torch import nn\n\n\n"
BLOCK = """
class Block(nn.Module):
    def __init__(self, width, {name}={default}):
        super().__init__()
        self.conv = nn.Conv3d(width, width, 3)
        self.rest = {use}

    def forward(self, volume):
        return self.rest(self.conv(volume))
"""
#: A default for images in a layer for volumes, how it is used, and what fits volumes.
FOR_IMAGES = (
    ("norm", "nn.BatchNorm2d", "norm(width)", "nn.BatchNorm3d"),
    ("pool", "nn.MaxPool2d", "pool(2)", "nn.MaxPool3d"),
    ("layer", "nn.Conv2d", "layer(width, 4, 3)", "nn.Conv3d"),
    ("head_in", "7", "nn.Sequential(nn.AdaptiveAvgPool3d(1), nn.Flatten(), nn.Linear(head_in, 3))", "width"),
)
CALLERS = (
    "\n\ndef build(width, chosen={fits}):\n    return Block(width, chosen)\n",
    "\n\ndef build(width, chosen):\n    return nn.Sequential(*[Block(width, {name}=chosen) for _ in range(width)])\n",
    "\n\ndef build(width, **options):\n    return Block(width, **options)\n",
)
METHOD = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 4)

    def forward(self, x, {name}={default}):
        {statement}
        return self.layer(x)
"""
STATEMENTS = (
    ("0", "y = torch.cat((x.sum(1).view(-1, 1), {name}), 1)"),
    ("5", "x = x.reshape(2, 3, 4).reshape({name}, {name})"),
    ("1.0", "y = torch.matmul(x, {name})"),
)


def faults(text: str) -> list[str]:
    return [op.kind for program in lower(HEAD + text).programs for op in program.ops if op.faults]


def block(name: str, default: str, use: str) -> str:
    if name == "head_in":
        return BLOCK.format(name=name, default=default, use=use).replace("nn.Conv3d(width, width, 3)", "nn.Conv3d(2, 5, 3)")
    return BLOCK.format(name=name, default=default, use=use)


@pytest.mark.parametrize(("case", "caller"), list(product(FOR_IMAGES, CALLERS)))
def test_a_default_that_every_construction_replaces_proves_nothing(case, caller):
    name, default, use, fits = case
    assert faults(block(name, default, use) + caller.format(name=name, fits=fits)) == []


@pytest.mark.parametrize("case", FOR_IMAGES)
@pytest.mark.parametrize("caller", ["", "\n\ndef build(width):\n    return Block(width)\n", "\n\n# Block(3, anything)\n"])
def test_a_default_that_some_construction_leaves_is_what_runs(case, caller):
    assert faults(block(*case[:3]) + caller) != []


@pytest.mark.parametrize(("name", "case"), list(product(("energy", "k"), STATEMENTS)))
def test_a_default_of_a_method_that_nobody_calls_proves_nothing(name, case):
    default, statement = case
    assert faults(METHOD.format(name=name, default=default, statement=statement.format(name=name))) == []


@pytest.mark.parametrize("name", ["energy", "k"])
@pytest.mark.parametrize("default", ["0", "None", "False", "'same'"])
def test_a_fault_that_no_default_brings_about_remains(name, default):
    statement = "x = self.layer(self.layer(x))"
    assert faults(METHOD.format(name=name, default=default, statement=statement))[:1] == ["linear"]


@pytest.mark.parametrize("default", ["None", "False"])
def test_a_fault_of_the_call_without_options_remains(default):
    statement = f"x = self.layer(self.layer(x)) if opt is {default} else x"
    assert faults(METHOD.format(name="opt", default=default, statement=statement))[:1] == ["linear"]


OPTION = """
class Front(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 4)

    def forward(self, x, {other}=0, mode="plain"):
        if mode == "spectral":
            x = self.layer(torch.unsqueeze({other}, 1))
        return x
"""


@pytest.mark.parametrize("other", ["target", "reference"])
def test_a_default_proves_nothing_under_another_setting_either(other):
    lowered = lower(HEAD + OPTION.format(other=other))
    assert [program.setting for program in lowered.settings] == ["mode is 'spectral'"]
    assert [op.kind for program in (*lowered.programs, *lowered.settings) for op in program.ops if op.faults] == []


TIED = """
class Tied(nn.Module):
    def __init__(self, words, width, {tie}=False):
        super().__init__()
        self.encoder = nn.Embedding(words, width)
        self.decoder = nn.Linear(2 * width, words)
        if {tie}:
            self.decoder.weight = self.encoder.weight

    def forward(self, x):
        return self.decoder(self.encoder(x))


def build(args):
    return Tied(args.words, args.width, args.{tie})
"""


@pytest.mark.parametrize("tie", ["tie_weights", "share"])
def test_a_fault_under_a_flag_that_callers_choose_remains(tie):
    assert faults(HEAD + TIED.format(tie=tie))[:1] == ["linear"]


REPEATED = """
class Tower(nn.Module):
    def __init__(self, width=8, {count}=3):
        super().__init__()
        {kept}
        {blocks}

    def forward(self, x):
        {passes}
            x = {layer}(x)
        return x


def build(config):
    return Tower(width=config.width, {count}=config.{count})
"""
#: What is kept, how the blocks are made and applied, and the layer.
REPETITIONS = (
    ("pass", "self.blocks = nn.ModuleList([{block} for _ in range({count})])", "for block in self.blocks:", "block"),
    ("self.n = {count}", "self.block = {block}", "for _ in range(self.n):", "self.block"),
    (
        "self.n = {count}",
        "self.blocks = nn.ModuleList({block} for _ in range(self.n))",
        "for i in range(self.n):",
        "self.blocks[i]",
    ),
    ("made = [{block} for _ in range({count})]", "self.blocks = nn.ModuleList(made)", "for block in self.blocks:", "block"),
)
BLOCKS = ("nn.Linear(width, 2 * width)", "nn.Sequential(nn.LayerNorm(width), nn.Linear(3 * width, width))")


def repeated(repetition: tuple[str, ...], block: str, count: str) -> str:
    kept, blocks, passes, layer = (part.format(block=block, count=count) for part in repetition)
    return REPEATED.format(kept=kept, blocks=blocks, passes=passes, layer=layer, count=count)


@pytest.mark.parametrize(("repetition", "block"), list(product(REPETITIONS, BLOCKS)))
def test_what_a_number_of_repetitions_repeats_is_faulty_whatever_callers_pass(repetition, block):
    assert "linear" in faults(repeated(repetition, block, "depth"))


@pytest.mark.parametrize(("repetition", "use"), list(product(REPETITIONS, ("self.n", "self.n + 1", "self.last.out_features"))))
def test_a_number_of_repetitions_that_is_a_width_too_proves_nothing(repetition, use):
    text = repeated(repetition, "nn.Linear(width, width)", "count")
    text = text.replace("        return x\n", f"        return x.reshape(-1, {use}) @ torch.ones(5, 2)\n")
    head = "self.n = count\n        self.last = "
    text = text.replace("super().__init__()", f"super().__init__()\n        {head}nn.Linear(7, count)")
    assert faults(text.partition("\n\n\ndef build")[0]) == ["matmul"]
    assert faults(text) == []
