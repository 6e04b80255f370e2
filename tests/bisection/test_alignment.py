"""Alignment where exporters have written nothing: by weights, values, place; outputs in another order."""

from __future__ import annotations

import copy

import numpy as np
import onnx
import pytest

from dllint.bisection.alignment.align import align
from dllint.bisection.alignment.kinds import family
from dllint.bisection.alignment.numbering import renumbered
from dllint.bisection.alignment.outputs import paired
from dllint.bisection.alignment.sides import Sides
from dllint.bisection.graph import Graph, Node
from dllint.bisection.protocols import Observable
from dllint.bisection.session import Options, opened
from dllint.bisection.spec import Spec

torch = pytest.importorskip("torch")
from torch import nn  # noqa: E402

X = np.random.default_rng(0).normal(size=(32, 3, 6, 6)).astype(np.float32)


@pytest.mark.parametrize(
    ("names", "kind"),
    [
        ({"conv2d", "Conv", "aten::_convolution", "CONV_2D", "Conv2D"}, "conv"),
        ({"linear", "Gemm", "MatMul", "FULLY_CONNECTED", "Dense"}, "matmul"),
        ({"batch_norm", "BatchNormalization", "_native_batch_norm_legit_no_training"}, "batchnorm"),
        ({"relu", "Relu", "aten::relu_", "ReLU"}, "relu"),
    ],
)
def test_kinds_have_one_name(names, kind):
    assert {family(name) for name in names} == {kind}


@pytest.mark.parametrize(
    ("ours", "theirs", "pairs"),
    [
        ("add_26 add_92 relu", "add_26 add_89 relu", {"add_26": "add_26", "add_89": "add_92", "relu": "relu"}),
        ("mul mul_9 mul_100", "mul_2 mul_7 mul_40", {"mul_2": "mul", "mul_7": "mul_9", "mul_40": "mul_100"}),
        # Of unequal numbers nothing is known but equal names.
        ("add add_5 add_9", "add_4 add_9", {"add_9": "add_9"}),
        ("conv2d", "conv1d val_3", {}),
    ],
)
def test_names_with_other_numbers_are_paired_by_rank(ours, theirs, pairs):
    assert renumbered(ours.split(), theirs.split()) == pairs


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Conv2d(3, 8, 3, padding=1)
        self.blocks = nn.ModuleList(Block() for _ in range(3))
        self.head = nn.Linear(8, 5)

    def forward(self, x):
        x = torch.relu(self.stem(x))
        for block in self.blocks:
            x = block(x)
        return self.head(x.mean((2, 3)))


class Block(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2d(8, 8, 3, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(8)
        self.gate = nn.Linear(8, 8)

    def forward(self, x):
        h = torch.relu(self.norm(self.conv(x)))
        return x + h * torch.sigmoid(self.gate(h.mean((2, 3))))[:, :, None, None]


@pytest.fixture(scope="module")
def model():
    torch.manual_seed(0)
    net = Net()
    for _ in range(3):  # statistics of the normalisations that are not those of a fresh layer
        net(torch.randn(32, 3, 6, 6) * 2 + 1)
    return net.eval()


def stripped(path) -> onnx.ModelProto:
    """Every name replaced by a number, all metadata removed."""
    graph = onnx.load(path)
    names: dict[str, str] = {}
    for node in graph.graph.node:
        del node.metadata_props[:]
        node.name, node.doc_string = "", ""
        for names_of in (node.input, node.output):
            names_of[:] = [name and names.setdefault(name, f"v{len(names)}") for name in names_of]
    for values in (graph.graph.input, graph.graph.output, graph.graph.initializer):
        for value in values:
            value.name = names.get(value.name, value.name)
    del graph.graph.value_info[:]
    onnx.save(graph, path)
    return names


def aligned(model, path):
    spec = Spec(path.parent, model, path.name, batches=[(X, np.zeros(32))], per_sample=lambda o, t: o[:, 0])
    return opened(spec, Options())


def exported(model, path, **more):
    free = ({0: torch.export.Dim.AUTO},)
    options = {"verbose": False, "external_data": False, "dynamic_shapes": free, **more}
    torch.onnx.export(model, (torch.from_numpy(X[:4]),), str(path), dynamo=True, **options)


@pytest.mark.oracle
@pytest.mark.parametrize("optimize", [True, False])
def test_a_graph_without_names_is_aligned_as_the_one_with_names(model, tmp_path, optimize):
    exported(model, tmp_path / "m.onnx", optimize=optimize)
    named = {pair.node: pair.value for pair in aligned(model, tmp_path / "m.onnx").aligned}
    new = stripped(tmp_path / "m.onnx")
    both = aligned(model, tmp_path / "m.onnx")
    found = {pair.node: pair.value for pair in both.aligned}
    right = [node for node, value in named.items() if found.get(node) == new.get(value, value)]
    assert len(right) >= 0.8 * len(named)
    assert {pair.why for pair in both.aligned} >= {"weights", "values", "output"}
    clean = both.reference.run({"x": X}, {}, list(found))
    theirs = both.candidate.run(both.samples.candidate_inputs(np.arange(32)), list(found.values()))
    for node, value in found.items():
        np.testing.assert_allclose(clean[node], theirs[value], atol=1e-4)


@pytest.mark.oracle
def test_a_fault_in_a_graph_without_names_does_not_shift_the_alignment(model, tmp_path):
    exported(model, tmp_path / "m.onnx", optimize=False)
    named = {pair.node: pair.value for pair in aligned(model, tmp_path / "m.onnx").aligned}
    new = stripped(tmp_path / "m.onnx")
    graph = onnx.load(tmp_path / "m.onnx")
    norm = [node for node in graph.graph.node if node.op_type == "BatchNormalization"][1]
    next(attribute for attribute in norm.attribute if attribute.name == "epsilon").f = 50.0
    onnx.save(graph, tmp_path / "m.onnx")
    both = aligned(model, tmp_path / "m.onnx")
    found = {pair.node: pair.value for pair in both.aligned}
    wrong = {node for node, value in found.items() if node in named and new.get(named[node], named[node]) != value}
    right = len([node for node in named if node in found]) - len(wrong)
    assert not wrong
    assert right >= 0.7 * len(named)
    shown = {value: node for node, value in found.items()}
    assert norm.output[0] in shown


@pytest.mark.oracle
def test_a_pruned_implementation_is_aligned_within_its_modules(model):
    small = copy.deepcopy(model)
    small.blocks[1] = nn.Identity()  # so that `conv2d_2` of one is `conv2d_3` of the other
    spec = Spec(None, model, small, batches=[(X, np.zeros(32))], per_sample=lambda o, t: o[:, 0])
    both = opened(spec, Options())
    modules = {pair.node: both.reference.graph[pair.node].module for pair in both.aligned}
    theirs = {observable.name: observable.module for observable in both.candidate.observables}
    blocks = {(modules[pair.node][:8], theirs[pair.value][:8]) for pair in both.aligned if "blocks" in modules[pair.node]}
    assert blocks == {("blocks.0", "blocks.0"), ("blocks.2", "blocks.2")}
    assert len(both.aligned) > 12


def test_outputs_in_another_order():
    a, b = np.random.default_rng(0).normal(size=(2, 16, 3))
    ours = {"scores": a, "boxes": b}
    assert paired(["scores", "boxes"], ["p", "q"], ours, {"p": b, "q": a}) == {"scores": "q", "boxes": "p"}
    assert paired(["scores", "boxes"], ["p", "q"], ours, {"p": a, "q": b}) == {"scores": "p", "boxes": "q"}
    wide = {"scores": a, "boxes": np.ones((16, 4))}
    assert paired(["scores", "boxes"], ["p", "q"], wide, {"p": wide["boxes"], "q": -a}) == {"scores": "q", "boxes": "p"}
    assert paired(["y"], ["z"], {"y": a}, {"z": b}) == {"y": "z"}


def test_what_stands_between_aligned_values_is_aligned_by_its_place():
    generator = np.random.default_rng(0)
    values = {name: generator.normal(size=(8, 4)) for name in ("a", "b", "c", "p", "q", "r")}
    nodes = [Node("x", "placeholder"), Node("a", "conv2d", ("x",), shape=(4,)), Node("b", "relu", ("a",), shape=(4,))]
    nodes.append(Node("c", "linear", ("b",), shape=(4,)))
    theirs = [
        Observable("p", "Conv", inputs=("in",)),
        Observable("q", "Relu", inputs=("p",)),
        Observable("r", "Gemm", inputs=("q",)),
    ]
    pick = lambda names: {name: values[name] for name in names}  # noqa: E731
    sides = Sides(Graph(tuple(nodes), ("x",), ("c",)), theirs, pick, pick, inputs={"in": "x"})
    found = {pair.node: (pair.value, pair.why) for pair in align(sides, {})}
    assert found == {"a": ("p", "place"), "b": ("q", "place"), "c": ("r", "place")}
