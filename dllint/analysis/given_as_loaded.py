"""Whether what ``torch.load`` gives is passed on as it is, so that nothing can have changed it on the way."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import libcst as cst

from dllint.analysis.facts import Facts
from dllint.analysis.own_statements import enclosing
from dllint.ir.events import LibraryCall
from dllint.ir.program import Site
from dllint.ir.values import unwrap
from dllint.source.walk import small_statements, walk

_LOAD: Final = "torch.load"
_TAKES: Final = "load_state_dict"


def is_given_as_loaded(taking: LibraryCall, facts: Facts) -> bool:
    """Whether ``load_state_dict`` is given a call of ``torch.load`` itself, a name that is only assigned and given, or the call
    of a function that only returns one of these. A dict that anything else may see may have other keys by then."""
    argument, value = _argument(taking), unwrap(taking.bound.get("state_dict"))
    load = next((call for call in facts.events(LibraryCall) if call.name == _LOAD and call.result is value), None)
    site: Site | None = load.site if load is not None else None
    while site is not None and site.node is not argument:
        name = _assigned(site)
        if name is not None and not _is_only_passed_on(name, site):
            return False
        if name is not None and isinstance(argument, cst.Name) and argument.value == name:
            return _scope(site) == _scope(taking.site)
        if not _is_returned(site, name):
            return False
        site = site.caller
    return site is not None


def _argument(taking: LibraryCall) -> cst.BaseExpression | None:
    """What a call of ``load_state_dict`` is given as weights, as it is written."""
    arguments = taking.site.node.args if isinstance(taking.site.node, cst.Call) else ()
    named = (part.value for part in arguments if part.keyword is not None and part.keyword.value == "state_dict")
    first = arguments[0].value if arguments and arguments[0].keyword is None and not arguments[0].star else None
    return next(named, first)


def _assigned(site: Site) -> str | None:
    """The one name that an expression is assigned to."""
    for part in small_statements(site.statement):
        if isinstance(part, (cst.Assign, cst.AnnAssign)) and part.value is site.node:
            targets = [part.target] if isinstance(part, cst.AnnAssign) else [one.target for one in part.targets]
            if len(targets) == 1 and isinstance(targets[0], cst.Name):
                return targets[0].value
    return None


def _is_returned(site: Site, name: str | None) -> bool:
    """Whether a function returns an expression, or the name that this is assigned to."""
    parts = [part for part in _parts(site) if isinstance(part, cst.Return)]
    if name is None:
        return any(part.value is site.node for part in parts)
    return any(isinstance(part.value, cst.Name) and part.value.value == name for part in parts)


def _is_only_passed_on(name: str, site: Site) -> bool:
    """Whether a name is assigned, given to ``load_state_dict``, returned or deleted, and nothing else is done with it."""
    uses: list[cst.CSTNode] = []
    passed = set[int]()
    for part in _parts(site):
        if isinstance(part, cst.Name) and part.value == name:
            uses.append(part)
        passed.update(map(id, _passes_on(part)))
    return all(id(use) in passed for use in uses)


def _passes_on(part: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The names in an expression or statement that leave the object which they stand for as it is, or are no variables."""
    if isinstance(part, cst.Call) and isinstance(part.func, cst.Attribute) and part.func.attr.value == _TAKES:
        yield from (one.value for one in part.args)
    elif isinstance(part, cst.Arg) and part.keyword is not None:
        yield part.keyword
    elif isinstance(part, cst.Attribute):
        yield part.attr
    elif isinstance(part, (cst.AssignTarget, cst.AnnAssign, cst.Del)):
        yield part.target
    elif isinstance(part, cst.Return) and part.value is not None:
        yield part.value


def _scope(site: Site) -> int | None:
    """The function around a place, by ``id``; ``None`` for a module."""
    function = _function(site)
    return id(function) if function is not None else None


def _function(site: Site) -> cst.FunctionDef | None:
    return next((part for part in reversed(enclosing(site)) if isinstance(part, cst.FunctionDef)), None)


def _parts(site: Site) -> Iterator[cst.CSTNode]:
    """All parts of the function around a place, or of its module."""
    function = _function(site)
    for top in (function,) if function is not None else site.document.body:
        yield from walk(top)
