"""One change of a program that makes it raise whatever its tensors hold."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Final

from benchmarks.module_idioms.template import Draft

#: Layers, and the arguments of theirs that say what they take or give.
_LAYERS: Final = (
    "Linear", "Conv1d", "Conv2d", "Conv3d", "BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "LayerNorm", "GroupNorm", "GRU",
    "LSTM", "RNN", "ConvTranspose1d", "ConvTranspose2d", "ConvTranspose3d", "GRUCell", "LSTMCell",
)  # fmt: skip
_TRIES: Final = 6


def broken(draft: Draft, random: Random) -> Iterator[Draft]:
    """The draft with one width of a layer changed, in several ways, one after the other."""
    text = draft.sections["definitions"]
    readable = text.replace("§", "_")  # as long, and Python
    places = list(_widths(ast.parse(readable), readable))
    for start, end in random.sample(places, min(_TRIES, len(places))):
        written = text[start:end]
        changed = f"{text[:start]}{random.choice([f'({written}) + 1', f'({written}) * 2'])}{text[end:]}"
        yield replace(draft, sections={**draft.sections, "definitions": changed})


def _widths(tree: ast.AST, text: str) -> Iterator[tuple[int, int]]:
    """Where widths of layers stand, as offsets."""
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.func.attr not in _LAYERS:
            continue
        for argument in node.args[:2]:
            if not isinstance(argument, ast.Starred | ast.Constant) and argument.end_lineno and argument.end_col_offset:
                yield (starts[argument.lineno - 1] + argument.col_offset,
                       starts[argument.end_lineno - 1] + argument.end_col_offset)  # fmt: skip
