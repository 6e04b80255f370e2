"""Calls of torch whose successor takes other arguments, in the forms in which it computes the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

import libcst as cst

from dllint.analysis.symbol_uses import SymbolUse, symbol_uses
from dllint.edit import Edit
from dllint.fixes.arguments import add_keyword, keyword_argument, remove_argument
from dllint.fixes.calls import replace_expression
from dllint.fixes.places import inner, outer, parent, replacing
from dllint.frameworks.gone import Rewrite
from dllint.frameworks.torch.deprecated import PRIVATE, SYMBOLS
from dllint.migrate.change import Change, Remark, call_of, name_at
from dllint.migrate.imports import migrate_imports
from dllint.migrate.torch_range import migrate_range
from dllint.source.document import Document

#: Name → its successor, and the arguments that it needs there.
_WITH_ARGUMENTS: Final[Mapping[str, tuple[str, Mapping[str, str]]]] = {
    "torch.nn.UpsamplingNearest2d": ("torch.nn.Upsample", {"mode": '"nearest"'}),
    "torch.nn.UpsamplingBilinear2d": ("torch.nn.Upsample", {"mode": '"bilinear"', "align_corners": "True"}),
    "torch.nn.functional.upsample_nearest": ("torch.nn.functional.interpolate", {"mode": '"nearest"'}),
    "torch.nn.functional.upsample_bilinear": (
        "torch.nn.functional.interpolate", {"mode": '"bilinear"', "align_corners": "True"}
    ),
}  # fmt: skip
_SCHEDULERS: Final = "torch.optim.lr_scheduler."
_CHECKPOINT: Final = "torch.utils.checkpoint.checkpoint"


def successor(name: str) -> tuple[str, str] | None:
    """The module and the name that stand today for an imported name whose uses can stay as they are."""
    row = SYMBOLS.get(name) or PRIVATE.get(name)
    if row is None or row.rewrite is not Rewrite.NAME or not row.replacement:
        return None
    home, _, today = row.replacement.rpartition(".")
    return home, today


def migrate_torch(document: Document) -> Iterator[Change | Remark]:
    """Imports of names with a successor, and every call with one."""
    yield from migrate_imports(document, ("torch", "functorch"), moved=successor)
    for use in symbol_uses(document):
        call = call_of(use) if use.name.startswith("torch.") and not use.imported else None
        if call is not None and not any(arg.star for arg in call.args) and (edits := _rewritten(use, call)):
            yield Change("calls with other arguments", edits)


def _rewritten(use: SymbolUse, call: cst.Call) -> tuple[Edit, ...]:
    name, site = use.name, use.site
    if name in _WITH_ARGUMENTS:
        return _with_arguments(use, call)
    if name.startswith(_SCHEDULERS) and (verbose := keyword_argument(call, "verbose")) is not None:
        return remove_argument(site, call, verbose)
    if name == _CHECKPOINT and keyword_argument(call, "use_reentrant") is None and call.args:
        return add_keyword(site, call, "use_reentrant", "True")
    if name == "torch.norm" and len(call.args) == 1 and call.args[0].keyword is None:
        return _named(use, "torch.linalg.vector_norm")
    if name == "torch.cholesky":
        return _cholesky(use, call)
    if name == "torch.qr":
        return _qr(use, call)
    if name == "torch.symeig":
        return _symeig(use, call)
    if name == "torch.solve":
        return _solve(use, call)
    return migrate_range(use, call) if name == "torch.range" else ()


def _named(use: SymbolUse, new: str) -> tuple[Edit, ...]:
    written, imports = name_at(use, new)
    return (*replace_expression(use.site, use.site.node, written), *imports)


def _with_arguments(use: SymbolUse, call: cst.Call) -> tuple[Edit, ...]:
    new, arguments = _WITH_ARGUMENTS[use.name]
    if not call.args or any(keyword_argument(call, keyword) is not None for keyword in arguments):
        return ()
    (first, value), *others = arguments.items()
    text = ", ".join((value, *(f"{keyword}={each}" for keyword, each in others)))
    return (*_named(use, new), *add_keyword(use.site, call, first, text))


def _text(use: SymbolUse, node: cst.CSTNode) -> str:
    return use.site.document.text[slice(*outer(use.site, node))]


def _is_true(arg: cst.Arg | None) -> bool:
    return arg is not None and isinstance(arg.value, cst.Name) and arg.value.value == "True"


def _cholesky(use: SymbolUse, call: cst.Call) -> tuple[Edit, ...]:
    """``torch.cholesky(a, upper=True)`` is ``torch.linalg.cholesky(a).mH``."""
    upper = _second(call, "upper")
    if upper is None:
        return ()
    written, imports = name_at(use, "torch.linalg.cholesky")
    transposed = ".mH" if _is_true(upper) else ""
    return (*replace_expression(use.site, call, f"{written}({_text(use, call.args[0].value)}){transposed}"), *imports)


def _qr(use: SymbolUse, call: cst.Call) -> tuple[Edit, ...]:
    """``torch.qr(a, some=False)`` is ``torch.linalg.qr(a, mode="complete")``."""
    some = _second(call, "some")
    if some is None:
        return ()
    written, imports = name_at(use, "torch.linalg.qr")
    mode = "" if _is_true(some) else ', mode="complete"'
    return (*replace_expression(use.site, call, f"{written}({_text(use, call.args[0].value)}{mode})"), *imports)


def _second(call: cst.Call, name: str) -> cst.Arg | None:
    """The second of two arguments, if it is that of this name and a truth value."""
    if len(call.args) != 2 or call.args[0].keyword is not None:
        return None
    arg = call.args[1]
    is_it = arg.keyword is None or arg.keyword.value == name
    return arg if is_it and isinstance(arg.value, cst.Name) and arg.value.value in ("True", "False") else None


def _symeig(use: SymbolUse, call: cst.Call) -> tuple[Edit, ...]:
    """``torch.symeig(a, eigenvectors=True)`` is ``torch.linalg.eigh(a, UPLO="U")``; its first result alone, of eigenvalues
    without vectors, is that of ``torch.linalg.eigvalsh``."""
    given = {arg.keyword.value for arg in call.args if arg.keyword is not None}
    if len(call.args) - len(given) != 1 or not given <= {"eigenvectors"}:
        return ()
    matrix = _text(use, call.args[0].value)
    if _is_true(keyword_argument(call, "eigenvectors")):
        written, imports = name_at(use, "torch.linalg.eigh")
        return (replacing(use.site, *inner(use.site, call), f'{written}({matrix}, UPLO="U")'), *imports)
    whole = _first_result(use, call)
    if given or whole is None:
        return ()
    written, imports = name_at(use, "torch.linalg.eigvalsh")
    return (replacing(use.site, *inner(use.site, whole), f'{written}({matrix}, UPLO="U")'), *imports)


def _solve(use: SymbolUse, call: cst.Call) -> tuple[Edit, ...]:
    """The first result of ``torch.solve(b, a)`` is ``torch.linalg.solve(a, b)``."""
    whole = _first_result(use, call)
    if whole is None or len(call.args) != 2 or any(arg.keyword is not None for arg in call.args):
        return ()
    right, matrix = (_text(use, arg.value) for arg in call.args)
    written, imports = name_at(use, "torch.linalg.solve")
    return (replacing(use.site, *inner(use.site, whole), f"{written}({matrix}, {right})"), *imports)


def _first_result(use: SymbolUse, call: cst.Call) -> cst.CSTNode | None:
    """The expression that takes the first result of a call: ``f(x)[0]``."""
    around = parent(use.site.statement, call)
    if not isinstance(around, cst.Subscript) or around.value is not call or len(around.slice) != 1:
        return None
    index = around.slice[0].slice
    is_first = isinstance(index, cst.Index) and isinstance(index.value, cst.Integer) and index.value.value == "0"
    return around if is_first else None
