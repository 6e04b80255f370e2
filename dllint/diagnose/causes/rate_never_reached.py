"""A schedule has not come as far as the run: never stepped, stepped once per pass, or with a warm-up longer than the run."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import ClassVar, Final

from dllint.diagnose.causes.case import Case
from dllint.diagnose.causes.code import Code, number
from dllint.diagnose.causes.hypothesis import Hypothesis
from dllint.edit import Edit

_TORCH: Final = "torch.optim.lr_scheduler."
#: Names that training libraries and people give to the number of steps of a warm-up.
_WARMUP: Final = re.compile(r"(?:num_)?warm_?up_(?:steps|iters|iterations|updates|batches)$|total_iters$")
#: A warm-up is a tenth of the run or less in the recipes of BERT and its successors.
_SHARE: Final = 0.1
#: The method by which a module of Lightning gives its optimizers, and the keys of its answer.
_CONFIGURE: Final = "configure_optimizers"
_PER_BATCH: Final = '{{"scheduler": {}, "interval": "step"}}'
#: What belongs into the dictionary of the schedule, and does nothing beside it.
_ITS_OWN: Final = ("interval", "frequency", "monitor", "strict", "name")

Repair = tuple[str, tuple[Edit, ...], float]


class RateNeverReached(Hypothesis):
    """The repairs differ by what the schedule has done: none, few or many of the steps of the optimizer."""

    kind = "schedule"
    supports: ClassVar = {"learning rate never reached": 1.0}

    def repairs(self, case: Case) -> Iterator[Repair]:
        """A step of the schedule per step of the optimizer, or a shorter warm-up."""
        done = case.symptom.evidence.get("schedule_steps")
        steps = case.symptom.step or 0
        if not isinstance(done, int):
            return
        if not done:
            yield from _stepped_at_all(case)
        elif 2 * done <= steps:
            for code in case.files():
                yield from _per_batch_in_lightning(code)
                yield from _moved(code)
        else:
            yield from _shorter(case, steps)


def _stepped_at_all(case: Case) -> Iterator[Repair]:
    """A step of the schedule after that of the optimizer, at the symptom's place."""
    place = case.symptom.place
    code = case.sources.code(place.path) if place is not None else None
    call = code.call_at(place) if code is not None else None
    if code is None or call is None:
        return
    after, function = code.statement(call), code.function(call)
    owner = next((node for node in code.parents(call) if isinstance(node, ast.ClassDef)), None)
    if isinstance(function, ast.FunctionDef) and owner is not None and _methods(owner).get(_CONFIGURE) is not None:
        if next(_of_trainer(code, function), None) is not None:
            loop = "for schedule in ([schedules] if hasattr(schedules := self.lr_schedulers(), 'step') else schedules)"
            yield "Step the schedules with the optimizers", (code.insert_after(after, f"{loop}: schedule.step()"),), 1.0
        return
    for name in dict.fromkeys(_schedules(code)):
        if _is_visible(code, function, name):
            yield f"Call `{name}.step()` after the step of the optimizer", (code.insert_after(after, f"{name}.step()"),), 1.0


def _of_trainer(code: Code, function: ast.FunctionDef) -> Iterator[ast.Call]:
    """Calls by which a module asks its trainer for the optimizers."""
    return (call for call in code.calls(function) if code.source(call.func) == "self.optimizers")


def _per_batch_in_lightning(code: Code) -> Iterator[Repair]:
    """The schedule with ``interval: step`` in what ``configure_optimizers`` returns."""
    for node in ast.walk(code.tree):
        if isinstance(node, ast.FunctionDef) and node.name == _CONFIGURE:
            for inner in ast.walk(node):
                edits = tuple(_with_interval(code, inner.value)) if isinstance(inner, ast.Return) else ()
                if edits:
                    yield "Let the schedule move with each batch", edits, 1.0


def _with_interval(code: Code, answer: ast.expr | None) -> Iterator[Edit]:
    answer = code.value(answer)
    if isinstance(answer, ast.Tuple) and len(answer.elts) == 2:
        given = code.value(answer.elts[1])
        if isinstance(given, ast.List):
            for element in given.elts:
                yield from _of_schedule(code, element)
    elif isinstance(answer, ast.Dict):
        pairs = zip(answer.keys, answer.values, strict=True)
        entries = {key.value: (key, value) for key, value in pairs if isinstance(key, ast.Constant)}
        if "lr_scheduler" in entries:
            yield from _of_schedule(code, entries["lr_scheduler"][1])
            yield from (_without(code, *entries[name]) for name in _ITS_OWN if name in entries)


def _of_schedule(code: Code, given: ast.expr) -> Iterator[Edit]:
    """The edits that have a schedule, or a dictionary with one, move with each batch."""
    known = code.value(given)
    if not isinstance(known, ast.Dict):
        yield code.replace(given, _PER_BATCH.format(code.source(given)))
        return
    for key, value in zip(known.keys, known.values, strict=True):
        if isinstance(key, ast.Constant) and key.value == "interval":
            yield code.replace(value, '"step"')
            return
    end = code.span(known)[1] - 1
    comma = "" if code.text[:end].rstrip().endswith((",", "{")) else ", "
    yield Edit(code.path, end, end, f'{comma}"interval": "step"')


def _without(code: Code, key: ast.expr, value: ast.expr) -> Edit:
    """The edit that takes an entry out of a dictionary, with the comma before it if there is one."""
    start, end = code.span(key)[0], code.span(value)[1]
    before = code.text[:start].rstrip()
    return Edit(code.path, len(before) - 1 if before.endswith(",") else start, end, "")


def _moved(code: Code) -> Iterator[Repair]:
    """The step of a schedule after that of the optimizer, where both are in the same function."""
    names = set(_schedules(code))
    optimizers = {name for call in code.calls() if _is_optimizer(code, call) for name in (code.assigned_to(call),) if name}
    steps = [
        (call, code.source(call.func.value))
        for call in code.calls()
        if isinstance(call.func, ast.Attribute) and call.func.attr == "step"
    ]
    for own in (call for call, owner in steps if owner in names):
        for call in (call for call, owner in steps if owner in optimizers):
            statement, after = code.statement(own), code.statement(call)
            if code.function(own) is code.function(call) and len(code.loops(call)) > len(code.loops(own)):
                moved = (code.remove(statement), code.insert_after(after, code.source(statement)))
                yield "Step the schedule with the optimizer, after each batch", moved, 1.0


def _shorter(case: Case, steps: int) -> Iterator[Repair]:
    """A warm-up over a tenth of the run."""
    for code in case.files():
        for call in code.calls():
            for given in (item for item in call.keywords if item.arg and _WARMUP.search(item.arg)):
                origin = case.origin(code, given.value)
                if origin is not None and (number(origin.node) or 0) > _SHARE * steps:
                    wanted = max(1, round(_SHARE * steps))
                    fact = f"the run has {steps}"
                    yield f"Let the warm-up take {wanted} steps ({fact})", (origin.code.replace(origin.node, str(wanted)),), 1.0


def _schedules(code: Code) -> Iterator[str]:
    """The names of the schedules that are built in a file."""
    for call in code.calls():
        name = code.assigned_to(call) if code.name(call.func).startswith(_TORCH) else None
        if name is not None:
            yield name


def _is_optimizer(code: Code, call: ast.Call) -> bool:
    name = code.name(call.func)
    return name.startswith("torch.optim.") and not name.startswith(_TORCH)


def _is_visible(code: Code, function: ast.AST, name: str) -> bool:
    """Whether a name means the same in a function: it is assigned there, or at the top level of the file."""
    homes = {code.function(statement) for statement in code.assignments(name)}
    return len(homes) == 1 and (function in homes or isinstance(next(iter(homes)), ast.Module))


def _methods(owner: ast.ClassDef) -> dict[str, ast.FunctionDef]:
    return {item.name: item for item in owner.body if isinstance(item, ast.FunctionDef)}
