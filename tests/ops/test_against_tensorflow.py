"""Operations against TensorFlow."""

import pytest

from tests.ops.harness import Case, cases, failures

CASES = cases("tensorflow")


@pytest.mark.oracle
@pytest.mark.parametrize("case", CASES, ids=[f"{c.op}-{c.name}" for c in CASES])
def test_operation_agrees_with_tensorflow(case: Case):
    found = failures(case)
    assert not found, "\n".join(found)
