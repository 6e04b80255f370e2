"""The example spec and wrong specs, through the command."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest


@pytest.mark.oracle
def test_the_example_finds_its_mistake_and_goes_on_from_what_is_kept(bisect, tmp_path):
    assert bisect(tmp_path, "init").returncode == 0
    first = bisect(tmp_path, "bisect_spec.py", "--output-format", "json", "--output-file", "a.json")
    assert first.returncode == 1, first.stderr
    found = json.loads((tmp_path / "a.json").read_text())
    (culprit,) = found["culprits"]
    assert (found["verdict"], culprit["operator"], culprit["module"]) == ("culprits", "layer_norm", "body.1")
    assert culprit["filename"] == str(tmp_path / "bisect_spec.py")
    assert (culprit["sufficient"], culprit["necessary"]) == (True, True)
    line = (tmp_path / "bisect_spec.py").read_text().splitlines()[culprit["location"]["row"] - 1]
    assert line.strip() == "return self.head(self.body(x))"
    assert any((tmp_path / ".dllint_bisect").rglob("*.npy"))
    assert "already" in bisect(tmp_path, "init").stderr


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("spec.py", "reference = 1\n", "names no `candidate`"),
        ("spec.py", "reference = 1\ncandidate = 'm.onnx'\n", "neither `samples` nor `batches`"),
        ("spec.py", "x = 1\n1 / 0\n", "spec.py:2 raises ZeroDivisionError"),
        ("spec.py", "reference = 1\ncandidate = 'm.onnx'\nsamples = [1, 2]\n", "is no pair"),
        ("spec.py", "reference = 1\ncandidate = 'm.onnx'\nsamples = [(1.0, 2), (2.0, 3)]\n", "the reference is a int"),
        ("spec.toml", "reference = 'nowhere:model'\n", "No module named 'nowhere'"),
        ("spec.toml", "model = 'a:b'\n", "unknown name `model`"),
        ("spec.toml", "= 3\n", "is not TOML"),
    ],
)
def test_wrong_specs_are_told_in_a_line(bisect, tmp_path, name, text, told):
    (tmp_path / name).write_text(text)
    done = bisect(tmp_path, name)
    assert done.returncode == 2
    assert told in done.stderr
    assert "Traceback" not in done.stderr


def test_a_spec_that_is_not_there(tmp_path):
    command = [sys.executable, "-m", "dllint", "bisect", "nothing.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "there is no spec" in done.stderr
