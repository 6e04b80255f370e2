"""Data of Keras models: scaling, splits, generators and predictions."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from benchmarks.data_slips.kinds.register import kind
from benchmarks.data_slips.parts import argument, calls, divisions, fits
from benchmarks.training_slips.kinds.kind import Site
from benchmarks.training_slips.script import (
    Change,
    Script,
    all_removed,
    code,
    expression,
    followed,
    preceded,
    replaced,
    statement,
)


@kind("scaling-dropped", "DLD101")
def scaling_dropped(script: Script) -> Iterator[Site]:
    """No array is divided by 255 any more; nothing else in the script scales."""
    found = divisions(script)
    if found and ".fit(" in script.text and not re.search(r"Rescaling|Scaler|BatchNorm|rescale|preprocess_input", script.text):
        yield Site(found[0][0].line.number, {bound.value: replaced(left) for bound, left in found})


@kind("scaling-on-one-side", "DLD102")
def scaling_on_one_side(script: Script) -> Iterator[Site]:
    """The last of two arrays, which is tested, is not divided by 255 any more."""
    found = divisions(script)
    if len(found) == 2 and "test" in found[1][0].name.lower() + found[0][0].name.lower():
        tested = next(pair for pair in found if "test" in pair[0].name.lower())
        yield Site(tested[0].line.number, {tested[0].value: replaced(tested[1])})


@kind("scaled-twice", "DLD103")
def scaled_twice(script: Script) -> Iterator[Site]:
    """Arrays are divided by 255 twice."""
    found = divisions(script)
    if found and ".fit(" in script.text:
        changes: dict[cst.CSTNode, Change] = {
            bound.line.node: followed(statement(f"{bound.name} = {bound.name} / 255.0\n")) for bound, _ in found
        }
        yield Site(found[0][0].line.number, changes)


@kind("pictures-as-int8", "DLN108", "DLN109", "DLT117")
def pictures_as_int8(script: Script) -> Iterator[Site]:
    """Pictures of bytes are cast to signed bytes, which hold no number above 127, and then divided by 255."""
    if not divisions(script):
        return
    for call in calls(script, "astype"):
        if call.args and re.search(r"float", code(call.args[0].value)) and re.match(r"(x_|train_|test_|X_)", code(call.func)):
            yield Site(script.number(call), {call.args[0].value: replaced(expression("'int8'"))})


@kind("validated-on-training-arrays", "DLD107")
def validated_on_training_arrays(script: Script) -> Iterator[Site]:
    """A model is validated on the arrays that it is trained on."""
    for fit in fits(script):
        given, x, y = argument(fit, "validation_data"), argument(fit, "x", 0), argument(fit, "y", 1)
        if given is not None and x is not None and y is not None and code(x.value) != code(y.value):
            new = expression(f"({code(x.value)}, {code(y.value)})")
            yield Site(script.number(fit), {given.value: replaced(new)})


@kind("fitted-to-test-data", "DLD105")
def fitted_to_test_data(script: Script) -> Iterator[Site]:
    """A scaler, no encoder, that was fitted to the training data is fitted to the test data, too."""
    for call in calls(script, "transform"):
        name = call.func
        if not isinstance(name, cst.Attribute) or not call.args:
            continue
        if re.search(r"enc|binar|label|hot", code(name.value), re.IGNORECASE):
            continue
        fitted = any(f"{code(name.value)}.{method}(" in script.text for method in ("fit", "fit_transform"))
        if fitted and re.search(r"test|val", code(call.args[0].value), re.IGNORECASE):
            yield Site(script.number(call), {name.attr: replaced(cst.Name("fit_transform"))})


@kind("scaled-before-split", "DLD106")
def scaled_before_split(script: Script) -> Iterator[Site]:
    """All rows are standardised together in front of the split."""
    for line in script.lines:
        small = line.small
        call = small.value if isinstance(small, cst.Assign) else None
        if isinstance(call, cst.Call) and code(call.func).endswith("train_test_split") and call.args:
            data = call.args[0].value
            if isinstance(data, cst.Name):
                first = statement("from sklearn.preprocessing import StandardScaler\n")
                second = statement(f"{data.value} = StandardScaler().fit_transform({data.value})\n")
                yield Site(line.number, {line.node: preceded(first, second)})


@kind("split-results-swapped", "DLD109")
def split_results_swapped(script: Script) -> Iterator[Site]:
    """The second and the third part of a split of two arrays have each other's names."""
    for line in script.lines:
        small = line.small
        if isinstance(small, cst.Assign) and "train_test_split(" in code(small.value):
            target = small.targets[0].target
            if isinstance(target, cst.Tuple) and len(target.elements) == 4:
                second, third = target.elements[1].value, target.elements[2].value
                changes: dict[cst.CSTNode, Change] = {second: replaced(third), third: replaced(second)}
                yield Site(line.number, changes)


@kind("predictions-in-random-order", "DLD113")
def predictions_in_random_order(script: Script) -> Iterator[Site]:
    """The flow that is predicted or evaluated against the classes of its files gives them in a random order."""
    if not re.search(r"\.(classes|labels|filenames)\b", script.text) or "predict" not in script.text:
        return
    for call in calls(script, "flow_from_directory", "flow_from_dataframe"):
        shuffle = argument(call, "shuffle")
        if shuffle is not None and code(shuffle.value) == "False":
            yield Site(script.number(call), {shuffle.value: replaced(expression("True"))})


@kind("augmented-validation", "DLD114")
def augmented_validation(script: Script) -> Iterator[Site]:
    """The generator of the pictures for validation or test rotates them at random."""
    for bound in script.bindings:
        value = bound.value
        if not isinstance(value, cst.Call) or not code(value.func).endswith("ImageDataGenerator"):
            continue
        plain = "_range" not in code(value) and all(arg.star == "" for arg in value.args)
        if plain and re.search(r"val|test", bound.name, re.IGNORECASE):
            turned = cst.Arg(expression("40"), keyword=cst.Name("rotation_range"))
            head = [arg.with_changes(comma=cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))) for arg in value.args]
            yield Site(bound.line.number, {value: replaced(value.with_changes(args=[*head, turned]))})


@kind("rows-shuffled-alone", "DLD110")
def rows_shuffled_alone(script: Script) -> Iterator[Site]:
    """In front of a training, the samples are put in a random order and their labels are not."""
    if not re.search(r"^import numpy as np", script.text, re.MULTILINE):
        return
    made = {id(fit) for fit in fits(script)}
    for line in script.lines:
        small = line.small
        call = small.value if isinstance(small, (cst.Assign, cst.Expr)) else None
        if isinstance(call, cst.Call) and id(call) in made:
            x = argument(call, "x", 0)
            if x is not None:
                yield Site(line.number, {line.node: preceded(statement(f"np.random.shuffle({code(x.value)})\n"))})


@kind("pretrained-scale", "DLD104")
def pretrained_scale(script: Script) -> Iterator[Site]:
    """Pictures for a network of ImageNet are divided by 255 in place of its own preparation."""
    if not re.search(r"applications", script.text) or "weights=None" in script.text:
        return
    for call in calls(script, "ImageDataGenerator"):
        given = argument(call, "preprocessing_function")
        if given is not None and "preprocess_input" in code(given.value):
            new = given.with_changes(keyword=cst.Name("rescale"), value=expression("1.0 / 255"))
            yield Site(script.number(call), {given: replaced(new)})


@kind("embedding-without-mask", "DLL116")
def embedding_without_mask(script: Script) -> Iterator[Site]:
    """An embedding of padded sequences masks the padding no more."""
    for call in calls(script, "Embedding"):
        given = argument(call, "mask_zero")
        if given is not None and code(given.value) == "True" and "pad_sequences" in script.text:
            yield Site(script.number(call), {given.value: replaced(expression("False"))})


@kind("scaler-of-test-data", "DLD102")
def scaler_of_test_data(script: Script) -> Iterator[Site]:
    """The test data are not put through the scaler that the training data were put through."""
    for line in script.lines:
        small = line.small
        if isinstance(small, cst.Assign) and isinstance(small.value, cst.Call):
            function = code(small.value.func)
            name = code(small.targets[0].target)
            given = code(small.value.args[0].value) if small.value.args else ""
            if function.endswith(".transform") and given == name and "test" in name.lower() and ".fit(" in script.text:
                yield Site(line.number, all_removed([line]))
