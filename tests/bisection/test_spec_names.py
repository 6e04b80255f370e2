"""Names in specs that would be passed over, and the places of calls in lines."""

from __future__ import annotations

import pytest

from dllint.bisection.candidates.setting import Setting
from dllint.bisection.errors import BisectionError
from dllint.bisection.references.call_place import column_of
from dllint.bisection.spec import load

SPEC = """\
import math
from pathlib import Path

SEED = 3
_cache = {}


class Net:
    pass


def helper():
    return Net()


reference = helper
candidate = "float16"
samples = [(1.0, 2.0)]


def per_sample(outputs, targets):
    return outputs == targets


def unused_on_purpose():
    return SEED
"""


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("margins = 0.1", "margins"),
        ("batchsize = 8", "batchsize"),
        ("tolerance: float = 0.1", "tolerance"),
        ("def preproces(x):\n    return x", "preproces"),
        ("Expected = 0.9", "Expected"),
        ("candidate_preproccess = helper", "candidate_preproccess"),
    ],
)
def test_a_name_without_effect_is_an_error_in_python(line, name, tmp_path):
    (tmp_path / "spec.py").write_text(SPEC + line + "\n")
    with pytest.raises(BisectionError, match=f"unknown name `{name}`"):
        load(tmp_path / "spec.py")


@pytest.mark.parametrize(
    "line",
    [
        "",
        "margin = 0.1",
        "rate = 0.1\nmargin = rate",
        "first, second = 1, 2",
        "step = 4\nfor step in range(step):\n    pass",
        "_private = 1",
        "LIMIT = 4",
        "offset = 1\nglobals()",
        "if __name__ == '__main__':\n    print(helper())",
    ],
)
def test_names_of_its_own_are_no_error(line, tmp_path):
    (tmp_path / "spec.py").write_text(SPEC + line + "\n")
    assert load(tmp_path / "spec.py").candidate == "float16"


@pytest.mark.parametrize(
    ("text", "kind", "module", "column"),
    [
        ("        x = self.norm(self.conv(x))", "conv2d", "blocks.0.conv", 23),
        ("        x = self.norm(self.conv(x))", "batch_norm", "blocks.0.norm", 13),
        ("        return F.relu(x + self.two(y))", "relu", "", 16),
        ("        return F.relu(x + self.two(y))", "add", "", 23),
        ("    size = x.square().mean(-1).sqrt()", "mean", "", 23),
        ("    size = x.square().mean(-1).sqrt()", "square", "", 12),
        ("    ä = self.blocks[0](x)", "linear", "blocks.0", 9),
        ("    y = a + b + c", "add", "", 9),
        ("    y = torch.relu(a) - torch.relu(b)", "relu", "", None),
        ("    y = a.exp()", "softmax", "", None),
    ],
)
def test_the_place_is_the_call(text, kind, module, column, tmp_path):
    path = tmp_path / "model.py"
    path.write_text(
        f"def forward(self, x):\n    if True:\n{text if text.startswith('        ') else '    ' + text}\n", encoding="utf-8"
    )
    shift = 0 if text.startswith("        ") else 4
    assert column_of(path, 3, kind, module) == (None if column is None else column + shift)


def test_an_execution_provider_that_is_not_there_is_an_error(tmp_path):
    onnx_runtime = pytest.importorskip("dllint.bisection.candidates.onnx_runtime")
    setting = Setting(tmp_path, "cpu", None, None, [], ("CPUExecutionProvider", "NoSuchExecutionProvider"))
    with pytest.raises(BisectionError, match="NoSuchExecutionProvider is not present"):
        onnx_runtime.opened(tmp_path / "m.onnx", setting)
