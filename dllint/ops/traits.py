"""Traits: declared properties of operations, which rules query in place of operation names.

A trait is a statement that holds for *every* application of the operation in every framework, unless its text says under which
arguments; it speaks of the first result and of the operand ``x`` (of all tensor operands where there are several of one rank).
``dllint.ops.kinds`` answers which operations have one. ``tests/ops/test_traits.py`` compares what can be run with torch, both
ways: an operation that has a trait behaves so, and one that always behaves so has it, or stands in a table with the reason.
"""

from __future__ import annotations

from enum import Flag, auto
from typing import Final


class Trait(Flag):
    """Statements about operations; each comment is the definition by which every operation is decided."""

    # There is one object for each combination of members, so that its address tells it from the others.
    __hash__ = object.__hash__

    # --- Where the elements of the result come from -------------------------------------------------------------------

    #: Every element of the result is an element of ``x`` (of one of the operands, where there are several).
    SELECTS = auto()
    #: The elements of the result are those of ``x``, each exactly once, in any order.
    KEEPS_VALUES = auto()
    #: They are also in the same row-major order: only the shape, the memory or the graph differ.
    KEEPS_ORDER = auto()
    #: The shape is the same, too. Conversions are included; whether one rounds is asked of the types (``ops.walk``).
    KEEPS_PLACES = auto()
    #: The result has an axis that ``x`` has not, or one that is longer.
    INSERTS_AXIS = auto()
    #: ``KEEPS_VALUES`` by giving the axes another order, no element another index along its own axis.
    PERMUTES = auto()
    #: Every element of ``x`` is in the result, each equally often, and as often as an argument says.
    REPEATS = auto()
    #: Which elements are in the result, or where, depends on how they compare with one another, or on a mask.
    RANKS = auto()
    #: Takes large elements, or their places, rather than small ones, surely or by chance.
    PICKS_LARGE = auto()
    #: The elements are those at places that an argument names, numbers or tensors of whole numbers.
    INDEXES = auto()
    #: ``x[index]``, as it is written.
    SUBSCRIPTS = auto()
    #: The result is a contiguous part of ``x`` along an axis, or all such parts.
    CUTS = auto()
    #: The result is the part of ``x`` from a place on.
    FROM_START = auto()
    #: The elements are those of several tensors, laid out beside each other along an axis that exists or is made.
    JOINS = auto()
    #: ``JOINS`` along an axis that exists, so that numbers without axes are refused.
    CONCATENATES = auto()
    #: The result is ``x`` with further elements around it.
    PADS = auto()
    #: The shape of the result is that of ``x``, for every ``x``.
    KEEPS_SHAPE = auto()

    # --- What functions of elements do ---------------------------------------------------------------------------------

    #: An element of the result depends on the elements at its own place in the (broadcast) operands, and on nothing else.
    POINTWISE = auto()
    #: ``POINTWISE``, and the result does not fall when an operand rises, wherever it is defined (slopes not below 0).
    MONOTONE = auto()
    #: No element of the result is negative, whatever the operands are (not-a-number counts as none; weights not below 0).
    NON_NEGATIVE = auto()
    #: Where no element of ``x`` is negative, none of the result is; where none is positive, none of the result is.
    KEEPS_SIGN = auto()
    #: A bent function that networks have between layers: not affine in ``x``, and made for features, not for losses.
    ACTIVATION = auto()
    #: An ``ACTIVATION`` that libraries offer as the activation of a layer, and that does not merely cut numbers off.
    LAYER_ACTIVATION = auto()
    #: The positive part of ``x``.
    RECTIFIES = auto()
    #: An ``ACTIVATION`` that grows with ``x`` above 0 and gives nothing, or next to nothing, below; never a negative number.
    ONE_SIDED = auto()
    #: An ``ACTIVATION`` that follows ``x`` above 0 and lets little through below.
    LEAKS = auto()
    #: The hyperbolic tangent.
    TANH = auto()
    #: Comes so close to a limit for large operands that rounding makes it that limit.
    SATURATES = auto()
    #: ``1 / (1 + exp(-x))``.
    LOGISTIC = auto()
    #: Results between 0 and 1 that are read as probabilities.
    PROBABILITIES = auto()
    #: Results that are read as logarithms of probabilities.
    LOG_PROBABILITIES = auto()
    #: No gradient comes back to ``x``: the result is piecewise constant, whole numbers, or cut from the graph.
    NO_GRADIENT = auto()
    #: A logarithm of ``x``, or of ``1 + x``.
    LOGARITHM = auto()
    #: A power whose exponent is ``x``, or that power less 1.
    EXPONENTIAL = auto()
    #: ``EXPONENTIAL`` or ``LOGARITHM`` to the base e.
    NATURAL = auto()
    #: A logarithm or exponential with a 1 added on the inside, or taken away on the outside.
    SHIFTED = auto()
    #: Grows like an exponential to both sides.
    HYPERBOLIC = auto()
    #: A function of the point ``(x, y)`` with a kink at ``(0, 0)``.
    OF_PLANE = auto()
    #: A square root of ``x``, or one over it.
    ROOT = auto()
    #: The inverse of a function with results in [-1, 1]: defined between -1 and 1 only.
    ARC = auto()
    #: Defined from 1 on only.
    ABOVE_ONE = auto()
    #: Infinite at -1 and 1, where its ``x`` has to be between.
    POLES_AT_ENDS = auto()
    #: ``x + y``.
    ADDS = auto()
    #: ``x - y``.
    SUBTRACTS = auto()
    #: ``x * y``.
    MULTIPLIES = auto()
    #: ``x / y``, not rounded.
    DIVIDES = auto()
    #: ``x / y`` rounded down.
    DIVIDES_WHOLE = auto()
    #: What ``x`` leaves when it is divided by ``y``, with the sign of ``y``.
    REMAINDER = auto()
    #: ``1 / x``.
    INVERTS = auto()
    #: ``x ** y``.
    RAISES = auto()
    #: ``x ** 2``.
    SQUARES = auto()
    #: ``-x``.
    NEGATES = auto()
    #: ``|x|``.
    MAGNITUDE = auto()
    #: Rounds to whole numbers.
    ROUNDS = auto()
    #: Limits ``x`` from above or below, by numbers or another tensor.
    LIMITS = auto()
    #: ``LIMITS`` by a smallest and a largest number.
    CLAMPS = auto()
    #: The larger of ``x`` and ``y``.
    LARGER = auto()
    #: The smaller of ``x`` and ``y``.
    SMALLER = auto()
    #: Puts other numbers in the places of some elements and leaves the others.
    REPLACES = auto()
    #: Takes each element from one of two tensors by a condition.
    CHOOSES = auto()
    #: Puts one number at some places (of the result, or with ``REPLACES`` where a mask is true).
    PUTS_NUMBER = auto()
    #: A weighted mean of two tensors, element by element.
    MIXES = auto()
    #: Gives ``x`` another element type.
    CONVERTS = auto()
    #: Compares ``x`` with ``y`` by size.
    ORDERS = auto()
    #: Asks of two numbers whether they are equal, or which is larger.
    COMPARES = auto()
    #: Combines truth values.
    LOGIC = auto()
    #: True, or with a bit set, exactly where both operands are.
    BOTH = auto()
    #: True, or with a bit set, exactly where one of the operands is, or both.
    EITHER = auto()
    #: The elements of the result are truth values, or 0 and 1 in their place.
    TRUTH = auto()

    # --- What is done along axes ---------------------------------------------------------------------------------------

    #: The axis ``dim`` (all axes, if none is named) is gone or of size 1: one number for all that was along it.
    REDUCES = auto()
    #: Adds up elements along an axis.
    SUMS = auto()
    #: Elements that are not-a-number are left out.
    SKIPS_NAN = auto()
    #: ``REDUCES`` to 0, or false, where any element is that.
    ZERO_IF_ANY = auto()
    #: Means of elements, of an axis or of windows.
    AVERAGES = auto()
    #: The largest element along an axis.
    LARGEST = auto()
    #: The smallest element along an axis.
    SMALLEST = auto()
    #: The variance along an axis.
    VARIANCE = auto()
    #: The square root of the variance along an axis.
    DEVIATION = auto()
    #: A norm along an axis.
    LENGTH = auto()
    #: Places of elements, as whole numbers that count from 0.
    POSITIONS = auto()
    #: Places that are made without a look at any element.
    MAKES_PLACES = auto()
    #: Logarithms of sums of exponentials along an axis, none of them below the elements of ``x`` that it sums up.
    LOG_SUM_EXP = auto()
    #: An element of the result depends on those of ``x`` up to its place along an axis.
    CUMULATES = auto()
    #: The elements along an axis are made comparable: to a sum of 1, its logarithm, or a length of 1.
    NORMALISES = auto()
    #: ``NORMALISES`` to a sum of 1, or to the logarithm of that, by exponentials.
    SOFTMAX = auto()
    #: ``SOFTMAX`` of the elements as they are: ``exp(x) / sum(exp(x))``.
    SHARES = auto()
    #: Sums of products over an axis that the operands share.
    CONTRACTS = auto()
    #: ``CONTRACTS`` the last axis of one with the last but one of the other: matrices, or batches of them.
    MATRIX_PRODUCT = auto()
    #: ``CONTRACTS``, and what numpy gives is a scalar and no array, if it has no axes.
    GIVES_SCALARS = auto()

    # --- Layers --------------------------------------------------------------------------------------------------------

    #: Sums of all features of a sample (or of a window) with trained weights; bent by nothing.
    AFFINE = auto()
    #: ``AFFINE`` over the last axis alone.
    DENSE = auto()
    #: Goes over the positions of axes after the batch with one small window of trained weights.
    CONVOLVES = auto()
    #: ``CONVOLVES`` forward, each window over all channels of its group.
    PLAIN_CONVOLUTION = auto()
    #: Has trained numbers, of its own or as an argument that stands for them.
    LEARNED = auto()
    #: Takes the mean of features away, or divides by their spread, and scales what is left.
    STANDARDISES = auto()
    #: ``STANDARDISES`` each sample over its last axes, as many as ``normalized_shape`` names.
    TRAILING_AXES = auto()
    #: One number per window, or per part, of the axes after batch and channels.
    POOLS = auto()
    #: ``POOLS`` by the largest number.
    MAX_POOL = auto()
    #: An image again, of another size or other places in it: its elements are those of ``x`` or lie between them, as a rule.
    RESAMPLES = auto()
    #: Goes through a sequence step by step with trained weights.
    RECURRENT = auto()
    #: In torch, the result is a pair: the output and a state, or weights.
    RETURNS_STATE = auto()
    #: A layer whose weights start as ones and zeros.
    STARTS_PLAIN = auto()
    #: Puts 0 in the place of random elements while training and scales the others.
    DROPS = auto()
    #: Takes rows of a trained table by whole numbers.
    EMBEDS = auto()
    #: In evaluation, each element times one number plus another, which do not depend on the operand.
    SCALES = auto()
    #: Means of values, weighed by how keys match queries.
    ATTENDS = auto()
    #: Refuses an operand that has lost its first axis (checked with torch 2.13).
    COUNTS_AXES = auto()

    # --- Where tensors come from ---------------------------------------------------------------------------------------

    #: A tensor of written numbers, by a rule that needs no data: one number, 0 and 1, or a row of numbers.
    FILLS = auto()
    #: ``FILLS`` with ones.
    ONES = auto()
    #: ``FILLS`` with one number that is given.
    FULL = auto()
    #: ``FILLS`` with zeros.
    ZEROS = auto()
    #: ``FILLS`` with equal steps from a first to a last number.
    COUNTS_UP = auto()
    #: A tensor of what happens to be in memory.
    EMPTY = auto()
    #: At most one 1 along an axis, zeros elsewhere: the codes of classes, or of all classes in order.
    ONE_HOT = auto()
    #: A tensor of data that is handed over: nested sequences, arrays.
    TAKES_DATA = auto()
    #: Elements are random: two calls differ.
    DRAWS = auto()
    #: ``DRAWS`` from a normal distribution.
    DRAWS_NORMAL = auto()
    #: ``DRAWS`` evenly from an interval of numbers, whole or not.
    DRAWS_EVENLY = auto()
    #: ``DRAWS`` 0 or 1 by the probabilities that ``x`` holds.
    DRAWS_TRUTH = auto()
    #: Numbers that are practically never whole.
    CONTINUOUS = auto()
    #: An input of a graph, of which only shape and type are known.
    INPUT = auto()
    #: An input of a graph that a later call feeds.
    PLACEHOLDER = auto()
    #: Carries numbers over the border of a graph: to a placeholder, or out of it.
    CROSSES_GRAPH = auto()
    #: Loads what is stored: pictures, tables.
    LOADS = auto()
    #: Whole numbers that count classes.
    CLASS_NUMBERS = auto()
    #: The gradient of another tensor.
    GRADIENT = auto()
    #: Something that is trained, without a layer around it.
    VARIABLE = auto()
    #: The backward pass of torch is computed from the result, which must be as it was then.
    NEEDS_RESULT = auto()
    #: The backward pass of torch is computed from ``x``, which must be as it was then, whatever is differentiated.
    NEEDS_OPERAND = auto()

    # --- Losses --------------------------------------------------------------------------------------------------------

    #: Measures a prediction ``x`` by a target.
    LOSS = auto()
    #: A loss that a Keras model is compiled with, by name.
    KERAS_LOSS = auto()
    #: ``LOSS`` that broadcasts prediction and target and takes the distance of each pair.
    PAIRWISE_LOSS = auto()
    #: ``LOSS`` between scores or probabilities of several classes and the class.
    CLASS_LOSS = auto()
    #: ``LOSS`` between probabilities that something is true, or scores of it, and targets from 0 to 1.
    BINARY_LOSS = auto()
    #: ``CLASS_LOSS`` whose target has an axis less than the scores and holds class numbers.
    TAKES_CLASS_NUMBERS = auto()
    #: ``LOSS`` that applies the softmax or sigmoid itself, always or where ``from_logits`` says so.
    TAKES_SCORES = auto()
    #: ``TAKES_SCORES`` whatever its arguments are.
    ALWAYS_TAKES_SCORES = auto()
    #: ``LOSS`` that expects one row per sample, the classes last: no further axes are meant.
    ON_SAMPLES = auto()

    # --- Memory --------------------------------------------------------------------------------------------------------

    #: The result shares the memory of ``x`` in torch.
    VIEW = auto()
    #: It does, or may do so, in torch or numpy.
    MAY_VIEW = auto()
    #: ``x`` itself is the result where there is nothing to do.
    GIVES_BACK = auto()
    #: The result shares the memory of ``x`` in numpy.
    NUMPY_VIEW = auto()
    #: Says itself how its result lies in memory.
    TELLS_LAYOUT = auto()
    #: A new tensor in row-major order, whatever it is given.
    ROW_BY_ROW = auto()
    #: The result lies in memory in an order of the kernel.
    OWN_ORDER = auto()
    #: The result lies in memory at times as the operand does, at times row by row.
    MIXED_ORDER = auto()
    #: In mixed precision, torch casts the operands to the lower type, on every device.
    AUTOCAST_LOWER = auto()
    #: It does so on the graphics card; on a CPU that differs by kind or version.
    AUTOCAST_LOWER_ON_CARD = auto()
    #: torch casts the operands to single precision, on every device.
    AUTOCAST_SINGLE = auto()
    #: It does so on the graphics card.
    AUTOCAST_SINGLE_ON_CARD = auto()
    #: It does so on the CPU.
    AUTOCAST_SINGLE_ON_CPU = auto()
    #: torch casts the operands to the widest of their types.
    AUTOCAST_WIDEST = auto()
    #: It does so on the graphics card, also where the operands are cast to the lower type elsewhere.
    AUTOCAST_WIDEST_ON_CARD = auto()
    #: Writes to the elements of ``x``, however it is spelled.
    WRITES = auto()
    #: ``WRITES`` without a change of the element type that others know.
    OVERWRITES = auto()


#: No statement at all.
NONE: Final = Trait(0)
#: What follows from a trait.
_IMPLIED: Final = {
    Trait.KEEPS_PLACES: Trait.KEEPS_ORDER | Trait.KEEPS_SHAPE | Trait.POINTWISE | Trait.MONOTONE,
    Trait.KEEPS_ORDER: Trait.KEEPS_VALUES,
    Trait.PERMUTES: Trait.KEEPS_VALUES,
    Trait.KEEPS_VALUES: Trait.SELECTS,
    Trait.SELECTS: Trait.KEEPS_SIGN,
    Trait.REPEATS: Trait.SELECTS,
    Trait.INDEXES: Trait.SELECTS,
    Trait.CUTS: Trait.SELECTS,
    Trait.LARGEST: Trait.SELECTS | Trait.RANKS | Trait.REDUCES,
    Trait.SMALLEST: Trait.SELECTS | Trait.RANKS | Trait.REDUCES,
    Trait.ORDERS: Trait.COMPARES,
    Trait.COMPARES: Trait.TRUTH | Trait.POINTWISE,
    Trait.LOGIC: Trait.TRUTH | Trait.POINTWISE,
    Trait.TRUTH: Trait.NON_NEGATIVE | Trait.NO_GRADIENT,
    Trait.POSITIONS: Trait.NON_NEGATIVE | Trait.NO_GRADIENT,
    Trait.SOFTMAX: Trait.NORMALISES | Trait.KEEPS_SHAPE,
    Trait.MATRIX_PRODUCT: Trait.CONTRACTS,
    Trait.GIVES_SCALARS: Trait.CONTRACTS,
    Trait.DENSE: Trait.AFFINE,
    Trait.CONVOLVES: Trait.AFFINE,
    Trait.AFFINE: Trait.CONTRACTS,
    Trait.MAX_POOL: Trait.POOLS | Trait.SELECTS | Trait.RANKS,
    Trait.ZEROS: Trait.FILLS | Trait.NON_NEGATIVE,
    Trait.COUNTS_UP: Trait.FILLS,
    Trait.DRAWS_NORMAL: Trait.DRAWS,
    Trait.DRAWS_EVENLY: Trait.DRAWS,
    Trait.VARIABLE: Trait.LEARNED,
    Trait.RECTIFIES: Trait.ONE_SIDED | Trait.KEEPS_SIGN,
    Trait.ONE_SIDED: Trait.ACTIVATION | Trait.NON_NEGATIVE,
    Trait.TANH: Trait.ACTIVATION | Trait.KEEPS_SIGN,
    Trait.LARGER: Trait.LIMITS,
    Trait.SMALLER: Trait.LIMITS,
    Trait.PROBABILITIES: Trait.NON_NEGATIVE,
    Trait.SHARES: Trait.SOFTMAX | Trait.PROBABILITIES,
    Trait.PLAIN_CONVOLUTION: Trait.CONVOLVES,
    Trait.CLAMPS: Trait.LIMITS,
    Trait.SUBSCRIPTS: Trait.INDEXES,
    Trait.CONCATENATES: Trait.JOINS,
    Trait.PLACEHOLDER: Trait.INPUT,
    Trait.CLASS_NUMBERS: Trait.NON_NEGATIVE,
    Trait.LEAKS: Trait.LAYER_ACTIVATION,
    Trait.LAYER_ACTIVATION: Trait.ACTIVATION,
    Trait.ONES: Trait.FILLS | Trait.NON_NEGATIVE,
    Trait.FULL: Trait.FILLS,
    Trait.TRAILING_AXES: Trait.STANDARDISES,
    Trait.OVERWRITES: Trait.WRITES,
    Trait.KERAS_LOSS: Trait.LOSS,
    Trait.FROM_START: Trait.SELECTS,
    Trait.EMBEDS: Trait.LEARNED,
    Trait.DRAWS_TRUTH: Trait.DRAWS,
    Trait.ALWAYS_TAKES_SCORES: Trait.TAKES_SCORES,
    Trait.TAKES_CLASS_NUMBERS: Trait.CLASS_LOSS,
    Trait.PAIRWISE_LOSS: Trait.LOSS | Trait.NON_NEGATIVE,
    Trait.CLASS_LOSS: Trait.LOSS,
    Trait.BINARY_LOSS: Trait.LOSS,
    Trait.VIEW: Trait.MAY_VIEW,
}


#: The same in bits, which are quicker to work with than the members of an enumeration.
_IMPLIED_BITS: Final = [(trait.value, implied.value) for trait, implied in _IMPLIED.items()]


def closed(traits: Trait) -> Trait:
    """``traits`` with all that follows from them."""
    before, bits = -1, traits.value
    while bits != before:
        before = bits
        for trait, implied in _IMPLIED_BITS:
            if bits & trait == trait:
                bits |= implied
    return Trait(bits)
