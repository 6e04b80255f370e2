"""The kinds of fault an operation can prove, and the catalogue rule that reports what no more special one describes.

``operand``, ``axis``, ``expected``, ``actual``, ``shapes`` and ``detail`` of the Fault are filled as listed here; sizes are
dimensions, ``axis`` is non-negative.
"""

from __future__ import annotations

from typing import Final

#: A layer's declared feature size (``operand``: in_features, in_channels, num_features …) against the data (DLT101).
FEATURE_SIZE: Final = "feature-size"
#: ``actual`` rank is none of the ``expected`` ranks (DLT102).
RANK: Final = "rank"
#: A window is larger than the padded input, or an output size is not positive; ``detail`` says which (DLT104).
SPATIAL_COLLAPSE: Final = "spatial-collapse"
#: Element counts differ: ``expected`` target count, ``actual`` source count, ``shapes`` (source, target) (DLT105).
RESHAPE_SIZE: Final = "reshape-size"
#: ``view`` merges axes that are not adjacent in memory (DLT107).
VIEW_STRIDE: Final = "view-stride"
#: Element-wise operands do not broadcast; ``expected``/``actual`` sizes at ``axis`` counted from the end (DLT109).
BROADCAST: Final = "broadcast"
#: Inner sizes of a matrix product differ: ``expected`` (left), ``actual`` (right) (DLT109).
MATMUL: Final = "matmul"
#: Concatenated or stacked tensors differ in another axis, or in rank (DLT109).
CONCAT: Final = "concat"
#: An axis or index lies outside the rank or size (DLT109).
AXIS_RANGE: Final = "axis-range"
#: Any other provable shape incompatibility of an operator; ``detail`` completes the sentence (DLT109).
OPERATOR_SHAPE: Final = "operator-shape"
#: A tuple of sizes is unpacked into another number of names (DLT109).
UNPACK: Final = "unpack"
#: A constraint among the arguments themselves is violated (groups, heads, padding mode …) (DLT118).
ARGUMENT: Final = "argument"
#: An index tensor reaches ``actual`` where ``expected`` rows exist (DLT116).
INDEX_RANGE: Final = "index-range"
#: Element types the library refuses to combine: ``expected``, ``actual`` (DLT117).
DTYPE: Final = "dtype"
#: A loss target of the wrong shape: ``shapes`` (prediction, target) (DLL109 for cross-entropy, DLT109 otherwise).
TARGET_SHAPE: Final = "target-shape"
#: A loss target of the wrong element type: ``expected``, ``actual`` (DLL109 for cross-entropy, DLT117 otherwise).
TARGET_DTYPE: Final = "target-dtype"
#: A layer that takes sequences is fed rank-2 data (DLT102; DLT113 if a recurrent layer made them).
SEQUENCE_RANK: Final = "sequence-rank"
#: The data of a call is not of the declared input shape: ``expected`` declared, ``actual`` given (DLT110).
INPUT_SHAPE: Final = "input-shape"

ALL: Final = frozenset(value for name, value in list(globals().items()) if name.isupper() and isinstance(value, str))
#: The ``detail`` of an argument that has to be given and is not.
MISSING: Final = "it has to be given"
