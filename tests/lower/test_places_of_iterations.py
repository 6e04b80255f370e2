"""What cannot be gone through is told at its own place, not at that of a call before it."""

from __future__ import annotations

import pytest

from tests.rules.harness import findings

USES = (
    "[parts[j] for j in chosen]",
    "{{j: 1 for j in chosen}}",
    "list(parts[j] for j in chosen)",
    "[k for p in parts for k in chosen]",
)


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("before", ["kept.append(chosen)", "print(len(parts))", "total = sum(parts)"])
def test_an_iteration_stands_where_it_is(use: str, before: str) -> None:
    text = (
        "import numpy as np\nkept = []\nparts = [1, 2, 3]\nchosen = np.random.permutation(8)[int(8 * 0.5)]\n"
        f"{before}\nout = {use.format()}\n"
    )
    (found,) = [finding for finding in findings(text) if finding.code == "DLT109"]
    assert found.location.span.first.line == 6
    assert "`chosen`" in found.message
