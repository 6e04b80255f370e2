"""Diagnosis of programs that train on a GPU."""

from __future__ import annotations

import pytest

from tests.diagnose.loops import loop
from tests.diagnose.scripts import HEALTHY

torch = pytest.importorskip("torch")
pytestmark = [pytest.mark.gpu, pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")]

ON_GPU = "import torch\ntorch.set_default_device('cuda')\n"


def test_a_healthy_program_is_healthy(diagnose):
    text = HEALTHY.replace("STEPS", "60").replace("shuffle=True", "shuffle=True, generator=torch.Generator('cuda')")
    done = diagnose(ON_GPU + text)
    assert (done.status, done.findings) == (0, []), done.stderr


def test_a_bad_operation_is_found_on_its_line(diagnose):
    text = ON_GPU + loop(loss="loss = -torch.log(F.softmax(net(xb), 1) * 0).mean()")
    done = diagnose(text)
    assert done.codes[0] == "DLX101"
    line = text.splitlines()[done.findings[0]["location"]["row"] - 1]
    assert "torch.log" in line


def test_a_bad_operation_of_the_backward_pass_is_found(diagnose):
    text = ON_GPU + loop(loss="loss = F.cross_entropy(net(xb), yb) + torch.sqrt(net[0].bias * 0).sum()")
    done = diagnose(text)
    assert done.codes[0] == "DLX101"
    assert done.findings[0]["symptom"] == "numerical error"


def test_a_limit_of_the_gpus_memory_ends_the_program(diagnose):
    done = diagnose(ON_GPU + loop(steps=10**6), "--max-gpu-memory", "1KB")
    assert "the limit of the device's memory was reached" in done.stderr


def test_a_program_may_be_kept_from_the_gpu(diagnose):
    done = diagnose("import torch\nprint(torch.cuda.is_available())\n", "--device", "cpu")
    assert done.stdout == "False\n"
