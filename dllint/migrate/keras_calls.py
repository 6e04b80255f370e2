"""Calls of layers and optimizers that mean something else in Keras 3, or that only the whole file tells the meaning of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import libcst as cst

from dllint.analysis.symbol_uses import SymbolUse
from dllint.edit import Edit
from dllint.fixes.arguments import keyword_argument, remove_argument, replace_value
from dllint.fixes.places import inner, outer, replacing
from dllint.frameworks.keras.renames import is_keras_1_call, is_keras_1_file
from dllint.migrate.change import Change, Remark, call_of, name_at
from dllint.source.document import Document

#: Convolution → the axes of its window, each an argument of its own in Keras 1.
_WINDOWS: Final = {
    "Conv2D": 2, "Convolution2D": 2, "Deconvolution2D": 2, "SeparableConvolution2D": 2, "SeparableConv2D": 2,
    "Conv3D": 3, "Convolution3D": 3,
}  # fmt: skip
_ORDERINGS: Final = {"th": "channels_first", "tf": "channels_last"}
#: What ``merge`` did → the function that does it today.
_MODES: Final = {
    "sum": "add", "mul": "multiply", "concat": "concatenate", "ave": "average", "max": "maximum",
}  # fmt: skip
_MERGES: Final = ("keras.layers.merge", "keras.layers.core.merge", "keras.engine.topology.merge")
_SCHEDULE: Final = "keras.optimizers.schedules.InverseTimeDecay"
#: Optimizers that Keras 1 and 2 have under one meaning, whose ``decay`` lowers the rate by the number of steps.
_DECAYING: Final = frozenset({"SGD", "Adam", "RMSprop", "Adamax", "Adadelta", "Adagrad", "Nadam"})


def is_below(use: SymbolUse, part: str) -> bool:
    """Whether a use is of something below a part of Keras: ``layers``, ``optimizers``."""
    return not use.imported and f".{part}." in f".{use.name}"


def migrate_layers(document: Document, uses: Sequence[SymbolUse]) -> Iterator[Change | Remark]:
    """Windows of convolutions as Keras 1 took them, and the order of axes by its old names."""
    for use in uses:
        call = call_of(use) if is_below(use, "layers") else None
        if call is None or any(arg.star for arg in call.args):
            continue
        if edits := _window(document, use, call):
            yield Change("windows of convolutions", edits)
        arg = keyword_argument(call, "dim_ordering")
        order = _ORDERINGS.get(_string(arg.value)) if arg is not None else None
        if arg is not None and order is not None and arg.keyword is not None:
            renamed = replacing(use.site, *inner(use.site, arg.keyword), "data_format")
            yield Change("order of axes", (renamed, *replace_value(use.site, arg, f'"{order}"')))


def _window(document: Document, use: SymbolUse, call: cst.Call) -> tuple[Edit, ...]:
    """``Conv2D(32, 3, 3)`` is ``Conv2D(32, (3, 3))`` where the file is written for Keras 1."""
    axes = _WINDOWS.get(use.name.rpartition(".")[2], 0)
    keywords = [arg.keyword.value for arg in call.args if arg.keyword is not None]
    plain = [arg for arg in call.args if arg.keyword is None]
    if not axes or len(plain) < axes + 1 or not (is_keras_1_call(keywords) or is_keras_1_file(document.text)):
        return _named_window(use, call, axes) if axes == 2 else ()
    sides = plain[1 : axes + 1]
    if any(isinstance(arg.value, (cst.Tuple, cst.List)) for arg in sides):
        return ()
    start, end = outer(use.site, sides[0].value)[0], outer(use.site, sides[-1].value)[1]
    return replacing(use.site, start, start, "("), replacing(use.site, end, end, ")")


def _named_window(use: SymbolUse, call: cst.Call, axes: int) -> tuple[Edit, ...]:
    """``nb_row=3, nb_col=5`` is ``kernel_size=(3, 5)``."""
    rows, columns = keyword_argument(call, "nb_row"), keyword_argument(call, "nb_col")
    if rows is None or columns is None or rows.keyword is None:
        return ()
    values = [use.site.document.text[slice(*outer(use.site, arg.value))] for arg in (rows, columns)]
    named = replacing(use.site, *inner(use.site, rows.keyword), "kernel_size")
    written = replace_value(use.site, rows, f"({', '.join(values)})")
    return (named, *written, *remove_argument(use.site, call, columns))


def _string(node: cst.BaseExpression) -> str:
    return str(node.evaluated_value) if isinstance(node, cst.SimpleString) else ""


def migrate_optimizers(document: Document, uses: Sequence[SymbolUse]) -> Iterator[Change | Remark]:
    """``decay=`` of optimizers, which Keras 3 ignores, becomes a schedule of the same rates."""
    for use in uses:
        call = call_of(use) if is_below(use, "optimizers") and use.name.rpartition(".")[2] in _DECAYING else None
        decay = keyword_argument(call, "decay") if call is not None else None
        if call is None or decay is None:
            continue
        if isinstance(decay.value, (cst.Float, cst.Integer)) and float(decay.value.evaluated_value) == 0:
            yield Change("decay of learning rates", remove_argument(use.site, call, decay))
            continue
        rate = keyword_argument(call, "lr") or keyword_argument(call, "learning_rate") or _first(call)
        if rate is None:
            yield Remark(use.site, "Keras 3 ignores `decay`", f"give a `{_SCHEDULE}` as learning rate")
            continue
        yield Change("decay of learning rates", _schedule(document, use, call, rate, decay))


def _first(call: cst.Call) -> cst.Arg | None:
    return call.args[0] if call.args and call.args[0].keyword is None and not call.args[0].star else None


def _schedule(document: Document, use: SymbolUse, call: cst.Call, rate: cst.Arg, decay: cst.Arg) -> tuple[Edit, ...]:
    text = document.text
    written, imports = name_at(use, _SCHEDULE)
    first, last = (text[slice(*outer(use.site, arg.value))] for arg in (rate, decay))
    changed = replace_value(use.site, rate, f"{written}({first}, 1, {last})")
    return (*changed, *remove_argument(use.site, call, decay), *imports)


def merged(document: Document, uses: Sequence[SymbolUse]) -> tuple[list[Change], frozenset[str]]:
    """Calls of ``merge`` with today's functions; the names that nothing uses any more afterwards."""
    found = [use for use in uses if use.name in _MERGES and not use.imported]
    changes: list[Change] = []
    for use in found:
        call = call_of(use)
        edits = _merge(document, use, call) if call is not None else ()
        if edits:
            changes.append(Change("merging layers", edits))
    done = found and len(changes) == len(found)
    return changes, frozenset(use.name for use in found) if done else frozenset()


def _merge(document: Document, use: SymbolUse, call: cst.Call) -> tuple[Edit, ...]:
    """``merge([a, b], mode="concat", concat_axis=1)`` is ``concatenate([a, b], axis=1)``."""
    mode, axis = keyword_argument(call, "mode"), keyword_argument(call, "concat_axis")
    known = {"mode", "concat_axis", "name"}
    keywords = {arg.keyword.value for arg in call.args if arg.keyword is not None}
    function = _MODES.get(_string(mode.value)) if mode is not None else None
    if mode is None or function is None or not keywords <= known or len(call.args) != len(keywords) + 1:
        return ()
    text = document.text
    written, imports = name_at(use, f"keras.layers.{function}")
    parts = [text[slice(*outer(use.site, call.args[0].value))]]
    for old, arg in (("axis", axis), ("name", keyword_argument(call, "name"))):
        if arg is not None and (old != "axis" or function == "concatenate"):
            parts.append(f"{old}={text[slice(*outer(use.site, arg.value))]}")
    return (replacing(use.site, *inner(use.site, call), f"{written}({', '.join(parts)})"), *imports)
