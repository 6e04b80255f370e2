"""Edits of a call's arguments: trailing commas, one argument per line and comments stay as they are."""

from __future__ import annotations

import libcst as cst

from dllint.edit import Edit
from dllint.fixes.boundary import builder
from dllint.fixes.places import code_end, inner, line_break, line_start, next_line, outer, own_indentation, replacing
from dllint.ir.program import Site


def keyword_argument(call: cst.Call, name: str) -> cst.Arg | None:
    """The argument that is passed as ``name=…``."""
    return next((arg for arg in call.args if arg.keyword is not None and arg.keyword.value == name), None)


def positional_arguments(call: cst.Call) -> list[cst.Arg]:
    """The arguments in front of the first keyword or star; their index is their position."""
    out: list[cst.Arg] = []
    for arg in call.args:
        if arg.keyword is not None or arg.star:
            break
        out.append(arg)
    return out


@builder
def rename_keyword(site: Site, call: cst.Call, old: str, new: str) -> tuple[Edit, ...]:
    """``old=…`` becomes ``new=…``; no edit if there is no such keyword, or ``new`` is given already."""
    arg = keyword_argument(call, old)
    if arg is None or arg.keyword is None or keyword_argument(call, new) is not None:
        return ()
    return (replacing(site, *inner(site, arg.keyword), new),)


@builder
def replace_value(site: Site, arg: cst.Arg, value: str) -> tuple[Edit, ...]:
    """The argument's value becomes ``value``; its keyword stays."""
    return (replacing(site, *outer(site, arg.value), value),)


@builder
def set_argument(site: Site, call: cst.Call, name: str, value: str, position: int | None = None) -> tuple[Edit, ...]:
    """The parameter gets a value: its keyword or its argument at ``position`` is changed, else a keyword is added.

    No edit if the call unpacks ``*args`` or ``**kwargs`` that may hold it."""
    arg = keyword_argument(call, name)
    positional = positional_arguments(call)
    if arg is None and position is not None and position < len(positional):
        arg = positional[position]
    if arg is not None:
        return replace_value(site, arg, value)
    if any(a.star == "**" or (a.star == "*" and position is not None) for a in call.args):
        return ()
    return add_keyword(site, call, name, value)


@builder
def add_keyword(site: Site, call: cst.Call, name: str, value: str) -> tuple[Edit, ...]:
    """``name=value`` is added behind the last argument."""
    text = f"{name}={value}"
    return _after(site, call, call.args[-1], text) if call.args else _only(site, call, text)


@builder
def add_positional(site: Site, call: cst.Call, value: str) -> tuple[Edit, ...]:
    """``value`` is added behind the last positional argument. No edit behind an unpacked ``*args``."""
    positional = positional_arguments(call)
    if any(arg.star == "*" for arg in call.args):
        return ()
    if positional:
        return _after(site, call, positional[-1], value)
    if not call.args:
        return _only(site, call, value)
    start, _ = inner(site, call.args[0])
    return (replacing(site, start, start, f"{value}, "),)


@builder
def insert_argument(site: Site, call: cst.Call, arg: cst.Arg, value: str) -> tuple[Edit, ...]:
    """``value`` is added behind one of the call's positional arguments."""
    return _after(site, call, arg, value)


@builder
def remove_argument(site: Site, call: cst.Call, arg: cst.Arg) -> tuple[Edit, ...]:
    """The argument goes, with its comma, and with its line if it has one to itself."""
    document = site.document
    number = next(n for n, other in enumerate(call.args) if other is arg)
    start, end = _extent(site, arg)
    if isinstance(arg.comma, cst.Comma):
        end = inner(site, arg.comma)[1]
    if len(call.args) == 1:
        return (replacing(site, *_between_parentheses(site, call), ""),)
    if own_indentation(document, start) is not None and code_end(document, end) is not None:
        return (replacing(site, line_start(document, start), next_line(document, end), ""),)
    if number + 1 < len(call.args):
        return (replacing(site, start, inner(site, call.args[number + 1])[0], ""),)
    return (replacing(site, _extent(site, call.args[number - 1])[1], _extent(site, arg)[1], ""),)


def _extent(site: Site, arg: cst.Arg) -> tuple[int, int]:
    """Offsets of an argument with its star or keyword and its value's parentheses, without its comma."""
    start, end = inner(site, arg)
    value_start, value_end = outer(site, arg.value)
    return min(start, value_start), max(end, value_end)


def _between_parentheses(site: Site, call: cst.Call) -> tuple[int, int]:
    return inner(site, call.whitespace_before_args)[0], inner(site, call)[1] - 1


def _only(site: Site, call: cst.Call, text: str) -> tuple[Edit, ...]:
    start, _ = _between_parentheses(site, call)
    return (replacing(site, start, start, text),)


def _after(site: Site, call: cst.Call, arg: cst.Arg, text: str) -> tuple[Edit, ...]:
    document = site.document
    start, end = _extent(site, arg)
    last = arg is call.args[-1]
    if isinstance(arg.value, cst.GeneratorExp) and not arg.value.lpar:
        return replacing(site, start, start, "("), replacing(site, end, end, f"), {text}")
    has_comma, comma_end = isinstance(arg.comma, cst.Comma), end
    if isinstance(arg.comma, cst.Comma):
        comma_end = document.text.index(",", end, inner(site, arg.comma)[1] + 1) + 1
    indentation = own_indentation(document, start)
    line_end = code_end(document, comma_end)
    if indentation is not None and line_end is not None:
        line = f"{line_break(document)}{indentation}{text}"
        if has_comma:
            return (replacing(site, line_end, line_end, f"{line},"),)
        if line_end == end:
            return (replacing(site, end, end, f",{line}"),)
        return replacing(site, end, end, ","), replacing(site, line_end, line_end, line)
    if not has_comma:
        return (replacing(site, end, end, f", {text}"),)
    comma = "," if last or has_comma else ""
    return (replacing(site, comma_end, comma_end, f" {text}{comma}"),)
