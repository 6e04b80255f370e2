"""Functions of ``keras.backend`` become those of ``keras.ops``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import libcst as cst

from dllint.analysis.symbol_uses import SymbolUse
from dllint.edit import Edit
from dllint.fixes.arguments import add_keyword, keyword_argument
from dllint.fixes.places import inner, outer, replacing
from dllint.frameworks.keras.backend import SUCCESSORS, Successor
from dllint.migrate.change import Change, Remark, call_of, name_at
from dllint.source.document import Document

_HOME: Final = "keras.backend."
_KIND: Final = "backend functions"
_ORDERINGS: Final = {"th": "channels_first", "tf": "channels_last"}


def migrate_backend(document: Document, uses: Sequence[SymbolUse]) -> Iterator[Change | Remark]:
    """Calls of functions of the backend that have a successor which takes their arguments."""
    for use in uses:
        if use.imported or not use.name.startswith(_HOME):
            continue
        call = call_of(use)
        edits = _rewritten(document, use, use.name.removeprefix(_HOME), call) if call is not None else ()
        if edits:
            yield Change(_KIND, edits)


def _rewritten(document: Document, use: SymbolUse, name: str, call: cst.Call) -> tuple[Edit, ...]:
    if name in ("int_shape", "ndim"):
        return _shape(use, name, call)
    if name == "set_image_dim_ordering":
        return _ordering(use, call)
    row = SUCCESSORS.get(name)
    if row is None or not takes(row, call):
        return ()
    written, imports = name_at(use, row.name)
    edits = [replacing(use.site, *inner(use.site, use.site.node), written), *imports]
    if row.default is not None and _lacks(row, call):
        edits += add_keyword(use.site, call, *row.default)
    return tuple(edits)


def takes(row: Successor, call: cst.Call) -> bool:
    """Whether the successor takes the arguments of a call as they are."""
    keywords = {arg.keyword.value for arg in call.args if arg.keyword is not None}
    positional = len(call.args) - len(keywords)
    return not any(arg.star for arg in call.args) and 0 < positional <= len(row.parameters) and keywords <= {*row.named}


def _lacks(row: Successor, call: cst.Call) -> bool:
    assert row.default is not None
    name = row.default[0]
    at = row.parameters.index(name) if name in row.parameters else len(row.parameters)
    positional = sum(arg.keyword is None for arg in call.args)
    return positional <= at and keyword_argument(call, name) is None


def _shape(use: SymbolUse, name: str, call: cst.Call) -> tuple[Edit, ...]:
    """``K.int_shape(x)`` is ``tuple(x.shape)``."""
    if len(call.args) != 1 or call.args[0].star or not isinstance(call.args[0].value, (cst.Name, cst.Attribute, cst.Subscript)):
        return ()
    start, end = outer(use.site, call.args[0].value)
    tensor = use.site.document.text[start:end]
    function = "tuple" if name == "int_shape" else "len"
    return (replacing(use.site, *inner(use.site, call), f"{function}({tensor}.shape)"),)


def _ordering(use: SymbolUse, call: cst.Call) -> tuple[Edit, ...]:
    """``K.set_image_dim_ordering("th")`` is ``K.set_image_data_format("channels_first")``."""
    value = call.args[0].value if len(call.args) == 1 else None
    node = use.site.node
    if not isinstance(value, cst.SimpleString) or not isinstance(node, cst.Attribute):
        return ()
    order = _ORDERINGS.get(str(value.evaluated_value))
    if order is None:
        return ()
    renamed = replacing(use.site, *inner(use.site, node.attr), "set_image_data_format")
    return renamed, replacing(use.site, *inner(use.site, value), f'"{order}"')
