"""Graphs as ONNX Runtime deploys them: blocked layouts, and operators that have no counterpart in the reference."""

from __future__ import annotations

import numpy as np
import pytest

pytestmark = pytest.mark.oracle
pytest.importorskip("torch")
onnx = pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

from dllint.bisection.candidates.onnx_runtime import OnnxCandidate  # noqa: E402
from dllint.bisection.session import searched  # noqa: E402
from tests.bisection.networks import behind, body, changed_weight, culprits, laid, written  # noqa: E402

CAST = {"to": onnx.TensorProto.FLOAT16}, {"to": onnx.TensorProto.FLOAT}
HALF = ("Cast", CAST[0], None), ("Cast", CAST[1], None)
THERE = ("Transpose", {"perm": [0, 2, 3, 1]}, None)
BACK = ("Transpose", {"perm": [0, 3, 1, 2]}, None)
ASIDE = ("Transpose", {"perm": [0, 3, 2, 1]}, None)


@pytest.mark.parametrize("channels", [12, 16, 32])
@pytest.mark.parametrize("level", ["all", "basic"])
def test_a_changed_convolution_is_found_whatever_the_layout_of_the_runtime(channels, level, tmp_path):
    model, x, targets = body(channels)
    graph = written(model, x, tmp_path / "m.onnx")
    changed_weight(graph, "one.weight")
    onnx.save(graph, tmp_path / "m.onnx")
    assert culprits(model, tmp_path / "m.onnx", x, targets, level) == ["conv2d_1"]


def test_a_model_is_watched_where_nothing_is_fused_if_that_does_the_same(tmp_path):
    model, x, targets = body(16)
    written(model, x, tmp_path / "m.onnx")
    deployed = OnnxCandidate(tmp_path / "m.onnx")
    watched = laid(model, deployed, x, targets).bench.candidate
    assert {"conv2d", "relu", "conv2d_1", "relu_1"} <= {observable.name for observable in watched.observables}
    given = {deployed.inputs[0]: x[:8]}
    np.testing.assert_array_equal(watched.untapped(given)["linear"], deployed.untapped(given)["linear"])


def test_values_of_a_blocked_layout_are_not_taken_for_plain_ones(tmp_path):
    model, x, _ = body(16)
    written(model, x, tmp_path / "m.onnx")
    observables = OnnxCandidate(tmp_path / "m.onnx").observables
    # Processors without wide registers block no layout: then every value is plain.
    assert all(observable.plain for observable in observables if observable.kind == "ReorderOutput")
    entered = {observable.name for observable in observables if observable.kind == "ReorderInput"}
    assert not any(observable.plain for observable in observables if entered.intersection(observable.inputs))


@pytest.mark.parametrize(
    "added",
    [
        (("Mul", {}, 3e5), *HALF, ("Mul", {}, 1 / 3e5)),
        (("Clip", {}, None), ("Mul", {}, 0.05)),
        (THERE, ASIDE),
        (("Identity", {}, None), THERE, ASIDE, ("Identity", {}, None)),
    ],
)
@pytest.mark.parametrize("value", ["relu", "conv2d_1"])
def test_a_fault_behind_a_value_is_charged_to_its_operator(value, added, tmp_path):
    model, x, targets = body(16)
    graph = written(model, x, tmp_path / "m.onnx")
    behind(graph, value, *added)
    onnx.save(graph, tmp_path / "m.onnx")
    assert culprits(model, tmp_path / "m.onnx", x, targets) == [value]


@pytest.mark.parametrize("added", [HALF, (THERE, BACK), (("Identity", {}, None),), (("Mul", {}, 8.0), ("Mul", {}, 0.125))])
def test_what_keeps_the_numbers_blames_nobody_and_hides_nobody(added, tmp_path):
    model, x, targets = body(12)
    graph = written(model, x, tmp_path / "m.onnx")
    behind(graph, "relu", *added)
    onnx.save(graph, tmp_path / "m.onnx")
    assert culprits(model, tmp_path / "m.onnx", x, targets) == []
    changed_weight(graph, "two.weight")
    onnx.save(graph, tmp_path / "m.onnx")
    assert culprits(model, tmp_path / "m.onnx", x, targets) == ["conv2d_2"]


@pytest.mark.parametrize(
    ("fault", "said"), [("pads", "padding: [0, 0, 2, 2] in the candidate"), ("weight", "weights, order: axis 0 is reversed")]
)
def test_a_convolution_with_a_normalisation_folded_in_is_compared_as_a_whole(fault, said, tmp_path):
    torch = pytest.importorskip("torch")
    model, x, _ = body(16)
    model.one = torch.nn.Sequential(torch.nn.Conv2d(16, 16, 3, padding=1, bias=False), torch.nn.BatchNorm2d(16))
    torch.nn.init.uniform_(model.one[1].weight, 1.0, 3.0)
    model.train()(torch.from_numpy(x[:128]))
    targets = model.eval()(torch.from_numpy(x)).argmax(1).numpy()
    graph = written(model, x, tmp_path / "m.onnx")
    node = [node for node in graph.graph.node if node.op_type == "Conv"][1]
    if fault == "pads":
        next(attribute for attribute in node.attribute if attribute.name == "pads").ints[:] = [0, 0, 2, 2]
    else:
        changed_weight(graph, node.input[1])
    onnx.save(graph, tmp_path / "m.onnx")
    found = searched(laid(model, OnnxCandidate(tmp_path / "m.onnx"), x, targets))
    assert len(found.culprits) == 1
    assert found.culprits[0].suspected.startswith(said)
