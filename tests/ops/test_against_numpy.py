"""Every operation against numpy."""

import pytest

from tests.ops.harness import Case, cases, failures

CASES = cases("numpy")


@pytest.mark.oracle
@pytest.mark.parametrize("case", CASES, ids=[f"{c.op}-{c.name}" for c in CASES])
def test_operation_agrees_with_numpy(case: Case):
    found = failures(case)
    assert not found, "\n".join(found)
