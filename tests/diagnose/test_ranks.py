"""Several processes that train together: what the first one says about all."""

from __future__ import annotations

import json
from dataclasses import dataclass

import pytest

pytest.importorskip("torch")

PROGRAM = """
import os, sys, time
from datetime import timedelta
import torch, torch.distributed as dist
from torch import nn
dist.init_process_group("gloo", timeout=timedelta(seconds=60))
rank = dist.get_rank()
torch.set_num_threads(1)
torch.manual_seed({seed})
x = torch.randn(128, 8)
y = (x[:, 0] > 0).long()
{data}
net = {model}
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
step = 0
for epoch in range(10**9):
    for xb, yb in loader:
        {before}
        loss = nn.functional.cross_entropy(net(xb), yb)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        step += 1
    if step >= {steps}:
        break
dist.destroy_process_group()
"""
SHARED = (
    "data = torch.utils.data.TensorDataset(x, y)\n"
    "sampler = torch.utils.data.distributed.DistributedSampler(data, shuffle=False)\n"
    "loader = torch.utils.data.DataLoader(data, batch_size=8, sampler=sampler)"
)
SAME = "loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(x, y), batch_size=8, shuffle=True)"
DDP = "nn.parallel.DistributedDataParallel(nn.Linear(8, 2))"


@dataclass
class Launched:
    """What came of two processes: their statuses, what they wrote, and the first one's findings and record."""

    statuses: list
    stdout: list
    stderr: list
    findings: list
    record: dict
    lines: list

    @property
    def line(self) -> str:
        """The line that the first finding is told at."""
        return self.lines[self.findings[0]["location"]["row"] - 1]


@pytest.fixture
def launched(tmp_path, run_ranks):
    """Runs a program in two processes under dllint."""

    def run(
        *options: str, seed: str = "0", data: str = SHARED, model: str = DDP, before: str = "pass", steps: int = 24
    ) -> Launched:
        text = PROGRAM.format(seed=seed, data=data, model=model, before=before, steps=steps)
        (tmp_path / "train.py").write_text(text)
        wanted = ["--no-replay", "--record", "record.json", "--output-format", "json", "-o", "report.json", *options]
        done = run_ranks(["diagnose", *wanted, "train.py"], tmp_path)
        read = [json.loads((tmp_path / name).read_text()) for name in ("report.json", "record.json")]
        return Launched(*done, *read, text.splitlines())

    return run


def test_numbers_of_all_processes_are_united(launched, tmp_path):
    done = launched()
    assert (done.statuses, done.findings) == ([0, 0], []), done.stderr
    assert "losses, data and labels are those of 2 processes together" in done.stderr[0]
    alone = json.loads((tmp_path / "record.rank1.json").read_text())
    step = next(step for step in done.record["steps"] if step["step"] == 3)
    other = next(step for step in alone["steps"] if step["step"] == 3)
    assert sum(step["calls"][0]["labels"].values()) == 16
    assert step["calls"][0]["target"]["count"] == 2 * other["calls"][0]["target"]["count"]
    assert [rank["ended"] for rank in done.record["ranks"]] == ["finished", "finished"]
    mine = done.record["ranks"][0]["steps"][2]["calls"][0]["value"]
    assert step["calls"][0]["value"] == pytest.approx((mine + other["calls"][0]["value"]) / 2)


def test_processes_that_train_apart_are_found(launched):
    done = launched(seed="rank", model="nn.Linear(8, 2)")
    assert [finding["symptom"] for finding in done.findings] == ["processes not synchronised"]
    assert done.line == "net = nn.Linear(8, 2)"


def test_the_same_data_in_all_processes_is_found(launched):
    done = launched(data=SAME)
    assert [finding["symptom"] for finding in done.findings] == ["same data in all processes"]
    assert done.line == SAME


def test_a_fault_of_one_process_is_told_with_its_rank(launched):
    done = launched(before="xb = xb * float('nan') if rank == 1 and step == 5 else xb")
    assert done.findings[0]["code"] == "DLX101"
    assert "step 6 in rank 1" in done.findings[0]["message"]


def test_a_process_that_fails_is_told(launched):
    done = launched(before="if rank == 1 and step == 7: raise ValueError('no more data')")
    assert done.statuses[1] == 1
    assert "rank 1 failed after step 7: ValueError: no more data" in done.stderr[0]


def test_a_process_that_ends_early_is_told(launched):
    done = launched(before="if rank == 1 and step == 7: sys.exit()")
    assert "rank 1 ended after step 7" in done.stderr[0]


def test_a_process_that_hangs_is_told(launched):
    hang = "if rank == 1 and step == 2: time.sleep(1000)"
    done = launched("--max-seconds", "10", before=hang)
    for rank, line in enumerate(("loss.backward()", hang)):
        assert f"rank {rank} was at train.py:{done.lines.index(f'        {line}') + 1}:" in done.stderr[0]


def test_a_certain_fault_of_one_process_ends_all_at_the_same_step(launched):
    bad = "time.sleep(0.01)\n        xb = xb * float('nan') if rank == 1 and step == 5 else xb"
    done = launched("--max-seconds", "60", before=bad, steps=10**9)
    assert done.statuses == [0, 0]
    assert [rank["ended"] for rank in done.record["ranks"]] == ["certain", "certain"]
    first, second = (rank["last"] for rank in done.record["ranks"])
    assert first == second


def test_the_launcher_may_terminate_a_process_that_waits_for_another(launched):
    done = launched(
        before="""if rank == 0 and step == 2:
            open("pid", "w").write(str(os.getpid()))
        if rank == 1 and step == 2:
            time.sleep(1)
            os.kill(int(open("pid").read()), 15)
            time.sleep(15)"""
    )
    assert done.statuses[0] == 143
    waiting = done.lines.index("        loss.backward()") + 1
    assert "2 steps of SGD; terminated after" in done.stderr[0]
    assert f"rank 0 was at train.py:{waiting}:" in done.stderr[0]
    assert "rank 1 is alive, but has made no step" in done.stderr[0]


def test_shards_of_a_model_are_told_as_the_whole(launched, tmp_path):
    model = "torch.distributed.fsdp.fully_shard(nn.Sequential(nn.Linear(8, 4), nn.ReLU(), nn.Linear(4, 2)))"
    done = launched(model=model)
    assert (done.statuses, done.findings) == ([0, 0], []), done.stderr
    other = json.loads((tmp_path / "record.rank1.json").read_text())
    name = next(name for name in other["steps"][0]["parameters"] if name.endswith("0.weight"))
    whole, mine, its = (
        record["steps"][2]["parameters"][name] for record in (done.record, {"steps": done.record["ranks"][0]["steps"]}, other)
    )
    for part in ("weight", "gradient", "update"):
        assert whole[part] == pytest.approx((mine[part] ** 2 + its[part] ** 2) ** 0.5)
