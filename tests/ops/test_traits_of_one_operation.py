"""A trait is a property, not another name of an operation: few hold for one operation only, each for a reason."""

from __future__ import annotations

from dllint.ops.kinds import having
from dllint.ops.traits import Trait

#: The elementary functions, of which there is one operation each whatever libraries call them. Rules compute with the function:
#: its derivative, its inverse, its values at 0 and 1.
FUNCTIONS = (
    Trait.ADDS, Trait.SUBTRACTS, Trait.MULTIPLIES, Trait.DIVIDES, Trait.DIVIDES_WHOLE, Trait.INVERTS, Trait.RAISES,
    Trait.SQUARES, Trait.NEGATES, Trait.MAGNITUDE, Trait.LARGER, Trait.SMALLER, Trait.CHOOSES, Trait.MIXES, Trait.RECTIFIES,
    Trait.TANH, Trait.LOGISTIC, Trait.SHARES, Trait.ABOVE_ONE,
)  # fmt: skip
#: The statistics along an axis of which libraries have one function each.
STATISTICS = (Trait.VARIANCE, Trait.DEVIATION, Trait.LENGTH)
#: What is left, with what it says that no other operation does.
OTHERS = {
    Trait.SUBSCRIPTS: "an index of slices, numbers, masks and new axes at once",
    Trait.CONCATENATES: "of the operations that join along an axis that exists, others take numbers without axes",
    Trait.CONVERTS: "the element type alone is another",
    Trait.DENSE: "weights over the last axis alone",
    Trait.PLAIN_CONVOLUTION: "a window forward over all channels of its group",
    Trait.DROPS: "random in training, the identity in evaluation",
    Trait.DRAWS_TRUTH: "numbers of the operand are probabilities",
    Trait.PLACEHOLDER: "an input that has no value until a call feeds it",
    Trait.LOADS: "numbers of a file, of a range that the library documents",
    Trait.CLASS_NUMBERS: "numbers of a file that count classes",
    Trait.GRADIENT: "symbolic derivative of one tensor by another",
    Trait.VARIABLE: "trained without a layer",
    Trait.KERAS_LOSS: "the loss is an argument, not an operation",
}


def test_only_these_traits_hold_for_one_operation():
    single = {trait for trait in Trait if len(having(trait)) < 2}
    assert single == {*FUNCTIONS, *STATISTICS, *OTHERS}


def test_elementary_functions_act_on_elements():
    along_axes = having(Trait.SOFTMAX)
    assert all(having(trait) <= having(Trait.POINTWISE) | along_axes for trait in FUNCTIONS)


def test_statistics_reduce():
    assert all(having(trait) <= having(Trait.REDUCES) for trait in STATISTICS)
