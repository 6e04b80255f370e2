"""Loops that count, in each pass of which a model is given a batch that the pass has made: they go over data, too."""

from __future__ import annotations

from dllint.analysis.facts import Facts
from dllint.analysis.modules import is_module
from dllint.analysis.training import Loop
from dllint.ir import events
from dllint.ir.program import Op, TensorVal


def draws(application: events.ModuleCall, loop: Loop, facts: Facts) -> bool:
    """Whether all tensors that a model is given in a loop are made in the same pass, by no model."""
    given = [value for value in (*application.args, *application.keywords.values()) if isinstance(value, TensorVal)]
    inside = {id(item) for item in facts.program.trace[loop.start : loop.end] if isinstance(item, Op)}
    return bool(given) and all(_is_made(value, inside, facts) for value in given)


def _is_made(value: TensorVal, inside: set[int], facts: Facts) -> bool:
    """Whether operations of a loop make a tensor, without a model, and of nothing that the pass before has left."""
    if value.producer is None or id(value.producer) not in inside:
        return False
    own = [op for op in facts.ancestors(value) if id(op) in inside]
    carried = facts.program.carried
    left = any(tensor.varies or tensor.id in carried for op in own for tensor in op.inputs)
    return not left and not any(op.layer is not None or is_module(op.owner) for op in own)
