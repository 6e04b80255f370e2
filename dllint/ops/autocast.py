"""Mixed precision: the element types of an operation's operands under ``torch.autocast`` and under Keras's policies.

torch's lists of operations computed in half or single precision, by kind of device, are those of ``ATen/autocast_mode.h``
(CUDA) and of the CPU kernels of torch 2.13; ``tests/lower/test_autocast.py`` compares them. An operation on no list is computed
in the types of its operands. Autocast regions are kept in the machine's ``state``; if the device or the switch is unknown, so
is the element type. Keras layers are computed in the type of their policy (``frameworks/keras/protocols/precision.py``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from dllint.domains.dtype import BFLOAT16, FLOAT16, FLOAT32, FLOAT64, DType
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.ir.values import AbstractVal, Value
from dllint.ops.kinds import traits_of
from dllint.ops.traits import Trait


@dataclass(frozen=True, slots=True)
class Autocast(AbstractVal):
    """A region of mixed precision: the kind of device (``cuda``, ``cpu``) and the lower type; either may be unknown."""

    device: str | Unknown
    dtype: DType | Unknown


def default_dtype(device: str | Unknown) -> DType | Unknown:
    """The lower type if none is given."""
    if isinstance(device, Unknown):
        return device
    return BFLOAT16 if device in ("cpu", "xpu") else FLOAT16


_LOW: Final = (FLOAT16, BFLOAT16)
_DOUBTFUL: Final = Unknown("autocast", "device")


#: What holds where it is not known which of several regions one is in.
UNKNOWN_REGION: Final = Autocast(_DOUBTFUL, _DOUBTFUL)


def cast_operands(kind: str, operands: Mapping[str, Value], region: Autocast) -> dict[str, Value]:
    """The operands' types as the operation takes them in the region; ``weight_dtype`` is that of a layer's own weights."""
    target = _target(kind, operands, region)
    if target is None:
        return dict(operands)
    lower = target not in (FLOAT32, _DOUBTFUL)
    cast = {name: _cast(value, target, all_floats=lower) for name, value in operands.items()}
    own = operands.get("weight_dtype")
    if (own != FLOAT64) if lower else own in _LOW or (target is _DOUBTFUL and _may_be_low(tuple(operands.values()))):
        cast["weight_dtype"] = target
    return cast


def _target(kind: str, operands: Mapping[str, Value], region: Autocast) -> DType | Unknown | None:
    """The type that operands are cast to; ``None`` if they are left alone, Unknown if the device decides."""
    traits = traits_of(kind)
    on_card, on_cpu = _on_card(traits, operands, region), _on_cpu(traits, operands, region)
    if isinstance(region.device, Unknown):
        return on_card if on_card == on_cpu else _DOUBTFUL
    return on_cpu if region.device == "cpu" else on_card


def _on_card(traits: Trait, operands: Mapping[str, Value], region: Autocast) -> DType | Unknown | None:
    widest = Trait.AUTOCAST_WIDEST in traits or Trait.AUTOCAST_WIDEST_ON_CARD in traits
    if (Trait.AUTOCAST_LOWER in traits or Trait.AUTOCAST_LOWER_ON_CARD in traits) and not widest:
        return region.dtype
    if Trait.AUTOCAST_SINGLE in traits or Trait.AUTOCAST_SINGLE_ON_CARD in traits or _is_reciprocal(traits, operands):
        return FLOAT32
    return FLOAT32 if widest and _has_single(operands) else None


def _on_cpu(traits: Trait, operands: Mapping[str, Value], region: Autocast) -> DType | Unknown | None:
    if Trait.AUTOCAST_LOWER in traits:
        return region.dtype
    if Trait.AUTOCAST_LOWER_ON_CARD in traits:
        return _DOUBTFUL
    if Trait.AUTOCAST_SINGLE in traits or Trait.AUTOCAST_SINGLE_ON_CPU in traits:
        return FLOAT32
    return FLOAT32 if Trait.AUTOCAST_WIDEST in traits and _has_single(operands) else None


def _is_reciprocal(traits: Trait, operands: Mapping[str, Value]) -> bool:
    """``1 / x`` multiplies a reciprocal."""
    return (
        Trait.DIVIDES in traits and not isinstance(operands.get("x"), TensorType) and isinstance(operands.get("y"), TensorType)
    )


def _has_single(operands: Value) -> bool:
    if isinstance(operands, Mapping):
        return any(map(_has_single, operands.values()))
    if isinstance(operands, tuple):
        return any(map(_has_single, operands))
    return isinstance(operands, TensorType) and operands.dtype == FLOAT32


def _may_be_low(operands: Value) -> bool:
    """Whether any operand has half precision, or an unknown type."""
    if isinstance(operands, tuple):
        return any(map(_may_be_low, operands))
    return isinstance(operands, TensorType) and (operands.dtype in _LOW or isinstance(operands.dtype, Unknown))


def _cast(value: Value, target: DType | Unknown, *, all_floats: bool) -> Value:
    """An operand in another type: every float but double precision, or only half precision."""
    if isinstance(value, tuple):
        return tuple(_cast(part, target, all_floats=all_floats) for part in value)
    if not isinstance(value, TensorType) or value.dtype == FLOAT64:
        return value
    if value.dtype in _LOW or (all_floats and isinstance(value.dtype, DType) and value.dtype.kind == "float"):
        return value.with_dtype(target)
    return value


def cast_to_layer(operands: Mapping[str, Value], dtype: DType | Unknown) -> dict[str, Value]:
    """The operands of a Keras layer, which casts all floating-point ones to the type it computes in."""
    cast = {name: _to(value, dtype) for name, value in operands.items()}
    cast["weight_dtype"] = dtype
    return cast


def of_layer(kind: str, operands: Mapping[str, Value], result: Value, dtype: DType | Unknown) -> Value:
    """The result of a Keras layer in the type it computes in. Where a symbolic input has integers and the result has them, too,
    the type is not known: most layers tell of a symbolic result that it has the type they compute in, and give integers back
    when they are run."""
    if isinstance(result, list):
        return [of_layer(kind, operands, part, dtype) for part in result]
    if isinstance(result, TensorType) and isinstance(result.dtype, DType) and result.dtype.kind in ("int", "bool"):
        open_ = Trait.VIEW not in traits_of(kind) and any(_is_symbolic(value, result.dtype) for value in operands.values())
        return result.with_dtype(Unknown("dtype", "symbolic")) if open_ else result
    return _to(result, dtype)


def _is_symbolic(value: Value, dtype: DType) -> bool:
    """Whether a tensor of the type may be the symbolic input of a graph of Keras, whose batch size is open."""
    if not isinstance(value, TensorType) or value.dtype != dtype:
        return False
    return isinstance(value.shape, Unknown) or (bool(value.shape) and not isinstance(value.shape[0], int))


def _to(value: Value, dtype: DType | Unknown) -> Value:
    if isinstance(value, tuple):
        return tuple(_to(part, dtype) for part in value)
    if isinstance(value, TensorType) and isinstance(value.dtype, DType) and value.dtype.kind == "float":
        return value.with_dtype(dtype)
    return value
