"""Library constants that are plain numbers or strings."""

from __future__ import annotations

import math
from typing import Final

from dllint.ir.values import LibSymbol, Value

CONSTANTS: Final[dict[str, Value]] = {
    **{f"{module}.{name}": getattr(math, name) for module in ("math", "numpy", "torch") for name in ("pi", "e", "inf", "nan")},
    "math.tau": math.tau,
    "numpy.newaxis": None,
    **{f"six.moves.{name}": LibSymbol(f"builtins.{name}") for name in ("range", "zip", "map", "filter", "input", "reduce")},
    "six.moves.xrange": LibSymbol("builtins.range"),
    "torch.newaxis": None,
    "tensorflow.newaxis": None,
    "keras.ops.newaxis": None,
    #: True, so that packages which import lazily at run time show what they export.
    "typing.TYPE_CHECKING": True,
    "sys.maxsize": 2**63 - 1,
    "os.sep": "/",
    "builtins.NotImplemented": NotImplemented,
    "builtins.Ellipsis": ...,
    "builtins.__debug__": True,
}


def constant(symbol: LibSymbol) -> Value:
    """The value of a library constant; the symbol itself if it is none."""
    return CONSTANTS.get(symbol.name, symbol)
