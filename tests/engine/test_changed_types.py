"""Faults that only newer releases have, as they changed what an operation gives: one finding, for information, in a file."""

from __future__ import annotations

from itertools import product

import pytest
import torch

from dllint.finding import Severity
from tests.engine.test_releases import check

HEAD = "import torch\nfrom torch import nn\n\nn = torch.arange(6)\nm = torch.arange(6)\np = torch.rand(6)\n"
#: What the newer releases refuse, by the release from which on they do: lines, each of which raises.
REFUSED = {
    "1.2.0": ("a = 1 - (n == m)", "a = -(n > 2)", "a = 1 - n.lt(m).view(2, 3)", "a = 1 - torch.eq(p, 0.5).unsqueeze(0)"),
    "1.5.0": ("nn.Embedding(9, 2)(n / 2)", "nn.Embedding(9, 2)((n / 2).view(2, 3))", "n /= 2", "m.div_(3)"),
    "1.7.0": (
        "nn.BCELoss()(p, torch.full((6,), 1))",
        "nn.functional.binary_cross_entropy(p.view(2, 3), torch.full((6,), 0).view(2, 3))",
        "nn.BCELoss()(p, torch.full([6], fill_value=1, device='cpu'))",
    ),
}
#: The same operations on types that no release makes of these operands otherwise.
ALWAYS = (
    "nn.BCELoss()(p, torch.ones(6).long())",
    "nn.BCELoss()(p, torch.full((6,), 1, dtype=torch.int64))",
    "nn.Embedding(9, 2)(n / 2.0)",
    "nn.Embedding(9, 2)(p / 2)",
    "a = 1 - torch.tensor([True, False])",
)
CASES = [(since, line) for since, lines in REFUSED.items() for line in lines]


def found(tmp_path, text, files=None):
    return check(tmp_path, text, files, codes=("DLT117",))


@pytest.mark.parametrize(("since", "line"), CASES)
def test_the_release_decides(since, line, tmp_path):
    text = f"{HEAD}{line}\n"
    with pytest.raises((RuntimeError, IndexError)):
        exec(compile(text, "changed", "exec"), {})
    assert [finding.severity for finding in found(tmp_path, text)] == [Severity.INFO]
    for pin, severity in [(f"torch<{since}", []), (f"torch=={since}", [Severity.ERROR]), ("torch", [Severity.ERROR])]:
        assert [finding.severity for finding in found(tmp_path, text, {"requirements.txt": pin})] == severity, pin


@pytest.mark.parametrize(("since", "prose"), list(product(REFUSED, ["PyTorch 1.0 or newer", "- PyTorch >= 1.0"])))
def test_prose_that_takes_in_both_kinds_of_releases_makes_it_information(since, prose, tmp_path):
    text = f"{HEAD}{REFUSED[since][0]}\n"
    assert [finding.severity for finding in found(tmp_path, text, {"README.md": f"{prose}\n"})] == [Severity.INFO]


@pytest.mark.parametrize(("since", "times"), list(product(REFUSED, [1, 2, 3])))
def test_one_finding_tells_of_all_places(since, times, tmp_path):
    lines = REFUSED[since][:times]
    text = HEAD + "\n".join(lines) + "\n"
    (finding,) = found(tmp_path, text)
    first = HEAD.count("\n") + 1
    assert {text.count("\n", 0, place.location.span.start) + 1 for place in finding.related} >= set(
        range(first + 1, first + times)
    )
    assert since in finding.message


@pytest.mark.parametrize("line", ALWAYS)
@pytest.mark.parametrize("pin", ["torch==1.0.0", "torch==2.1.0", ""])
def test_what_every_release_refuses_is_an_error(line, pin, tmp_path):
    text = f"{HEAD}{line}\n"
    with pytest.raises((RuntimeError, IndexError)):
        exec(compile(text, "always", "exec"), {"torch": torch})
    (finding,) = found(tmp_path, text, {"requirements.txt": pin} if pin else None)
    assert finding.releases is None
    assert finding.severity is (Severity.INFO if pin == "torch==1.0.0" else Severity.ERROR)
