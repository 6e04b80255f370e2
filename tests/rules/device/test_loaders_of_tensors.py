"""Batches of tensors that a program has made beside a model on the accelerator: found in every form, not in repaired twins."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import FORMS, Case, found

IMPORTS = "import torch\nfrom torch import nn"
SETUP = (
    "images = torch.rand(32, 8{0})\nlabels = (images.mean(1) > 0.5).long()\nmodel = nn.Linear(8, 2){1}\n"
    "loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(images, labels), batch_size=8{2})\n"
)
NAMES = ("images", "labels", "model", "loader")
BODY = "for x, y in loader:\n    {0}\n    print(nn.functional.cross_entropy(model({1}), {2}).item())\n"
KEPT, MOVED = BODY.format("pass", "x", "y"), BODY.format("x, y = x.cuda(), y.cuda()", "x", "y")
#: Setup and body → whether a model gets what is elsewhere.
PROGRAMS = [
    (SETUP.format("", ".cuda()", ""), KEPT, True),
    (SETUP.format("", '.to("cuda:0")', ", shuffle=True"), KEPT, True),
    (SETUP.format("", ".cuda()", ""), BODY.format("y = y.cuda()", "x", "y"), True),
    (SETUP.format("", ".cuda()", ""), BODY.format("x = x.cuda()", "x", "y"), True),
    (SETUP.format("", ".cuda()", ""), MOVED, False),
    (SETUP.format("", ".cuda()", ""), BODY.format("pass", "x.cuda()", "y.cuda()"), False),
    (SETUP.format(', device="cuda"', ".cuda()", ""), KEPT, False),
    (SETUP.format("", "", ""), KEPT, False),
    (SETUP.format("", ".cuda()", ", collate_fn=lambda b: [torch.stack(p).cuda() for p in zip(*b)]"), KEPT, False),
    (SETUP.format("", ".cuda()", "").replace("labels = ", "images = images.cuda()\nlabels = "), KEPT, False),
]


@pytest.mark.parametrize("form", FORMS)
def test_batches_of_tensors(form: str, tmp_path: Path) -> None:
    for setup, body, expected in PROGRAMS:
        told = found(FORMS[form](Case("DLG103", IMPORTS, setup, body, NAMES)), tmp_path, ("DLG103",))
        assert ("DLG103" in told) is expected, (setup, body, told)
