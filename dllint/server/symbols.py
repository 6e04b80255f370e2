"""The outline of a file: its models with their layers, of one that wants it also functions and classes."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Final

from lsprotocol import types as lsp

from dllint.analysis.architecture.outlined import Extent, Layer, Outline
from dllint.server.files import OpenFile
from dllint.server.parts import Part
from dllint.server.text import Text, same_place
from dllint.span import Position

#: A longer text is not parsed for its functions.
_LONGEST: Final = 1_000_000


def symbols_in(file: OpenFile, part: Part, wanted: str) -> list[lsp.DocumentSymbol]:
    """The outline of a text, as the setting wants it (``off``, ``models``, ``all``)."""
    if wanted == "off":
        return []
    old, known = (file.known.outline(part.uri) if file.known is not None else None) or (part.text, Outline())
    found = model_symbols(old, known, part.text)
    return with_definitions(part.text, found) if wanted == "all" else found


def model_symbols(old: Text, known: Outline, text: Text) -> list[lsp.DocumentSymbol]:
    """The models of a text; ``known`` is about ``old``: of what was edited since, nothing is told."""
    found = []
    for model in known.models:
        around, name = _moved(old, text, model.extent), _moved(old, text, model.selection)
        if name is None:
            continue
        around = around if around is not None and around.holds(name) else name
        kind = lsp.SymbolKind.Class if model.is_class else lsp.SymbolKind.Variable
        children = _layers(old, text, model.layers, around)
        found.append(_symbol(text, (model.name, model.summary, kind), (around, name), children))
    return found


def _layers(old: Text, text: Text, layers: Sequence[Layer], around: Extent) -> list[lsp.DocumentSymbol]:
    found = []
    for layer in layers:
        extent = _moved(old, text, layer.extent)
        extent = extent if extent is not None and around.holds(extent) else around
        title = f"{layer.name}: {layer.kind}" + (f" × {layer.times}" if layer.times > 1 else "")
        kind = lsp.SymbolKind.Object if layer.parts else lsp.SymbolKind.Field
        found.append(_symbol(text, (title, layer.detail, kind), (extent, extent), _layers(old, text, layer.parts, extent)))
    return found


def _moved(old: Text, text: Text, extent: Extent) -> Extent | None:
    """Where a piece of an older text is now."""
    if old.content == text.content:
        return extent
    start, end = (same_place(text.content, old.content, offset) for offset in (extent.start, extent.end))
    return Extent(start, end) if start is not None and end is not None and start <= end else None


def _symbol(
    text: Text, said: tuple[str, str, lsp.SymbolKind], places: tuple[Extent, Extent], children: list[lsp.DocumentSymbol]
) -> lsp.DocumentSymbol:
    around, name = (text.range(extent.start, extent.end) for extent in places)
    return lsp.DocumentSymbol(said[0], said[2], around, name, detail=said[1] or None, children=children)


def with_definitions(text: Text, models: list[lsp.DocumentSymbol]) -> list[lsp.DocumentSymbol]:
    """The functions and classes of a text with its models among them; only the models, if it does not parse."""
    try:
        tree = ast.parse(text.source) if len(text.content) <= _LONGEST else None
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        tree = None
    if tree is None:
        return models
    found = list(_definitions(text, tree))
    for model in models:
        _put(model, found)
    return sorted(found, key=_start)


def _definitions(text: Text, node: ast.AST, in_class: bool = False) -> Iterator[lsp.DocumentSymbol]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            is_class = isinstance(child, ast.ClassDef)
            kind = lsp.SymbolKind.Class if is_class else lsp.SymbolKind.Method if in_class else lsp.SymbolKind.Function
            around = lsp.Range(_position(text, child.lineno, child.col_offset), _end(text, child))
            name = _name(text, child)
            yield lsp.DocumentSymbol(child.name, kind, around, name, children=list(_definitions(text, child, is_class)))
        elif isinstance(child, (ast.stmt, ast.excepthandler, ast.match_case)):
            yield from _definitions(text, child, in_class)


def _name(text: Text, node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> lsp.Range:
    """Where the name of a definition stands: the first time behind its keyword."""
    start = text.offset(_position(text, node.lineno, node.col_offset))
    at = text.content.find(node.name, start + len("def"))
    return text.range(at, at + len(node.name)) if at >= 0 else text.range(start, start)


def _end(text: Text, node: ast.stmt) -> lsp.Position:
    return _position(text, node.end_lineno or node.lineno, node.end_col_offset or 0)


def _position(text: Text, line: int, column: int) -> lsp.Position:
    """The editor's position of one of Python's trees, which count bytes of UTF-8."""
    starts = text.lines.starts
    start = starts[line - 1]
    end = starts[line] if line < len(starts) else len(text.content)
    before = text.content[start:end].encode("utf-8", "surrogatepass")[:column]
    return text.from_columns(Position(line, len(before.decode("utf-8", "replace")) + 1))


def _put(model: lsp.DocumentSymbol, among: list[lsp.DocumentSymbol]) -> None:
    """Put a model where it belongs: a class of models gets its layers, a variable goes into the function that makes it."""
    for one in among:
        if one.selection_range == model.selection_range and one.kind is model.kind:
            one.detail = model.detail
            one.children = [*(model.children or ()), *(one.children or ())]
            return
        if one.kind is not lsp.SymbolKind.Variable and _holds(one.range, model.range):
            children = list(one.children or ())
            _put(model, children)
            one.children = sorted(children, key=_start)
            return
    among.append(model)


def _holds(outer: lsp.Range, inner: lsp.Range) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


def _start(symbol: lsp.DocumentSymbol) -> tuple[int, int]:
    return symbol.range.start.line, symbol.range.start.character


def flat(symbols: Sequence[lsp.DocumentSymbol], uri: str, holder: str | None = None) -> Iterator[lsp.SymbolInformation]:
    """The symbols for an editor that knows no trees of them."""
    for one in symbols:
        yield lsp.SymbolInformation(lsp.Location(uri, one.range), one.name, one.kind, container_name=holder)
        yield from flat(one.children or (), uri, one.name)
