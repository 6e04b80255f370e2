"""How many nodes a graph unfolds to is known before it is unfolded."""

from __future__ import annotations

import random
from pathlib import Path
from time import thread_time

import pytest

onnx = pytest.importorskip("onnx")

from onnx import helper  # noqa: E402

from dllint.lower.graphs.errors import GraphError  # noqa: E402
from dllint.lower.graphs.model import Graph  # noqa: E402
from dllint.lower.graphs.onnx import flattening  # noqa: E402
from dllint.lower.graphs.onnx.counting import Counting  # noqa: E402
from dllint.lower.graphs.onnx.types import Types  # noqa: E402
from dllint.lower.graphs.onnx.weights import Weights  # noqa: E402
from tests.lower.graphs.onnx.models import model, node  # noqa: E402

OWN = "own"


def function(name, nodes):
    return helper.make_function(OWN, name, ["a"], ["b"], nodes, [helper.make_opsetid("", 18), helper.make_opsetid(OWN, 1)])


def some_nodes(draw, callees, depth=0):
    """A chain of operators, calls, branches and loops."""
    nodes = []
    for number in range(draw.randint(0, 3)):
        kind = draw.choice(["Relu", "call", "If", "Loop", "If without else"] if depth < 2 else ["Relu", "call"])
        name = f"n{number}"
        arms = [helper.make_graph(some_nodes(draw, callees, depth + 1), "arm", [], []) for _ in range(2 * (depth < 2))]
        if kind == "If":
            nodes.append(node("If", ["a"], ["b"], name=name, then_branch=arms[0], else_branch=arms[1]))
        elif kind == "Loop":
            nodes.append(node("Loop", ["a", "a", "a"], ["b"], name=name, body=arms[0]))
        elif kind == "If without else":
            nodes.append(node("If", ["a"], ["b"], name=name, then_branch=arms[0]))
        elif kind == "call" and callees:
            nodes.append(node(draw.choice(callees), ["a"], ["b"], name=name, domain=OWN))
        else:
            nodes.append(node("Relu", ["a"], ["b"], name=name))
    return nodes


def flattener(made):
    return flattening.Flattener(made, Graph("main", "torch", [], {}), Weights(Path()), Types())


@pytest.mark.parametrize("seed", range(60))
def test_the_count_is_that_of_the_nodes_that_are_listed(seed):
    draw = random.Random(seed)
    names, functions = [], []
    if seed % 4 == 0:
        # A function that calls itself ends with the depth.
        itself = node("itself", ["a"], ["b"], domain=OWN)
        functions.append(function("itself", [node("Relu", ["a"], ["b"]), itself]))
        names.append("itself")
    for index in range(draw.randint(0, 6)):
        functions.append(function(f"f{index}", some_nodes(draw, names[-2:])))
        names.append(f"f{index}")
    made = model([*some_nodes(draw, names), node("Relu", ["a"], ["b"])], {"a": [1]}, functions=functions)
    made.opset_import.append(helper.make_opsetid(OWN, 1))
    flat = flattener(made)
    list(flat.nodes(made.graph))
    known = {each.name: each for each in functions}

    def function_of(call):
        return (call.op_type, known[call.op_type]) if call.domain == OWN else None

    assert not Counting(function_of, flat._count, flattening._DEEPEST).exceeds(made.graph.node)
    assert Counting(function_of, flat._count - 1, flattening._DEEPEST).exceeds(made.graph.node)


@pytest.mark.parametrize("calls", [2, 3, 50])
def test_functions_that_double_each_other_are_refused_at_once(calls):
    functions = [function("f0", [node("Relu", ["a"], ["b"])])]
    functions += [function(f"f{i}", [node(f"f{i - 1}", ["a"], ["b"], domain=OWN)] * calls) for i in range(1, 45)]
    made = model([node("f44", ["a"], ["b"], domain=OWN)], {"a": [1]}, functions=functions)
    begun = thread_time()
    with pytest.raises(GraphError, match="more than"):
        list(flattener(made).nodes(made.graph))
    assert thread_time() - begun < 1
