"""torch's losses between a prediction and a target of the same kind: regression, binary and distribution losses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from dllint.domains.dtype import FLOAT32, DType, promote_same_kind
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape, TensorType, broadcast, show_shape
from dllint.ir.values import Value
from dllint.ops import faults
from dllint.ops.literal import is_number
from dllint.ops.promotion import promote
from dllint.ops.reduction import check_floating, check_same_shape, different, kind_of, reduced, target_dtype, target_shape
from dllint.ops.spec import Call, Result, known_shape, op
from dllint.ops.traits import Trait


@dataclass(frozen=True, slots=True)
class Pairwise:
    """A loss of broadcast operands: whether the result has the promoted type, target kinds that torch refuses, whether only
    the target is broadcast (the prediction's shape is the result's), and whether tensors of rank 0 count less for the type, as
    they do where operands are not broadcast before."""

    promotes: bool = True
    refused: tuple[str, ...] = ()
    one_sided: bool = False
    ranked: bool = False


#: Losses whose prediction and target broadcast (torch only warns if the sizes differ).
PAIRWISE: Mapping[str, Pairwise] = {
    "mse_loss": Pairwise(),
    "l1_loss": Pairwise(refused=("bool",)),
    "smooth_l1_loss": Pairwise(),
    "huber_loss": Pairwise(promotes=False),
    "soft_margin_loss": Pairwise(promotes=False, one_sided=True),
    "kl_div": Pairwise(refused=("bool", "int"), ranked=True),
    "poisson_nll": Pairwise(ranked=True),
    "hinge_embedding_loss": Pairwise(promotes=False),
}


#: What is true of each.
_TRAITS: Final[Mapping[str, Trait]] = {
    "mse_loss": Trait.PAIRWISE_LOSS | Trait.AUTOCAST_SINGLE | Trait.NEEDS_OPERAND,
    "l1_loss": Trait.PAIRWISE_LOSS | Trait.AUTOCAST_SINGLE,
    "smooth_l1_loss": Trait.PAIRWISE_LOSS | Trait.AUTOCAST_SINGLE | Trait.NEEDS_OPERAND,
    "huber_loss": Trait.PAIRWISE_LOSS | Trait.AUTOCAST_SINGLE | Trait.NEEDS_OPERAND,
    "soft_margin_loss": Trait.NON_NEGATIVE | Trait.LOSS | Trait.AUTOCAST_SINGLE,
    "kl_div": Trait.LOSS | Trait.AUTOCAST_SINGLE,
    "poisson_nll": Trait.LOSS | Trait.AUTOCAST_SINGLE,
    "hinge_embedding_loss": Trait.LOSS | Trait.AUTOCAST_SINGLE,
}


def _declare(name: str, traits: Pairwise) -> None:
    def transfer(call: Call, x: TensorType, target: TensorType, *, reduction: Value = "mean") -> Result:
        return pairwise(call, x, target, reduction, traits)

    transfer.__doc__ = f"``{name}`` of broadcast prediction and target: a scalar, or one value per element."
    op(name, traits=_TRAITS[name])(transfer)


for _name, _traits in PAIRWISE.items():
    _declare(_name, _traits)


def pairwise(call: Call, x: TensorType, target: TensorType, reduction: Value, traits: Pairwise) -> TensorType:
    """The loss of broadcast operands, with a fault if they do not broadcast or the target's type is refused."""
    if kind_of(target) in traits.refused:
        target_dtype(call, target, _float_of(x), "the target must be a floating-point tensor")
    if kind_of(x) == "bool" and call.kind == "l1_loss":
        call.fault(faults.DTYPE, operand="x", expected=FLOAT32, actual=x.dtype)
    both = promote(call, x, target) if traits.ranked else promoted(x.dtype, target.dtype)
    dtype = both if traits.promotes else x.dtype
    if call.kind == "l1_loss" and reduction == "mean" and isinstance(dtype, DType) and dtype.kind == "int":
        call.fault(faults.DTYPE, operand="x", expected=FLOAT32, actual=dtype)
    return reduced(call, _joined(call, x, target, traits.one_sided), dtype, reduction)


def promoted(a: DType | Unknown, b: DType | Unknown) -> DType | Unknown:
    """The promoted element type, Unknown if one is."""
    if isinstance(a, Unknown):
        return a
    if isinstance(b, Unknown):
        return b
    return Unknown("no-promotion", "texts") if "string" in (a.kind, b.kind) else promote_same_kind(a, b)


def _joined(call: Call, x: TensorType, target: TensorType, one_sided: bool = False) -> Shape | Unknown:
    a, b = known_shape(x), known_shape(target)
    if a is None or b is None:
        return Unknown("no-argument", "rank")
    out, conflict = broadcast((a, b))
    if conflict is not None or (one_sided and different(a, out)):
        target_shape(call, a, b, a, f"the target must have the prediction's shape {show_shape(a)}")
        return a
    return out


def _float_of(x: TensorType) -> DType:
    return x.dtype if isinstance(x.dtype, DType) and x.dtype.kind == "float" else FLOAT32


@op("binary_cross_entropy", traits=Trait.COUNTS_AXES | Trait.BINARY_LOSS | Trait.AUTOCAST_SINGLE)
def binary_cross_entropy(
    call: Call, x: TensorType, target: TensorType, *, weight: Value = None, reduction: Value = "mean"
) -> Result:
    """Binary cross-entropy of probabilities; the target must have the same shape and the same floating-point type."""
    check_floating(call, x)
    out = _binary(call, x, target, weight, reduction)
    if isinstance(x.dtype, DType) and kind_of(target) == kind_of(x) == "float" and target.dtype != x.dtype:
        target_dtype(call, target, x.dtype, "the target must have the prediction's type")
    return out


@op(
    "bce_with_logits",
    traits=(Trait.COUNTS_AXES | Trait.BINARY_LOSS | Trait.ALWAYS_TAKES_SCORES | Trait.ON_SAMPLES | Trait.AUTOCAST_SINGLE),
)
def bce_with_logits(
    call: Call,
    x: TensorType,
    target: TensorType,
    *,
    weight: Value = None,
    pos_weight: Value = None,
    reduction: Value = "mean",
) -> Result:
    """Binary cross-entropy of logits; the target must have the same shape and be floating point."""
    check_floating(call, x)
    _check_weight(call, known_shape(x), pos_weight, "pos_weight")
    out = _binary(call, x, target, weight, reduction)
    if kind_of(target) == "complex" or kind_of(x) == "complex":
        return out.with_dtype(Unknown("no-argument", "complex target"))
    return out.with_dtype(target.dtype) if kind_of(target) == "float" or isinstance(target.dtype, Unknown) else out


def _binary(call: Call, x: TensorType, target: TensorType, weight: Value, reduction: Value) -> TensorType:
    if kind_of(target) in ("int", "bool"):
        target_dtype(call, target, _float_of(x), "the target must be a floating-point tensor")
    a, b = known_shape(x), known_shape(target)
    if a is not None and b is not None:
        check_same_shape(call, a, b)
    _check_weight(call, a, weight, "weight")
    return reduced(call, x.shape, x.dtype, reduction)


def _check_weight(call: Call, x: Shape | None, weight: Value, operand: str) -> None:
    shape = known_shape(weight)
    if x is None or shape is None:
        return
    _, conflict = broadcast((x, shape))
    if conflict is not None:
        detail = f"{operand} of shape {show_shape(shape)} does not broadcast to the prediction's {show_shape(x)}"
        call.fault(
            faults.OPERATOR_SHAPE,
            operand=operand,
            expected=conflict.left,
            actual=conflict.right,
            shapes=(x, shape),
            detail=detail,
        )


@op("gaussian_nll_loss", traits=Trait.LOSS | Trait.AUTOCAST_SINGLE_ON_CARD)
def gaussian_nll_loss(call: Call, x: TensorType, target: TensorType, var: Value = None, *, reduction: Value = "mean") -> Result:
    """Gaussian negative log-likelihood of mean ``x`` and variance ``var``."""
    loss = pairwise(call, x, target, reduction, Pairwise(ranked=True))
    if not isinstance(var, TensorType):
        return loss if var is None or is_number(var) else loss.with_dtype(Unknown("no-argument", "var"))
    return loss.with_dtype(promote(call, x, target, var))


@op("multilabel_soft_margin_loss", traits=Trait.BINARY_LOSS | Trait.ALWAYS_TAKES_SCORES)
def multilabel_soft_margin_loss(call: Call, x: TensorType, target: TensorType, *, reduction: Value = "mean") -> Result:
    """Mean over classes of one-against-all losses: one value per sample without reduction."""
    if kind_of(target) == "bool":
        target_dtype(call, target, _float_of(x), "the target must not be boolean")
    each = _joined(call, x, target)
    return reduced(call, each if isinstance(each, Unknown) else each[:-1], promoted(x.dtype, target.dtype), reduction)
