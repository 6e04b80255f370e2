"""What ``dllint`` says about the model that a script makes and calls."""

from __future__ import annotations

import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dllint.analysis.architecture.models import main_models
from dllint.analysis.architecture.shapes import tensors_given
from dllint.analysis.architecture.weights import ProgramWeights
from dllint.cli.failures import Failure
from dllint.cli.opening import open_analysed
from dllint.domains.dim import Dim, show
from dllint.domains.lattice import Unknown
from dllint.ir.values import Value


@dataclass
class Found:
    """Figures of a model; a shape is a tuple, with None for a size that is symbolic; of several tensors, a list."""

    parameters: int | str
    is_complete: bool
    mult_adds: int | str
    is_cost_complete: bool
    output: Any
    calls: dict[str, list[Any]] = field(default_factory=dict)
    gaps: list[str] = field(default_factory=list)


@dataclass
class Truth:
    """The same, as the library has it."""

    parameters: int
    mult_adds: int
    output: Any
    calls: dict[str, list[Any]]


def summarised(text: str) -> Found | None:
    """The figures of the model of a script; None if none is found."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "script.py"
        path.write_text(text, encoding="utf-8")
        try:
            opened = open_analysed(path, sys.executable, architectures=True)
        except Failure:
            return None
        made = ProgramWeights.of(opened.analysis.programs)
        found = [model for model in main_models(opened.analysis.programs, made) if model.call is not None]
        if not found:
            return None
        tree = found[0].tree(made)
    weights = tree.weights
    modules = list(tree.walk())
    gaps = list(dict.fromkeys(gap for module in modules for gap in module.gaps))
    return Found(
        _number(weights.total),
        not weights.is_open,
        _number(tree.cost),
        not tree.has_open_cost,
        shapes_of(tree.calls[-1].output),
        {module.path: [shapes_of(call.output) for call in module.calls] for module in modules if module.path},
        gaps[:6],
    )


def _number(value: Dim) -> int | str:
    """A number, or that of one sample, where only the size of the batch is free."""
    text = value if isinstance(value, int) else show(value)
    return int(text[:-2]) if isinstance(text, str) and text.endswith("*B") and text[:-2].isdigit() else text


def shapes_of(value: Value) -> Any:
    """The shapes of the tensors of a value."""
    found = [
        "?" if isinstance(tensor.shape, Unknown) else tuple(size if isinstance(size, int) else None for size in tensor.shape)
        for tensor in tensors_given(value)
    ]
    return found[0] if len(found) == 1 else found or None
