"""Layers of torch whose units start equal, so that they compute one thing: the weights of each are filled with one number.

Gradients tell units apart as soon as the weights after the layer, its biases or a mask of dropout differ from unit to unit:
these layers are no cause of units that stay equal.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from dllint.analysis.drawn_weights import Draw, last_of
from dllint.analysis.facts import Facts
from dllint.analysis.output_kind import AFFINE, is_parameter
from dllint.ir.events import LibraryCall
from dllint.ir.program import Op, TensorVal
from dllint.ir.values import InstanceVal, unwrap
from dllint.ops.kinds import does
from dllint.ops.traits import Trait

#: Functions and methods that fill a tensor with one number → that number, or the parameter that gives it.
_FILLING: Final[dict[str, float | str]] = {
    "torch.nn.init.zeros_": 0.0,
    "torch.nn.init.ones_": 1.0,
    "torch.nn.init.constant_": "val",
    "torch.Tensor.zero_": 0.0,
    "torch.Tensor.fill_": "value",
}
_FARTHEST: Final = 8


@dataclass(frozen=True, slots=True)
class EqualUnits:
    """``draw`` fills the weights of a layer with ``value``, and the layer that takes its output starts with one number, too,
    or a rectifier of zeros passes no gradient."""

    draw: Draw
    value: float
    op: Op


def equal_units(facts: Facts) -> Iterator[EqualUnits]:
    """The hidden layers that a program trains and whose units stay equal, each once."""
    filled = {id(draw.layer): (draw, value) for draw in facts.last_draws if (value := filled_with(draw.call)) is not None}
    if not filled or not facts.training.trains:
        return
    seen: set[int] = set()
    for op in facts.ops:
        if op.layer is None or id(op.layer) not in filled or op.kind not in AFFINE or id(op.layer) in seen:
            continue
        draw, value = filled[id(op.layer)]
        following, bias = list(_following(op, facts)), _bias_of(op.layer, facts)
        if not following or bias is None or _units(op.layer) == 1:
            continue
        is_dead = value == 0 and bias <= 0 and any(does(user, Trait.RECTIFIES) for user in facts.takers(op))
        if is_dead or all(after.layer is not None and id(after.layer) in filled for after in following):
            seen.add(id(op.layer))
            yield EqualUnits(draw, value, op)


def filled_with(call: LibraryCall) -> float | None:
    """The number that a call fills a tensor with on every path; ``None`` for any other call, or number."""
    given = _FILLING.get(call.name)
    if given is None or any(not condition.certain for condition in call.path):
        return None
    value = unwrap(call.bound.get(given)) if isinstance(given, str) else given
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _units(layer: InstanceVal) -> object:
    args = layer.layer.args if layer.layer is not None else {}
    return args.get("out_features", args.get("out_channels"))


def _bias_of(layer: InstanceVal, facts: Facts) -> float | None:
    """The number that all biases of a layer are filled with, 0 for none; ``None`` for others: torch draws them at random."""
    bias = layer.attrs.get("bias")
    if bias is None:
        return 0.0 if "bias" in layer.attrs or (layer.layer is not None and layer.layer.args.get("bias") is False) else None
    last = last_of(bias, facts)
    return filled_with(last) if last is not None else None


def _following(op: Op, facts: Facts) -> Iterator[Op]:
    """The layers that take the output of an operation through operations that treat all of its units alike; none if anything
    else takes it."""
    todo = [(user, op.output) for user in facts.takers(op)]
    found: list[Op] = []
    for _ in range(_FARTHEST):
        if not todo:
            break
        user, value = todo.pop()
        data = [one for one in user.inputs if isinstance(one, TensorVal) and not is_parameter(one)]
        if len(data) != 1 or data[0] is not value:
            return
        if user.layer is not None and user.kind in AFFINE:
            found.append(user)
        elif does(user, Trait.ACTIVATION) and does(user, Trait.POINTWISE):
            todo += [(taker, user.output) for taker in facts.takers(user)]
        else:
            return
    if not todo:
        yield from found
