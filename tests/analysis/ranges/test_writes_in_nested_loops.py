"""Elements assigned to inside of loops in loops: the work for their ranges grows with the program, not with the ways there."""

from __future__ import annotations

from pathlib import Path

import pytest

from dllint.analysis.ranges.evaluator import Ranges
from dllint.domains.partition import Partition
from dllint.ir.program import TensorVal
from dllint.lower.document import lower_document
from dllint.source.document import Document


class CountedRanges(Ranges):
    """Ranges that count how many values they compute."""

    computed = 0

    def _anew(self, value: TensorVal) -> Partition:
        self.computed += 1
        return super()._anew(value)


def _program(depth: int, library: str) -> str:
    lines = [f"import {library}", f"d = {library}.zeros((73 * 144, 73 * 144))"]
    lines += ["    " * level + f"for i{level} in range({73 + level}):" for level in range(depth)]
    margin = "    " * depth
    half = depth // 2
    row, column = (" + ".join(f"i{level} * 9" for level in levels) or "0" for levels in (range(half), range(half, depth)))
    lines += [margin + f"delta = abs(i0 - i{depth - 1})", margin + f"other = abs(i{half} - i0)"]
    lines += [margin + f"d[{row}, {column}] = delta ** 2 + min(other, 144 - other) ** 2"]
    lines += ["for r in [3, 5, 10]:", f"    print({library}.exp(-0.5 * d / r ** 2))"]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("library", ["numpy", "torch"])
@pytest.mark.parametrize("depth", [1, 2, 3, 4, 5])
def test_the_work_is_bounded(depth: int, library: str) -> None:
    for program in lower_document(Document.from_text(Path("loops.py"), _program(depth, library))).programs:
        ranges = CountedRanges(program)
        for op in program.ops:
            for value in (*op.inputs, *op.outputs):
                ranges.of(value)
        assert ranges.computed <= 15 * len(program.ops) + 400
