"""Graphs that outlive their pass, values that autograd needs, and gradients that numpy cannot take."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from benchmarks.training_slips.kinds.gradients import steps, within
from benchmarks.training_slips.kinds.kind import Site, kind
from benchmarks.training_slips.script import Line, Script, code, followed, replaced, statement
from dllint.source.walk import walk

#: Functions whose results autograd keeps for their gradients.
_KEPT = frozenset({"sigmoid", "tanh", "softmax", "relu", "exp", "sqrt", "leaky_relu", "log_softmax"})


def _items(line: Line, script: Script) -> Iterator[tuple[cst.Call, cst.BaseExpression]]:
    """The calls ``loss.item()`` in a line of a loop that differentiates ``loss``, with the ``loss``."""
    if line.loop is None:
        return
    losses = {call.receiver for call in within(script.backwards, line.loop, script)}
    for part, value in _calls(line, "item"):
        if code(value) in losses:
            yield part, value


def _calls(line: Line, method: str) -> Iterator[tuple[cst.Call, cst.BaseExpression]]:
    """The calls of a method in a line, with what it is a method of."""
    for part in walk(line.node):
        if isinstance(part, cst.Call) and isinstance(part.func, cst.Attribute) and part.func.attr.value == method:
            yield part, part.func.value


@kind("loss-summed-with-graph", "DLO110")
def loss_summed_with_graph(script: Script) -> Iterator[Site]:
    """A sum over the passes of a loop adds the loss that is differentiated, where it added a number; nothing in the loop begins
    the sum anew."""
    for line in script.lines:
        if isinstance(line.small, cst.AugAssign) and isinstance(line.small.operator, cst.AddAssign):
            name = code(line.small.target)
            renewed = any(bound.name == name and line.loop in bound.line.loops for bound in script.bindings)
            for call, loss in () if renewed else _items(line, script):
                yield Site(line.number, {call: replaced(loss)})


@kind("losses-listed-with-graphs", "DLO110")
def losses_listed_with_graphs(script: Script) -> Iterator[Site]:
    """A list that is made in front of a loop is given each loss that is differentiated, where it was given numbers."""
    for called in script.called("append"):
        made = [bound for bound in script.bindings if bound.name == called.receiver and called.line.loop in bound.line.loops]
        for call, loss in () if made else _items(called.line, script):
            yield Site(called.line.number, {call: replaced(loss)})


@kind("changed-in-place", "DLO118", effect="raises")
def changed_in_place(script: Script) -> Iterator[Site]:
    """The result of an activation, which its gradient needs, is changed in place on the next line of ``forward``."""
    for bound in script.bindings:
        value = bound.value
        inside = bool(bound.line.functions) and bound.line.functions[-1].name.value == "forward"
        kept = isinstance(value, cst.Call) and code(value.func).rpartition(".")[2] in _KEPT and "inplace" not in code(value)
        if inside and kept and bound.name.isidentifier():
            yield Site(bound.line.number, {bound.line.node: followed(statement(f"{bound.name} += 1\n"))})


@kind("array-of-tensor-with-gradient", "DLG104", effect="raises")
def array_of_tensor_with_gradient(script: Script) -> Iterator[Site]:
    """A loss that is differentiated in the same loop is made an array without being detached."""
    for _, loop in steps(script):
        losses = {call.receiver for call in within(script.backwards, loop, script)}
        for line in script.inside(loop):
            if isinstance(line.node, cst.SimpleStatementLine) and ".numpy()" in code(line.node):
                for part, value in _calls(line, "detach"):
                    if code(value) in losses:
                        yield Site(line.number, {part: replaced(value)})


@kind("loss-as-array", "DLG104", effect="raises")
def loss_as_array(script: Script) -> Iterator[Site]:
    """``loss.item()`` of a loss that is differentiated is written ``loss.numpy()``."""
    for line in script.lines:
        for call, _ in _items(line, script) if isinstance(line.node, cst.SimpleStatementLine) else ():
            if isinstance(call.func, cst.Attribute):
                yield Site(line.number, {call.func.attr: replaced(cst.Name("numpy"))})
