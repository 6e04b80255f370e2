"""Losses of torch: what they are given, how it was made, and which loss it is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import libcst as cst

from benchmarks.data_slips.kinds.register import kind
from benchmarks.data_slips.parts import calls, construction, loss_calls, torch_name, wrapped
from benchmarks.training_slips.kinds.kind import Site
from benchmarks.training_slips.script import Bound, Script, code, expression, replaced
from dllint.source.walk import walk

_PROBABILITIES: Final = re.compile(r"softmax|sigmoid", re.IGNORECASE)


@kind("softmax-before-cross-entropy", "DLL101")
def softmax_before_cross_entropy(script: Script) -> Iterator[Site]:
    """The scores that a cross-entropy takes are put through a softmax over the classes; the script names no softmax."""
    if torch_name(script) and not _PROBABILITIES.search(script.with_imports):
        for one in loss_calls(script, "CrossEntropyLoss"):
            change = wrapped(one.prediction.value, "torch.softmax({}, dim=1)")
            yield Site(script.number(one.call), {one.prediction.value: change})


@kind("sigmoid-before-bce-with-logits", "DLL104")
def sigmoid_before_bce_with_logits(script: Script) -> Iterator[Site]:
    """The scores that a binary cross-entropy with logits takes are put through a sigmoid."""
    if torch_name(script):
        for one in loss_calls(script, "BCEWithLogitsLoss"):
            yield Site(script.number(one.call), {one.prediction.value: wrapped(one.prediction.value, "torch.sigmoid({})")})


@kind("nll-of-scores", "DLL105")
def nll_of_scores(script: Script) -> Iterator[Site]:
    """The cross-entropy is made a negative log-likelihood; neither the script nor what it imports names a log-softmax."""
    if "log_softmax" in script.with_imports or "LogSoftmax" in script.with_imports:
        return
    for bound in script.bindings:
        made = construction(bound)
        if made is not None and code(made.func).endswith("CrossEntropyLoss"):
            yield Site(bound.line.number, {made: replaced(expression(code(made).replace("CrossEntropyLoss", "NLLLoss")))})


@kind("log-dropped-before-nll", "DLL105")
def log_dropped_before_nll(script: Script) -> Iterator[Site]:
    """The model ends in a log-softmax, whose result a negative log-likelihood takes, and now ends in a softmax."""
    if not re.search(r"nll_loss|NLLLoss", script.text):
        return
    for call in calls(script, "log_softmax", "LogSoftmax"):
        new = code(call).replace("log_softmax", "softmax").replace("LogSoftmax", "Softmax")
        yield Site(script.number(call), {call: replaced(expression(new))})


@kind("bce-of-scores", "DLL105", effect="raises")
def bce_of_scores(script: Script) -> Iterator[Site]:
    """The binary cross-entropy with logits is made the one of probabilities; nothing names a sigmoid."""
    if _PROBABILITIES.search(script.with_imports):
        return
    for bound in script.bindings:
        made = construction(bound)
        if made is not None and code(made.func).endswith("BCEWithLogitsLoss"):
            yield Site(bound.line.number, {made: replaced(expression(code(made).replace("BCEWithLogitsLoss", "BCELoss")))})


@kind("sigmoid-dropped-before-bce", "DLL105", effect="raises")
def sigmoid_dropped_before_bce(script: Script) -> Iterator[Site]:
    """The only sigmoid of a script, whose loss is the binary cross-entropy of probabilities, is taken out."""
    found = [call for call in calls(script, "sigmoid") if len(call.args) == 1]
    text = script.text
    if len(found) == 1 and re.search(r"\bBCELoss\b|binary_cross_entropy\(", text) and "Sigmoid" not in text:
        yield Site(script.number(found[0]), {found[0]: replaced(found[0].args[0].value)})


@kind("kl-div-of-probabilities", "DLL113")
def kl_div_of_probabilities(script: Script) -> Iterator[Site]:
    """A divergence is given probabilities, where it was given their logarithms."""
    for call in calls(script, "kl_div", "KLDivLoss"):
        holder = call.args[0].value if call.args else None
        if isinstance(holder, cst.Call) and code(holder.func).endswith("log_softmax"):
            yield Site(script.number(call), {holder: replaced(expression(code(holder).replace("log_softmax", "softmax")))})


@kind("loss-arguments-swapped", "DLL114", "DLL109", "DLT117")
def loss_arguments_swapped(script: Script) -> Iterator[Site]:
    """A loss that is no distance is given the target first and the prediction second."""
    for one in loss_calls(script, "CrossEntropyLoss", "NLLLoss", "BCELoss", "BCEWithLogitsLoss"):
        first, second = one.prediction.value, one.target.value
        if one.prediction.keyword is None and one.target.keyword is None:
            yield Site(script.number(one.call), {first: replaced(second), second: replaced(first)})


@kind("class-numbers-as-floats", "DLL109", "DLT117", effect="raises")
def class_numbers_as_floats(script: Script) -> Iterator[Site]:
    """The class numbers that a cross-entropy or a negative log-likelihood takes are made floats."""
    for one in loss_calls(script, "CrossEntropyLoss", "NLLLoss"):
        if isinstance(one.target.value, (cst.Name, cst.Attribute)):
            yield Site(script.number(one.call), {one.target.value: wrapped(one.target.value, "{}.float()")})


@kind("binary-targets-as-integers", "DLT117", "DLL109", effect="raises")
def binary_targets_as_integers(script: Script) -> Iterator[Site]:
    """The targets of a binary cross-entropy are made whole numbers."""
    for one in loss_calls(script, "BCELoss", "BCEWithLogitsLoss"):
        if isinstance(one.target.value, (cst.Name, cst.Attribute)):
            yield Site(script.number(one.call), {one.target.value: wrapped(one.target.value, "{}.long()")})


@kind("classes-chosen-before-loss", "DLL117", "DLL109", "DLO106", "DLT117", effect="raises")
def classes_chosen_before_loss(script: Script) -> Iterator[Site]:
    """A loss takes the most probable class as a float, where it took the scores."""
    lost = {id(bound.value) for bound in script.bindings if _is_differentiated(bound, script)}
    for one in loss_calls(script, "CrossEntropyLoss", "MSELoss"):
        if isinstance(one.prediction.value, cst.Name) and id(one.call) in lost:
            change = wrapped(one.prediction.value, "{}.argmax(dim=1).float()")
            yield Site(script.number(one.call), {one.prediction.value: change})


@kind("loss-negated", "DLL115")
def loss_negated(script: Script) -> Iterator[Site]:
    """A loss that is differentiated and stepped on is negated where it is computed."""
    names = {call.receiver for call in script.backwards}
    found = {
        id(one.call) for one in loss_calls(script, "CrossEntropyLoss", "NLLLoss", "MSELoss", "BCEWithLogitsLoss", "L1Loss")
    }
    for bound in script.bindings:
        if bound.name in names and id(bound.value) in found and _is_differentiated(bound, script):
            yield Site(bound.line.number, {bound.value: wrapped(bound.value, "-{}")})


def _is_differentiated(bound: Bound, script: Script) -> bool:
    """Whether what a line binds is differentiated in the same pass of a loop, or in the same function."""
    line = bound.line
    passes = [call for call in script.backwards if call.receiver == bound.name]
    return any(call.line.loop is line.loop and call.line.functions == line.functions for call in passes)


@kind("loss-not-reduced", "DLO132", effect="raises")
def loss_not_reduced(script: Script) -> Iterator[Site]:
    """A loss object gives one number per sample, and what it gives is differentiated as it is."""
    names = {call.receiver for call in script.backwards}
    calls_of = {
        id(one.call): code(one.call.func) for one in loss_calls(script, "CrossEntropyLoss", "MSELoss", "BCEWithLogitsLoss")
    }
    used = {calls_of[id(bound.value)] for bound in script.bindings if bound.name in names and id(bound.value) in calls_of}
    for bound in script.bindings:
        made = construction(bound)
        if made is not None and bound.name in used:
            new = made.with_changes(args=[cst.Arg(expression('"none"'), keyword=cst.Name("reduction"))])
            yield Site(bound.line.number, {made: replaced(new)})


@kind("softmax-over-batch", "DLT121")
def softmax_over_batch(script: Script) -> Iterator[Site]:
    """A softmax over the classes of rows goes over the batch; the script computes a cross-entropy or likelihood."""
    for call in calls(script, "softmax", "log_softmax", "Softmax", "LogSoftmax"):
        for arg in call.args:
            if arg.keyword is not None and arg.keyword.value == "dim" and code(arg.value) == "1":
                yield Site(script.number(call), {arg.value: replaced(expression("0"))})


@kind("threshold-on-scores", "DLL118")
def threshold_on_scores(script: Script) -> Iterator[Site]:
    """Probabilities are compared with a half; the sigmoid that made them of scores is taken out. What is only shown is left."""
    shown = {id(part) for call in calls(script, "add_image", "add_images", "imshow") for part in walk(call)}
    for part in walk(script.module):
        if id(part) in shown:
            continue
        if isinstance(part, cst.Comparison) and len(part.comparisons) == 1 and "0.5" in code(part.comparisons[0]):
            for inner in walk(part.left):
                if isinstance(inner, cst.Call) and code(inner.func).endswith("sigmoid") and len(inner.args) == 1:
                    yield Site(script.number(part), {inner: replaced(inner.args[0].value)})


@kind("class-numbers-from-one", "DLD116", "DLT116", "DLL109", effect="raises")
def class_numbers_from_one(script: Script) -> Iterator[Site]:
    """The class numbers that a cross-entropy takes are one too high."""
    for one in loss_calls(script, "CrossEntropyLoss", "NLLLoss"):
        if isinstance(one.target.value, (cst.Name, cst.Attribute)):
            yield Site(script.number(one.call), {one.target.value: wrapped(one.target.value, "({} + 1)")})


@kind("padding-not-ignored", "DLL116")
def padding_not_ignored(script: Script) -> Iterator[Site]:
    """A cross-entropy over tokens does not leave the padding out any more."""
    for call in calls(script, "CrossEntropyLoss", "cross_entropy", "NLLLoss"):
        kept = [arg for arg in call.args if arg.keyword is None or arg.keyword.value != "ignore_index"]
        if len(kept) < len(call.args) and re.search(r"pad", script.text, re.IGNORECASE):
            if kept:
                kept[-1] = kept[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
            yield Site(script.number(call), {call: replaced(call.with_changes(args=kept))})
