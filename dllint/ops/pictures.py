"""Measures of images in TensorFlow's terms: how alike two are, how much one varies, and its slopes.

Source: the documentation of ``tf.image``; compared with it by ``tests/ops``.
"""

from __future__ import annotations

from dllint.domains.dtype import FLOAT32
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType, broadcast
from dllint.ir.values import Value
from dllint.ops.operand import as_tensor
from dllint.ops.spec import Call, Result, known_shape, op
from dllint.ops.traits import Trait

_OPEN = Unknown("unknown-rank", "image")


@op("image_similarity")
def image_similarity(call: Call, x: TensorType, y: Value) -> Result:
    """One number for each pair of images ``(…, height, width, channels)``, in single precision."""
    first, second = known_shape(x), known_shape(as_tensor(call, y))
    if first is None or second is None or min(len(first), len(second)) < 3:
        return TensorType(_OPEN, FLOAT32)
    shape, conflict = broadcast((first[:-3], second[:-3]))
    return TensorType(_OPEN if conflict is not None else shape, FLOAT32)


@op("image_variation", traits=Trait.NON_NEGATIVE)
def image_variation(call: Call, x: TensorType) -> Result:
    """The sum of the differences of neighbours, for each image ``(…, height, width, channels)``."""
    shape = known_shape(x)
    return x.with_shape(_OPEN if shape is None or len(shape) not in (3, 4) else shape[:-3])


@op("image_slopes")
def image_slopes(call: Call, x: TensorType) -> Result:
    """The slopes down and to the right at each element: ``(batch, height, width, channels, 2)``."""
    shape = known_shape(x)
    return x.with_shape(_OPEN if shape is None else (*shape, 2))
