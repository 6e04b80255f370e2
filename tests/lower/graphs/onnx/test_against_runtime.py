"""Programs of ONNX models against what ONNX itself says: the shapes of its own test cases, and the numbers that ONNX Runtime
computes inside models that torch has exported."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import onnx
import pytest
import torch
from onnx import numpy_helper
from torch import nn
from torch.nn import functional

from dllint.analysis.facts import Facts
from dllint.config.discovery import Configuration
from dllint.domains.interval import Interval
from dllint.domains.lattice import Unknown
from dllint.domains.stated import Stated, read_interval
from dllint.engine.session import Session
from dllint.lower.graphs.builder import build
from dllint.lower.graphs.onnx.importer import import_graph
from dllint.lower.graphs.onnx.reading import opsets_of, read_graph
from dllint.lower.graphs.onnx.translation import Translator

pytestmark = pytest.mark.oracle

#: Operator sets that are not modelled.
OTHER_SETS = {"ai.onnx.ml", "ai.onnx.preview", "ai.onnx.preview.training"}


@pytest.mark.thorough
def test_the_cases_of_onnx_have_the_shapes_that_onnx_says():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from onnx.backend.test.case.node import collect_testcases

        cases = [case for case in collect_testcases(None) if case.model is not None and case.data_sets]
    agree, unknown, wrong = 0, 0, []
    for case in cases:
        if {each.domain for each in case.model.graph.node} & OTHER_SETS:
            continue
        found = types_of(case)
        for expected, type_ in zip(case.data_sets[0][1], found, strict=True):
            if not isinstance(expected, np.ndarray) or isinstance(type_.shape, Unknown):
                unknown += 1
            elif fits(type_, expected):
                agree += 1
            else:
                wrong.append((case.name, type_, expected.shape, expected.dtype))
    assert wrong == []
    assert agree > 1500
    assert unknown < agree / 2


def types_of(case):
    """The types of a case's results, without those that the model declares; sizes and axes that are inputs become weights."""
    model = onnx.ModelProto()
    model.CopyFrom(case.model)
    for info in model.graph.output:
        info.ClearField("type")
    given = case.data_sets[0][0]
    for info, value in list(zip(model.graph.input, given, strict=False))[1:]:
        if isinstance(value, np.ndarray) and value.dtype.kind in "iubf" and value.ndim <= 1:
            model.graph.initializer.append(numpy_helper.from_array(value, info.name))
    imported = build(Path("case.onnx"), read_graph(model, Path()), Translator(opsets_of(model)))
    return [value.type for value in imported.program.results]


def fits(type_, expected) -> bool:
    same_type = isinstance(type_.dtype, Unknown) or type_.dtype.name == str(expected.dtype) or expected.dtype.kind == "O"
    sizes = zip(type_.shape, expected.shape, strict=False)
    return same_type and len(type_.shape) == expected.ndim and all(a == b for a, b in sizes if isinstance(a, int))


class Convolutions(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Conv2d(3, 8, 3, stride=2, padding=1)
        self.norm = nn.BatchNorm2d(8)
        self.second = nn.Conv2d(8, 8, 3, groups=4, padding="same")
        self.head = nn.Linear(8 * 4 * 4, 5)

    def forward(self, x):
        x = functional.max_pool2d(functional.relu(self.norm(self.first(x))), 2)
        x = functional.adaptive_avg_pool2d(functional.silu(self.second(x)), 4)
        return torch.log_softmax(self.head(x.flatten(1)), dim=-1)


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Linear(12, 16)
        self.layer = nn.TransformerEncoderLayer(16, 2, 32, batch_first=True, activation="gelu")

    def forward(self, x):
        x = self.layer(self.embed(x.reshape(x.shape[0], -1, 12)))
        return x.mean(dim=1) / (x.std(dim=1) + 1e-3)


class Arithmetic(nn.Module):
    def forward(self, x):
        a = torch.sigmoid(x).clamp(1e-3, 0.9)
        b = torch.where(a > 0.5, torch.log(a), torch.exp(-a)) + torch.cat([a[..., 1:], a[..., :1]], dim=-1)
        return torch.stack([b.abs().sqrt(), b**2, torch.tanh(b)], dim=1).sum(dim=-1, keepdim=True), b.amax(dim=(1, 2))


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(12, 6, bidirectional=True, batch_first=True)

    def forward(self, x):
        out, (h, _) = self.lstm(x.reshape(x.shape[0], -1, 12))
        return out[:, -1], h.transpose(0, 1)


MODULES = [Convolutions, Attention, Arithmetic, Recurrent]


def export(module: nn.Module, path: Path) -> Path:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        sizes = {"x": {0: torch.export.Dim("batch")}}
        torch.onnx.export(
            module.eval(), (torch.rand(2, 3, 16, 16),), str(path), dynamo=True, dynamic_shapes=sizes, verbose=False
        )
    return path


@pytest.mark.parametrize("made", MODULES, ids=lambda made: made.__name__)
def test_what_the_runtime_computes_lies_in_what_is_known(made, tmp_path):
    torch.manual_seed(0)
    path = export(made(), tmp_path / "net.onnx")
    imported = import_graph(path)
    assert imported.program.gaps == []
    imported.values["x"].stated = Stated(read_interval("[-2, 2]"), "test")
    ranges = Facts(imported.program).ranges
    checked = 0
    for seed in range(4):
        x = np.random.default_rng(seed).uniform(-2, 2, (3, 3, 16, 16)).astype(np.float32)
        for name, array in computed(path, x).items():
            value = imported.values[name]
            assert not isinstance(value.type.shape, Unknown), name
            assert fits(value.type, array), (name, value.type, array.shape)
            if array.dtype.kind == "f" and array.size:
                checked += 1
                assert contains(ranges.of(value), array), (name, ranges.of(value), array.min(), array.max())
    assert checked > 10


def computed(path: Path, x: np.ndarray) -> dict[str, np.ndarray]:
    """All values inside a model, as the runtime computes them."""
    import onnxruntime

    model = onnx.load(str(path))
    names = [name for each in model.graph.node for name in each.output if name and each.op_type != "Constant"]
    del model.graph.output[:]
    model.graph.output.extend(onnx.helper.make_empty_tensor_value_info(name) for name in names)
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return dict(zip(names, session.run(names, {"x": x}), strict=True))


def contains(interval: Interval, array: np.ndarray) -> bool:
    slack = 1e-5 * max(1.0, float(np.abs(array).max()))
    return interval.low.value - slack <= array.min() and array.max() <= interval.high.value + slack


class Unstable(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 3)

    def forward(self, x):
        p = torch.softmax(self.fc(x), dim=-1)
        scale = torch.relu(x).sum(dim=-1, keepdim=True)
        return torch.log(p), p / scale, torch.exp(self.fc(x))


class Guarded(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 3)

    def forward(self, x):
        p = torch.softmax(self.fc(x), dim=-1)
        scale = torch.relu(x).sum(dim=-1, keepdim=True)
        return torch.log_softmax(self.fc(x), dim=-1), p / (scale + 1e-3), torch.exp(self.fc(x).clamp(max=20))


@pytest.mark.parametrize("dynamo", [True, False])
def test_dangers_are_found_on_nodes_and_source_lines(dynamo, tmp_path):
    findings = findings_in(Unstable(), tmp_path, dynamo)
    assert sorted(finding.code for finding in findings) == ["DLN102", "DLN103", "DLN105"]
    if dynamo:
        for finding in findings:
            source = finding.related[0].location
            line = Path(__file__).read_text(encoding="utf-8").splitlines()[source.span.first.line - 1]
            assert (source.path, line.strip()) == (
                Path(__file__),
                "return torch.log(p), p / scale, torch.exp(self.fc(x))",
            )


@pytest.mark.parametrize("dynamo", [True, False])
def test_their_guarded_twins_are_silent(dynamo, tmp_path):
    assert findings_in(Guarded(), tmp_path, dynamo) == []


def findings_in(module, tmp_path, dynamo):
    path = tmp_path / "net.onnx"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(module.eval(), (torch.rand(2, 6),), str(path), dynamo=dynamo, verbose=False)
    result = Session(Configuration(isolated=True)).check_file(path)
    assert result.notices == []
    return result.findings
