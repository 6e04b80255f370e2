"""Deployed forms of one small torch model: each gives the reference's outputs and values, whole and in parts."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from torch import nn  # noqa: E402

from dllint.bisection.candidates.setting import Setting  # noqa: E402
from dllint.bisection.candidates.table import candidate_of  # noqa: E402
from dllint.bisection.errors import BisectionError  # noqa: E402
from dllint.bisection.protocols import RunsSegments  # noqa: E402
from dllint.bisection.references.torch_export import TorchReference  # noqa: E402

pytestmark = pytest.mark.oracle


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3, padding=1)
        self.norm = nn.BatchNorm2d(4)
        self.head = nn.Linear(4 * 16, 5)

    def forward(self, x):
        return self.head(torch.relu(self.norm(self.conv(x))).flatten(1))


X = np.random.default_rng(0).normal(size=(10, 3, 4, 4)).astype(np.float32)


@pytest.fixture(scope="module")
def model():
    torch.set_num_threads(1)
    torch.manual_seed(0)
    return Net().eval()


@pytest.fixture(scope="module")
def reference(model):
    return TorchReference(model, [X])


@pytest.fixture
def setting(model, reference, tmp_path):
    return Setting(tmp_path, "cpu", model, reference, [X])


def opened(value, setting):
    return candidate_of(value, setting)


def close(candidate, reference, tolerance: float, inputs=X) -> None:
    expected = reference.run({"x": inputs}, {}, reference.graph.outputs)[reference.graph.outputs[0]]
    (name,) = candidate.inputs
    found = candidate.run({name: inputs}, candidate.outputs)[candidate.outputs[0]]
    np.testing.assert_allclose(found, expected, atol=tolerance)


@pytest.mark.parametrize(
    ("name", "tolerance"), [("float16", 5e-3), ("bfloat16", 5e-2), ("autocast-float16", 5e-3), ("autocast-bfloat16", 5e-2)]
)
def test_reduced_precision_has_the_nodes_of_the_reference(name, tolerance, setting, reference):
    candidate = opened(name, setting)
    close(candidate, reference, tolerance)
    own = {observable.name for observable in candidate.observables}
    assert {"conv2d", "relu", "linear"} <= own
    exact = reference.run({"x": X}, {}, ["relu"])["relu"]
    rest = candidate.segment({"relu": exact}, ["linear"], {"x": X})["linear"]
    expected = reference.run({"x": X}, {}, ["linear"])["linear"]
    assert 0 < np.abs(rest - expected).max() < tolerance


@pytest.mark.parametrize("name", ["int8-dynamic", "int8-qdq"])
def test_integers_of_eight_bits(name, setting, reference):
    candidate = opened(name, setting)
    close(candidate, reference, 0.1)
    assert isinstance(candidate, RunsSegments)


def test_quantised_integers_are_shown_as_the_numbers_they_stand_for(setting, reference):
    candidate = opened("int8-qdq", setting)
    # The normalisation is folded into the convolution, and the activation into its rounding.
    rounded = [observable.name for observable in candidate.observables if observable.kind == "QLinearConv"]
    values = candidate.run({"x": X}, [*rounded, *candidate.outputs])
    expected = reference.run({"x": X}, {}, ["relu"])
    layouts = [values[rounded[0]], np.moveaxis(values[rounded[0]], -1, 1)]  # on many processors channels come last
    # On x86 without VNNI, sums of products of 8-bit integers saturate at 16 bits, so single numbers may be far off.
    assert min(np.abs(layout - expected["relu"]).mean() for layout in layouts) < 0.05
    again = candidate.segment({rounded[0]: values[rounded[0]]}, candidate.outputs, {"x": X})
    np.testing.assert_allclose(again[candidate.outputs[0]], values[candidate.outputs[0]], atol=1e-6)


def test_weights_of_eight_bits_by_torchao(setting, reference):
    candidate = opened("int8-torchao", setting)
    close(candidate, reference, 0.05)
    exact = reference.run({"x": X}, {}, ["linear"])["linear"]
    found = candidate.run({"x": X}, candidate.outputs)[candidate.outputs[0]]
    assert np.abs(found - exact).max() > 1e-5, "nothing was quantised"


class Absent:
    """A finder in front of all others: a package is not there."""

    def __init__(self, package: str) -> None:
        self._package = package

    def find_spec(self, name, path=None, target=None):
        if name == self._package:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def test_what_is_not_installed_is_named(setting, monkeypatch):
    monkeypatch.setattr(sys, "meta_path", [Absent("torchao"), *sys.meta_path])
    for name in list(sys.modules):
        if name.partition(".")[0] == "torchao" or name.endswith(".torchao_int8"):
            monkeypatch.delitem(sys.modules, name)
    with pytest.raises(BisectionError, match="needs the package `torchao`"):
        opened("int8-torchao", setting)


def test_programs_and_files_of_programs(model, setting, reference, tmp_path):
    program = torch.export.export(model, (torch.from_numpy(X),), dynamic_shapes=({0: torch.export.Dim("n")},))
    close(opened(program, setting), reference, 1e-6)
    torch.export.save(program, tmp_path / "net.pt2")
    close(opened("net.pt2", setting), reference, 1e-6)
    (tmp_path / "broken.pt2").write_bytes(b"nothing")
    with pytest.raises(BisectionError, match="cannot load the program"):
        opened("broken.pt2", setting)


def test_a_program_for_four_samples_takes_ten(model, setting, reference):
    program = torch.export.export(model, (torch.from_numpy(X[:4]),))
    candidate = opened(program, setting)
    close(candidate, reference, 1e-6)
    exact = reference.run({"x": X}, {}, ["relu", "linear"])
    np.testing.assert_allclose(candidate.segment({"relu": exact["relu"]}, ["linear"], {})["linear"], exact["linear"], atol=1e-6)


def test_an_onnx_file_for_four_samples_takes_ten(model, setting, reference, tmp_path):
    torch.onnx.export(model, (torch.from_numpy(X[:4]),), str(tmp_path / "four.onnx"), dynamo=True, verbose=False)
    candidate = opened("four.onnx", setting)
    close(candidate, reference, 1e-5)
    np.testing.assert_allclose(
        candidate.untapped({"x": X})[candidate.outputs[0]], reference.run({"x": X}, {}, ["linear"])["linear"], atol=1e-5
    )


@pytest.mark.parametrize("made", [torch.jit.script, lambda model: torch.jit.trace(model, torch.from_numpy(X))])
def test_torchscript_shows_values_inside(made, model, setting, reference, tmp_path):
    torch.jit.save(made(model), str(tmp_path / "net.pt"))
    candidate = opened("net.pt", setting)
    close(candidate, reference, 1e-6)
    relu = next(observable for observable in candidate.observables if observable.kind == "relu")
    conv = next(observable for observable in candidate.observables if "conv" in observable.kind)
    assert conv.weights == ("conv.weight", "conv.bias")
    np.testing.assert_array_equal(candidate.weight("conv.weight"), setting.model.conv.weight.detach().numpy())
    (name,) = candidate.inputs
    found = candidate.run({name: X}, [relu.name])[relu.name]
    np.testing.assert_allclose(found, reference.run({"x": X}, {}, ["relu"])["relu"], atol=1e-6)
    np.testing.assert_allclose(*[run({name: X}, *a)[candidate.outputs[0]] for run, a in _both(candidate)], atol=1e-6)


def _both(candidate):
    return [(candidate.run, (candidate.outputs,)), (candidate.untapped, ())]


@pytest.mark.thorough
def test_compiled_models_are_watched_by_compiling_more_outputs(model, setting, reference):
    candidate = opened(torch.compile(model, backend="eager"), setting)
    close(candidate, reference, 1e-6)
    found = candidate.run({"x": X}, ["relu", "linear"])
    expected = reference.run({"x": X}, {}, ["relu", "linear"])
    for name in found:
        np.testing.assert_allclose(found[name], expected[name], atol=1e-6)
    np.testing.assert_allclose(candidate.untapped({"x": X})["linear"], expected["linear"], atol=1e-6)


def test_unknown_candidates_are_told(setting):
    for value, told in (
        (3, "candidate int"),
        ("net.xyz", "nothing is known"),
        ("net.onnx", "no file"),
        (Path("a.pt"), "no file"),
    ):
        with pytest.raises(BisectionError, match=told):
            opened(value, setting)
