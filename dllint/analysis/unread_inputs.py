"""Inputs of a method that nothing reads, while another input goes through the same part of the module twice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import libcst as cst

from dllint.analysis.name_words import words
from dllint.source.memo import of_node
from dllint.source.walk import dotted, walk, walk_placed

#: Calls that may read every local name.
_READS_ALL: Final = frozenset({"locals", "vars", "eval", "exec", "super"})
#: Words of parameters that are no second sample: an interface asks for them, and an input may go through a part with dropout
#: twice without them.
_OTHER: Final = frozenset({
    "label", "labels", "target", "targets", "mask", "masks", "length", "lengths", "len", "lens", "idx", "index", "indices",
    "epoch", "step", "args", "device", "batch", "hidden", "state", "training", "config", "weight", "weights",
})  # fmt: skip


class UnreadInput(NamedTuple):
    """The parameter ``unread``, and the second call of the form ``self.part(given)``: the argument in it, and its statement."""

    unread: str
    given: str
    part: str
    argument: cst.Arg
    statement: Any


@of_node
def unread_inputs(method: cst.FunctionDef) -> tuple[UnreadInput, ...]:
    """The required parameters of a method that its body never names, each with a call that stands there twice, with the same
    other parameter for its only argument."""
    names = [parameter.name.value for parameter in method.params.params if parameter.default is None][1:]
    read = {part.value for part in walk(method.body) if isinstance(part, cst.Name)}
    unread = [name for name in names if name not in read and not name.startswith("_") and not words(name) & _OTHER]
    if len(unread) != 1 or read & _READS_ALL:
        return ()
    return tuple(UnreadInput(unread[0], *found) for found in _repeated(method, frozenset(names)))[:1]


def _repeated(method: cst.FunctionDef, names: frozenset[str]) -> Iterator[tuple[str, str, cst.Arg, Any]]:
    """The second call of one part of ``self`` with one parameter as it was given."""
    assigned = {part.value for part in _targets(method)}
    seen: set[tuple[str, str]] = set()
    for node, statement in walk_placed(method.body):
        if not isinstance(node, cst.Call) or len(node.args) != 1 or not isinstance(node.args[0].value, cst.Name):
            continue
        part, given = dotted(node.func), node.args[0].value.value
        if part is None or not part.startswith(f"{method.params.params[0].name.value}.") or given not in names - assigned:
            continue
        if (part, given) in seen:
            yield given, part, node.args[0], statement
        seen.add((part, given))


def _targets(method: cst.FunctionDef) -> Iterator[cst.Name]:
    """The names that a method binds."""
    for part in walk(method.body):
        if isinstance(part, (cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.For, cst.NamedExpr)):
            yield from (name for name in walk(part.target) if isinstance(name, cst.Name))
