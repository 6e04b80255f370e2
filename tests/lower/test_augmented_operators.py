"""``x <<= 1`` and its like change what shares the elements of ``x``, whether the operator is modelled or not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from dllint.analysis.ranges.evaluator import Ranges
from dllint.lower.document import lower_document
from dllint.source.document import Document

OPERATORS = ("+=", "-=", "*=", "//=", "%=", "&=", "|=", "^=", "<<=", ">>=", "**=")
VIEWS = {
    "torch": ("x.narrow(-1, 0, 1)", "x[:, :1]", "x.view(4)", "x.t()", "x[0]", "x.detach()", "x"),
    "numpy": ("x[:, :1]", "x.reshape(4)", "x.T", "x[0]", "x.ravel()", "x"),
}
MADE = {"torch": "torch.tensor([[1, 2], [4, 5]])", "numpy": "numpy.array([[1, 2], [4, 5]])"}


@pytest.mark.parametrize("operator", OPERATORS)
@pytest.mark.parametrize("library", VIEWS)
def test_ranges_of_views_hold_what_a_run_gives(library: str, operator: str) -> None:
    for view in VIEWS[library]:
        text = f"import {library}\nx = {MADE[library]}\nv = {view}\nx {operator} 3\nafter = v + 0\nagain = x + 0\n"
        run: dict[str, Any] = {}
        exec(text, run)
        lowered = lower_document(Document.from_text(Path("program.py"), text))
        ranges = Ranges(lowered.programs[0])
        for name in ("after", "again"):
            found, real = lowered.module.attrs[name], run[name]
            assert found.shape == tuple(real.shape)
            claimed = ranges.of(found)
            assert claimed.low.value <= real.min(), (view, name, claimed)
            assert real.max() <= claimed.high.value, (view, name, claimed)
