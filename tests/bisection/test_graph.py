"""What a cut still needs."""

from __future__ import annotations

from dllint.bisection.graph import Graph, Node
from dllint.bisection.protocols import Aligned
from dllint.bisection.steps import middle, steps_of

#: x → a → b ─┐
#:      └→ c ─┴→ d
DIAMOND = Graph(
    (
        Node("x", "placeholder"),
        Node("a", "f", ("x",)),
        Node("b", "g", ("a",)),
        Node("c", "g", ("a",)),
        Node("d", "h", ("b", "c")),
    ),
    ("x",),
    ("d",),
)


def test_walking_back_stops_at_injected_values():
    assert DIAMOND.needed(set()) == ["x", "a", "b", "c", "d"]
    assert DIAMOND.needed({"b"}) == ["x", "a", "b", "c", "d"]
    assert DIAMOND.needed({"b", "c"}) == ["b", "c", "d"]
    assert DIAMOND.needed({"d"}) == ["d"]


def test_descendants_and_consumers():
    assert DIAMOND.descendants({"b"}) == {"b", "d"}
    assert DIAMOND.consumers["a"] == ("b", "c")


def test_steps_are_in_the_order_of_the_graph_between_preparation_and_postprocessing():
    pairs = [Aligned("d", "D", "name"), Aligned("a", "A", "name")]
    assert [step.name for step in steps_of(DIAMOND, pairs, True, True)] == ["preprocess", "a", "d", "postprocess"]


def test_the_middle_prefers_the_boundary_of_a_block():
    modules = ["0.a", "0.a", "0.b", "0.b", "0.c", "1.a", "1.a", "1.b", "1.b", "1.c"]
    graph = Graph(tuple(Node(f"n{i}", "f", module=module) for i, module in enumerate(modules)), (), ("n9",))
    steps = steps_of(graph, [Aligned(f"n{i}", "", "name") for i in range(10)], False, False)
    assert middle(steps, 0, 10) == 5
    assert middle(steps, 0, 9) == 5
    assert middle(steps, 2, 4) == 3
