"""DLN109: arithmetic with integers loses the numbers of pictures or labels."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, ClassVar, Final

from dllint.analysis.output_kind import MOVES, OutputKind, source
from dllint.domains.dtype import UINT8, DType
from dllint.finding import Confidence, Finding, Severity
from dllint.ir.program import Op, TensorVal
from dllint.ir.values import Value
from dllint.ops.kinds import by_name, does, having, having_any
from dllint.ops.traits import Trait
from dllint.ops.walk import behind, maker_behind, steps_back
from dllint.rules.context import Context
from dllint.rules.rule import Rule
from dllint.rules.wording import operation

_BRIGHTEST: Final = 255
_BYTE: Final = 8
#: Numbers of label maps are renumbered by small steps, which are no arithmetic on pictures.
_SHIFT: Final = 16
#: Divisors that bring bytes to 0 to 1.
_BYTE_SCALES: Final = (255, 256)


class IntegerArithmeticOnImages(Rule[Op]):
    """Arithmetic with integers loses the numbers of pictures or labels.

    ## What it finds
    Numbers that are divided by 255 and then cast to integers; probabilities of a sigmoid or softmax that are cast to integers;
    pixels that are cast to `int8`; bytes that are divided by 255 with `//`; sums, differences and products of bytes that leave
    0 to 255.

    ## Why it is bad
    A quotient below 1 becomes 0 as an integer: all pictures turn black, all labels become one class. Bytes wrap around:
    100 - 120 is 236. Nothing raises.

    ## Bad
    ```python
    from keras.datasets import mnist

    (x, y), _ = mnist.load_data()
    x = x // 255  # error: [DLN109]
    ```

    ## Good
    ```python
    from keras.datasets import mnist

    (x, y), _ = mnist.load_data()
    x = x.astype("float32") / 255
    ```

    ## When it stays silent
    A cast to floating point first, and results that stay in range; masks, which hold only 0 and 255: what a comparison has
    made, or is asked of. Where only a name speaks of a mask or of labels, or nothing tells what is
    divided, it is information.
    ```python
    from keras.datasets import mnist

    (x, y), _ = mnist.load_data()
    centred = x.astype("int16") - 128
    inverted = 255 - x
    half = x // 2
    ```

    ## References
    - Humbatova et al., ICSE 2020: wrong preprocessing (pixel encoding, invalid type).
    """

    code = "DLN109"
    name = "integer-arithmetic-on-images"
    severity = Severity.ERROR
    confidence = Confidence.HIGH
    frameworks = ("numpy", "torch", "keras", "tensorflow")
    topics: ClassVar[tuple[str, ...]] = ("op:cast", "op:floor_divide", "op:sub", "op:add", "op:mul")

    def check(self, item: Op, context: Context) -> Iterator[Finding]:
        """A cast or an integer operation whose operands tell what is lost."""
        found = REASONS[item.kind](item)
        if found is None or (item.kind in _CASTS and is_asked_for_few_values(item, context)):
            return
        reason, advice = found
        message = f"{operation(item, context)} {reason}{context.condition_note(item)}"
        severity = Severity.INFO if item.kind in _CASTS and may_be_a_mask(item, context) else self.severity
        yield context.finding(self, item, message, advice=advice, severity=severity)


#: Words in names of pictures that hold few numbers.
_MASK: Final = re.compile(r"(?i)mask|label|segm|annot|ground_?truth|binar|(?<![a-z])(gt|bin|seg|roi)(?![a-z])")
_CASTS: Final = having(Trait.CONVERTS)
_COMPARES: Final = having(Trait.COMPARES)
_CHOICES: Final = having(Trait.CHOOSES)
_FEW: Final = having_any(Trait.COMPARES | Trait.LOGIC | Trait.BOTH | Trait.EITHER | Trait.ONE_HOT | Trait.TRUTH)

#: What an operation loses, and what to do.
Words = tuple[str, str]
#: The cast that keeps what numbers mean in pictures.
_SCALING: Final = "convert_image_dtype"


def _cast(op: Op) -> Words | None:
    x = op.args.get("x")
    if op.spelled.endswith(_SCALING):  # these numbers are multiplied by 255 on the way
        return None
    if not op.outputs or not isinstance(x, TensorVal) or not _is_integer(op.output.dtype):
        return None
    if _is_integer(x.dtype):
        return _narrowed(op.output.dtype, x)
    made = source(x)
    if made.op is not None and made.kind in (OutputKind.SIGMOID, OutputKind.SOFTMAX):
        return f"casts {made.kind.value} to integers, which makes all below 1 to 0", "compare with 0.5, or take the argmax"
    quotient = _quotient(op)
    if quotient is None or has_few_values(quotient.args.get("x")):
        return None
    divisor = quotient.args.get("y")
    reason = f"casts numbers that were divided by {divisor!r} to integers, which makes almost all of them 0"
    return reason, "convert before the division"


def _narrowed(dtype: Value, pictures: TensorVal) -> Words | None:
    """Bytes of pictures in a type that does not hold all of them."""
    if not isinstance(dtype, DType) or not dtype.signed or dtype.bits > _BYTE or not _is_picture(pictures):
        return None
    return f"casts pixels from 0 to 255 to {dtype.name}, in which those above 127 become negative", "use float32"


def _quotient(cast: Op) -> Op | None:
    """The division by 255 or 256 whose results a cast takes."""
    maker = maker_behind(cast.args.get("x"), MOVES - having(Trait.CONVERTS))
    divisor = maker.args.get("y") if maker is not None and does(maker, Trait.DIVIDES) else None
    return maker if isinstance(divisor, (int, float)) and divisor in _BYTE_SCALES else None


def has_few_values(value: Value) -> bool:
    """Whether a tensor holds what a comparison or a choice between numbers has left, times a number: a mask
    of 0 and 255, which are 0 and 1 after the division, with nothing lost in a cast."""
    maker = maker_behind(value, MOVES)
    while maker is not None and does(maker, Trait.MULTIPLIES):
        factors = (maker.args.get("x"), maker.args.get("y"))
        tensors = [factor for factor in factors if isinstance(factor, TensorVal)]
        if len(tensors) != 1:
            return False
        maker = maker_behind(tensors[0], MOVES)
    if maker is None:
        return False
    if maker.kind in _CHOICES:
        return not any(isinstance(maker.args.get(name), TensorVal) for name in ("x", "y"))
    return maker.kind in _FEW


def is_asked_for_few_values(cast: Op, context: Context) -> bool:
    """Whether the code compares the numbers before the division, or after it, as one does with a mask."""
    quotient = _quotient(cast)
    divided = quotient.args.get("x") if quotient is not None else None
    if quotient is None or not isinstance(divided, TensorVal):
        return False
    tensors = (divided, behind(divided, MOVES), quotient.output)
    return any(user.kind in _COMPARES for tensor in tensors for user in context.facts.users(tensor))


def may_be_a_mask(cast: Op, context: Context) -> bool:
    """Whether the numbers may be those of a mask: nothing tells what they are, or names in the cast or in the division speak of
    masks or labels, and their largest number is not known to be another than 255."""
    quotient = _quotient(cast)
    divided = quotient.args.get("x") if quotient is not None else None
    if quotient is None or not isinstance(divided, TensorVal):
        return False
    first = behind(divided, MOVES)
    if first.high not in (None, _BRIGHTEST):
        return False
    if first.high is None and not (first.producer is not None and does(first.producer, Trait.LOADS)):
        return True
    return any(
        _MASK.search(context.text(place.statement)) for place in (cast.site, quotient.site) if place.statement is not None
    )


def _floor(op: Op) -> Words | None:
    x, divisor = op.args.get("x"), op.args.get("y")
    if not isinstance(x, TensorVal) or x.dtype != UINT8 or not isinstance(divisor, int) or divisor < _BRIGHTEST:
        return None
    return f"divides bytes by {divisor} without a remainder, which leaves only 0 and 1", "use `/`"


def _wraps(op: Op) -> Words | None:
    x, y = op.args.get("x"), op.args.get("y")
    if op.framework != "numpy" or not op.outputs or op.output.dtype != UINT8:
        return None
    bounds = (_range(x), _range(y))
    if bounds[0] is None or bounds[1] is None:
        return None
    corners = [COMBINED[op.kind](a, b) for a in bounds[0] for b in bounds[1]]
    low, high = min(corners), max(corners)
    if low > -_SHIFT and high < _BRIGHTEST + _SHIFT:
        return None
    return f"gives bytes, in which {low:g} to {high:g} wraps around", "convert the bytes to float before"


def _range(value: Value) -> tuple[float, float] | None:
    """The smallest and largest number of an operand: a whole number, or pictures of which no part is chosen by value."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value, value
    return (0, _BRIGHTEST) if isinstance(value, TensorVal) and _is_picture(value) else None


def _is_picture(value: TensorVal) -> bool:
    steps = list(steps_back(value, MOVES))
    if any(isinstance(part, TensorVal) for step in steps[:-1] for part in _items(step.args.get("index"))):
        return False
    value = behind(value, MOVES)
    maker = value.producer
    return does(maker, Trait.LOADS) and (value.low, value.high) == (0, _BRIGHTEST)


def _items(index: Value) -> tuple[Any, ...]:
    return index if isinstance(index, tuple) else (index,)


def _is_integer(dtype: Value) -> bool:
    return isinstance(dtype, DType) and dtype.kind == "int"


REASONS: Final = by_name(
    {
        Trait.CONVERTS: _cast,
        Trait.DIVIDES_WHOLE: _floor,
        Trait.SUBTRACTS: _wraps,
        Trait.ADDS: _wraps,
        Trait.MULTIPLIES: _wraps,
    }
)
COMBINED: Final[dict[str, Callable[[float, float], float]]] = by_name(
    {
        Trait.SUBTRACTS: lambda a, b: a - b,
        Trait.ADDS: lambda a, b: a + b,
        Trait.MULTIPLIES: lambda a, b: a * b,
    }
)
