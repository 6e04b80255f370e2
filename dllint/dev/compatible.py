"""Make the table of TensorFlow names that ``compat.v1`` has as other objects than the release itself.

    python -m dllint.dev.compatible

It runs the installed TensorFlow: of each function the parameters under both, of classes the name.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Final

FOLDER: Final = Path(__file__).parents[1] / "frameworks" / "history"
#: Parts that are other packages, or not for users.
_FOREIGN: Final = frozenset({"compat", "keras", "python", "core", "tools"})
_DEEPEST: Final = 4
#: Functions with the same parameters that compute something else, by the documentation of TensorFlow.
_OTHER_MEANING: Final = ("where", "data.")


def differing(old: ModuleType, new: ModuleType, prefix: str = "") -> Iterator[tuple[str, object, object]]:
    """The names below two modules that are different objects in them."""
    for name in sorted(set(dir(old)) & set(dir(new))):
        if name.startswith("_") or (not prefix and name in _FOREIGN):
            continue
        first, second = getattr(old, name, None), getattr(new, name, None)
        if isinstance(first, ModuleType) and isinstance(second, ModuleType):
            if prefix.count(".") < _DEEPEST:
                yield from differing(first, second, f"{prefix}{name}.")
        elif first is not second and first is not None:
            yield prefix + name, first, second


def signature(function: object) -> inspect.Signature | None:
    """The signature of a function; ``None`` if it cannot be read."""
    try:
        return inspect.signature(function) if callable(function) else None
    except (TypeError, ValueError):
        return None


def table(old: ModuleType, new: ModuleType) -> dict[str, list[list[str]]]:
    """Name → the parameters of the old and of the new function; no lists for what is no function with known parameters."""
    rows: dict[str, list[list[str]]] = {}
    for name, first, second in differing(old, new):
        if isinstance(first, type):
            rows[name] = []
            continue
        before, after = signature(first), signature(second)
        if before is None or after is None:
            rows[name] = []
        elif name.startswith(_OTHER_MEANING) or not alike(before, after):
            rows[name] = [list(before.parameters), list(after.parameters)]
    return rows


def alike(before: inspect.Signature, after: inspect.Signature) -> bool:
    """Whether parameters and defaults are the same."""
    first, second = before.parameters.values(), after.parameters.values()
    return [(one.name, repr(one.default)) for one in first] == [(one.name, repr(one.default)) for one in second]


def main() -> None:
    """Write the table."""
    import tensorflow

    rows = table(tensorflow.compat.v1, tensorflow)
    lines = ",\n".join(f" {json.dumps(name)}: {json.dumps(row)}" for name, row in sorted(rows.items()))
    path = FOLDER / "tensorflow-compatible.json"
    path.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
    print(f"{path.name}: {len(rows)} names")


if __name__ == "__main__":
    main()
