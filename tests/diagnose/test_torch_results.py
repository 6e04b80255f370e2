"""Watching changes no result."""

from __future__ import annotations

import pytest

from tests.diagnose.scripts import HEALTHY

SAVING = """
import random, sys
import numpy as np
state = {"net": net.state_dict(), "optimizer": optimizer.state_dict()}
torch.save([state, torch.get_rng_state(), random.random(), float(np.random.rand()), float(loss)], sys.argv[1])
"""

PREPARATIONS = {
    "adam": lambda text: text,
    "lbfgs": lambda text: text.replace(
        "    loss = criterion(net(batch[0]), batch[1])\n    optimizer.zero_grad()\n    loss.backward()\n    optimizer.step()\n",
        "    def closure():\n        optimizer.zero_grad()\n        loss = criterion(net(batch[0]), batch[1])\n"
        "        loss.backward()\n        return loss\n    loss = optimizer.step(closure)\n",
    ).replace("Adam(net.parameters(), lr=0.01)", "LBFGS(net.parameters(), lr=0.01, max_iter=3)"),
    "amp": lambda text: (
        text.replace("    optimizer.step()\n", "    scaler.step(optimizer)\n    scaler.update()\n")
        .replace("loss.backward()", "scaler.scale(loss).backward()")
        .replace("step = 0\n", "step = 0\nscaler = torch.amp.GradScaler('cpu')\n")
        .replace(
            "    loss = criterion",
            "    with torch.autocast('cpu', torch.bfloat16):\n        out = net(batch[0])\n    loss = criterion",
        )
        .replace("criterion(net(batch[0])", "criterion(out.float()")
    ),
    "accumulation": lambda text: text.replace("    optimizer.zero_grad()\n", "").replace(
        "    optimizer.step()\n", "    if step % 4 == 3:\n        optimizer.step()\n        optimizer.zero_grad()\n"
    ),
}


@pytest.mark.parametrize("kind", PREPARATIONS)
def test_weights_optimizer_state_and_random_numbers_are_bitwise_the_same(kind, tmp_path, run_in_fork):
    folder = tmp_path / "project"
    folder.mkdir()
    seeds = "import random, numpy; random.seed(0); numpy.random.seed(0)\n"
    (folder / "train.py").write_text(seeds + PREPARATIONS[kind](HEALTHY.replace("STEPS", "40")) + SAVING)
    contents = []
    for command in ([], ["diagnose"]):
        saved = tmp_path / f"{len(contents)}" / "state.pt"
        saved.parent.mkdir()
        status, out, err = run_in_fork([*command, "train.py", str(saved)], folder, plain=not command)
        assert status == 0, out + err
        contents.append(saved.read_bytes())
    assert contents[0] == contents[1]
    assert [path.name for path in folder.iterdir()] == ["train.py"]
