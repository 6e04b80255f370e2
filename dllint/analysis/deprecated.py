"""Where a document uses names and arguments of a library that work and are deprecated, read off its text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import libcst as cst

from dllint.analysis.removed import by_word, mention, mentions_any
from dllint.analysis.symbol_uses import SymbolUse, symbol_uses
from dllint.frameworks import registry
from dllint.frameworks.gone import Deprecated
from dllint.frameworks.history.record import legacy_weights
from dllint.frameworks.torch.deprecated import EXPECTED, PRIVATE, SYMBOLS
from dllint.source.document import Document
from dllint.source.walk import walk

#: The two arguments of losses that ``reduction`` has replaced.
OLD_REDUCTIONS: Final = ("size_average", "reduce")
_LOSSES: Final = "torch.nn."
_FUNCTIONS: Final = "torch.nn.functional."
_MODELS: Final = "torchvision.models."
_REDUCTION: Final = Deprecated("0.4", advice='reduction, which is "mean", "sum" or "none"')
_WEIGHTS: Final = "0.13"
_KNOWN: Final = (*SYMBOLS, *PRIVATE, *EXPECTED)
#: A word and a pattern with that word; a text without any of these has nothing deprecated.
_MAY_USE: Final = by_word(
    (
        *((name.rpartition(".")[2], mention(name)) for name in _KNOWN),
        *((keyword, rf"{keyword}\s*=") for keyword in OLD_REDUCTIONS),
        ("torchvision", "models"),
    )
)
#: A text that names none of these uses nothing of what is known.
_LIBRARIES: Final = frozenset({"torch", *(name.partition(".")[0] for name in _KNOWN)})


@dataclass(frozen=True, slots=True)
class Notice:
    """A use of something deprecated. ``call``: the call of which the use is the callee. ``keyword``: the argument that is
    deprecated, or that is to be given (``is_missing``); ``new``: the argument that takes its place, and its value there if that
    is known; ``is_private``: the name is not meant for others."""

    use: SymbolUse
    row: Deprecated
    call: cst.Call | None = None
    keyword: str = ""
    arg: cst.Arg | None = None
    is_missing: bool = False
    new: tuple[str, str] = ("", "")
    is_private: bool = False


def notices(document: Document) -> Iterator[Notice]:
    """All uses of deprecated names and arguments."""
    if not may_use_deprecated(document):
        return
    for use in symbol_uses(document, _is_known):
        row = SYMBOLS.get(use.name) or PRIVATE.get(use.name)
        if row is not None:
            yield Notice(use, row, _call(use), is_private=use.name in PRIVATE)
        elif not use.imported:
            yield from _arguments(use)


def may_use_deprecated(document: Document) -> bool:
    """Whether a document may use anything deprecated, by its words."""
    return not _LIBRARIES.isdisjoint(document.words) and mentions_any(document, _MAY_USE)


def _is_known(name: str) -> bool:
    """Whether a name, or one of the arguments of what it names, may be deprecated."""
    return name in SYMBOLS or name in PRIVATE or name in EXPECTED or name.startswith((_LOSSES, _MODELS))


def _arguments(use: SymbolUse) -> Iterator[Notice]:
    name = use.name
    if name in EXPECTED:
        yield from _expected(use, *EXPECTED[name])
    elif name.startswith(_LOSSES) and ("Loss" in name or name.startswith(_FUNCTIONS)):
        yield from _reductions(use)
    elif name.startswith(_MODELS) and (old := legacy_weights().get(name)) is not None:
        yield from _weights(use, old)


def _expected(use: SymbolUse, keyword: str, row: Deprecated) -> Iterator[Notice]:
    call = _call(use)
    if call is not None and not any(arg.star for arg in call.args) and keyword not in given(call):
        yield Notice(use, row, call, keyword, is_missing=True)


def _reductions(use: SymbolUse) -> Iterator[Notice]:
    call = _call(use)
    arguments = given(call) if call is not None else {}
    old = [name for name in OLD_REDUCTIONS if name in arguments]
    if call is None or not old:
        return
    registry.load(use.name)
    known = {param.name for param in registry.parameters(use.name) or ()}
    if not known.issuperset((*OLD_REDUCTIONS, "reduction")):
        return
    reduction = _reduction(arguments)
    for name in old:
        yield Notice(use, _REDUCTION, call, name, arguments[name], new=("reduction", reduction if len(old) == 1 else ""))


def _reduction(arguments: Mapping[str, cst.Arg]) -> str:
    """The reduction that the old arguments ask for; empty if that is not known. Both are true where they are not given."""
    values = [literal(arguments[name]) if name in arguments else True for name in OLD_REDUCTIONS]
    if None in values or "reduction" in arguments:
        return ""
    is_averaged, is_reduced = values
    return '"none"' if not is_reduced else '"mean"' if is_averaged else '"sum"'


def _weights(use: SymbolUse, old: Mapping[str, tuple[str, str]]) -> Iterator[Notice]:
    call = _call(use)
    if call is None:
        return
    arguments = given(call)
    for keyword, (new, weights) in old.items():
        arg = arguments.get(keyword)
        if arg is None and new == "weights" and call.args and _is_truth(call.args[0]):
            arg = call.args[0]
        if arg is not None:
            value = literal(arg)
            written = "None" if value is False else f'"{weights}"' if value is True and weights else ""
            row = Deprecated(_WEIGHTS, advice=f"{new}={written or '…'}", library="torchvision")
            yield Notice(use, row, call, keyword, arg, new=(new, written))


def _is_truth(arg: cst.Arg) -> bool:
    return arg.keyword is None and not arg.star and literal(arg) is not None


def literal(arg: cst.Arg) -> bool | None:
    """The truth value that an argument is; ``None`` if it is something else."""
    value = arg.value
    return {"True": True, "False": False}.get(value.value) if isinstance(value, cst.Name) else None


def given(call: cst.Call) -> dict[str, cst.Arg]:
    """The arguments that a call gives by name."""
    return {arg.keyword.value: arg for arg in call.args if arg.keyword is not None}


def _call(use: SymbolUse) -> cst.Call | None:
    """The call of which a use is the callee."""
    if use.imported:
        return None
    return next((part for part in walk(use.site.statement) if isinstance(part, cst.Call) and part.func is use.site.node), None)
