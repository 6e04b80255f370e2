"""What stands in the place of the functions of ``keras.backend`` that Keras 3 does not have.

Data only. A call may have the parameters that are listed, which both functions take in this order with the same meaning; the
tests compare results with those of Keras 2.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Successor:
    """``name``: today's qualified name. ``parameters``: the old ones that the new function takes in this order; ``named``:
    those that it takes under the same name, too. ``default``: a parameter whose default value is another today, and its old
    default."""

    name: str
    parameters: tuple[str, ...]
    named: tuple[str, ...] = ()
    default: tuple[str, str] | None = None


def _plain(names: str, *parameters: str) -> dict[str, Successor]:
    return {name: Successor(f"keras.ops.{name}", parameters, parameters[1:]) for name in names.split()}


_LAST: Final = ("axis", "-1")
_FIRST: Final = ("axis", "0")

#: Function of ``keras.backend`` → its successor.
SUCCESSORS: Final[Mapping[str, Successor]] = {
    **_plain("abs exp log sqrt square sign round sin cos tanh sigmoid softplus softsign", "x"),
    **_plain("ones_like zeros_like stop_gradient shape", "x"),
    **_plain("equal not_equal greater greater_equal less less_equal maximum minimum dot", "x", "y"),
    **_plain("sum mean max min prod std var any all logsumexp", "x", "axis", "keepdims"),
    **_plain("softmax", "x", "axis"),
    **_plain("cast", "x", "dtype"),
    **_plain("reshape", "x", "shape"),
    **_plain("stack", "x", "axis"),
    **_plain("squeeze", "x", "axis"),
    **_plain("zeros ones", "shape", "dtype"),
    **_plain("binary_crossentropy categorical_crossentropy sparse_categorical_crossentropy", "target", "output", "from_logits"),
    "transpose": Successor("keras.ops.transpose", ("x",)),
    "relu": Successor("keras.ops.relu", ("x",)),
    "elu": Successor("keras.ops.elu", ("x", "alpha")),
    "flatten": Successor("keras.ops.ravel", ("x",)),
    "pow": Successor("keras.ops.power", ("x", "a")),
    "clip": Successor("keras.ops.clip", ("x", "min_value", "max_value")),
    "tile": Successor("keras.ops.tile", ("x", "n")),
    "permute_dimensions": Successor("keras.ops.transpose", ("x", "pattern")),
    "one_hot": Successor("keras.ops.one_hot", ("indices", "num_classes")),
    "gather": Successor("keras.ops.take", ("reference", "indices"), default=_FIRST),
    "concatenate": Successor("keras.ops.concatenate", ("tensors", "axis"), ("axis",), _LAST),
    "expand_dims": Successor("keras.ops.expand_dims", ("x", "axis"), ("axis",), _LAST),
    "argmax": Successor("keras.ops.argmax", ("x", "axis"), ("axis",), _LAST),
    "argmin": Successor("keras.ops.argmin", ("x", "axis"), ("axis",), _LAST),
    "variable": Successor("keras.Variable", ("value",), ("dtype", "name")),
    "random_normal": Successor(
        "keras.random.normal", ("shape", "mean", "stddev"), ("shape", "mean", "stddev", "dtype", "seed")
    ),
    "random_uniform": Successor(
        "keras.random.uniform", ("shape", "minval", "maxval"), ("shape", "minval", "maxval", "dtype", "seed")
    ),
}  # fmt: skip
