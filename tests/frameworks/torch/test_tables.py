"""The tables fit the operations they map to, and the signatures they are bound with."""

import pytest

from dllint.frameworks import registry
from dllint.frameworks.signature import parse_signature
from dllint.frameworks.torch import tables
from dllint.lower.library import renamer
from dllint.ops import all as _families  # noqa: F401
from dllint.ops.spec import OPS

ROWS = {**tables.FUNCTIONS, **tables.LAYERS}
#: Canonical parameters that any of these library parameters may stand for come from handlers or are optional.
registry.load("torch")


def _given(row):
    params = [p.name for p in registry.parameters(row.name, row.params) or ()]
    return params + [p.name for p in parse_signature(row.call)] if hasattr(row, "call") else params


def test_a_row_names_an_operation_and_gives_its_required_parameters():
    assert [name for name, row in ROWS.items() if row.op not in OPS] == []
    wrong = []
    for name, row in ROWS.items():
        known = OPS[row.op].parameters
        rename = renamer(row)
        given = {rename(parameter) for parameter in _given(row)} | set(row.const)
        required = {k for k, p in known.items() if p.default is p.empty and p.kind is not p.VAR_KEYWORD}
        if not required <= given or not set(row.const) <= set(known):
            wrong.append((name, required - given, set(row.const) - set(known)))
    assert wrong == []


def test_every_row_can_be_bound():
    assert [name for name, row in ROWS.items() if not registry.parameters(name, row.params) and not row.params] == []


@pytest.mark.parametrize(
    ("spelled", "canonical"),
    [
        ("torch.nn.modules.conv.Conv2d", "torch.nn.Conv2d"),
        ("torch.nn.modules.Linear", "torch.nn.Linear"),
        ("torch.functional.einsum", "torch.einsum"),
        ("torch.utils.data.dataloader.DataLoader", "torch.utils.data.DataLoader"),
        ("torch.concat", "torch.cat"),
        ("torch.nn.Linear.forward", "torch.nn.Linear.forward"),
        ("torchvision.models.resnet.resnet18", "torchvision.models.resnet18"),
        ("torchvision.transforms.functional.resize", "torchvision.transforms.functional.resize"),
        ("lightning.pytorch.LightningModule", "pytorch_lightning.LightningModule"),
        ("lightning.pytorch.core.module.LightningModule.log", "pytorch_lightning.LightningModule.log"),
    ],
)
def test_names_have_one_spelling(spelled, canonical):
    assert registry.canonical(spelled) == canonical


def test_in_place_methods_follow_the_rule_of_the_underscore():
    added = tables.FUNCTIONS["torch.Tensor.add_"]
    assert added.op == tables.FUNCTIONS["torch.Tensor.add"].op
    assert "torch.Tensor.sum_" not in tables.FUNCTIONS
