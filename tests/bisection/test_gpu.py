"""The walk through of the documentation: found, fixed, verified, on the CPU and on a GPU."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
ROOT = Path(__file__).parents[2]
DOCUMENTED, FIX = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "bisect.md").read_text(encoding="utf-8"), re.DOTALL)
FAULTY = "        size = x.square().mean(-1, keepdim=True).sqrt()\n"
GPU = pytest.param("cuda:0", marks=[pytest.mark.gpu, pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")])


@pytest.fixture
def bisected(bisect, tmp_path):
    """Runs the command about a spec: its status and what it reports."""

    def run(text: str, device: str) -> tuple[int, dict]:
        (tmp_path / "spec.py").write_text(text, encoding="utf-8")
        done = bisect(tmp_path, "spec.py", "-q", "--device", device, "--output-format", "json")
        assert done.stdout, done.stderr
        return done.returncode, json.loads(done.stdout)

    return run


@pytest.mark.oracle
@pytest.mark.parametrize("device", ["cpu", GPU])
def test_the_documented_overflow_is_found_fixed_and_verified(bisected, tmp_path, device):
    status, found = bisected(DOCUMENTED, device)
    assert status == 1
    culprit = found["culprits"][0]
    line = (tmp_path / "spec.py").read_text().splitlines()[culprit["location"]["row"] - 1]
    assert line == FAULTY.rstrip()
    assert culprit["suspected"].startswith("overflow of half precision")
    assert FAULTY in DOCUMENTED
    status, found = bisected(DOCUMENTED.replace(FAULTY, FIX), device)
    assert (status, found["verdict"]) == (0, "equally valid")
