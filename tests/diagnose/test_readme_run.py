"""The training run in the README prints what the README says."""

from __future__ import annotations

import re

import pytest

from tests.diagnose.scripts import ROOT

MEASURED = re.compile(r"\d+\.\d{3}")


@pytest.mark.thorough
def test_the_run_of_the_readme(run_in_fork, tmp_path):
    section = (ROOT / "README.md").read_text(encoding="utf-8").partition("## Training runs")[2].partition("\n## ")[0]
    program, shown = re.search(r"```python\n(.*?)```.*?```text\n(.*?)```", section, re.DOTALL).groups()
    (tmp_path / "train.py").write_text(program, encoding="utf-8")
    arguments = ["diagnose", "--replay-seconds", "200", "--html", "report.html", "train.py"]
    status, out, err = run_in_fork(arguments, tmp_path)
    assert status == 1, err
    assert MEASURED.sub("0.000", shown) in MEASURED.sub("0.000", out)
    assert "repairs were tried" in out
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "The inputs of Sequential.0 are not normalised" in page
    assert "+ net = nn.Sequential(nn.BatchNorm1d(16), " in page
