"""An axis that has one element in the last pass of a loop alone is no axis of one element."""

from __future__ import annotations

from itertools import product

import pytest

from tests.rules.harness import reports

HEAD = "import torch\n\nscores = torch.nn.Linear(8, 5)(torch.randn(3, 8))\n"
BEST = ("{part}.max(-1)", "{part}.argmax(1)", "torch.argmax({part}, dim=-1)", "torch.max({part}, 1)[1]")
LOOPS = (
    "for i in range({first}, 5):\n    print({best})\n",
    "def best(scores, i):\n    return {best}\n\n\nfor i in range({first}, 5):\n    print(best(scores, i))\n",
    "i = {first}\nwhile i < 5:\n    print({best})\n    i += 1\n",
    "found = [{best} for i in range({first}, 5)]\n",
)
PARTS = ("scores[:, i:]", "scores[:, i:min(i + 18, 5)]", "scores[:, : 5 - i]")


def programs(first: int) -> list[str]:
    return [HEAD + loop.format(best=best.format(part=part), first=first) for loop, best, part in product(LOOPS, BEST, PARTS)]


@pytest.mark.parametrize("text", programs(1))
def test_only_the_last_pass_has_one_element(text):
    assert [code for _, code in reports(text) if code == "DLT120"] == []


@pytest.mark.parametrize("text", programs(4))
def test_every_pass_has_one_element(text):
    assert [code for _, code in reports(text)] == ["DLT120"]
