"""Which operations are compared with a library, and in which forms."""

from dllint.ops.spec import OPS
from tests.ops.harness import FRAMEWORKS, cases, coverage

#: Operations without a library function of their own, with the test that holds them.
ELSEWHERE = {
    "einsum_dense": "tests/ops/test_einsum_dense.py",
    "rearrange": "tests/ops/test_einops.py",
    "einops_reduce": "tests/ops/test_einops.py",
    "einops_repeat": "tests/ops/test_einops.py",
}


def test_operations_are_covered(capsys):
    """An operation counts if element types, rank 0, empty tensors, broadcasting, negative axes and keywords, as far as
    they apply to it, are all compared."""
    found = coverage()
    covered = sorted(op for op, missing in found.items() if not missing)
    with capsys.disabled():
        print(f"\n{len(covered)} of {len(OPS)} operations are covered")
    assert len(covered) >= 150


def test_every_operation_has_samples():
    sampled = {case.op for framework in FRAMEWORKS for case in cases(framework)} | ELSEWHERE.keys()
    assert sorted(OPS.keys() - sampled) == []
