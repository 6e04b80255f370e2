"""Losses and outputs of compiled Keras models."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import libcst as cst

from benchmarks.data_slips.kinds.register import kind
from benchmarks.data_slips.parts import argument, calls, compiled, fits, last_activation, wrapped
from benchmarks.training_slips.kinds.kind import Site
from benchmarks.training_slips.script import Change, Script, code, expression, replaced

_CATEGORICAL: Final = ("categorical_crossentropy", "sparse_categorical_crossentropy")
_BINARY: Final = ("binary_crossentropy",)
_KERAS: Final = re.compile(r"^(?:from tensorflow import keras|import keras)\s*$", re.MULTILINE)


@kind("from-logits-with-softmax", "DLL102")
def from_logits_with_softmax(script: Script) -> Iterator[Site]:
    """The loss takes scores, and the model's output is put through a softmax."""
    if not _KERAS.search(script.text) or not list(last_activation(script, "softmax")):
        return
    for one in compiled(script, *_CATEGORICAL):
        cls = "SparseCategoricalCrossentropy" if one.name.startswith("sparse") else "CategoricalCrossentropy"
        new = expression(f"keras.losses.{cls}(from_logits=True)")
        yield Site(script.number(one.call), {one.loss.value: replaced(new)})


@kind("softmax-dropped", "DLL103", "DLL107")
def softmax_dropped(script: Script) -> Iterator[Site]:
    """The output of a model, of which the loss takes probabilities, is put through no softmax."""
    for one in compiled(script, *_CATEGORICAL):
        for _, given in last_activation(script, "softmax"):
            yield Site(script.number(one.call), {given.value: replaced(expression('"linear"'))})


@kind("sigmoid-dropped", "DLL103", "DLL107")
def sigmoid_dropped(script: Script) -> Iterator[Site]:
    """The output of a model, of which the loss takes a probability, is put through no sigmoid."""
    for one in compiled(script, *_BINARY):
        for _, given in last_activation(script, "sigmoid"):
            yield Site(script.number(one.call), {given.value: replaced(expression('"linear"'))})


@kind("relu-for-softmax", "DLL103", "DLL107", "DLS204", "DLL112")
def relu_for_softmax(script: Script) -> Iterator[Site]:
    """The output of a model, of which the loss takes probabilities, is put through a relu."""
    for one in compiled(script, *_CATEGORICAL):
        for _, given in last_activation(script, "softmax"):
            yield Site(script.number(one.call), {given.value: replaced(expression('"relu"'))})


@kind("softmax-of-one-unit", "DLL106")
def softmax_of_one_unit(script: Script) -> Iterator[Site]:
    """A layer of one unit has a softmax in place of its sigmoid."""
    for call, given in last_activation(script, "sigmoid"):
        units = argument(call, "units", 0)
        if units is not None and code(units.value) == "1":
            yield Site(script.number(call), {given.value: replaced(expression('"softmax"'))})


@kind("loss-of-other-labels", "DLL108", "DLL109")
def loss_of_other_labels(script: Script) -> Iterator[Site]:
    """The cross-entropy of class numbers is given codes, or that of codes class numbers."""
    for one in compiled(script, *_CATEGORICAL):
        other = _CATEGORICAL[1 - _CATEGORICAL.index(one.name)]
        coded = "to_categorical" in script.text or "one_hot" in script.text
        if coded == (one.name == _CATEGORICAL[0]):
            yield Site(script.number(one.call), {one.loss.value: replaced(expression(repr(other)))})


@kind("codes-dropped", "DLL108")
def codes_dropped(script: Script) -> Iterator[Site]:
    """All labels stay class numbers, where they were made codes for the loss."""
    found = [call for call in calls(script, "to_categorical") if call.args]
    for one in compiled(script, _CATEGORICAL[0]):
        if found:
            changes: dict[cst.CSTNode, Change] = {call: replaced(call.args[0].value) for call in found}
            yield Site(script.number(one.call), changes)


@kind("squares-of-probabilities", "DLL111")
def squares_of_probabilities(script: Script) -> Iterator[Site]:
    """The loss of a softmax over classes is the mean of squares."""
    if list(last_activation(script, "softmax")):
        for one in compiled(script, *_CATEGORICAL):
            yield Site(script.number(one.call), {one.loss.value: replaced(expression('"mse"'))})


@kind("binary-loss-of-classes", "DLL107")
def binary_loss_of_classes(script: Script) -> Iterator[Site]:
    """The loss of a softmax over classes is the binary cross-entropy."""
    if list(last_activation(script, "softmax")):
        for one in compiled(script, *_CATEGORICAL):
            yield Site(script.number(one.call), {one.loss.value: replaced(expression('"binary_crossentropy"'))})


@kind("classes-loss-of-one-unit", "DLL107", "DLL106")
def classes_loss_of_one_unit(script: Script) -> Iterator[Site]:
    """The loss of one unit with a sigmoid is the cross-entropy of several classes."""
    for call, _ in last_activation(script, "sigmoid"):
        units = argument(call, "units", 0)
        for one in compiled(script, *_BINARY) if units is not None and code(units.value) == "1" else ():
            yield Site(script.number(one.call), {one.loss.value: replaced(expression('"categorical_crossentropy"'))})


@kind("accuracy-of-numbers", "DLL110")
def accuracy_of_numbers(script: Script) -> Iterator[Site]:
    """The accuracy is measured of a model that predicts numbers."""
    for one in compiled(script, "mse", "mean_squared_error", "mae", "mean_absolute_error"):
        metrics = argument(one.call, "metrics")
        if metrics is None and all(arg.star == "" for arg in one.call.args):
            given = cst.Arg(expression('["accuracy"]'), keyword=cst.Name("metrics"))
            last = one.call.args[-1].with_changes(comma=cst.Comma(whitespace_after=cst.SimpleWhitespace(" ")))
            new = one.call.with_changes(args=[*one.call.args[:-1], last, given])
            yield Site(script.number(one.call), {one.call: replaced(new)})


@kind("labels-scaled", "DLL108", "DLL111", "DLD116", "DLL107")
def labels_scaled(script: Script) -> Iterator[Site]:
    """The labels of a cross-entropy are divided by 255, as pictures are."""
    for _ in compiled(script, *_CATEGORICAL):
        for fit in fits(script):
            label = argument(fit, "y", 1)
            if label is not None:
                yield Site(script.number(fit), {label.value: wrapped(label.value, "{} / 255.0")})


@kind("labels-from-one", "DLD116", "DLT116", effect="raises")
def labels_from_one(script: Script) -> Iterator[Site]:
    """The class numbers of a cross-entropy are one too high."""
    for _ in compiled(script, _CATEGORICAL[1]):
        for fit in fits(script):
            label = argument(fit, "y", 1)
            if label is not None:
                yield Site(script.number(fit), {label.value: wrapped(label.value, "{} + 1")})


@kind("units-fewer-than-classes", "DLT112", "DLL109", "DLL108", effect="raises")
def units_fewer_than_classes(script: Script) -> Iterator[Site]:
    """The output has a unit less than there are classes."""
    for call, _ in last_activation(script, "softmax"):
        units = argument(call, "units", 0)
        if units is not None and isinstance(units.value, cst.Integer) and int(units.value.value) > 2:
            less = expression(str(int(units.value.value) - 1))
            yield Site(script.number(call), {units.value: replaced(less)})
