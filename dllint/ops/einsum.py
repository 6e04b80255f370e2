"""Einstein sums."""

from __future__ import annotations

import re

from dllint.domains.dtype import INT8, INT32, INT64, DType
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape, TensorType, broadcast
from dllint.ir.values import Value
from dllint.ops import faults
from dllint.ops.letters import Sizes
from dllint.ops.operand import as_tensor
from dllint.ops.promotion import by_backend, has_no_elements, promote
from dllint.ops.spec import Call, Result, known_shape, op
from dllint.ops.traits import Trait

_TERM = re.compile(r"[A-Za-z]*(\.\.\.)?[A-Za-z]*")


@op("einsum", traits=Trait.GIVES_SCALARS | Trait.OWN_ORDER | Trait.AUTOCAST_LOWER)
def einsum(call: Call, equation: Value, operands: Value = ()) -> Result:
    """``equation`` such as ``"bij,bjk->bik"``: letters are axes, repeated letters are multiplied and summed unless they
    stand on the right; without ``->`` the letters that occur once remain, in alphabetical order."""
    given = operands[0] if isinstance(operands, tuple) and len(operands) == 1 and isinstance(operands[0], tuple) else operands
    if not isinstance(given, tuple) or not isinstance(equation, str):
        return Unknown("no-argument", "einsum")
    tensors = [as_tensor(call, item) for item in given]
    dtype = promote(call, *tensors) if tensors else Unknown("no-argument", "operands")
    terms, arrow, result = equation.replace(" ", "").partition("->")
    inputs, result = terms.split(","), result if arrow else _implied(terms)
    layout = Unknown("layout", "einsum")
    if not all(_TERM.fullmatch(term) for term in (*inputs, result)):
        call.fault(faults.ARGUMENT, operand="equation", detail=f"the equation `{equation}` has characters that are no axes")
        return TensorType(Unknown("no-argument", "equation"), dtype, layout)
    if len(inputs) != len(tensors):
        detail = f"the equation `{equation}` names {len(inputs)} operands but {len(tensors)} are given"
        call.fault(faults.ARGUMENT, operand="equation", expected=len(inputs), actual=len(tensors), detail=detail)
        return TensorType(Unknown("no-argument", "equation"), dtype, layout)
    return TensorType(
        _shape(call, equation, inputs, result, tensors), _summed_type(call, inputs, result, tensors, dtype), layout
    )


def _summed_type(
    call: Call, inputs: list[str], result: str, tensors: list[TensorType], dtype: DType | Unknown
) -> DType | Unknown:
    """torch sums whole numbers in 64 bits along axes of one operand, which it does before it multiplies; products that are
    summed keep their type. It is left open which axes that are, where one may be broadcast. Keras makes 32 bits of 8."""
    if call.framework == "keras" and dtype == INT8:
        return INT32
    if (
        call.framework not in ("torch", "keras")
        or isinstance(dtype, Unknown)
        or dtype.kind not in ("int", "bool")
        or dtype == INT64
    ):
        return dtype
    dropped = set("".join(inputs)) - set(result)
    if not dropped:
        return dtype
    if len(inputs) == 1:
        return by_backend(call, INT64)
    shapes = [known_shape(tensor) for tensor in tensors]
    alone = any(sum(letter in term for term in inputs) < 2 for letter in dropped)
    vague = alone or any(shape is None or not all(isinstance(size, int) and size != 1 for size in shape) for shape in shapes)
    return Unknown("no-argument", "element type of sums") if vague else dtype


def _implied(terms: str) -> str:
    """What stands on the right if nothing is written there."""
    letters = terms.replace(",", "").replace("...", "")
    return "..." * ("..." in terms) + "".join(sorted(c for c in set(letters) if letters.count(c) == 1))


def _shape(call: Call, equation: str, inputs: list[str], result: str, tensors: list[TensorType]) -> Shape | Unknown:
    """numpy and TensorFlow do not always look at sizes where there is nothing to compute."""
    if call.framework in ("numpy", "tensorflow") and any(map(has_no_elements, tensors)):
        return Unknown("empty", "einsum")
    shapes = tuple(t.shape for t in tensors if not isinstance(t.shape, Unknown))
    sizes, extra = Sizes(call, shapes, broadcast=call.framework != "tensorflow"), []
    for position, (term, tensor) in enumerate(zip(inputs, tensors, strict=True)):
        rest = _bind(call, sizes, term, tensor, position)
        if rest is None and "..." in term:
            return tensor.shape if isinstance(tensor.shape, Unknown) else Unknown("no-argument", "einsum")
        extra.append(rest or ())
    return _result(call, equation, result, sizes, tuple(extra))


def _bind(call: Call, sizes: Sizes, term: str, tensor: TensorType, position: int) -> Shape | None:
    """Bind a term's letters; returns the axes its ellipsis stands for."""
    if isinstance(tensor.shape, Unknown):
        return None
    left, dots, right = term.partition("...")
    rank, named = len(tensor.shape), len(left) + len(right)
    if rank < named or (not dots and rank != named):
        detail = f"`{term}` names {named} axes, operand {position + 1} has {rank}"
        call.fault(faults.RANK, operand="operands", expected=(named,), actual=rank, shapes=(tensor.shape,), detail=detail)
        return None
    places = [*enumerate(left), *((rank - len(right) + i, c) for i, c in enumerate(right))]
    for axis, letter in places:
        sizes.bind(letter, tensor.shape[axis], axis, "operands")
    return tensor.shape[len(left) : rank - len(right)]


def _result(call: Call, equation: str, result: str, sizes: Sizes, extra: tuple[Shape, ...]) -> Shape:
    batch, conflict = broadcast(extra)
    if conflict is not None:
        call.fault(
            faults.BROADCAST,
            operand="operands",
            axis=conflict.axis,
            expected=conflict.left,
            actual=conflict.right,
            shapes=sizes.shapes,
        )
    left, dots, right = result.partition("...")
    unbound = [c for c in left + right if c not in equation.partition("->")[0]]
    if unbound:
        detail = f"the result axis `{unbound[0]}` of `{equation}` is in no operand"
        call.fault(faults.ARGUMENT, operand="equation", shapes=sizes.shapes, detail=detail)
    head, tail = (tuple(sizes.size(c) for c in part) for part in (left, right))
    return (*head, *(batch if dots else ()), *tail)
