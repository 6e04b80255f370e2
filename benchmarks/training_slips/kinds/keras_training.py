"""Faults of training with Keras: compiled models, callbacks, and loops with a tape."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from benchmarks.training_slips.kinds.kind import Site, kind
from benchmarks.training_slips.script import (
    Called,
    Script,
    all_removed,
    code,
    expression,
    followed,
    replaced,
    statement,
    without_comments,
)
from dllint.source.walk import walk


def _compiled(script: Script) -> Iterator[Called]:
    """The models that are compiled and fitted by the same name."""
    functions = (part.func for part in walk(script.module) if isinstance(part, cst.Call))
    fitted = {code(each.value) for each in functions if isinstance(each, cst.Attribute) and each.attr.value == "fit"}
    for call in script.called("compile"):
        if call.receiver in fitted:
            yield call


@kind("frozen-after-compile", "DLO115")
def frozen_after_compile(script: Script) -> Iterator[Site]:
    """A layer of a compiled model is frozen before it is fitted, and nothing compiles the model again."""
    calls = list(_compiled(script))
    if len(calls) == 1 and ".trainable =" not in script.text:
        frozen = statement(f"{calls[0].receiver}.layers[0].trainable = False\n")
        yield Site(calls[0].line.number, {calls[0].line.node: followed(frozen)})


@kind("monitor-missing", "DLO128")
def monitor_missing(script: Script) -> Iterator[Site]:
    """A callback watches a metric that no training of the script can log."""
    for part in walk(script.module):
        if isinstance(part, cst.Call) and code(part.func).rpartition(".")[2] in ("ModelCheckpoint", "EarlyStopping"):
            for argument in part.args:
                if argument.keyword is not None and argument.keyword.value == "monitor":
                    wrong = expression("'validation_loss'")
                    yield Site(script.number(part), {argument.value: replaced(wrong)})


@kind("optimizer-by-name", "DLO126")
def optimizer_by_name(script: Script) -> Iterator[Site]:
    """An optimizer is made with a learning rate, and ``compile`` is given the name of its class."""
    made = {bound.name: code(bound.value.func) for bound in script.bindings if isinstance(bound.value, cst.Call)}
    for call in script.called("compile"):
        for argument in call.call.args:
            is_optimizer = argument.keyword is not None and argument.keyword.value == "optimizer"
            maker = made.get(code(argument.value), "")
            if is_optimizer and "optim" in maker.lower() and code(argument.value).isidentifier():
                name = maker.rpartition(".")[2].lower()
                yield Site(call.line.number, {argument.value: replaced(expression(repr(name)))})


@kind("forward-outside-tape", "DLO117")
def forward_outside_tape(script: Script) -> Iterator[Site]:
    """The first statement in a tape, which applies a model, stands in front of the tape."""
    for line in script.lines:
        node = line.node
        if isinstance(node, cst.With) and "GradientTape" in code(node.items[0].item) and len(node.body.body) > 1:
            first = node.body.body[0]
            if isinstance(first, cst.SimpleStatementLine) and "(" in code(first) and ".watch" not in code(first):
                inner = node.with_changes(body=node.body.with_changes(body=node.body.body[1:]))
                moved = without_comments(first)
                both: cst.FlattenSentinel[cst.BaseStatement] = cst.FlattenSentinel([moved, inner])
                yield Site(line.number, {node: replaced(both)})  # type: ignore[arg-type]


@kind("gradients-not-applied", "DLO117", "DLO103")
def gradients_not_applied(script: Script) -> Iterator[Site]:
    """The only statement that applies the gradients of a tape is taken out."""
    calls = script.called("apply_gradients")
    if len(calls) == 1 and "GradientTape" in script.text:
        yield Site(calls[0].line.number, all_removed([calls[0].line]))


@kind("training-flag-dropped", "DLO116")
def training_flag_dropped(script: Script) -> Iterator[Site]:
    """A model with dropout or batch normalisation is applied in a tape without ``training=True``."""
    if "GradientTape" not in script.text or not any(word in script.text for word in ("Dropout", "BatchNorm")):
        return
    for line in script.lines:
        if isinstance(line.node, cst.With) and "GradientTape" in code(line.node.items[0].item):
            changes = {
                part: replaced(cst.parse_expression(code(part.with_changes(args=_others(part)))))
                for part in walk(line.node)
                if isinstance(part, cst.Call) and len(_others(part)) < len(part.args)
            }
            if changes:
                yield Site(line.number, changes)


def _others(call: cst.Call) -> list[cst.Arg]:
    """The arguments of a call but for ``training``."""
    kept = [argument for argument in call.args if argument.keyword is None or argument.keyword.value != "training"]
    return [*kept[:-1], kept[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)] if kept else []
