"""A schedule has taken the learning rate away: the rate in effect is far below the configured one after a part of the run."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar, Final

from dllint.diagnose.causes.case import Case, Spot
from dllint.diagnose.causes.code import Code, keyword, number
from dllint.diagnose.causes.hypothesis import Hypothesis
from dllint.diagnose.rates import faded_at
from dllint.diagnose.records import TrackRecord
from dllint.edit import Edit

_TORCH: Final = "torch.optim.lr_scheduler."
_KERAS: Final = "keras.optimizers.schedules."


class Schedule(Hypothesis):
    """Judged by the rates that the optimizer had: they must have faded in the first half of the run."""

    kind = "schedule"
    supports: ClassVar = {
        "learning rate taken away": 1.0,
        "loss not decreasing": 0.95,
        "accuracy not increasing": 0.95,
        "no better than baseline": 0.95,
        "update-to-weight ratio": 0.8,
        "cannot fit one batch": 0.4,
    }

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """A step of the schedule per pass over the data, a slower decay, or a constant rate."""
        for track, spot in case.optimizers():
            faded = faded_at(case.run, track)
            if faded is None:
                continue
            step, rate = faded
            fact = f"the rate was down to {rate:.2g} at step {step} of {track.steps}"
            for code, statement in _scheduler_steps(case):
                yield from _per_pass(code, statement, fact)
            yield from _keras(case, track, spot, fact)


def _scheduler_steps(case: Case) -> Iterator[tuple[Code, ast.stmt]]:
    """The statements that step a schedule of torch."""
    names = {
        code.assigned_to(call) for code in case.files() for call in code.calls() if code.name(call.func).startswith(_TORCH)
    }
    short = {name.rpartition(".")[2] for name in names if name is not None}
    for code in case.files():
        for call in code.calls():
            if isinstance(call.func, ast.Attribute) and call.func.attr == "step":
                receiver = code.source(call.func.value).rpartition(".")[2]
                if receiver in short or "sched" in receiver.lower():
                    yield code, code.statement(call)


def _per_pass(code: Code, statement: ast.stmt, fact: str) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
    """A step of the schedule after the loop over the batches, which is the one that has a backward pass or a step."""
    loop = _loop_over_batches(code, statement)
    if loop is not None:
        moved = (code.remove(statement), code.insert_after(loop, code.source(statement)))
        yield f"Step the schedule once per pass over the data ({fact})", moved, 1.0
        return
    # A schedule that cannot be slowed down is meant all the same.
    yield f"Do without the schedule ({fact})", (code.replace(statement, "pass"),), 0.8


def _loop_over_batches(code: Code, statement: ast.stmt) -> ast.stmt | None:
    """The loop with a backward pass that a statement stands in; of one about attributes of ``self``, that in which its method
    is called."""
    loop = next(iter(code.loops(statement)), None)
    if loop is not None:
        return loop if any(_calls_method(one, "backward") for one in code.calls(loop)) else None
    function, owner = code.function(statement), next((n for n in code.parents(statement) if isinstance(n, ast.ClassDef)), None)
    if owner is None or not isinstance(function, ast.FunctionDef) or not code.source(statement).startswith("self."):
        return None
    calls = [one for one in code.calls(owner) if code.source(one.func) == f"self.{function.name}"]
    loops = {next(iter(code.loops(one)), None) for one in calls}
    return next(iter(loops)) if len(loops) == 1 else None


def _calls_method(call: ast.Call, name: str) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr == name


def _keras(case: Case, track: TrackRecord, spot: Spot, fact: str) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
    """A decay over the whole run, or the rate that it begins with."""
    rate = keyword(spot.call, "learning_rate") or next(iter(spot.call.args), None)
    schedule = spot.code.value(rate)
    if rate is None or not isinstance(schedule, ast.Call) or not spot.code.name(schedule.func).startswith(_KERAS):
        return
    steps = keyword(schedule, "decay_steps") or next(iter(schedule.args[1:2]), None)
    given = case.origin(spot.code, steps)
    if given is not None and 0 < (number(given.node) or 0) < track.steps:
        yield f"Let the rate decay over the whole run ({fact})", (given.code.replace(given.node, str(track.steps)),), 1.0
        return
    first = keyword(schedule, "initial_learning_rate") or next(iter(schedule.args), None)
    if first is not None:
        yield f"Keep the rate constant ({fact})", (spot.code.replace(rate, spot.code.source(first)),), 0.8
