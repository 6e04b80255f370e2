"""Which parameters an optimizer has, how fast it trains them, and what is kept of them."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from benchmarks.training_slips.kinds.kind import Site, kind
from benchmarks.training_slips.script import (
    Line,
    Script,
    code,
    expression,
    followed,
    removed,
    replaced,
    statement,
    without_comments,
)
from dllint.source.walk import walk

#: Attributes of tensors.
_OF_TENSORS = frozenset({"shape", "dtype", "device", "T", "mT", "data", "grad", "ndim", "requires_grad", "is_cuda", "real"})


@kind("optimizer-before-device", "DLG111")
def optimizer_before_device(script: Script) -> Iterator[Site]:
    """A model is moved to a device behind the line of the same block that makes its optimizer; where it is bound, it is not
    moved."""
    for made, model in script.makers:
        for line in script.lines:
            if line.block is not made.line.block or line.index >= made.line.index or _is_bound_moved(model, line, script):
                continue
            text = code(without_comments(line.node)).strip()
            if text.startswith((f"{model}.to(", f"{model} = {model}.to(", f"{model}.cuda(", f"{model} = {model}.cuda(")):
                moved = without_comments(line.node)
                yield Site(made.line.number, {line.node: removed, made.line.node: followed(moved)})


def _is_bound_moved(model: str, line: Line, script: Script) -> bool:
    """Whether a line in front of another one binds a model and moves it to a device."""
    earlier = (bound for bound in script.bindings if bound.name == model and bound.line.number < line.number)
    return any(re.search(r"\.(to|cuda)\(", code(bound.value)) for bound in earlier)


@kind("head-after-optimizer", "DLO113")
def head_after_optimizer(script: Script) -> Iterator[Site]:
    """A layer of a model is replaced behind the line of the same block that makes the optimizer for the model's parameters."""
    for made, model in script.makers:
        for bound in script.bindings:
            same = bound.line.block is made.line.block and bound.line.index < made.line.index
            if same and bound.name.startswith(f"{model}.") and "nn." in code(bound.value):
                moved = without_comments(bound.line.node)
                yield Site(made.line.number, {bound.line.node: removed, made.line.node: followed(moved)})


@kind("model-rebuilt", "DLO113", "DLI107")
def model_rebuilt(script: Script) -> Iterator[Site]:
    """The line that makes a model stands a second time, behind the line of the same block that makes its optimizer. What takes
    the model itself (``model = wrapped(model)``) makes none."""
    for made, model in script.makers:
        for bound in script.bindings:
            call = bound.value
            first = bound.name == model and bound.line.block is made.line.block and bound.line.index < made.line.index
            if first and isinstance(call, cst.Call) and not re.search(rf"(?<![\w.]){re.escape(model)}\b(?!=)", code(call)):
                again = without_comments(bound.line.node)
                yield Site(made.line.number, {made.line.node: followed(again)})
                break


@kind("other-models-parameters", "DLO113")
def other_models_parameters(script: Script) -> Iterator[Site]:
    """Of two optimizers of different models, one is given the parameters of the other's."""
    for made, model in script.makers:
        for other, others in script.makers:
            same_place = made.line.functions == other.line.functions and made.name != other.name
            if model != others and same_place and isinstance(made.value, cst.Call):
                given = made.value.args[0].value
                yield Site(made.line.number, {given: replaced(expression(f"{others}.parameters()"))})


@kind("frozen-and-optimised", "DLO113", "DLI107", "DLO106", effect="raises")
def frozen_and_optimised(script: Script) -> Iterator[Site]:
    """All parameters of the only model that a script has an optimizer for are frozen, so that its loss has no gradient."""
    if len(script.makers) == 1:
        made, model = script.makers[0]
        frozen = statement(f"for p in {model}.parameters():\n    p.requires_grad = False\n")
        yield Site(made.line.number, {made.line.node: followed(frozen)})


@kind("misspelt-freezing", "DLO114")
def misspelt_freezing(script: Script) -> Iterator[Site]:
    """Parameters are frozen by an attribute that does not exist."""
    for bound in script.bindings:
        small = bound.line.small
        if bound.name.endswith(".requires_grad") and isinstance(small, cst.Assign) and code(bound.value) == "False":
            target = small.targets[0].target
            if isinstance(target, cst.Attribute):
                yield Site(bound.line.number, {target.attr: replaced(cst.Name("require_grad"))})


@kind("learning-rate", "DLO124")
def learning_rate(script: Script) -> Iterator[Site]:
    """The learning rate of an optimizer, a number, is ten thousand times what it was, and at least 10."""
    for bound, _ in script.makers:
        for argument in bound.value.args if isinstance(bound.value, cst.Call) else ():
            value = argument.value
            if argument.keyword is not None and argument.keyword.value == "lr" and isinstance(value, (cst.Float, cst.Integer)):
                yield Site(bound.line.number, {value: replaced(expression(repr(max(float(value.value) * 1e4, 10.0))))})


@kind("best-weights-aliased", "DLO129")
def best_weights_aliased(script: Script) -> Iterator[Site]:
    """The weights that are kept in a loop were copied, and are now those that training goes on to change."""
    for line in script.lines:
        small = line.small
        if not line.loops or not isinstance(small, cst.Assign):
            continue
        value = small.value
        if isinstance(value, cst.Call) and code(value.func) in ("copy.deepcopy", "deepcopy") and len(value.args) == 1:
            inner = value.args[0].value
            if code(inner).endswith(".state_dict()"):
                yield Site(line.number, {value: replaced(inner)})


@kind("loaded-state-assigned", "DLR105", effect="raises")
def loaded_state_assigned(script: Script) -> Iterator[Site]:
    """A model is bound to what loading its weights gives, which is no model; it, or a method of it, is called behind
    that."""
    for call in script.called("load_state_dict"):
        behind = (code(line.node) for line in script.lines if line.number > call.line.number and line.small is not None)
        later = any(f"{call.receiver}(" in text or f"{call.receiver}." in text for text in behind)
        if later and any(call.receiver == model for _, model in script.makers):
            assigned = statement(f"{call.receiver} = {code(call.call)}\n")
            yield Site(call.line.number, {call.line.node: replaced(assigned)})


@kind("move-discarded", "DLG101")
def move_discarded(script: Script) -> Iterator[Site]:
    """The result of moving data to a device is dropped: ``x.to(device)``, where ``x`` is what a loop over data gives. Not where
    the loop reads attributes of it that tensors have not (``batch.y``): batches of graphs and of texts move themselves."""
    for bound in script.bindings:
        call, loop = bound.value, bound.line.loop
        if not isinstance(call, cst.Call) or not isinstance(call.func, cst.Attribute) or not isinstance(loop, cst.For):
            continue
        moved = call.func.attr.value in ("to", "cuda") and code(call.func.value) == bound.name
        given = any(isinstance(part, cst.Name) and part.value == bound.name for part in walk(loop.target))
        if moved and given and not _has_fields(bound.name, loop):
            yield Site(bound.line.number, {bound.line.node: replaced(statement(f"{code(call)}\n"))})


def _has_fields(name: str, loop: cst.For) -> bool:
    """Whether a loop reads attributes of an object that are no methods, and that tensors have not."""
    parts = list(walk(loop.body))
    called = {id(part.func) for part in parts if isinstance(part, cst.Call)}
    read = (part for part in parts if isinstance(part, cst.Attribute) and id(part) not in called)
    return any(code(part.value) == name and part.attr.value not in _OF_TENSORS for part in read)
