"""What of ``tensorflow.contrib`` has a successor, and is rewritten; the rest has none, which the rules tell."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import libcst as cst

from dllint.analysis.symbol_uses import SymbolUse, symbol_uses
from dllint.edit import Edit
from dllint.fixes.arguments import keyword_argument, remove_argument
from dllint.fixes.places import inner, outer, replacing
from dllint.migrate.change import Change, Remark, call_of, name_at
from dllint.migrate.imports import migrate_imports, migrate_uses
from dllint.source.document import Document

_CONTRIB: Final = "tensorflow.contrib."
_LAYERS: Final = f"{_CONTRIB}layers."
_XAVIER: Final = frozenset({f"{_LAYERS}xavier_initializer", f"{_LAYERS}xavier_initializer_conv2d"})
#: Regularizer → the loss of weights that it computes, before its scale.
_LOSSES: Final = {
    f"{_LAYERS}l2_regularizer": "{}.nn.l2_loss(weights)",
    f"{_LAYERS}l1_regularizer": "{0}.reduce_sum({0}.abs(weights))",
}


def migrate_contrib(document: Document) -> Iterator[Change | Remark]:
    """Imports and uses of names with a successor, and calls that have one in another form."""
    if "contrib" not in document.words:
        return
    uses = [use for use in symbol_uses(document) if use.name.startswith(_CONTRIB)]
    yield from migrate_imports(document, ("tensorflow",))
    yield from migrate_uses(uses)
    for use in uses:
        call = None if use.imported else call_of(use)
        if call is not None and (edits := _rewritten(use, call)):
            yield Change("functions of contrib", edits)


def _rewritten(use: SymbolUse, call: cst.Call) -> tuple[Edit, ...]:
    if use.name in _XAVIER:
        return _xavier(use, call)
    return _regularizer(use, call) if use.name in _LOSSES else ()


def _xavier(use: SymbolUse, call: cst.Call) -> tuple[Edit, ...]:
    """``xavier_initializer(uniform=False)`` is ``glorot_normal_initializer()``."""
    given = {arg.keyword.value for arg in call.args if arg.keyword is not None}
    uniform = keyword_argument(call, "uniform")
    if len(given) != len(call.args) or not given <= {"uniform", "seed", "dtype"}:
        return ()
    if uniform is not None and not (isinstance(uniform.value, cst.Name) and uniform.value.value in ("True", "False")):
        return ()
    kind = "normal" if uniform is not None and _text(use, uniform) == "False" else "uniform"
    written, imports = name_at(use, f"tensorflow.compat.v1.glorot_{kind}_initializer")
    if imports:
        return ()
    dropped = remove_argument(use.site, call, uniform) if uniform is not None else ()
    return (replacing(use.site, *inner(use.site, use.site.node), written), *dropped)


def _regularizer(use: SymbolUse, call: cst.Call) -> tuple[Edit, ...]:
    """``l2_regularizer(0.1)`` is a function of weights; the one of Keras 3 does not take variables of TensorFlow 1."""
    scale = call.args[0] if len(call.args) == 1 else None
    if scale is None or scale.star or (scale.keyword is not None and scale.keyword.value != "scale"):
        return ()
    module, imports = name_at(use, "tensorflow.nn")
    if imports or not module.endswith(".nn"):
        return ()
    loss = _LOSSES[use.name].format(module.removesuffix(".nn"))
    written = f"(lambda weights, scale={_text(use, scale)}: scale * {loss})"
    return (replacing(use.site, *inner(use.site, call), written),)


def _text(use: SymbolUse, arg: cst.Arg) -> str:
    return use.site.document.text[slice(*outer(use.site, arg.value))]
