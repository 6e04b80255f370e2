"""Programs whose numbers are odd: NaN and infinity, nothing at all, contradictions, unknown types. No crash, and no lie."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from dllint.analysis.ranges.evaluator import Ranges
from dllint.config.discovery import Configuration
from dllint.domains.interval import Interval
from dllint.domains.precision import PRECISIONS
from dllint.engine.session import Session
from dllint.ir.program import TensorVal
from dllint.source.document import Document

PATH = Path("/snippet/odd.py")
PROGRAMS = {
    "NaN": "x = torch.tensor(float('nan'))\ny = torch.log(x + 1) * 2",
    "NaN among numbers": "x = torch.tensor([1.0, float('nan'), 3.0])\ny = torch.log(x - 2)\nz = x[0] + 1",
    "NaN from math": "import math\nx = torch.full((3,), math.nan)\ny = x.clamp(0, 1)",
    "infinity": "x = torch.full((3,), float('inf'))\ny = x - x\nz = x * 0\nw = torch.exp(-x)",
    "minus infinity in a mask": "x = torch.rand(4, 4)\nx = x.masked_fill(x < 0.5, float('-inf'))\ny = torch.softmax(x, 1)",
    "infinite limits": "x = torch.rand(3).clamp(min=-float('inf'), max=float('inf'))\ny = 1 / x",
    "zero elements": "x = torch.zeros(0)\ny = x.sum()\nz = torch.log(y)",
    "empty maximum": "x = torch.zeros(0, 3)\ny = x.max()\nz = x.amax(dim=0)\nw = torch.log(y)",
    "empty mean": "x = torch.rand(0)\ny = x.mean()\nz = 1 / y",
    "empty softmax": "x = torch.rand(3, 0)\ny = torch.softmax(x, dim=1)\nz = y.sum(dim=1)",
    "empty pieces": "x = torch.cat([torch.rand(0, 2), torch.rand(3, 2) + 1])\ny = x[:0] + 1\nz = x[5:] * 2\nw = torch.log(x)",
    "nothing put together": "x = torch.cat([])\ny = x + 1",
    "no pieces": "x = torch.stack([])\na, b = torch.rand(4).split([4, 0])\ny = b + 1",
    "empty slice assigned": "x = torch.rand(4)\nx[3:1] = 9\ny = torch.log(x)",
    "index out of range": "x = torch.rand(4)\nx[9] = 2\nx[-7] = 3\ny = x[2] + 1",
    "too many indices": "x = torch.rand(4)\nx[0, 0, 0] = 2\ny = x + 1",
    "step of zero": "x = torch.rand(4)\nx[::0] = 2\ny = x[::-1] + 1",
    "contradicting assertions": "x = torch.randn(3)\nassert (x > 1).all()\nassert (x < 0).all()\ny = torch.log(x)",
    "contradicting branches": "x = torch.rand(())\nif x > 2:\n    y = torch.log(x - 5)\nelse:\n    y = x",
    "contradicting where": "x = torch.rand(3)\ny = torch.where(x > 5, torch.log(x), x)\nz = y / y",
    "limits crossed": "x = torch.rand(3).clamp(min=2, max=-2)\ny = torch.sqrt(x)",
    "unknown type": "x = torch.zeros(3, dtype=mystery)\nx[0] = 300\ny = x + 1\nz = torch.log(y)",
    "unknown shape": "x = mystery()\nx[0] = 1\ny = torch.cat([x, x])\nz = y[2:] / y",
    "strings": "import numpy as np\nx = np.array(['a', 'b'])\nx[0] = 'c'\ny = x == 'a'",
    "huge integers": "x = torch.tensor([2**62, -2**63])\ny = x * 4\nz = y + 2**70",
    "huge literal": "x = torch.tensor(1e400)\ny = x + 1\nz = torch.tensor(10**400)",
    "assigned to itself": "x = torch.rand(4)\nx[:2] = x[2:]\nx[1:] = x[:-1]\ny = x * 2",
    "in a loop without end": "x = torch.ones(3)\nwhile True:\n    x[0] = x[1] * 2\n    x[1] = x[0] + 1\n    y = torch.log(x)",
    "views of views": "x = torch.rand(2, 3, 4)\nv = x[0][1]\nv[2] = 7\nv.mul_(2)\ny = x.view(-1)[3] + v.sum()",
}


def results(text: str, precision: str) -> list[tuple[str, Interval]]:
    document = Document.from_text(PATH, "import torch\n" + text)
    analysis = Session(Configuration(isolated=True, overrides={"precision": precision})).analyser(PATH).analyse(document)
    assert not analysis.notices
    program = analysis.programs[0]
    ranges = Ranges(program, PRECISIONS[precision])
    return [(op.kind, ranges.of(out)) for op in program.ops for out in op.outputs if isinstance(out, TensorVal)]


@pytest.mark.parametrize("precision", PRECISIONS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_every_range_is_one(name: str, precision: str) -> None:
    for kind, found in results(PROGRAMS[name], precision):
        assert not math.isnan(found.low.value), kind
        assert not math.isnan(found.high.value), kind
        assert found.low.value <= found.high.value, kind


@pytest.mark.oracle
@pytest.mark.parametrize("precision", PRECISIONS)
@pytest.mark.parametrize("name", [name for name in PROGRAMS if "infinite" in name or "NaN" in name or "views" in name])
def test_numbers_lie_in_their_range(name: str, precision: str) -> None:
    torch = pytest.importorskip("torch")
    torch.manual_seed(0)
    names: dict[str, object] = {}
    exec("import torch\n" + PROGRAMS[name], names)
    found = results(PROGRAMS[name], precision)[-1][1]
    last = names["w" if "w" in names else "z" if "z" in names else "y"]
    for number in torch.as_tensor(last).double().reshape(-1).tolist():
        assert math.isnan(number) or found.low.value <= number <= found.high.value
