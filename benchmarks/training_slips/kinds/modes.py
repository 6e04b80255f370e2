"""Training and evaluation mode, and contexts without gradients."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from benchmarks.training_slips.kinds.kind import Site, kind
from benchmarks.training_slips.script import Called, Script, all_removed, code, replaced
from dllint.source.walk import walk

#: Layers that compute something else in training, by their names, and libraries whose models have such.
_MODAL = re.compile(
    r"Dropout|dropout|BatchNorm|track_running_stats\s*=\s*True|torchvision\.models|from torchvision import .*models"
    r"|from_pretrained|timm|segmentation_models"
)


def _of_one_model(calls: list[Called]) -> bool:
    return len({call.receiver for call in calls}) == 1 and bool(calls)


def _is_applied(call: Called, script: Script) -> bool:
    """Whether a model is applied in a loop of the function that sets its mode, or under the loop in which it does."""
    around = call.line.functions[-1] if call.line.functions else script.module
    return any(
        isinstance(part, cst.Call) and code(part.func) == call.receiver
        for line in script.inside(around)
        if isinstance(line.node, (cst.For, cst.While))
        for part in walk(line.node)
    )


@kind("eval-dropped", "DLO107")
def eval_dropped(script: Script) -> Iterator[Site]:
    """A script that trains a model and applies it in loops never puts it into evaluation mode; its text, or that of
    files it imports, speaks of layers that compute something else in training."""
    calls = script.called("eval")
    if _of_one_model(calls) and script.backwards and _MODAL.search(script.with_imports):
        applied = [call for call in calls if _is_applied(call, script)]
        if applied:
            yield Site(applied[0].line.number, all_removed(call.line for call in calls))


@kind("train-not-restored", "DLO108")
def train_not_restored(script: Script) -> Iterator[Site]:
    """A model that is put into evaluation mode in a loop, or in a function that a loop calls, is trained in that loop, and is
    put into training mode nowhere."""
    evals, trains = script.called("eval"), script.called("train")
    if not _of_one_model(evals + trains) or not trains or not _MODAL.search(script.with_imports):
        return
    for line in script.lines:
        if isinstance(line.node, (cst.For, cst.While)):
            reached = _reached(line.node, script)
            if all(any(id(call.line.node) in reached for call in calls) for calls in (evals, trains, script.backwards)):
                yield Site(trains[0].line.number, all_removed(call.line for call in trains))


def _reached(node: cst.CSTNode, script: Script) -> set[int]:
    """The statements in a loop, and in the functions of the script that it calls, by ``id``."""
    functions = {line.node.name.value: line.node for line in script.lines if isinstance(line.node, cst.FunctionDef)}
    todo, seen, found = [node], set[int](), set[int]()
    while todo:
        part = todo.pop()
        if id(part) in seen:
            continue
        seen.add(id(part))
        for inner in walk(part):
            found.add(id(inner))
            if isinstance(inner, cst.Call):
                called = functions.get(code(inner.func).rpartition(".")[2])
                todo += [called] if called is not None else []
    return found


def _no_grads(script: Script) -> Iterator[tuple[cst.With, int]]:
    for line in script.lines:
        node = line.node
        if not isinstance(node, cst.With) or len(node.items) != 1 or not isinstance(node.body, cst.IndentedBlock):
            continue
        if code(node.items[0].item) in ("torch.no_grad()", "torch.inference_mode()"):
            yield node, line.number


@kind("no-grad-not-entered", "DLO105")
def no_grad_not_entered(script: Script) -> Iterator[Site]:
    """``torch.no_grad()`` is a statement in front of what stood in it."""
    for node, number in _no_grads(script):
        first = cst.SimpleStatementLine([cst.Expr(node.items[0].item)])
        yield Site(number, {node: replaced(cst.FlattenSentinel([first, *node.body.body]))})  # type: ignore[arg-type]


@kind("no-grad-dropped", "DLO109")
def no_grad_dropped(script: Script) -> Iterator[Site]:
    """A loop that evaluates, because it stood in ``torch.no_grad()`` or held it, records gradients."""
    for node, number in _no_grads(script):
        loops = [line for line in script.inside(node) if isinstance(line.node, cst.For)]
        outer = next(line for line in script.lines if line.node is node)
        if loops or outer.loops:
            yield Site(number, {node: replaced(cst.FlattenSentinel([*node.body.body]))})  # type: ignore[arg-type]
