"""What stands directly before a batch normalisation: layers whose bias it takes away, and dropout."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from dllint.analysis.built_here import is_built_here
from dllint.analysis.facts import Facts
from dllint.analysis.said_in_files import any_says, executed
from dllint.domains.finite import finite
from dllint.domains.lattice import Unknown
from dllint.ir.events import Eval, LibraryCall
from dllint.ir.program import Op, TensorVal
from dllint.ir.values import LayerConfig, Value, unwrap
from dllint.ops.kinds import does, having
from dllint.ops.traits import Trait

_BATCH_NORM: Final = having(Trait.STANDARDISES | Trait.SCALES)
_DROPS: Final = having(Trait.DROPS)
_SAME: Final = having(Trait.KEEPS_PLACES)
#: Pooling that a constant for each channel goes through; average pooling does not, where padding adds zeros.
_POOLS: Final = having(Trait.POOLS | Trait.AVERAGES) | having(Trait.MAX_POOL)
_LAYERS: Final = having(Trait.DENSE) | having(Trait.PLAIN_CONVOLUTION)
_ACTIVATION: Final = having(Trait.ACTIVATION | Trait.POINTWISE)
#: How calls end that give layers weights which were trained before, whose biases are part of them.
_LOADS: Final = ("load_state_dict", "load_weights", "from_pretrained", "load_state_dict_from_url", "set_weights", "load_url")
#: The bias of a layer that code names: it is read elsewhere, too.
_OWN_BIAS: Final = re.compile(r"\bself\.[\w.\[\]]+\.bias\b")
#: A method by which a class decides itself which of its layers are in training.
_OWN_MODES: Final = re.compile(r"^\s+def train\(", re.M)


@dataclass(frozen=True, slots=True)
class Before:
    """An operation whose result alone a batch normalisation takes."""

    op: Op
    norm: Op


def cancelled_biases(facts: Facts) -> Iterator[Before]:
    """The layers with a bias all of whose results go to batch normalisations of the same channels, each place once.

    Programs that load weights are left out: the bias is one of them.
    """
    pairs = [pair for norm in _norms(facts) if (pair := _biased(norm, facts)) is not None]
    pairs = [pair for pair in pairs if is_built_here(pair.op, facts)]
    if not pairs or any(call.name.endswith(_LOADS) for call in facts.events(LibraryCall)):
        return
    followed = {id(pair.op) for pair in pairs}
    told: set[int] = set()
    for pair in pairs:
        applied = [op for op in facts.ops if op.layer is pair.op.layer]
        place = id(pair.op.layer.site.node) if pair.op.layer is not None and pair.op.layer.site is not None else 0
        if place and place not in told and all(id(op) in followed for op in applied):
            told.add(place)
            yield pair


def dropped_before(facts: Facts) -> Iterator[Before]:
    """Dropout, with an activation behind it or none, whose result a batch normalisation takes, each place once."""
    told: set[int] = set()
    for norm in _norms(facts):
        maker = _maker(norm.args.get("x"), _SAME | _ACTIVATION, facts)
        if maker is not None and maker.kind in _DROPS and _rate(maker) > 0 and id(norm.site.node) not in told:
            told.add(id(norm.site.node))
            yield Before(maker, norm)


def _norms(facts: Facts) -> Sequence[Op]:
    """The batch normalisations of a program by layers, that take the statistics of the batch in training."""
    norms = [op for op in facts.ops if op.kind in _BATCH_NORM and op.layer is not None and not op.doubtful]
    if not norms:
        return []
    fixed = {id(event.target) for event in facts.events(Eval)}
    return [op for op in norms if id(op.layer) not in fixed and not _may_be_fixed(op)]


def _may_be_fixed(norm: Op) -> bool:
    """Whether a normalisation may take stored statistics in training, or be left out then."""
    if norm.args.get("training") is False or any("training" in condition.text for condition in norm.path):
        return True
    layer = norm.layer
    given = [layer.state.get("trainable"), layer.attrs.get("trainable")] if layer is not None else []
    if layer is not None and layer.layer is not None:
        given.append(layer.layer.args.get("trainable"))
    return any(unwrap(one) not in (None, True) for one in given) or any_says(executed([norm.site]), _OWN_MODES)


def _maker(value: Value, through: frozenset[str], facts: Facts) -> Op | None:
    """What makes a tensor, behind some kinds of operations; None if anything else takes a result on the way."""
    while isinstance(value, TensorVal) and value.producer is not None and not value.varies and not value.modified:
        maker = value.producer
        if len(facts.takers(maker)) != 1 or maker.doubtful:
            return None
        if maker.kind not in through:
            return maker
        value = maker.args.get("x")
    return None


def _biased(norm: Op, facts: Facts) -> Before | None:
    maker = _maker(norm.args.get("x"), _SAME | _POOLS, facts)
    steps = _steps(norm.args.get("x"), maker)
    if maker is None or maker.kind not in _LAYERS or maker.path != norm.path or any(map(_pads_zeros, steps)):
        return None
    if not _has_bias(maker) or any_says([maker.site.document], _OWN_BIAS) or not _are_same_channels(maker, norm):
        return None
    return Before(maker, norm)


def _steps(value: Value, maker: Op | None) -> Iterator[Op]:
    """The operations between what makes a tensor and the tensor."""
    while isinstance(value, TensorVal) and value.producer is not None and value.producer is not maker:
        yield value.producer
        value = value.producer.args.get("x")


def _pads_zeros(op: Op) -> bool:
    """Whether an average pooling counts zeros beside the operand: those of torch do, where they pad."""
    return does(op, Trait.AVERAGES) and op.args.get("padding", 0) not in (0, (0, 0), (0, 0, 0), (0,), "valid", "same")


def _has_bias(op: Op) -> bool:
    """Whether a layer of a library has a bias."""
    config = op.layer.layer if op.layer is not None else None
    return isinstance(config, LayerConfig) and unwrap(config.args.get("bias", True)) is True


def _are_same_channels(layer: Op, norm: Op) -> bool:
    """Whether the axis over which a layer has its bias is the one over which a normalisation has its means."""
    made, taken = layer.output.shape, norm.args.get("x")
    if isinstance(made, Unknown) or not isinstance(taken, TensorVal) or isinstance(taken.shape, Unknown):
        return False
    if len(made) != len(taken.shape):
        return False
    last = does(layer, Trait.DENSE) or layer.args.get("channels_last") is True
    own = len(made) - 1 if last else 1
    axis = norm.args.get("dim", 1)
    return isinstance(axis, int) and axis % len(made) == own


def _rate(op: Op) -> float:
    rate = finite(unwrap(op.args.get("p", 0.5)))
    is_switched = not isinstance(unwrap(op.args.get("training")), bool)  # else it drops always, or never
    return rate if rate is not None and is_switched else 0.0
