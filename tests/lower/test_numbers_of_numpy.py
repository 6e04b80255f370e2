"""One element of an array is a number: what is added to it binds the name anew, and the type is that of the result."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from tests.lower.tracing import lower, values

pytestmark = pytest.mark.oracle

#: How numbers and arrays without axes come about.
MADE = (
    "a.sum()", "a[0, 1]", "np.max(a)", "a.ravel()[2]", "np.prod(a)", "np.dot(a[0], a[1])", "np.add(np.array(1), 2)",
    "-np.array(3)", "np.array(3)", "np.zeros((), int)", "np.full((), 3)", "np.asarray(3)", "sum(a[i][i] for i in range(2))",
    "a[0]", "a", "np.int64(3)",
)  # fmt: skip
CHANGES = ("x *= 0.5", "x /= 2", "x += 1", "x -= 1.5", "x **= 2", "x += a[0, 0]")


@pytest.mark.parametrize(("made", "change"), list(product(MADE, CHANGES)))
@pytest.mark.parametrize(
    "around", ["x = {made}\n{change}\n", "def f():\n    x = {made}\n    {change}\n    return x\nx = f()\n"]
)
def test_augmented_numbers(made: str, change: str, around: str) -> None:
    text = f"import numpy as np\na = np.arange(6).reshape(2, 3)\n{around.format(made=made, change=change)}"
    names: dict = {}
    try:
        exec(text, names)
    except np.exceptions.DTypePromotionError:
        raise
    except TypeError:
        assert any(op.faults for program in lower(text).programs for op in program.ops), text
        return
    assert not any(op.faults for program in lower(text).programs for op in program.ops), text
    found = values(text)["x"]
    dtype = getattr(getattr(found, "type", None), "dtype", None)
    assert getattr(dtype, "name", None) in (None, names["x"].dtype.name)


def test_what_may_be_either_is_of_no_known_type() -> None:
    text = "import numpy as np\ndef f(n):\n    x = np.ones(3, int).sum(axis=n)\n    x *= 0.5\n    return x\n"
    assert not any(op.faults for program in lower(text).programs for op in program.ops)
