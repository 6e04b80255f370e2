"""What functions of torch ask of the types, axes and results of their tensors: calls of each of them, with one type, axis or
``out`` changed, against runs."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from benchmarks.differential.calls import Argument, Call, tensors
from benchmarks.differential.program import Writer
from benchmarks.differential.sources import samples
from benchmarks.differential.tensors import SHORT_TYPES, Tensor, torch_text
from dllint.frameworks import operands
from tests.lower.test_operands_asked import Tally
from tests.sampling import thinned

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.oracle

_ROWS = json.loads((Path(operands.__file__).parent / "signatures" / "operands.json").read_text(encoding="utf-8"))


def _calls(key: str) -> list[Call]:
    """A sample of each function that asks something of a kind, whose tensors have axes and elements."""
    found = []
    for number, info in thinned(enumerate(samples.operations()), 2, len(key)):
        if key in _ROWS.get(f"torch.{info.name}", {}) and torch.float32 in info.dtypes:
            calls = samples.calls_of(number, torch.float32, False)
            found += [call for call in calls if call.name and all(t.shape and 0 not in t.shape for t in tensors(call))][:1]
    return found


def _changed_type(call: Call, source: random.Random) -> str:
    """A call of a function with one of its tensors in another type."""
    places = [number for number, value in enumerate(call.args) if isinstance(value, Tensor)]
    args, at = list(call.args), source.choice(places)
    given = args[at]
    assert isinstance(given, Tensor)
    args[at] = given.typed(source.choice(SHORT_TYPES))
    return _text(call, args, source)


def _text(call: Call, args: list[Argument], source: random.Random, out: str = "") -> str:
    writer = Writer(("import torch",), torch_text, source)
    written = [*writer.arguments(Call(call.name, tuple(args), call.kwargs)), *[f"out={out}"] * bool(out)]
    return f"{writer.text}y = {call.name}({', '.join(written)})\n"


@pytest.mark.parametrize("key", ["alike", "kinds"])
def test_types_that_are_refused_are_found(key: str) -> None:
    source, tally = random.Random(key), Tally()
    for call in _calls(key):
        tally.take(_changed_type(call, source))
    tally.holds(10, 0.7)


def test_axes_that_are_not_there_are_found() -> None:
    source, tally = random.Random("axes"), Tally()
    for call in _calls("axes"):
        axes = [n for n, name in enumerate(call.keywords[: len(call.args)]) if name in _ROWS[call.name]["axes"]]
        if axes:
            args = list(call.args)
            args[source.choice(axes)] = source.choice((-9, -4, -3, -2, -1, 0, 1, 2, 3, 4, 7))
            tally.take(_text(call, args, source))
    tally.holds(10, 0.8)


def test_results_that_are_written_to_another_type_are_found() -> None:
    source, tally = random.Random("exact"), Tally()
    for call in _calls("exact"):
        dtype = source.choice(SHORT_TYPES)
        tally.take(_text(call, list(call.args), source, f"torch.ones(0, dtype=torch.{dtype})"))
    tally.holds(10, 0.5)
