"""A dense layer whose kernel is applied by an einsum equation."""

from __future__ import annotations

from dllint.domains.dim import Dim, opaque
from dllint.domains.dtype import FLOAT32
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape, TensorType
from dllint.ir.values import Value
from dllint.ops import faults
from dllint.ops.sizes import is_dim
from dllint.ops.spec import Call, Result, known_shape, op
from dllint.ops.traits import Trait


@op("einsum_dense", traits=Trait.CONTRACTS | Trait.LEARNED)
def einsum_dense(call: Call, x: TensorType, *, equation: Value = None, shape: Value = None) -> Result:
    """keras.layers.EinsumDense: ``"abc,cd->abd"``, letters of ``x``, of the kernel and of the result.

    ``shape`` is the layer's ``output_shape``: the result's sizes without the batch axis, ``None`` for a size of ``x``.
    """
    given = known_shape(x)
    if given is None or not isinstance(equation, str) or equation.count(",") != 1 or "->" not in equation:
        return TensorType(Unknown("no-argument", "equation") if given is not None else x.shape, FLOAT32)
    terms, _, result = equation.replace(" ", "").partition("->")
    source = terms.partition(",")[0]
    letters = source.replace("...", "")
    if len(given) < len(letters) or ("..." not in source and len(given) != len(letters)):
        call.fault(faults.RANK, operand="x", expected=(len(letters),), actual=len(given), shapes=(given,))
        return TensorType(Unknown("fault", "einsum_dense"), FLOAT32)
    sizes, middle = _sizes(source, given)
    return TensorType(_result(result, sizes, middle, shape), FLOAT32)


def _sizes(source: str, given: Shape) -> tuple[dict[str, Dim], Shape]:
    """The sizes of the input's letters and the axes its ellipsis stands for."""
    before, _, after = source.partition("...")
    sizes = dict(zip(before, given, strict=False))
    if after:
        sizes |= dict(zip(after, given[-len(after) :], strict=True))
    return sizes, given[len(before) : len(given) - len(after)] if "..." in source else ()


def _result(result: str, sizes: dict[str, Dim], middle: Shape, declared: Value) -> Shape:
    before, dots, after = result.partition("...")
    wanted = declared if isinstance(declared, tuple) else (declared,)
    letters = before + after
    # The declared sizes belong to the last letters: the batch axis, or the ellipsis, has none.
    named = dict(zip(reversed(letters), reversed(wanted), strict=False))

    def size(letter: str) -> Dim:
        known: Dim | None = sizes.get(letter)
        if known is not None:
            return known
        size = named.get(letter)
        return size if is_dim(size) else opaque(letter, 1)

    return (*map(size, before), *(middle if dots else ()), *map(size, after))
