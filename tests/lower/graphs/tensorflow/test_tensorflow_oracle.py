"""Imported graphs against TensorFlow, node by node: shapes and types that it infers, numbers that it computes."""

from __future__ import annotations

import os

import pytest

from dllint.analysis.facts import Facts
from dllint.domains.lattice import Unknown
from dllint.lower.graphs.tensorflow.importer import import_graph

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
pytest.importorskip("tensorflow")
pytestmark = pytest.mark.oracle
from tests.lower.graphs.tensorflow.builds import (  # noqa: E402  (it needs TensorFlow)
    branching,
    classifier,
    convolutional,
    moving,
    reduced,
    tf,
    trained,
    transposed,
)

#: Node types whose results we leave unknown: updates of variables.
UNKNOWN = {"ApplyAdam", "ResourceApplyAdam"}


def built(build, folder):
    """A graph of one placeholder, the graph as imported, and its tensors by the names of results."""
    graph = tf.Graph()
    with graph.as_default():
        build(tf.placeholder(tf.float32, [None, 784], name="x"))
    tf.io.write_graph(graph, str(folder), "graph.pb", as_text=False)
    found = import_graph(folder / "graph.pb")
    return graph, found, values_of(found)


def values_of(found):
    """The tensors of an imported graph by the names of results."""
    values = {value.name: value for value in found.program.inputs}
    for name, number in found.document.lines_of.items():
        made = [op for op in found.program.ops if op.site.number == number]
        node = found.document.nodes[number]
        if made and node is not None:
            position = node.outputs.index(name)
            outputs = [out for op in made for out in op.outputs] if len(node.outputs) > 1 else made[-1].outputs
            values[name] = outputs[position]
    return values


@pytest.mark.parametrize("build", [convolutional, transposed, classifier, moving, reduced, branching, trained])
def test_shapes_and_types_are_those_of_tensorflow(tmp_path, build):
    graph, _, values = built(build, tmp_path)
    compared = pairs(graph, values)
    for value, tensor in compared:
        compare(value, tensor)
    missing = [tensor for value, tensor in compared if knows_less(value, tensor)]
    assert sorted({tensor.op.type for tensor in missing} - UNKNOWN) == []
    assert len(compared) >= 8


def compare(value, tensor):
    """Where both know a rank, size or type, they agree."""
    where = f"{tensor.op.type} {tensor.name}"
    if not isinstance(value.dtype, Unknown):
        assert value.dtype.name == tensor.dtype.base_dtype.name, where
    if tensor.shape.rank is None or isinstance(value.shape, Unknown):
        return
    ours = [size if isinstance(size, int) else None for size in value.shape]
    assert len(ours) == tensor.shape.rank, where
    for mine, theirs in zip(ours, tensor.shape.as_list(), strict=True):
        assert mine is None or theirs is None or mine == theirs, f"{where}: {ours} and {tensor.shape}"


def knows_less(value, tensor):
    """Whether TensorFlow knows the type, the rank or a size of a tensor and we do not."""
    if isinstance(value.dtype, Unknown):
        return True
    if tensor.shape.rank is None:
        return False
    if isinstance(value.shape, Unknown):
        return True
    return any(isinstance(n, int) and not isinstance(d, int) for n, d in zip(tensor.shape.as_list(), value.shape, strict=True))


def pairs(graph, values):
    """Our tensors with those of TensorFlow."""
    return [
        (values[name], tensor)
        for operation in graph.get_operations()
        for number, tensor in enumerate(operation.outputs)
        if (name := f"{operation.name}:{number}" if number else operation.name) in values
        if tensor.dtype not in (tf.resource, tf.variant, tf.string)
    ]


@pytest.mark.parametrize("scale", [0.01, 3.0, 300.0])
@pytest.mark.parametrize("build", [convolutional, classifier, moving, reduced, branching])
def test_numbers_lie_in_their_ranges(tmp_path, build, scale):
    import numpy as np

    random = np.random.default_rng(0)
    graph, found, values = built(build, tmp_path)
    fetched = [pair for pair in pairs(graph, values) if "nitializ" not in pair[1].name and "Assign" not in pair[1].op.type]
    with tf.Session(graph=graph) as session:
        with graph.as_default():
            session.run(tf.global_variables_initializer())
        fed = {op.outputs[0]: drawn(op.outputs[0], random, scale) for op in graph.get_operations() if op.type == "Placeholder"}
        numbers = session.run([tensor for _, tensor in fetched], fed)
    ranges = Facts(found.program).ranges
    checked = 0
    for (value, tensor), found_numbers in zip(fetched, numbers, strict=True):
        finite = np.asarray(found_numbers, np.float64)[np.isfinite(found_numbers)]
        interval = ranges.of(value)
        if finite.size:
            assert interval.low.value <= finite.min(), f"{tensor.op.type} {tensor.name} {interval}"
            assert finite.max() <= interval.high.value, f"{tensor.op.type} {tensor.name} {interval}"
            checked += 1
    assert checked >= 8


def drawn(tensor, random, scale):
    """Numbers for a placeholder."""
    if tensor.dtype == tf.bool:
        return True
    return random.normal(size=[3 if size is None else size for size in tensor.shape.as_list()]) * scale
