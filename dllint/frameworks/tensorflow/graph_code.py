"""Code that builds graphs as TensorFlow 1 does: ``==`` asks there whether two tensors are one object."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

#: What TensorFlow 2 has not, or what turns its behaviour off.
_OF_GRAPHS: Final = re.compile(
    r"\bdisable_(?:v2_behavior|tensor_equality|eager_execution)\b"
    r"|\btf(?:\.compat\.v1)?\.(?:placeholder|get_variable|variable_scope|Session|InteractiveSession|ConfigProto|contrib|layers"
    r"|global_variables_initializer|initialize_all_variables|get_default_graph|reset_default_graph|trainable_variables"
    r"|app|flags|train\.\w+Optimizer)\b"
)


@lru_cache(maxsize=64)
def builds_graphs(text: str) -> bool:
    """Whether a file shows that it is written for TensorFlow 1, or for TensorFlow 2 with the behaviour of 1."""
    return _OF_GRAPHS.search(text) is not None
