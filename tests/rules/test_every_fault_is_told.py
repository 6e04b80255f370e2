"""What an operation has proved is reported: each kind has a rule, and refused calls of layers and functions get an error."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from benchmarks.failing import says_that_it_fails
from dllint.domains.dtype import DType
from dllint.domains.shape import TensorType
from dllint.ops.faults import ALL
from dllint.rules._index import RULES
from dllint.source.document import Document
from tests.ops.harness import Case, Loose, Quiet, cases
from tests.ops.keras_layers import SAMPLES as KERAS
from tests.ops.torch_layers import SAMPLES as TORCH
from tests.rules.harness import PATH, session

HEADS = {
    "torch": "import torch\nfrom torch import nn\n\nlayer = nn.{layer}\ny = layer({operands})\n",
    "keras": "import keras\nfrom keras import layers\n\nlayer = layers.{layer}\ny = layer({operands})\n",
}
MAKERS = {"torch": "torch.zeros({shape}, dtype=torch.{dtype})", "keras": 'keras.ops.zeros({shape}, dtype="{dtype}")'}


def written(operand: object, framework: str) -> str:
    """An operand as source: a shape, with an element type in front if it is not float32, or a tuple of such."""
    assert isinstance(operand, tuple)
    if operand and isinstance(operand[0], tuple):
        return f"[{', '.join(written(part, framework) for part in operand)}]"
    dtype, shape = (operand[0], operand[1:]) if operand and isinstance(operand[0], str) else ("float32", operand)
    return MAKERS[framework].format(shape=shape, dtype=dtype)


def programs() -> Iterator[pytest.param]:
    for framework, samples in (("torch", TORCH), ("keras", KERAS)):
        for layer, calls in samples:
            for call in calls:
                operands = ", ".join(written(operand, framework) for operand in call)
                text = HEADS[framework].format(layer=layer, operands=operands)
                yield pytest.param(text, id=f"{framework} {layer} {call}")


def test_every_kind_has_a_rule():
    topics = {topic for row in RULES for topic in row.topics}
    assert {f"fault:{kind}" for kind in ALL} <= topics


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("text", list(programs()))
def test_a_refused_call_is_an_error(text):
    analysis = session().analyser(PATH).analyse(Document.from_text(PATH, text))
    faulty = [op for program in analysis.programs for op in program.ops if op.faults]
    errors = [finding for finding in analysis.findings if says_that_it_fails(finding)]
    assert not analysis.notices, analysis.notices
    assert bool(faulty) <= bool(errors), [(op.kind, op.faults) for op in faulty]


def argument(value: object) -> str:
    """An argument of a sample as source."""
    if isinstance(value, TensorType):
        return MAKERS["torch"].format(shape=value.shape, dtype=value.dtype.name)
    if isinstance(value, tuple):
        return f"({', '.join(map(argument, value))}{',' if len(value) == 1 else ''})"
    return f"torch.{value.name}" if isinstance(value, DType) else repr(value)


def calls_of(case: Case) -> Iterator[str]:
    """The samples of a function or method of torch as statements."""
    for sample in case.samples:
        args = sample.args if isinstance(sample, Quiet | Loose) else sample if isinstance(sample, tuple) else (sample,)
        first, *rest = map(argument, args)
        if case.name.startswith("torch.Tensor."):
            yield f"y = {first}.{case.name.rpartition('.')[2]}({', '.join(rest)})"
        elif case.name.startswith("torch."):
            yield f"y = {case.name}({', '.join((first, *rest))})"


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("case", cases("torch"), ids=lambda case: f"{case.op} {case.name}")
def test_a_refused_call_of_a_function_is_an_error(case):
    for call in calls_of(case):
        test_a_refused_call_is_an_error(f"import torch\nimport torch.nn.functional\n\n{call}\n")


#: Spellings of a recurrent layer on rows of a table: Keras refuses each.
SEQUENCES = (
    "keras.Sequential([keras.Input((10,)), {layer}])",
    "keras.Sequential([keras.Input(shape=(10,)), layers.Dense(5), {layer}])",
    "keras.Sequential([layers.Dense(5, input_shape=(10,)), {layer}])",
    "{layer}(keras.Input((10,)))",
    "{layer}(layers.Flatten()(keras.Input((5, 2))))",
    "{layer}(keras.ops.zeros((4, 10)))",
)
LAYERS = (
    "layers.LSTM(8)",
    "layers.GRU(8)",
    "layers.SimpleRNN(8)",
    "layers.Bidirectional(layers.LSTM(8))",
    "layers.TimeDistributed(layers.Dense(3))",
)


@pytest.mark.parametrize("layer", LAYERS)
@pytest.mark.parametrize("spelling", SEQUENCES)
def test_rows_in_a_recurrent_layer_are_an_error(spelling, layer):
    text = f"import keras\nfrom keras import layers\n\nmodel = {spelling.format(layer=layer)}\n"
    found = session().check_bytes(PATH, text.encode()).findings
    assert [(finding.code, finding.location.span.first.line) for finding in found] == [("DLT102", 4)]
