"""DLG111: a model is moved to another device after an optimizer was made for its parameters."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar, Final

import libcst as cst

from dllint.analysis.modules import has_weights, tree
from dllint.analysis.typestate import moved_later
from dllint.analysis.typestate.groups import Group, groups
from dllint.domains.lattice import Unknown
from dllint.edit import Applicability, Fix
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.boundary import builder
from dllint.fixes.statements import delete, insert_before
from dllint.ir import events
from dllint.ir.program import Event, Op, Program
from dllint.ir.values import InstanceVal, unwrap
from dllint.lower.lazy import ChoiceVal
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import quoted
from dllint.source.walk import small_statements

_MOVES: Final = frozenset(f"torch.nn.Module.{name}" for name in ("to", "cuda", "cpu", "xpu", "to_empty"))
_RESTORES: Final = "torch.optim.Optimizer.load_state_dict"

#: What goes through the state of an optimizer by hand, to move it as well.
_STATE_MOVED: Final = re.compile(r"\.state(?:\[|\.(?:values|items|keys)\()|\bin [\w.]+\.state\b")


class OptimizerBeforeDeviceMove(Rule[Program]):
    """The optimizer is made before the model is moved.

    ## What it finds
    `model.to(device)`, `model.cuda()` or `model.to_empty(…)` behind the construction of an optimizer that has the parameters of
    the model. It is a hint; a warning, if the optimizer has loaded a state or made a step by then.

    ## Why it is bad
    The optimizer's own tensors (momentum, averages) are made on the device that the parameters are on at the time. After
    the move, parameters and state are on two devices, and the next step raises. On some devices (XLA, and from `meta`),
    parameters are new objects after the move, so that the optimizer trains the old ones. Where neither is the case, nothing
    happens.

    ## Bad
    ```python
    import torch
    from torch import nn

    model = nn.Linear(8, 2)
    optimizer = torch.optim.Adam(model.parameters())
    model.cuda()  # hint: [DLG111]
    ```

    ## Good
    ```python
    import torch
    from torch import nn

    model = nn.Linear(8, 2)
    model.cuda()
    optimizer = torch.optim.Adam(model.parameters())
    ```

    ## When it stays silent
    Other models, changes of the element type, models that were moved before, and what is moved when the training is over.
    ```python
    import torch
    from torch import nn

    model, teacher = nn.Linear(8, 2), nn.Linear(8, 2)
    optimizer = torch.optim.Adam(model.parameters())
    teacher.cuda()
    model.to(torch.float64)


    def over(batches):
        network = nn.Linear(8, 2).cuda()
        chosen = torch.optim.Adam(network.parameters())
        for x in batches:
            chosen.zero_grad()
            network(x.cuda()).sum().backward()
            chosen.step()
        return network.cpu(), network.cuda()
    ```

    ## References
    - PyTorch documentation, `torch.optim`: constructing an optimizer.
    """

    code = "DLG111"
    name = "optimizer-before-device-move"
    severity = Severity.HINT
    confidence = Confidence.HIGH
    applicability: ClassVar[Applicability | None] = Applicability.UNSAFE
    frameworks = ("torch",)
    topics: ClassVar[tuple[str, ...]] = ("program",)
    needs: ClassVar[tuple[str, ...]] = ("event:opaque", *(f"call:{name}" for name in sorted(_MOVES)))
    default = "hint"

    def check(self, item: Program, context: Context) -> Iterator[Finding]:
        """The models of a program that are moved too late, each place once."""
        for construction, moved in moved_later.moved_later(context.facts):
            related = context.related(construction, "the optimizer is made here")
            yield context.finding(
                self,
                moved,
                f"{quoted(context.text(moved))} moves parameters that an optimizer has already",
                advice="move the model before the optimizer is made",
                confidence=Confidence.MEDIUM,
                related=[related] if related else [],
            )
        moves = [call for call in context.facts.events(events.LibraryCall) if _moves(call)]
        if not moves:
            return
        order = {id(event): number for number, event in enumerate(item.trace)}
        seen = set[int]()
        for group in groups(context.facts):
            for move in moves:
                later = order[id(move)] > order[id(group.construction)]
                earlier = [other for other in moves if order[id(other)] < order[id(move)]]
                if not later or id(move.site.node) in seen or not _has(group, move, earlier):
                    continue
                between = item.trace[order[id(group.construction)] : order[id(move)]]
                state = any(_gives_state(event, group) for event in between if isinstance(event, Event))
                if state and _STATE_MOVED.search(move.site.document.text):
                    continue
                if (state or move.name.endswith(".cpu")) and not _is_stepped(group, item.trace[order[id(move)] :]):
                    continue
                seen.add(id(move.site.node))
                made = context.related(group.construction, "the optimizer is made here")
                yield context.finding(
                    self,
                    move,
                    f"{quoted(context.text(move))} moves parameters that an optimizer has already"
                    + (", and leaves its state behind" if state else ""),
                    advice="move the model before the optimizer is made",
                    severity=Severity.WARNING if state else Severity.HINT,
                    related=[made] if made else [],
                    fixes=_fixes(group, move, context),
                    kind="state" if state else "",
                )


def _moves(call: events.LibraryCall) -> bool:
    """Whether a module is moved, not only given another element type."""
    if call.name not in _MOVES or not isinstance(call.receiver, InstanceVal):
        return False
    if not call.name.endswith(".to"):
        return True
    device = unwrap(call.bound.get("device"))
    options = device.options if isinstance(device, ChoiceVal) else (device,)
    return all(isinstance(option, (str, InstanceVal)) for option in options) or (
        isinstance(device, Unknown) and _is_called_device(call.nodes.get("device"))
    )


def _is_called_device(node: cst.CSTNode | None) -> bool:
    """Whether an argument is a device, by its name."""
    value = getattr(node, "value", node)
    last = value.attr if isinstance(value, cst.Attribute) else value
    return isinstance(last, cst.Name) and "device" in last.value.lower()


def _has(group: Group, move: events.LibraryCall, earlier: list[events.LibraryCall]) -> bool:
    """Whether an optimizer has parameters of the module that is moved, and that no move before has taken there already."""
    there = {id(part) for other in earlier for part in tree(other.receiver)}
    moved = [part for part in tree(move.receiver) if part.layer is not None and has_weights(part)]
    return any(id(part) in group.parts() and id(part) not in there for part in moved)


def _is_stepped(group: Group, later: list[Op | Event]) -> bool:
    """Whether an optimizer goes on after the move; else the training is over, and its state does not matter."""
    return any(isinstance(event, events.Step) and event.target is group.construction.result for event in later)


def _gives_state(event: Event, group: Group) -> bool:
    optimizer = group.construction.result
    if isinstance(event, events.LibraryCall):
        return event.name == _RESTORES and event.receiver is optimizer
    return isinstance(event, events.Step) and event.target is optimizer


@builder
def _fixes(group: Group, move: events.LibraryCall, context: Context) -> tuple[Fix, ...]:
    """Move the statement in front of the construction, if both stand in one function outside of any loop."""
    first, second = group.construction.site, move.site
    loops = (context.facts.training.innermost(group.construction), context.facts.training.innermost(move))
    alone = len(small_statements(second.statement)) == 1
    if first.document is not second.document or group.construction.scope != move.scope or any(loops) or not alone:
        return ()
    if group.construction.path != move.path:
        return ()
    edits = (*delete(second), *insert_before(first, context.text(second.statement)))
    return tuple(offer(context, "Move the model first", edits, Applicability.UNSAFE))
