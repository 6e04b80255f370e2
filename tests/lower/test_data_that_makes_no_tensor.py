"""Texts and ragged rows in the place of numbers, against runs of torch."""

from __future__ import annotations

import pytest

from tests.lower.against_runs import check
from tests.rules.harness import findings

pytest.importorskip("torch")
pytestmark = pytest.mark.oracle

DATA = (
    '["a", "b"]', '["a", 1]', '[1, "a"]', '[["a"], [1]]', "[[1], [2, 3]]", "[1, [2]]", "[[1], 2]", "[[1, 2], (3, 4)]",
    "[[[1]], [[1, 2]]]", "[[], []]", "[]", "[range(2), [1, 2]]", "[[1.5], [True]]", '"a b c".split()', '["a"] * 3',
    "[str(i) for i in range(3)]", "[list(range(i)) for i in range(1, 3)]", "[1.0] * 3",
)  # fmt: skip
CALLS = ("torch.tensor({})", "torch.as_tensor({})", "torch.tensor({}, dtype=torch.float)", "torch.FloatTensor({})")


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("data", DATA)
def test_what_is_said_of_data_holds(data: str, call: str) -> None:
    check(f"import torch\nx = {call.format(data)}\n")


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("data", DATA)
def test_the_same_through_a_function(data: str, call: str) -> None:
    check(f"import torch\ndef make(data):\n    return {call.format('data')}\nx = make({data})\n")


@pytest.mark.parametrize("given", ["data", "[data, 'a']", "[data, [1], [1, 2]]", "[row for row in data]"])
def test_nothing_is_said_of_data_that_is_not_known(given: str) -> None:
    assert not findings(f"import torch\n\n\ndef make(data):\n    return torch.tensor({given})\n")
