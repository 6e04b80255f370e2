"""Methods of data sets of TensorFlow give new ones: a statement that only calls one has no effect."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from tests.rules.training.variants import FORMS, Case, found

SETUP: Final = "data = tf.data.Dataset.from_tensor_slices(np.zeros((8, 4), 'float32'))"
CALLS: Final = (
    "data.map(lambda row: row / 255)",
    "data.shuffle(8)",
    "data.batch(2)",
    "data.cache()",
    "data.filter(lambda row: row[0] > 0)",
    "data.take(4)",
)
USED: Final = "for batch in data:\n    print(batch)"


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("call", CALLS)
def test_calls_that_nothing_keeps(call: str, form: str, tmp_path: Path) -> None:
    def told(statement: str, used: str = USED) -> bool:
        case = Case("DLG101", "import numpy as np\nimport tensorflow as tf", SETUP, f"{statement}\n{used}", ("data",))
        return bool(found(FORMS[form](case), tmp_path, ("DLG101",)))

    assert told(call)
    assert not told(f"data = {call}")
    assert not told(f"for batch in {call}:\n    print(batch)")
    assert not told(call, "print('done')")
