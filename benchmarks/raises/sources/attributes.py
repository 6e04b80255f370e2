"""Programs that read what objects have: every public name that ``dir`` lists."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any, Final

from benchmarks.raises.running import silent
from benchmarks.raises.sources import values

_GROUPS: Final = (
    (values.HEADER, values.PYTHON),
    (values.TORCH_HEADER, values.TORCH),
    (values.KERAS_HEADER, values.KERAS),
)
#: Constructions of library objects of whose classes a program can derive its own.
_DERIVABLE: Final = re.compile(
    r"((?:nn|layers|optim(?:\.lr_scheduler)?|keras\.[a-z]+|collections|datetime)\.[A-Z]\w+)\((.*\))$"
)
#: Dunder names that programs read.
_SPECIAL: Final = (
    "__class__", "__dict__", "__doc__", "__module__", "__name__", "__len__", "__call__", "__getitem__", "__iter__",
    "__repr__", "__str__", "__eq__", "__hash__", "__init__", "__setattr__", "__getattribute__", "__dir__",
    "__annotations__", "__file__", "__version__", "__qualname__", "__wrapped__", "__func__", "__self__",
)  # fmt: skip


def programs(seed: int) -> Iterator[str]:
    """One program for each object, and for one of a class that derives from its class. Names are read plainly, by ``getattr``,
    and under ``hasattr``."""
    source = random.Random(seed)
    for header, expressions in _GROUPS:
        known: dict[str, Any] = {"__name__": "__main__"}
        with silent():
            exec(header, known)
            for expression in expressions:
                yield header + _reading(expression, known, source)
                if derived := _DERIVABLE.match(expression):
                    own = f"class Own({derived[1]}):\n    def more(self):\n        return 1\n"
                    exec(own, known)
                    yield header + own + _reading(f"Own({derived[2]}", known, source)


def _reading(expression: str, known: dict[str, Any], source: random.Random) -> str:
    """The lines that read the names of an object, those left out that raise."""
    lines = [f"x = {expression}"]
    try:
        value = eval(expression, known)
    except Exception as error:
        raise ValueError(f"{expression}: {error}") from error
    for number, name in enumerate([*(name for name in dir(value) if not name.startswith("_")), *_SPECIAL]):
        try:
            getattr(value, name)
        except Exception:
            continue
        form = source.choice(("y{0} = x.{1}", "y{0} = x.{1}", "y{0} = getattr(x, '{1}')", "assert hasattr(x, '{1}')"))
        lines.append(form.format(number, name))
    return "\n".join(lines) + "\n"
