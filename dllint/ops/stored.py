"""Data from outside the program: operations whose result has the documented shape and type.

``stored_data`` stands for ``keras.datasets``, folders of images, ``sklearn.datasets`` and tables. Its tensor has the stored
range of numbers (``low``, ``high``), kept through moves and casts until arithmetic changes them; ``analysis/data_scale.py``
follows arrays back to it. Tables and columns (``frameworks/pandas``) are objects that hold their array and column names; where
numbers are expected, the array is used (``frameworks/array_like.py``). Nothing is known about the elements of an array of
objects (texts of different lengths).
"""

from __future__ import annotations

from typing import Final

from dllint.domains.dtype import INT64, DType
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.ir.values import Value
from dllint.ops.operand import dims_or_unknown
from dllint.ops.spec import Call, Result, op
from dllint.ops.traits import Trait

#: Why the element type of an array of Python objects is not known.
OBJECT_ELEMENTS: Final = "object-elements"


@op("stored_data", traits=Trait.LOADS)
def stored_data(call: Call, shape: Value, dtype: Value = None) -> Result:
    """An array of a known data set, picture or table. Sizes that are not known are symbols."""
    known = dtype if isinstance(dtype, (DType, Unknown)) else Unknown("no-argument", "dtype")
    return TensorType(dims_or_unknown(shape), known)


@op("class_indices", traits=Trait.CLASS_NUMBERS)
def class_indices(call: Call, x: TensorType) -> Result:
    """The number of the class of each element, from 0; how many classes there are is not known."""
    return TensorType(x.shape, INT64)


def is_object_element(x: TensorType) -> bool:
    """Whether a tensor type stands for one element of an array of objects (lists of other lengths), which is no array."""
    return x.shape == () and isinstance(x.dtype, Unknown) and x.dtype.reason == OBJECT_ELEMENTS
