"""Calls of torch whose successor takes other arguments, in the forms in which it computes the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

import libcst as cst

from dllint.analysis.symbol_uses import SymbolUse, symbol_uses
from dllint.edit import Edit
from dllint.fixes.arguments import add_keyword, keyword_argument, remove_argument
from dllint.fixes.calls import replace_expression
from dllint.fixes.imports import name_for
from dllint.fixes.places import inner, outer, parent, replacing
from dllint.migrate.change import Change, Remark, call_of
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
_DTYPE: Final = "dtype=torch.get_default_dtype()"


def migrate_torch(document: Document) -> Iterator[Change | Remark]:
    """Every call with a successor."""
    for use in symbol_uses(document):
        call = call_of(use) if use.name.startswith("torch.") and not use.imported else None
        if call is not None and not any(arg.star for arg in call.args) and (edits := _rewritten(document, use, call)):
            yield Change("calls with other arguments", edits)


def _rewritten(document: Document, use: SymbolUse, call: cst.Call) -> tuple[Edit, ...]:
    name, site = use.name, use.site
    if name in _WITH_ARGUMENTS:
        return _with_arguments(document, use, call)
    if name.startswith(_SCHEDULERS) and (verbose := keyword_argument(call, "verbose")) is not None:
        return remove_argument(site, call, verbose)
    if name == _CHECKPOINT and keyword_argument(call, "use_reentrant") is None and call.args:
        return add_keyword(site, call, "use_reentrant", "True")
    if name == "torch.norm" and len(call.args) == 1 and call.args[0].keyword is None:
        return _named(document, use, "torch.linalg.vector_norm")
    if name == "torch.cholesky":
        return _cholesky(document, use, call)
    if name == "torch.symeig":
        return _symeig(document, use, call)
    if name == "torch.solve":
        return _solve(document, use, call)
    return _range(use, call) if name == "torch.range" else ()


def _named(document: Document, use: SymbolUse, new: str) -> tuple[Edit, ...]:
    written, imports = name_for(document, new)
    return (*replace_expression(use.site, use.site.node, written), *imports)


def _with_arguments(document: Document, use: SymbolUse, call: cst.Call) -> tuple[Edit, ...]:
    new, arguments = _WITH_ARGUMENTS[use.name]
    if not call.args or any(keyword_argument(call, keyword) is not None for keyword in arguments):
        return ()
    (first, value), *others = arguments.items()
    text = ", ".join((value, *(f"{keyword}={each}" for keyword, each in others)))
    return (*_named(document, use, new), *add_keyword(use.site, call, first, text))


def _text(use: SymbolUse, node: cst.CSTNode) -> str:
    return use.site.document.text[slice(*outer(use.site, node))]


def _is_true(arg: cst.Arg | None) -> bool:
    return arg is not None and isinstance(arg.value, cst.Name) and arg.value.value == "True"


def _cholesky(document: Document, use: SymbolUse, call: cst.Call) -> tuple[Edit, ...]:
    """``torch.cholesky(a, upper=True)`` is ``torch.linalg.cholesky(a).mH``."""
    upper = keyword_argument(call, "upper") or (call.args[1] if len(call.args) == 2 else None)
    if len(call.args) != 2 or call.args[0].keyword is not None or not _is_true(upper):
        return ()
    written, imports = name_for(document, "torch.linalg.cholesky")
    return (*replace_expression(use.site, call, f"{written}({_text(use, call.args[0].value)}).mH"), *imports)


def _symeig(document: Document, use: SymbolUse, call: cst.Call) -> tuple[Edit, ...]:
    """``torch.symeig(a, eigenvectors=True)`` is ``torch.linalg.eigh(a, UPLO="U")``; its first result alone, of eigenvalues
    without vectors, is that of ``torch.linalg.eigvalsh``."""
    given = {arg.keyword.value for arg in call.args if arg.keyword is not None}
    if len(call.args) - len(given) != 1 or not given <= {"eigenvectors"}:
        return ()
    matrix = _text(use, call.args[0].value)
    if _is_true(keyword_argument(call, "eigenvectors")):
        written, imports = name_for(document, "torch.linalg.eigh")
        return (replacing(use.site, *inner(use.site, call), f'{written}({matrix}, UPLO="U")'), *imports)
    whole = _first_result(use, call)
    if given or whole is None:
        return ()
    written, imports = name_for(document, "torch.linalg.eigvalsh")
    return (replacing(use.site, *inner(use.site, whole), f'{written}({matrix}, UPLO="U")'), *imports)


def _solve(document: Document, use: SymbolUse, call: cst.Call) -> tuple[Edit, ...]:
    """The first result of ``torch.solve(b, a)`` is ``torch.linalg.solve(a, b)``."""
    whole = _first_result(use, call)
    if whole is None or len(call.args) != 2 or any(arg.keyword is not None for arg in call.args):
        return ()
    right, matrix = (_text(use, arg.value) for arg in call.args)
    written, imports = name_for(document, "torch.linalg.solve")
    return (replacing(use.site, *inner(use.site, whole), f"{written}({matrix}, {right})"), *imports)


def _first_result(use: SymbolUse, call: cst.Call) -> cst.CSTNode | None:
    """The expression that takes the first result of a call: ``f(x)[0]``."""
    around = parent(use.site.statement, call)
    if not isinstance(around, cst.Subscript) or around.value is not call or len(around.slice) != 1:
        return None
    index = around.slice[0].slice
    is_first = isinstance(index, cst.Index) and isinstance(index.value, cst.Integer) and index.value.value == "0"
    return around if is_first else None


def _range(use: SymbolUse, call: cst.Call) -> tuple[Edit, ...]:
    """``torch.range(1, 3)``, of floats that include the end, is ``torch.arange(1, 4, dtype=torch.get_default_dtype())``."""
    if not isinstance(use.site.node, cst.Attribute) or any(arg.keyword is not None for arg in call.args):
        return ()
    numbers = [_number(arg.value) for arg in call.args]
    if None in numbers or len(numbers) not in (2, 3):
        return ()
    start, end, step = (*numbers, 1)[:3]
    if not isinstance(end, int) or start is None or step not in (1, -1):
        return ()
    text = _text(use, use.site.node).rpartition(".")[0]
    shown = [str(start), str(end + step), *([str(step)] if len(numbers) == 3 else [])]
    arguments = ", ".join((*shown, _DTYPE.replace("torch", text, 1)))
    return (replacing(use.site, *inner(use.site, call), f"{text}.arange({arguments})"),)


def _number(node: cst.BaseExpression) -> int | None:
    if isinstance(node, cst.Integer):
        return int(node.evaluated_value)
    if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Minus):
        inside = _number(node.expression)
        return -inside if inside is not None else None
    return None
