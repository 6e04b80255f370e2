"""Several processes under torchrun."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from tests.diagnose.scripts import ROOT

pytest.importorskip("torch")

PROGRAM = """
import torch, torch.distributed as dist
from torch import nn
dist.init_process_group("gloo")
torch.manual_seed(dist.get_rank())
net = nn.parallel.DistributedDataParallel(nn.Linear(8, 2))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(10):
    loss = nn.functional.cross_entropy(net(torch.randn(16, 8)), torch.randint(0, 2, (16,)))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
dist.destroy_process_group()
"""


def test_the_first_process_reports_and_each_writes_its_record(tmp_path):
    (tmp_path / "train.py").write_text(PROGRAM)
    launcher = [sys.executable, "-m", "torch.distributed.run", "--nproc_per_node", "2", "--standalone"]
    done = subprocess.run(
        [*launcher, "-m", "dllint", "diagnose", "--record", "record.json", "train.py"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("10 steps of SGD") == 1
    assert "losses, data and labels are those of 2 processes together" in done.stdout
    records = [json.loads((tmp_path / name).read_text()) for name in ("record.json", "record.rank1.json")]
    assert [record["tracks"][0]["steps"] for record in records] == [10, 10]
    assert records[0]["losses"][0]["values"] != records[1]["losses"][0]["values"]
