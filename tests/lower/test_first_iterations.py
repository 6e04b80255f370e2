"""What the first iteration of a counting loop sets up is there in the others."""

from __future__ import annotations

import pytest

from tests.lower.tracing import lower

LOOPS = {"numbers": "for i in range(len(loader)):", "items": "for i, batch in enumerate(loader):"}
TESTS = {
    "first": ("i == 0", "every = {made}", "every = {joined}"),
    "others": ("i > 0", "every = {joined}", "every = {made}"),
    "not first": ("i != 0", "every = {joined}", "every = {made}"),
}
#: What the loop starts from, what an iteration makes, and how it is added.
GATHERED = {
    "numpy": ("np.array([])", "np.zeros((4, 50, 3))", "np.vstack((every, np.zeros((4, 50, 3))))"),
    "torch": ("torch.zeros(1)", "torch.zeros(4, 5)", "torch.cat((every, torch.zeros(4, 5)))"),
    "added": ("torch.zeros(3)", "torch.zeros(4, 5)", "every + torch.ones(4, 5)"),
}


def source(loop: str, test: str, gathered: str) -> str:
    start, made, joined = GATHERED[gathered]
    condition, first, second = (text.format(made=made, joined=joined) for text in TESTS[test])
    return (
        f"import numpy as np\nimport torch\n\ndef gather(loader):\n    every = {start}\n    {LOOPS[loop]}\n"
        f"        if {condition}:\n            {first}\n        else:\n            {second}\n    return every\n"
    )


def faults(text: str) -> list[str]:
    return [op.kind for program in lower(text).programs for op in program.ops if op.faults]


@pytest.mark.parametrize("gathered", GATHERED)
@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("loop", LOOPS)
def test_what_it_starts_from_does_not_reach_the_others(loop: str, test: str, gathered: str) -> None:
    assert faults(source(loop, test, gathered)) == []


@pytest.mark.parametrize("loop", LOOPS)
def test_what_every_iteration_meets_is_told(loop: str) -> None:
    text = source(loop, "first", "torch").replace("every = torch.zeros(4, 5)", "pass")
    assert faults(text) == ["cat"]
