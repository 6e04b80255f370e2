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
from dllint.source.receivers import is_static
from dllint.source.walk import small_statements, walk

_LOAD: Final = "torch.load"
_TAKES: Final = "load_state_dict"


def is_given_as_loaded(taking: LibraryCall, facts: Facts) -> bool:
    """Whether ``load_state_dict`` is given a call of ``torch.load`` itself, a name that is only assigned and given, or the call
    of a function that only returns one of these, if need be through parameters of functions that only give them. A dict that
    anything else may see may have other keys by then."""
    value = unwrap(taking.bound.get("state_dict"))
    load = next((call for call in facts.events(LibraryCall) if call.name == _LOAD and call.result is value), None)
    return load is not None and any(_reaches(load.site, site, argument) for site, argument in _given(taking))


def _given(taking: LibraryCall) -> Iterator[tuple[Site, cst.BaseExpression]]:
    """The argument of ``load_state_dict``, and those of the calls around that give it through parameters, innermost first."""
    site: Site | None = taking.site
    argument = _argument(taking)
    while site is not None and argument is not None:
        yield site, argument
        function, is_method = _function(site), _is_method(site)
        if function is None or not isinstance(argument, cst.Name) or not _is_only_passed_on(argument.value, site, argument):
            return
        argument = _of_parameter(argument.value, function, site.caller, is_method)
        site = site.caller


def _of_parameter(name: str, function: cst.FunctionDef, caller: Site | None, is_method: bool) -> cst.BaseExpression | None:
    """What a call gives to a parameter of the function that it calls, as it is written."""
    call = caller.node if caller is not None else None
    names = [part.name.value for part in (*function.params.posonly_params, *function.params.params)]
    if not isinstance(call, cst.Call) or name not in names or any(part.star for part in call.args):
        return None
    named = next((part.value for part in call.args if part.keyword is not None and part.keyword.value == name), None)
    place = names.index(name) - is_method
    listed = [part.value for part in call.args if part.keyword is None]
    return named if named is not None else listed[place] if 0 <= place < len(listed) else None


def _reaches(origin: Site, taker: Site, argument: cst.BaseExpression) -> bool:
    """Whether what is made at one place is an argument at another, and nothing else may have seen it."""
    site: Site | None = origin
    while site is not None and site.node is not argument:
        name = _assigned(site)
        if name is not None and not _is_only_passed_on(name, site, argument):
            return False
        if name is not None and isinstance(argument, cst.Name) and argument.value == name:
            return _function(site) is _function(taker)
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


def _is_only_passed_on(name: str, site: Site, argument: cst.BaseExpression) -> bool:
    """Whether a name is assigned, given to ``load_state_dict`` or as an argument that is looked into, returned or deleted, or
    an entry of it is read, and nothing else is done with it."""
    uses: list[cst.CSTNode] = []
    passed = {id(argument)}
    changed = set[int]()
    for part in _parts(site):
        if isinstance(part, cst.Name) and part.value == name:
            uses.append(part)
        passed.update(map(id, _passes_on(part)))
        if isinstance(part, (cst.AssignTarget, cst.AugAssign, cst.Del)):
            changed.update(id(one.value) for one in walk(part.target) if isinstance(one, cst.Subscript))
    return all(id(use) in passed and id(use) not in changed for use in uses)


def _passes_on(part: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The names in an expression or statement that leave the object which they stand for as it is, or are no variables."""
    if isinstance(part, cst.Call) and isinstance(part.func, cst.Attribute) and part.func.attr.value == _TAKES:
        yield from (one.value for one in part.args)
    elif isinstance(part, cst.Arg) and part.keyword is not None:
        yield part.keyword
    elif isinstance(part, cst.Attribute):
        yield part.attr
    elif isinstance(part, cst.Subscript):
        yield part.value
    elif isinstance(part, cst.Param):
        yield part.name
    elif isinstance(part, (cst.AssignTarget, cst.AnnAssign, cst.Del)):
        yield part.target
    elif isinstance(part, cst.Return) and part.value is not None:
        yield part.value


def _is_method(site: Site) -> bool:
    """Whether the function around a place is given its object, or its class, by who calls it."""
    around = enclosing(site)
    last = next((number for number in reversed(range(len(around))) if isinstance(around[number], cst.FunctionDef)), 0)
    is_in_class = last > 0 and isinstance(around[last - 1], cst.ClassDef)
    return is_in_class and not is_static(around[last])


def _function(site: Site) -> cst.FunctionDef | None:
    return next((part for part in reversed(enclosing(site)) if isinstance(part, cst.FunctionDef)), None)


def _parts(site: Site) -> Iterator[cst.CSTNode]:
    """All parts of the function around a place, or of its module."""
    function = _function(site)
    for top in (function,) if function is not None else site.document.body:
        yield from walk(top)
