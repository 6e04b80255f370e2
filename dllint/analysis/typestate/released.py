"""What lets go of graphs that a sum or a list has kept: code that empties it, sets it anew, or cuts it off from its graph."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import libcst as cst

from dllint.analysis.facts import Facts
from dllint.analysis.own_statements import enclosing
from dllint.analysis.training import Loop
from dllint.ir import events
from dllint.source.walk import walk

#: Methods that leave a container without what it has held, or with less, and that which cuts a tensor off in place.
_EMPTYING: Final = frozenset({"clear", "pop", "popitem", "popleft", "detach_"})
#: What gives a tensor without its graph.
_CUTTING: Final = frozenset({"detach", "detach_", "data", "item"})
#: Methods of a table that give the list at a key.
_ENTRIES: Final = frozenset({"setdefault", "get", "__getitem__"})
#: Methods of a module that its trainer calls before the first step only.
_BEFORE_STEPS: Final = frozenset({"__init__", "setup", "prepare_data", "configure_model", "on_fit_start", "on_train_start"})


def reads_itself(event: events.Kept) -> bool:
    """Whether an assignment computes what it assigns from what the target has held: its expression mentions the target, or a
    name that the same function assigns from that. Without that, the former value is replaced."""
    assign = assignment(event.site.statement, event.target)
    if event.container is not None or assign is None or assign.value is None:
        return True
    holding = holder(event.target)
    if _mentions(assign.value, holding):
        return True
    sources = _sources(event)
    todo, seen = [assign.value], set[str]()
    while todo:
        fresh = {part.value for part in walk(todo.pop()) if isinstance(part, cst.Name)} - seen
        seen |= fresh
        values = [value for name in fresh for value in sources.get(name, ())]
        if any(_mentions(value, holding) for value in values):
            return True
        todo += values
    return False


def _sources(event: events.Kept) -> dict[str, list[cst.BaseExpression]]:
    """What the function around a place, or its file, assigns to each name."""
    function = next((part for part in reversed(enclosing(event.site)) if isinstance(part, cst.FunctionDef)), None)
    found: dict[str, list[cst.BaseExpression]] = {}
    for top in (function.body,) if function is not None else event.site.document.body:
        for part in walk(top):
            if isinstance(part, (cst.Assign, cst.AnnAssign)) and part.value is not None:
                for name in (one.value for one in targets(part) if isinstance(one, cst.Name)):
                    found.setdefault(name, []).append(part.value)
    return found


def is_let_go(event: events.Kept, statement: cst.CSTNode, target: cst.BaseExpression, loop: Loop, facts: Facts) -> bool:
    """Whether code that a pass of a loop executes, in ``statement`` or beside it, may set what keeps a value anew, empty it or
    cut it off: the loop, a function that it calls, as it is written, or that such a function of the same file calls. Of an
    attribute, what cuts it off may stand anywhere in the file."""
    name = _name(target)
    if name is None:
        return False
    own = {id(assignment(event.site.statement, event.target)), id(assignment(statement, target))}
    body = [part for part in walk(loop.edge.node.body) if id(part) not in own]
    is_variable = isinstance(target, cst.Name)
    if any(_empties(part, name, is_variable) for part in body):
        return True
    inside = [part for top in event.site.document.body for part in walk(top)]
    if not is_variable and any(_cuts(part, name) for part in inside if id(part) not in own):
        return True
    functions = [part for part in inside if isinstance(part, cst.FunctionDef)]
    if is_variable and _is_given_to(target, body, [one for one in functions if _empties_a_parameter(one)]):
        return True
    functions = [part for part in functions if not any(inner is loop.edge.node for inner in walk(part.body))]
    emptying = {
        one.name.value
        for one in functions
        if any(
            _empties(part, name, is_variable) or (is_variable and _sets_global(part, name))
            for part in walk(one.body)
            if id(part) not in own
        )
    }
    return bool(emptying and emptying & _reached(loop, functions, facts))


def is_let_go_by_hooks(event: events.Kept) -> bool:
    """Whether a method that a trainer calls between its steps, or the step itself, empties an attribute or sets it anew. What
    is emptied at the ends of epochs keeps the graphs of a whole epoch."""
    name = _name(event.target)
    if name is None:
        return False
    functions = [part for top in event.site.document.body for part in walk(top) if isinstance(part, cst.FunctionDef)]
    later = (one for one in functions if one.name.value not in _BEFORE_STEPS and "epoch" not in one.name.value)
    return any(_empties(part, name, False) for one in later for part in walk(one.body))


def holder(target: cst.BaseExpression) -> cst.BaseExpression:
    """What holds a list that is kept in a table: ``x`` of ``x[name]`` and of ``x.setdefault(name, [])``."""
    while True:
        if isinstance(target, cst.Subscript):
            target = target.value
        elif isinstance(target, cst.Call) and isinstance(target.func, cst.Attribute) and target.func.attr.value in _ENTRIES:
            target = target.func.value
        else:
            return target


def targets(assign: cst.Assign | cst.AnnAssign) -> Iterator[cst.BaseExpression]:
    """What an assignment assigns to, each variable of a tuple by itself."""
    for value in (assign.target,) if isinstance(assign, cst.AnnAssign) else [one.target for one in assign.targets]:
        yield from (element.value for element in value.elements) if isinstance(value, (cst.Tuple, cst.List)) else (value,)


def assignment(statement: cst.CSTNode, target: cst.BaseExpression) -> cst.Assign | cst.AnnAssign | None:
    """The assignment in a statement to a target or to a part of it, ``x = x + value``, if there is one."""
    assigned = (part for part in getattr(statement, "body", ()) if isinstance(part, (cst.Assign, cst.AnnAssign)))
    wanted = holder(target)
    return next((part for part in assigned if any(holder(one).deep_equals(wanted) for one in targets(part))), None)


def _name(target: cst.BaseExpression) -> str | None:
    if isinstance(target, cst.Attribute):
        return target.attr.value
    return target.value if isinstance(target, cst.Name) else None


def _mentions(node: cst.CSTNode, target: cst.BaseExpression) -> bool:
    return any(type(part) is type(target) and part.deep_equals(target) for part in walk(node))


def _reached(loop: Loop, functions: Iterable[cst.FunctionDef], facts: Facts) -> set[str]:
    """The names of the functions that a pass of a loop executes, or calls as it is written."""
    called = {function.name.value: _called(function.body) for function in functions}
    sites = {id(item.site.statement): item.site for item in facts.program.trace[loop.start : loop.end]}
    executed = {part.name.value for site in sites.values() for part in enclosing(site) if isinstance(part, cst.FunctionDef)}
    reached = _called(loop.edge.node.body) | executed
    todo = list(reached)
    while todo:
        further = called.get(todo.pop(), set()) - reached
        reached |= further
        todo += further
    return reached


def _called(node: cst.CSTNode) -> set[str]:
    """The last parts of the names of what is called in a part of the tree; a call of an object is one of `__call__`."""
    calls = [part.func for part in walk(node) if isinstance(part, cst.Call)]
    names = {part.attr.value for part in calls if isinstance(part, cst.Attribute)}
    return names | {part.value for part in calls if isinstance(part, cst.Name)} | ({"__call__"} if calls else set())


def _empties(part: cst.CSTNode, name: str, is_variable: bool) -> bool:
    """Whether a part of the tree empties a variable, or an attribute, or cuts it off; or sets the attribute anew."""
    changed: list[cst.CSTNode] = []
    if isinstance(part, cst.Assign):
        changed = [one for one in targets(part) if not is_variable]
        changed += [one.value for one in targets(part) if isinstance(one, cst.Subscript) and _is_slice(one)]
    elif isinstance(part, cst.Del):
        changed = list(walk(part.target))
    elif isinstance(part, cst.Call) and isinstance(part.func, cst.Attribute) and part.func.attr.value in _EMPTYING:
        changed = list(walk(part.func.value))
    if is_variable:
        return any(isinstance(one, cst.Name) and one.value == name for one in changed)
    return any(isinstance(one, cst.Attribute) and one.attr.value == name for one in changed)


def _is_slice(target: cst.Subscript) -> bool:
    return any(isinstance(one.slice, cst.Slice) for one in target.slice)


def _cuts(part: cst.CSTNode, name: str) -> bool:
    """Whether a part of the tree sets an attribute to what it has held, without the graph: ``m.state = m.state.detach()``."""
    if not isinstance(part, cst.Assign) or not any(_is_attribute(one, name) for one in targets(part)):
        return False
    cut = (one for one in walk(part.value) if isinstance(one, cst.Attribute) and one.attr.value in _CUTTING)
    return any(_is_attribute(inner, name) for one in cut for inner in walk(one.value))


def _is_attribute(node: cst.CSTNode, name: str) -> bool:
    return isinstance(node, cst.Attribute) and node.attr.value == name


def _sets_global(part: cst.CSTNode, name: str) -> bool:
    """Whether a function says that it sets a variable of its surroundings."""
    return isinstance(part, (cst.Global, cst.Nonlocal)) and any(one.name.value == name for one in part.names)


def _empties_a_parameter(function: cst.FunctionDef) -> bool:
    names = {one.name.value for one in function.params.params}
    return any(_empties(part, name, True) for part in walk(function.body) for name in names)


def _is_given_to(target: cst.BaseExpression, body: Iterable[cst.CSTNode], functions: Iterable[cst.FunctionDef]) -> bool:
    """Whether a part of a loop calls one of several functions with a variable."""
    names = {one.name.value for one in functions}
    calls = (part for part in body if isinstance(part, cst.Call) and names & _called_here(part))
    return any(argument.value.deep_equals(target) for call in calls for argument in call.args)


def _called_here(call: cst.Call) -> set[str]:
    func = call.func
    return {func.attr.value} if isinstance(func, cst.Attribute) else {func.value} if isinstance(func, cst.Name) else set()
