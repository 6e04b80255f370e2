"""Faults of training with Keras: compiled models, callbacks, and loops with a tape."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

import libcst as cst

from benchmarks.training_slips.kinds.kind import Site, kind
from benchmarks.training_slips.script import (
    Bound,
    Called,
    Change,
    Line,
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

_OPTIMIZERS: Final = frozenset({"Adam", "AdamW", "Adamax", "Adagrad", "Adadelta", "Nadam", "RMSprop", "SGD", "Ftrl"})


def _trained(script: Script) -> Iterator[tuple[Line, str]]:
    """The lines that do nothing but fit a model, and maybe keep what that gives, with the name of the model."""
    for line in script.lines:
        small = line.small
        call = small.value if isinstance(small, (cst.Assign, cst.Expr)) else None
        if isinstance(call, cst.Call) and isinstance(call.func, cst.Attribute) and call.func.attr.value == "fit":
            yield line, code(call.func.value)


@kind("frozen-after-fit", "DLO115")
def frozen_after_fit(script: Script) -> Iterator[Site]:
    """All layers of a model but the last are frozen after it was fitted, and it is fitted again without being compiled."""
    compiled = {call.receiver for call in script.called("compile")}
    trained = [(line, model) for line, model in _trained(script) if model in compiled and not line.loops]
    if len(trained) == 1 and not re.search(r"\.trainable\s*=", script.with_imports):
        (line, model), again = trained[0], without_comments(trained[0][0].node)
        frozen = statement(f"for each_layer in {model}.layers[:-1]:\n    each_layer.trainable = False\n")
        yield Site(line.number, {line.node: followed(frozen, again)})


@kind("monitor-missing", "DLO128")
def monitor_missing(script: Script) -> Iterator[Site]:
    """A callback that is given to a training watches a metric that no training of the script can log."""
    calls = [part for part in walk(script.module) if isinstance(part, cst.Call)]
    fits = [call for call in calls if code(call.func).rpartition(".")[2] in ("fit", "fit_generator")]
    if not any(argument.keyword is not None and argument.keyword.value == "callbacks" for fit in fits for argument in fit.args):
        return
    for part in calls:
        if code(part.func).rpartition(".")[2] in ("ModelCheckpoint", "EarlyStopping"):
            for argument in part.args:
                if argument.keyword is not None and argument.keyword.value == "monitor":
                    wrong = expression("'validation_loss'")
                    yield Site(script.number(part), {argument.value: replaced(wrong)})


@kind("optimizer-by-name", "DLO126")
def optimizer_by_name(script: Script) -> Iterator[Site]:
    """An optimizer is made with a learning rate, and ``compile`` is given the name of its class."""
    for call in script.called("compile"):
        for argument in call.call.args:
            if argument.keyword is not None and argument.keyword.value == "optimizer":
                made = [bound for bound in script.bindings if bound.name == code(argument.value) and _beside(bound, call)]
                value = made[0].value if len(made) == 1 else None
                maker = code(value.func).rpartition(".")[2] if isinstance(value, cst.Call) and value.args else ""
                if maker in _OPTIMIZERS and isinstance(argument.value, cst.Name):
                    yield Site(call.line.number, {argument.value: replaced(expression(repr(maker.lower())))})


def _beside(bound: Bound, call: Called) -> bool:
    """Whether a line that binds a name and one that calls a method are of the same function, if any."""
    return bound.line.functions == call.line.functions


@kind("forward-outside-tape", "DLO117")
def forward_outside_tape(script: Script) -> Iterator[Site]:
    """The first statement in a tape, which applies a model, stands in front of the tape, in which nothing speaks of the model
    any more; the tape is asked for the gradient by the variables of this model."""
    for line in script.lines:
        node = line.node
        if isinstance(node, cst.With) and "GradientTape" in code(node.items[0].item) and len(node.body.body) > 1:
            first, others = node.body.body[0], node.body.body[1:]
            model = _applied(first)
            variables = re.compile(rf"\.gradient\([^,()]+,\s*{re.escape(model)}\s*\.trainable_(variables|weights)\b")
            inner = node.with_changes(body=node.body.with_changes(body=others))
            if (
                model
                and isinstance(first, cst.SimpleStatementLine)
                and variables.search(script.text)
                and not re.search(rf"\b{re.escape(model)}\b", _recorded(others))
            ):
                moved = without_comments(first)
                both: cst.FlattenSentinel[cst.BaseStatement] = cst.FlattenSentinel([moved, inner])
                yield Site(line.number, {node: replaced(both)})  # type: ignore[arg-type]


def _applied(line: cst.CSTNode) -> str:
    """What a line calls that keeps the result; empty if it does something else."""
    part = line.body[0] if isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1 else None
    return code(part.value.func) if isinstance(part, cst.Assign) and isinstance(part.value, cst.Call) else ""


def _recorded(statements: Sequence[cst.CSTNode]) -> str:
    """The code of a tape without what asks the tape."""
    return "\n".join(code(part) for part in statements if ".gradient(" not in code(part))


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
            changes: dict[cst.CSTNode, Change] = {
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
