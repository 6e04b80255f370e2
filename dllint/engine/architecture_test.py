"""A test of a model's architecture, written from what is derived from its source: layers, parameters, the output's shape,
element type and range. What is not known is not tested."""

from __future__ import annotations

import ast
import builtins
import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Final

from dllint.analysis.architecture.asked import Input
from dllint.analysis.architecture.shapes import tensors_given, type_of
from dllint.analysis.architecture.tree import Module
from dllint.analysis.architecture.weights import ProgramWeights
from dllint.analysis.facts import Facts
from dllint.analysis.modules import library_of
from dllint.domains.dtype import FLOAT32, INT64, DType
from dllint.domains.interval import Bound, Origin
from dllint.engine.asked_model import AnalyseWith, Asked, ask
from dllint.finding import Severity
from dllint.ir.events import LibraryCall
from dllint.ir.program import TensorVal
from dllint.ir.values import unwrap
from dllint.ops.kinds import having
from dllint.ops.traits import Trait

#: What stands for a size that the source leaves open: the first axis, then what is tried for the others.
_BATCH: Final = 2
_TRIED: Final = (32, 16, 64, 224)
#: How many axes an unknown number of them may be.
_UNKNOWN_AXES: Final = (1, 2, 3)
_EMBEDDINGS: Final = having(Trait.EMBEDS)
_MOST_LAYERS: Final = 200
_SIZES: Final = re.compile(r"\[(.*)\]$")


@dataclass(frozen=True, slots=True)
class Expected:
    """What a test asks of a model."""

    expression: str
    of_keras: bool
    layers: dict[str, str]
    parameters: int | None
    inputs: tuple[Input, ...]
    shape: tuple[int, ...] | None = None
    dtype: str = ""
    low: float | None = None
    high: float | None = None

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to test."""
        return not self.layers and self.parameters is None and self.shape is None


def expected(analyse: AnalyseWith, expression: str, inputs: list[Input]) -> Expected:
    """What is known of the model that an expression gives; ``inputs``, or what its layers ask for, is what it is called with.

    Raises:
        NoModelError: there is no such model.
    """
    asked = ask(analyse, expression, inputs)
    faults = _errors(asked)
    candidates = [tuple(inputs)] if inputs else list(_candidates(asked))
    for given in candidates:
        called = asked if inputs else ask(analyse, expression, list(given))
        output = unwrap(called.model.call.output) if called.model.call is not None else None
        if isinstance(output, TensorVal) and (shape := _whole(output)) is not None and _errors(called) <= faults:
            return _with_output(called, given, output, shape)
    return _of_model(asked, ())


def _errors(asked: Asked) -> set[tuple[str, int]]:
    found = (finding for finding in asked.analysis.findings if finding.severity is Severity.ERROR)
    return {(finding.code, finding.location.span.start) for finding in found}


def _whole(value: TensorVal) -> tuple[int, ...] | None:
    """The shape of a tensor, if all sizes are numbers."""
    shape = value.shape
    if not isinstance(shape, tuple):
        return None
    sizes = tuple(size for size in shape if isinstance(size, int))
    return sizes if len(sizes) == len(shape) else None


def _candidates(asked: Asked) -> Iterator[tuple[Input, ...]]:
    """Inputs that fit what is known of those of the call, with numbers for open sizes."""
    tensors = list(chain.from_iterable(map(tensors_given, asked.model.call.inputs))) if asked.model.call is not None else []
    looked_up = {x.id for op in asked.model.program.ops if op.kind in _EMBEDDINGS for x in op.inputs[:1]}
    seen: set[tuple[Input, ...]] = set()
    for unknown_axes in _UNKNOWN_AXES if tensors else ():
        for tried in _TRIED:
            given = tuple(Input(_sizes(type_of(tensor), tried, unknown_axes), _dtype(tensor, looked_up)) for tensor in tensors)
            if given not in seen:
                seen.add(given)
                yield given


def _dtype(tensor: TensorVal, looked_up: set[int]) -> DType:
    """The element type of an input; one that is not known is a number, or an index where a table is looked up with it."""
    if isinstance(tensor.dtype, DType):
        return tensor.dtype
    return INT64 if tensor.id in looked_up else FLOAT32


def _sizes(text: str, tried: int, unknown_axes: int) -> tuple[int, ...]:
    """``f32[B, 3, H, W]`` with numbers; ``...`` stands for so many axes."""
    match = _SIZES.search(text)
    axes = [axis.strip() for axis in match[1].split(",") if axis.strip()] if match is not None else []
    every = [axis for one in axes for axis in (["?"] * unknown_axes if one == "..." else [one])]
    return tuple(int(axis) if axis.isdigit() else tried if number else _BATCH for number, axis in enumerate(every))


def _of_model(asked: Asked, inputs: tuple[Input, ...]) -> Expected:
    root = asked.model.tree(ProgramWeights.of(asked.analysis.programs))
    weights = root.weights
    of_keras = library_of(asked.model.instance.cls) == "keras"
    renames = any(isinstance(e, LibraryCall) and "parametri" in e.name for p in asked.analysis.programs for e in p.events)
    is_known = isinstance(weights.total, int) and not weights.is_open
    parameters = int(str(weights.total)) if is_known and not (of_keras and not inputs) else None
    expression = ast.unparse(ast.parse(asked.expression, mode="eval"))
    return Expected(
        expression, of_keras, {} if of_keras or renames else _layers(root, is_called=bool(inputs)), parameters, inputs
    )


def _layers(root: Module, *, is_called: bool) -> dict[str, str]:
    """The class of each module by the way to it, of torch; lazy ones are what they become when the model is called."""
    own = (module for module in root.walk() if module.path and not module.is_again and not module.others)
    known = [(module.path, module.kind) for module in own if not module.is_blurred and module.kind != "?"]
    return {path: kind.removeprefix("Lazy") for path, kind in known[:_MOST_LAYERS] if is_called or not kind.startswith("Lazy")}


def _with_output(asked: Asked, inputs: tuple[Input, ...], output: TensorVal, shape: tuple[int, ...]) -> Expected:
    of_model = _of_model(asked, inputs)
    found = Facts(asked.model.program).ranges.of(output)
    dtype = output.dtype.name if isinstance(output.dtype, DType) else ""
    low, high = _number(found.low), _number(found.high)
    of = of_model
    return Expected(of.expression, of.of_keras, of.layers, of.parameters, inputs, shape, dtype, low, high)


def _number(bound: Bound) -> float | None:
    """A bound that holds for all inputs."""
    return bound.value if math.isfinite(bound.value) and bound.origin is not Origin.STATED else None


def module_name(path: Path) -> str:
    """The dotted name by which a test beside a file imports it: from the first folder above that is no package."""
    parts, folder = [path.stem], path.parent
    while (folder / "__init__.py").is_file():
        parts.insert(0, folder.name)
        folder = folder.parent
    return ".".join(part for part in parts if part != "__init__")


def written_test(expected: Expected, module: str, name: str) -> str:
    """The test file for a model of a module; ``name`` is what it is called."""
    return "\n".join(_keras(expected, module, name) if expected.of_keras else _torch(expected, module, name)) + "\n"


def _head(expected: Expected, module: str, name: str, imports: tuple[str, ...]) -> Iterator[str]:
    yield f'"""The architecture of {name}, as dllint has derived it from {module}.py without running it."""'
    yield ""
    yield from (f"import {library}" for library in sorted((*imports, "pytest")))
    yield ""
    yield f"from {module} import {', '.join(_names(expected.expression))}"
    yield ""


def _names(expression: str) -> list[str]:
    """The names that an expression takes from its module."""
    nodes = ast.walk(ast.parse(expression, mode="eval"))
    return sorted({node.id for node in nodes if isinstance(node, ast.Name) and not hasattr(builtins, node.id)})


def _torch(expected: Expected, module: str, name: str) -> Iterator[str]:
    yield from _head(expected, module, name, ("torch",))
    if expected.inputs:
        yield from ("", "def given():", f"    return ({', '.join(map(_torch_input, expected.inputs))},)", "")
    yield from ("", "@pytest.fixture", "def model():", "    torch.manual_seed(0)", f"    model = {expected.expression}.eval()")
    if expected.inputs:
        yield from ("    with torch.no_grad():", "        model(*given())  # makes what is lazy")
    yield from ("    return model", "")
    if expected.layers:
        yield from ("", "def test_the_layers(model):", "    expected = {")
        yield from (f"        {json.dumps(path)}: {json.dumps(kind)}," for path, kind in expected.layers.items())
        yield "    }"
        yield "    found = {path: type(module).__name__ for path, module in model.named_modules()}"
        yield from ("    assert {path: found.get(path) for path in expected} == expected", "")
    if expected.parameters is not None:
        yield from ("", "def test_the_number_of_parameters(model):")
        yield from (f"    assert sum(weight.numel() for weight in model.parameters()) == {expected.parameters:_}", "")
    if expected.shape is not None:
        yield from ("", "def test_the_output(model):", "    with torch.no_grad():", "        output = model(*given())")
        yield f"    assert tuple(output.shape) == {expected.shape}"
        yield from ([f"    assert output.dtype == torch.{expected.dtype}"] if expected.dtype else [])
        yield from _range(expected)


def _torch_input(one: Input) -> str:
    return f"torch.{'randn' if one.dtype.kind == 'float' else 'zeros'}({one.shape}, dtype=torch.{one.dtype.name})"


def _range(expected: Expected) -> Iterator[str]:
    """Bounds hold up to rounding."""
    yield from ([f"    assert output.min() >= {expected.low!r} - 1e-5"] if expected.low is not None else [])
    yield from ([f"    assert output.max() <= {expected.high!r} + 1e-5"] if expected.high is not None else [])


def _keras(expected: Expected, module: str, name: str) -> Iterator[str]:
    yield from _head(expected, module, name, ("keras", "numpy"))
    if expected.inputs:
        given = ", ".join(map(_keras_input, expected.inputs))
        call = "given()" if len(expected.inputs) > 1 else "given()[0]"
        yield from ("", "def given():", f"    return [{given}]", "")
    yield from ("", '@pytest.fixture(scope="module")', "def model():", "    keras.utils.set_random_seed(0)")
    yield f"    model = {expected.expression}"
    yield from ([f"    model({call})  # makes the weights"] if expected.inputs else [])
    yield from ("    return model", "")
    if expected.parameters is not None:
        yield from ("", "def test_the_number_of_parameters(model):")
        yield from (f"    assert model.count_params() == {expected.parameters:_}", "")
    if expected.shape is not None:
        yield from ("", "def test_the_output(model):", f"    output = keras.ops.convert_to_numpy(model({call}))")
        yield f"    assert output.shape == {expected.shape}"
        yield from ([f'    assert output.dtype == "{expected.dtype}"'] if expected.dtype else [])
        yield from _range(expected)


def _keras_input(one: Input) -> str:
    made = f"numpy.random.default_rng(0).normal(size={one.shape})" if one.dtype.kind == "float" else f"numpy.zeros({one.shape})"
    return f'{made}.astype("{one.dtype.name}")'
