"""Methods of models that Keras 3 does not have, and the names under which a history keeps metrics."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import libcst as cst

from dllint.edit import Edit
from dllint.fixes.arguments import keyword_argument, remove_argument
from dllint.fixes.places import inner, outer, replacing
from dllint.ir.program import Site
from dllint.migrate.change import Change, Remark
from dllint.source.document import Document
from dllint.source.walk import children, is_statement, walk

#: Method on a generator → today's method, and the names of its parameters in order.
_GENERATORS: Final = {
    "fit_generator": (
        "fit",
        ("generator", "steps_per_epoch", "epochs", "verbose", "callbacks", "validation_data", "validation_steps"),
    ),
    "evaluate_generator": ("evaluate", ("generator", "steps")),
    "predict_generator": ("predict", ("generator", "steps")),
}  # fmt: skip
#: Arguments that said how a generator is read, and are the generator's own business today.
_READING: Final = ("workers", "use_multiprocessing", "max_queue_size", "max_q_size", "pickle_safe", "nb_worker")
_RENAMED: Final = {"generator": "x", "nb_epoch": "epochs"}
_OF_KERAS_1: Final = ("samples_per_epoch", "nb_val_samples", "val_samples")
_CLASSES: Final = '(lambda scores: scores.argmax(axis=-1) if scores.shape[-1] > 1 else (scores > 0.5).astype("int32"))({})'
_METHODS: Final = "methods of models"
_ACCURACY: Final = re.compile(r"metrics\s*=\s*[\[(]\s*['\"]accuracy['\"]")
_SHORT: Final = re.compile(r"metrics\s*=\s*[\[(]\s*['\"]acc['\"]")
_KEYS: Final = {"acc": "accuracy", "val_acc": "val_accuracy"}


def calls(document: Document) -> Iterator[tuple[Site, cst.Call]]:
    """All calls, each with its statement."""
    for statement in document.body:
        yield from _calls(document, statement, statement)


def _calls(document: Document, node: cst.CSTNode, statement: cst.CSTNode) -> Iterator[tuple[Site, cst.Call]]:
    if isinstance(node, cst.Call):
        yield Site(document, statement, node), node
    for child in children(node):
        yield from _calls(document, child, child if is_statement(child) else statement)


def migrate_methods(document: Document) -> Iterator[Change | Remark]:
    """``fit_generator`` and its likes, ``predict_classes``, ``predict_proba``; not those that the file defines itself."""
    text = document.text
    if not any(name in text for name in (*_GENERATORS, "predict_classes", "predict_proba")):
        return
    for site, call in calls(document):
        if not isinstance(call.func, cst.Attribute) or f"def {call.func.attr.value}" in text:
            continue
        name = call.func.attr.value
        if name in _GENERATORS:
            yield from _generator(site, call, name)
        elif name == "predict_classes":
            start, end = outer(site, call)
            changed = _CLASSES.format(_with_method(site, call, "predict"))
            yield Change(_METHODS, (replacing(site, start, end, changed),))
        elif name == "predict_proba" and "sklearn" not in text:
            yield Change(_METHODS, (replacing(site, *inner(site, call.func.attr), "predict"),))


def _with_method(site: Site, call: cst.Call, name: str) -> str:
    assert isinstance(call.func, cst.Attribute)
    start, end = inner(site, call)
    at, stop = inner(site, call.func.attr)
    text = site.document.text
    return f"{text[start:at]}{name}{text[stop:end]}"


def _generator(site: Site, call: cst.Call, name: str) -> Iterator[Change | Remark]:
    today, parameters = _GENERATORS[name]
    assert isinstance(call.func, cst.Attribute)
    if any(arg.star for arg in call.args):
        return
    if any(keyword_argument(call, old) is not None for old in _OF_KERAS_1):
        advice = f"write `{today}` with steps_per_epoch, the number of samples divided by the batch size"
        yield Remark(site, f"`{name}` counts samples, and `{today}` counts batches", advice)
        return
    positional = [arg for arg in call.args if arg.keyword is None]
    if len(positional) > len(parameters):
        return
    edits: list[Edit] = [replacing(site, *inner(site, call.func.attr), today)]
    for arg, parameter in zip(positional[1:], parameters[1:], strict=False):
        start, _ = outer(site, arg.value)
        edits.append(replacing(site, start, start, f"{parameter}="))
    surplus = [arg for arg in call.args if arg.keyword is not None and arg.keyword.value in _READING]
    if len(surplus) == 1:  # removals of neighbours would overlap: the others go in the next round
        edits += remove_argument(site, call, surplus[0])
    elif surplus:
        edits = list(remove_argument(site, call, surplus[-1]))
        yield Change(_METHODS, tuple(edits))
        return
    for arg in call.args:
        if arg.keyword is not None and (new := _RENAMED.get(arg.keyword.value)):
            edits.append(replacing(site, *inner(site, arg.keyword), new))
    yield Change(_METHODS, tuple(edits))


def migrate_history(document: Document) -> Iterator[Change | Remark]:
    """``history.history["acc"]`` and ``monitor="val_acc"``, where models are compiled with the metric "accuracy"."""
    if not _ACCURACY.search(document.text) or _SHORT.search(document.text):
        return
    for statement in document.body:
        for part in walk(statement):
            node = _key(part)
            if isinstance(node, cst.SimpleString) and (new := _KEYS.get(str(node.evaluated_value))):
                site = Site(document, statement, node)
                start, end = inner(site, node)
                quote = node.quote
                yield Change("names of metrics", (replacing(site, start, end, f"{quote}{new}{quote}"),))


def _key(node: cst.CSTNode) -> cst.CSTNode | None:
    """The string that names a metric in a subscript of a history, or as what a callback monitors."""
    if isinstance(node, cst.Subscript) and isinstance(node.value, cst.Attribute) and node.value.attr.value == "history":
        index = node.slice[0].slice if len(node.slice) == 1 else None
        return index.value if isinstance(index, cst.Index) else None
    if isinstance(node, cst.Arg) and node.keyword is not None and node.keyword.value == "monitor":
        return node.value
    return None
