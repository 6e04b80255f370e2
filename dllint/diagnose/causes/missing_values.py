"""Some samples contain NaN."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar

from dllint.diagnose.causes.case import Case
from dllint.diagnose.causes.code import Code
from dllint.diagnose.causes.hypothesis import Hypothesis
from dllint.edit import Edit


class MissingValues(Hypothesis):
    """The first value that was not finite is in the data."""

    kind = "missing-values"
    supports: ClassVar = {"numerical error": 1.0, "input features": 1.0}

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """Leave those samples out; or take 0 for what is missing, the mean of standardised inputs."""
        if not any(fault.where == "input" for fault in case.run.faults):
            return
        for code in case.codes():
            for call in code.backward_calls():
                loop = next(iter(code.loops(call)), None)
                if isinstance(loop, ast.For):
                    yield from _at_the_loop(code, loop)
                    yield from _before_the_loops(code, loop, code.loops(call)[-1])


def _at_the_loop(code: Code, loop: ast.For) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
    """For a loop over pairs of inputs and targets."""
    target = loop.target
    if isinstance(target, ast.Tuple) and len(target.elts) == 2 and isinstance(target.elts[1], ast.Tuple):
        target = target.elts[1]
    if not isinstance(target, ast.Tuple) or len(target.elts) != 2:
        return
    inputs, wanted = (code.source(name) for name in target.elts)
    whole = f"whole = {inputs}.flatten(1).isfinite().all(1)"
    left_out = f"{whole}; {inputs}, {wanted} = {inputs}[whole], {wanted}[whole]"
    yield "Leave out samples with missing values", (code.insert_before(loop.body[0], left_out),), 1.0
    filled = f"{inputs} = {inputs}.nan_to_num(nan=0.0)"
    yield "Take 0 for missing values", (code.insert_before(loop.body[0], filled),), 0.9


def _before_the_loops(
    code: Code, loop: ast.For, outermost: ast.For | ast.While
) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
    """For a loop over indices: inputs and targets, in this order, are what is indexed with them."""
    if not isinstance(loop.target, ast.Name):
        return
    index = loop.target.id
    subscripts = [node for statement in loop.body for node in ast.walk(statement) if isinstance(node, ast.Subscript)]
    by_index = [node for node in subscripts if isinstance(node.slice, ast.Name) and node.slice.id == index]
    by_index.sort(key=lambda node: (node.lineno, node.col_offset))
    arrays = list(dict.fromkeys(code.source(node.value) for node in by_index))
    if len(arrays) != 2:
        return
    inputs, wanted = arrays
    whole = f"whole = {inputs}.flatten(1).isfinite().all(1)"
    left_out = f"{whole}; {inputs}, {wanted} = {inputs}[whole], {wanted}[whole]"
    yield "Leave out samples with missing values", (code.insert_before(outermost, left_out),), 1.0
