"""Code that builds graphs as TensorFlow 1 does: ``==`` asks there whether two tensors are one object."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

#: What turns the behaviour of TensorFlow 2 off, whatever the library is called.
_TURNED_OFF: Final = re.compile(r"\bdisable_(?:v2_behavior|tensor_equality|eager_execution)\b")
#: How a file gets at TensorFlow: the name that it gives the library, or the names that it takes from it.
_IMPORTED: Final = re.compile(
    r"^[ \t]*(?:import tensorflow(?:\.compat\.v1)?(?:[ \t]+as[ \t]+(\w+))?[ \t]*(?:[#,;\r\n]|$)"
    r"|from tensorflow\.compat import (?:v1[ \t]+as[ \t]+)?(\w+)"
    r"|from tensorflow(?:\.compat\.v1)? import (\([\w\s,]*\)|[\w \t,]+))",
    re.MULTILINE,
)
#: Names that TensorFlow 2 has not, wherever they come from.
_GONE: Final = frozenset({
    "placeholder", "get_variable", "variable_scope", "Session", "InteractiveSession", "ConfigProto", "contrib",
    "global_variables_initializer", "initialize_all_variables", "get_default_graph", "reset_default_graph",
})  # fmt: skip
#: Those that could be somebody else's, unless they are asked of the library.
_OWN: Final = (r"layers", r"trainable_variables", r"app", r"flags", r"train\.\w+Optimizer")
_OF_GRAPHS: Final = "|".join((*sorted(_GONE), *_OWN))


@lru_cache(maxsize=64)
def builds_graphs(text: str) -> bool:
    """Whether a file shows that it is written for TensorFlow 1, or for TensorFlow 2 with the behaviour of 1."""
    if _TURNED_OFF.search(text):
        return True
    names = {"tf", "tensorflow"}
    for library, version, taken in _IMPORTED.findall(text):
        names.update(filter(None, (library, version)))
        if not _GONE.isdisjoint(re.findall(r"\w+", taken)):
            return True
    called = "|".join(sorted(map(re.escape, names)))
    return re.search(rf"\b(?:{called})(?:\.compat\.v1)?\.(?:{_OF_GRAPHS})\b", text) is not None
