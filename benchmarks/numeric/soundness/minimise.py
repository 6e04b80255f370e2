"""Programs made small: lines left out while a counter-example stays."""

from __future__ import annotations

from dataclasses import replace

from benchmarks.numeric.soundness.check import check
from benchmarks.numeric.soundness.generator import COUNTED, HEADER, Line, Program


def minimised(program: Program, seed: int) -> Program:
    """The smallest program that leaving out single lines, or a block's header with its lines, comes to."""
    small = program
    start = len(HEADER)
    changed = True
    while changed:
        changed = False
        for number in reversed(range(start, len(small.lines))):
            for lines in _without(small.lines, number):
                smaller = Program(lines, small.leaf)
                if _fails(smaller, seed):
                    small, changed = smaller, True
                    break
    return small


def _without(lines: list[Line], number: int) -> list[list[Line]]:
    """The lines without one of them: that of a header with its block, or with the block's lines in its place."""
    line = lines[number]
    if line.text == COUNTED:  # without it a loop would not end
        return []
    if not line.text.endswith(":"):
        return [lines[:number] + lines[number + 1 :]]
    end = next((n for n in range(number + 1, len(lines)) if lines[n].depth <= line.depth), len(lines))
    block = [replace(inner, depth=inner.depth - 1) for inner in lines[number + 1 : end]]
    return [lines[:number] + lines[end:], lines[:number] + block + lines[end:]]


def _fails(program: Program, seed: int) -> bool:
    try:
        compile(program.text, "program", "exec")
        return bool(check(program, seed).counter_examples)
    except (SyntaxError, NameError):
        return False
