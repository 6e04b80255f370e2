"""What is kept with a node is computed once and ends with the node; what is asked of a document follows its text."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path

import libcst as cst

from dllint.analysis.trained_by_hand import trained_by_hand
from dllint.source import memo
from dllint.source.document import Document
from dllint.source.live import LiveDocument
from dllint.source.memo import of_node


def test_an_answer_is_computed_once_for_each_node():
    asked = []

    @of_node
    def size(node: cst.CSTNode) -> int:
        asked.append(node)
        return len(node.children)

    @of_node
    def other(node: cst.CSTNode) -> int:
        return -len(node.children)

    first, second = cst.parse_expression("a + b"), cst.parse_expression("f(a, b)")
    assert [size(first), size(second), size(first)] == [len(first.children), len(second.children), len(first.children)]
    assert asked == [first, second]
    assert other(first) == -size(first)
    assert first.deep_clone().deep_equals(first)


def test_an_answer_that_is_no_longer_asked_for_is_dropped_with_its_node():
    class Held:
        """Stands for the tree of a former text."""

    ends = []

    @of_node
    def told(node: cst.CSTNode) -> Held:
        held = Held()
        ends.append(weakref.ref(held))
        return held

    once, often = cst.parse_expression("a + b"), cst.parse_expression("f(a, b)")
    told(once)
    for _ in range(2 * memo._ANALYSES):
        told(often)
        memo.analysed()
    gc.collect()
    assert [end() is None for end in ends] == [True, False]
    told(once)
    assert len(ends) == 3


def test_what_is_told_of_a_text_follows_the_text_that_is_shown():
    def is_long(text: str, least: int) -> bool:
        return len(text) >= least

    document = Document.from_text(Path("m.py"), "x = 1\n")
    live = LiveDocument(document)
    assert not live.answer(is_long, 10)
    asked = dict(live.asked)
    assert live.answers_same(asked)
    live.show(document.edit("x = 1\ny = 2\n"))
    assert not live.answers_same(asked)
    live.listen()
    assert live.asked == {}
    assert live.answer(is_long, 10)


def test_attributes_trained_by_hand_are_those_of_the_text_that_is_shown():
    with_it = "import torch\n\n\ndef train(model):\n    return torch.optim.SGD([model.scale], lr=0.1)\n"
    document = Document.from_text(Path("m.py"), "import torch\n")
    live = LiveDocument(document)
    found = [trained_by_hand(live)]
    for text in (with_it, "import torch\n"):
        document = document.edit(text)
        live.show(document)
        found.append(trained_by_hand(live))
    assert found == [frozenset(), frozenset({"scale"}), frozenset()]
