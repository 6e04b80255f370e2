"""Data of torch: transforms, loaders and the sets that they take."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import libcst as cst

from benchmarks.data_slips.kinds.register import kind
from benchmarks.data_slips.parts import argument, calls
from benchmarks.training_slips.kinds.kind import Site
from benchmarks.training_slips.script import Bound, Script, code, expression, followed, replaced

_EVALUATES: Final = re.compile(r"(?:^|_|\.)(?:val|valid|validation|test|eval)(?:_|\d|$)", re.IGNORECASE)
#: Names of samples and of their labels, in small letters.
_PAIRS: Final = {("x_train", "y_train"), ("train_x", "train_y"), ("x", "y"), ("train_images", "train_labels")}
_TRAINS: Final = re.compile(r"(?:^|_|\.)(?:train|training)(?:_|\d|$)", re.IGNORECASE)


def _loaders(script: Script) -> list[tuple[Bound, cst.Call]]:
    """The lines that make loaders."""
    found = []
    for bound in script.bindings:
        value = bound.value
        if isinstance(value, cst.Call) and code(value.func).rpartition(".")[2] == "DataLoader":
            found.append((bound, value))
    return found


def _composed(script: Script) -> Iterator[tuple[cst.Call, list[cst.Element]]]:
    """The compositions of transforms that are written as lists, with their parts."""
    for call in calls(script, "Compose"):
        given = call.args[0].value if call.args else None
        if isinstance(given, cst.List):
            yield call, [part for part in given.elements if isinstance(part, cst.Element)]


def _named(parts: list[cst.Element], name: str) -> list[int]:
    return [at for at, part in enumerate(parts) if isinstance(part.value, cst.Call) and code(part.value.func).endswith(name)]


@kind("normalised-on-one-side", "DLD102")
def normalised_on_one_side(script: Script) -> Iterator[Site]:
    """Two compositions normalise pictures; the last one does so no more."""
    both = [(call, parts) for call, parts in _composed(script) if len(_named(parts, "Normalize")) == 1]
    if len(both) == 2 and len(both[1][1]) > 1:
        call, parts = both[1]
        node = call.args[0].value
        gone = _named(parts, "Normalize")[0]
        kept = [part for at, part in enumerate(parts) if at != gone]
        yield Site(script.number(call), {node: replaced(_list(kept))})


@kind("normalised-before-conversion", "DLD112", effect="raises")
def normalised_before_conversion(script: Script) -> Iterator[Site]:
    """``Normalize`` stands in front of the ``ToTensor`` behind which it stood, and is given no tensor."""
    for call, parts in _composed(script):
        first, second = _named(parts, "ToTensor"), _named(parts, "Normalize")
        if len(first) == len(second) == 1 and second[0] == first[0] + 1:
            order = list(parts)
            order[first[0]], order[second[0]] = order[second[0]], order[first[0]]
            yield Site(script.number(call), {call.args[0].value: replaced(_list(order))})


def _list(parts: list[cst.Element]) -> cst.BaseExpression:
    return expression(f"[{', '.join(code(part.value) for part in parts)}]")


@kind("training-not-shuffled", "DLD111")
def training_not_shuffled(script: Script) -> Iterator[Site]:
    """The loader that a loop trains from gives the samples in their order."""
    for bound, call in _loaders(script):
        shuffle = argument(call, "shuffle")
        if shuffle is not None and code(shuffle.value) == "True" and not _EVALUATES.search(bound.name) and script.backwards:
            yield Site(bound.line.number, {shuffle.value: replaced(expression("False"))})


@kind("validated-on-training-data", "DLD107")
def validated_on_training_data(script: Script) -> Iterator[Site]:
    """The loader for validation takes the object that the loader for training takes, both without a sampler."""
    found = [(bound, call) for bound, call in _loaders(script) if "sampler" not in code(call)]
    trained = [(bound, call) for bound, call in found if _TRAINS.search(bound.name)]
    judged = [(bound, call) for bound, call in found if _EVALUATES.search(bound.name)]
    if len(trained) == 1 and judged:
        source, target = argument(trained[0][1], "dataset", 0), argument(judged[0][1], "dataset", 0)
        both = source is not None and target is not None and judged[0][0].line.functions == trained[0][0].line.functions
        if both and source is not None and target is not None and isinstance(source.value, cst.Name):
            yield Site(judged[0][0].line.number, {target.value: replaced(source.value)})


@kind("first-batch-again", "DLD118")
def first_batch_again(script: Script) -> Iterator[Site]:
    """A loop over a loader that does not shuffle takes the first batch in every pass."""
    plain = {bound.name for bound, call in _loaders(script) if "shuffle=True" not in code(call) and "sampler" not in code(call)}
    for line in script.lines:
        node = line.node
        if isinstance(node, cst.For) and code(node.iter) in plain and ".step()" in code(node.body):
            taken = f"{code(node.target).strip()} = next(iter({code(node.iter)}))\n"
            body = node.body
            if isinstance(body, cst.IndentedBlock):
                new = body.with_changes(body=[cst.parse_statement(taken), *body.body])
                changed = node.with_changes(target=cst.Name("_"), body=new)
                yield Site(line.number, {node: replaced(changed)})


@kind("one-sample-left-over", "DLD115", effect="raises")
def one_sample_left_over(script: Script) -> Iterator[Site]:
    """A batch normalisation of rows trains on batches of one sample."""
    if "BatchNorm1d" not in script.text:
        return
    for bound, call in _loaders(script):
        size = argument(call, "batch_size", 1)
        if size is not None and not _EVALUATES.search(bound.name) and script.backwards:
            yield Site(bound.line.number, {size.value: replaced(expression("1"))})


@kind("tested-on-augmented-pictures", "DLD114")
def tested_on_augmented_pictures(script: Script) -> Iterator[Site]:
    """The transforms of the pictures that are tested flip them at random, as those of the training do."""
    for bound in script.bindings:
        if not _EVALUATES.search(bound.name) or not isinstance(bound.value, cst.Call) or "Random" in code(bound.value):
            continue
        for call, parts in _composed(script):
            if call is bound.value and _named(parts, "ToTensor"):
                prefix = code(parts[_named(parts, "ToTensor")[0]].value).rpartition("ToTensor")[0]
                flip = cst.Element(expression(f"{prefix}RandomHorizontalFlip()"))
                yield Site(bound.line.number, {call.args[0].value: replaced(_list([flip, *parts]))})


@kind("pixels-as-int8", "DLN108", "DLN109", "DLT117")
def pixels_as_int8(script: Script) -> Iterator[Site]:
    """Pictures of bytes are cast to signed bytes, which hold no number above 127."""
    for call in calls(script, "astype"):
        kept = code(call.args[0].value) if call.args else ""
        is_float = re.fullmatch(r"(np|numpy)\.(float32|float64|float)|['\"]float32['\"]", kept) and "255" in script.text
        if is_float and re.search(r"img|image|pixel|x_train|train_x|x_test", code(call.func), re.IGNORECASE):
            yield Site(script.number(call), {call.args[0].value: replaced(expression("'int8'"))})


@kind("samples-shuffled-alone", "DLD110")
def samples_shuffled_alone(script: Script) -> Iterator[Site]:
    """Samples are put in a random order behind the line that binds them, and their labels, by the next line, are not; the two
    are used in pairs."""
    if not re.search(r"^import numpy as np", script.text, re.MULTILINE):
        return
    for one, two in zip(script.bindings, script.bindings[1:], strict=False):
        pair = one.name.lower(), two.name.lower()
        follows = two.line.block is one.line.block and two.line.index == one.line.index + 1
        used = re.search(rf"(fit|TensorDataset|train_test_split)\(\s*{one.name},\s*{two.name}\b", script.text)
        if follows and used and pair in _PAIRS and "np." in code(one.value):
            new = cst.parse_statement(f"np.random.shuffle({one.name})\n")
            yield Site(two.line.number, {two.line.node: followed(new)})
