"""A module of the standard library is true: what stands under its negation never runs."""

from __future__ import annotations

import pytest

from tests.lower.tracing import lower

WRONG = "torch.zeros(2, 3) + torch.zeros(2, 4)"
HEAD = "import os\nimport random\nimport torch\nimport torch.nn.functional as F\nimport numpy as np\n\n"


@pytest.mark.parametrize("module", ["random", "os"])
@pytest.mark.parametrize(
    "form",
    ["if not {module}:\n    {wrong}", "y = 0 if {module} else {wrong}", "{module} or {wrong}",
     "def f():\n    if not {module}:\n        return {wrong}\n    return 0\n\n\nf()"],
)  # fmt: skip
def test_dead_branches(form, module):
    lowered = lower(HEAD + form.format(module=module, wrong=WRONG) + "\n")
    assert [op.faults for program in lowered.programs for op in program.ops if op.faults] == []


@pytest.mark.parametrize("form", ["if {module}:\n    {wrong}", "if {module}:\n    pass\nelse:\n    {wrong}"])
def test_what_may_be_missing_is_checked_both_ways(form):
    optional = "try:\n    import extension\nexcept ImportError:\n    extension = None\n"
    lowered = lower(f"{HEAD}{optional}{form.format(module='extension', wrong=WRONG)}\n")
    assert [op.kind for program in lowered.programs for op in program.ops if op.faults] == ["add"]
