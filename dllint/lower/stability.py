"""Whether the iterations of a loop repeat each other, so that the remaining ones need not be performed one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from dllint.domains.dim import DimExpr
from dllint.domains.lattice import Unknown
from dllint.ir import events
from dllint.ir.program import TensorVal
from dllint.ir.values import DictVal, InstanceVal, IterVal, ListVal, SetVal, Value
from dllint.lower.joining import alike
from dllint.lower.lazy import ChoiceVal
from dllint.lower.names import mentioned
from dllint.lower.scopes import MISSING, Locals
from dllint.source.walk import walk

if TYPE_CHECKING:
    from dllint.ir.program import Program
    from dllint.lower.journal import Journal
    from dllint.lower.scopes import Frame

#: From this many items of a trace on, iterations that only repeat their predecessor are not performed one by one.
_LONG_TRACE: Final = 800
#: From this many on, iterations that lengthen it are not performed one by one either if they change something.
ENDLESS_TRACE: Final = 8_000
#: Fewer iterations than this are performed in any case.
MANY: Final = 8

#: Events that mark a training loop, whose iterations repeat each other.
_TRAINING: Final = (events.Backward, events.Step, events.Fit)
#: Of these kinds, a training loop may compute another value in each iteration without becoming another loop.
_MEASURED: Final = (int, float, str, bytes, DimExpr, Unknown)
_CONTAINERS: Final = (ListVal, SetVal, DictVal, IterVal, ChoiceVal)


def is_tedious(program: Program, rest: list[Value], start: int) -> bool:
    """Whether many iterations are left that would each extend a long trace as the last one did, traced from ``start`` on."""
    return len(rest) >= MANY and not _holds_object(rest[0]) and lengthens(program, start)


def _holds_object(item: Value) -> bool:
    """Whether an item is an object, a layer for instance, or one beside its number (``enumerate(layers)``): what stands for any
    of several objects says less than each of them."""
    return isinstance(item, InstanceVal) or (isinstance(item, tuple) and any(isinstance(part, InstanceVal) for part in item))


def block_of(node: cst.For, item: Value) -> Value:
    """The object that an iteration is about: the item, or what it holds beside its number if the body does not ask for that."""
    if not isinstance(item, tuple) or len(item) != 2 or not isinstance(node.target, cst.Tuple):
        return item
    number = node.target.elements[0].value
    return item[1] if isinstance(number, cst.Name) and number.value not in mentioned(node.body) else item


def lengthens(program: Program, start: int) -> bool:
    """Whether what was traced from ``start`` on makes a long trace longer."""
    return max(start, _LONG_TRACE) < len(program.trace)


def trains(program: Program, start: int) -> bool:
    """Whether the trace from ``start`` on holds a training step."""
    trace = program.trace
    return any(isinstance(trace[i], _TRAINING) for i in range(start, len(trace)))


def is_stable(frame: Frame, journal: Journal, node: cst.For | cst.While, own: int, *, counting: bool = False) -> bool:
    """Whether the iteration just executed left everything as it was, up to the types of the loop's variables and, if
    ``counting``, to what counts iterations. What it has learnt about shapes of its ``own`` tensors (from this ``id`` on), the
    next one learns of others."""
    targets, variables = _targets(node), frame.scope.vars
    for container, key, old in journal.log or ():
        if container is variables:
            changed = key not in targets and old is not MISSING and not alike(old, container.get(key), loose=True)
            if changed and not (counting and isinstance(old, (int, DimExpr))):
                return False
        elif not isinstance(container, Locals) and not _refines_own(container, key, own):
            return False
    return True


def counts_only(frame: Frame, journal: Journal, node: cst.For | cst.While, own: int) -> bool:
    """Whether it has left everything as it was but for what counts iterations."""
    return is_stable(frame, journal, node, own, counting=True)


def _refines_own(container: object, key: object, own: int) -> bool:
    return isinstance(container, TensorVal) and key == "type" and container.id >= own


def is_steady(frame: Frame, journal: Journal, node: cst.For | cst.While) -> bool:
    """Whether the next iteration of a training loop begins as the last one did: with variables of the same kinds, and tensors
    of the same types, as far as their shapes are known. What was measured (losses, times, texts, lists of them) and what the
    iteration did to objects may differ, truth values may not."""
    targets, variables = _targets(node), frame.scope.vars
    looked_at: set[object] = set()
    for container, key, old in journal.log or ():
        if container is variables and key not in targets and key not in looked_at:
            looked_at.add(key)
            if old is not MISSING and not _is_of_kind(old, container.get(key)):
                return False
    return True


def _targets(node: cst.For | cst.While) -> set[str]:
    if not isinstance(node, cst.For):
        return set()
    return {part.value for part in walk(node.target) if isinstance(part, cst.Name)}


def _is_of_kind(old: Value, new: Value) -> bool:
    if alike(old, new, loose=True):
        return True
    if isinstance(old, TensorVal) and isinstance(new, TensorVal):
        return isinstance(old.shape, Unknown) or isinstance(new.shape, Unknown)
    if isinstance(old, (bool, TensorVal)) or isinstance(new, (bool, TensorVal)):
        return False
    if isinstance(old, _MEASURED) and isinstance(new, _MEASURED):
        return True
    if isinstance(old, InstanceVal) and isinstance(new, InstanceVal):
        return old.cls is new.cls
    return isinstance(old, _CONTAINERS) and type(old) is type(new)
