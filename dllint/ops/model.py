"""Operations at the borders of whole models: data enters a declared input, a known architecture gives its features."""

from __future__ import annotations

from dllint.domains.dim import Dim, bounds, differs, floordiv, opaque, show
from dllint.domains.dtype import FLOAT32
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape, TensorType
from dllint.ir.values import Value
from dllint.ops import faults
from dllint.ops.sizes import size
from dllint.ops.spec import Call, Result, known_shape, op
from dllint.ops.traits import Trait


@op("model_input", traits=Trait.INPUT)
def model_input(call: Call, x: TensorType, *, shape: Value = None) -> Result:
    """Data fed to an input declared with ``shape`` (batch axis included; the batch size is free).

    As Keras does, a last axis of size 1 is added or removed where that makes the ranks equal. What does not fit is an
    ``input-shape`` fault; the result has the declared shape.
    """
    given = known_shape(x)
    declared = tuple(size(d, "declared") for d in shape) if isinstance(shape, tuple) else ()
    if given is None or not declared:
        return x.with_shape(Unknown("no-argument", "shape"))
    adapted = _adapted(given, declared)
    wrong = [a for a, (g, s) in enumerate(zip(adapted, declared, strict=False)) if a and differs(g, s)]
    if len(adapted) != len(declared):
        call.fault(faults.INPUT_SHAPE, operand="x", expected=declared, actual=given, shapes=(given, declared))
    elif wrong:
        call.fault(faults.INPUT_SHAPE, operand="x", axis=wrong[0], expected=declared, actual=given, shapes=(given, declared))
    batch = given[0] if given and len(adapted) == len(declared) else declared[0]
    return x.with_shape((batch, *declared[1:]))


def _adapted(given: Shape, shape: Shape) -> Shape:
    if len(given) == len(shape) + 1 and given[-1] == 1:
        return given[:-1]
    if len(given) == len(shape) - 1 and shape[-1] == 1:
        return (*given, 1)
    return given


@op("paired_samples", traits=Trait.SELECTS, various=True)
def paired_samples(call: Call, tensors: Value) -> Result:
    """Arrays that are cut into the same batches (inputs, targets): their first sizes must agree."""
    shapes = tuple(s for s in map(known_shape, tensors if isinstance(tensors, tuple) else ()) if s)
    wrong = next((s for s in shapes if differs(shapes[0][0], s[0])), None)
    if wrong is not None:
        expected, actual = shapes[0][0], wrong[0]
        detail = f"one array has {show(expected)} samples and another {show(actual)}"
        call.fault(
            faults.OPERATOR_SHAPE,
            operand="tensors",
            axis=0,
            expected=expected,
            actual=actual,
            shapes=(shapes[0], wrong),
            detail=detail,
            advice="give each sample one target",
        )
    return shapes[0][0] if shapes else Unknown("no-argument", "tensors")


@op("feature_map", traits=Trait.LEARNED)
def feature_map(call: Call, x: TensorType, *, features: Value = None, offset: Value = None, reduction: Value = 32,
                channels_last: Value = True) -> Result:  # fmt: skip
    """The last feature map of an image architecture: ``(n - offset) // reduction + 1`` positions per spatial axis.

    An image of fewer than ``offset`` pixels leaves none, and is refused.
    """
    shape = known_shape(x)
    width = size(features, "features", 1)
    if shape is None or not isinstance(channels_last, bool) or not call.rank(x, 4):
        return TensorType(Unknown("no-argument", "feature_map") if shape is not None else x.shape, FLOAT32)
    axes = (1, 2) if channels_last else (2, 3)
    reduced = tuple(_positions(call, shape, axis, offset, reduction) for axis in axes)
    return TensorType((shape[0], *reduced, width) if channels_last else (shape[0], width, *reduced), FLOAT32)


def _positions(call: Call, shape: Shape, axis: int, offset: Value, reduction: Value) -> Dim:
    if not isinstance(offset, int) or not isinstance(reduction, int):
        return opaque("positions", 1)
    pixels = shape[axis]
    largest = bounds(pixels)[1]
    if largest is None or largest >= offset:
        return floordiv(pixels - offset, reduction) + 1
    detail = f"the model takes pictures of at least {offset} pixels, not of {show(pixels)}"
    call.fault(
        faults.SPATIAL_COLLAPSE,
        operand="x",
        axis=axis,
        expected=offset,
        actual=pixels,
        shapes=(shape,),
        detail=detail,
        advice=f"use pictures of at least {offset} pixels",
    )
    return opaque("positions", 1)


@op("token_features", traits=Trait.LEARNED)
def token_features(call: Call, x: Value, *, width: Value = None, each: Value = True) -> Result:
    """What a text model computes of tokens ``x`` (batch, tokens), or of their embeddings (batch, tokens, width): ``width``
    numbers for each token, or for each text."""
    shape = known_shape(x) if isinstance(x, TensorType) else None
    if shape is not None and len(shape) not in (2, 3):
        return TensorType(Unknown("unknown-rank", "token_features"), FLOAT32)
    batch, tokens = (shape[0], shape[1]) if shape is not None else (opaque("batch", 1), opaque("tokens", 1))
    last = size(width, "width", 1)
    return TensorType((batch, tokens, last) if each is True else (batch, last), FLOAT32)
