"""Write ``dllint/frameworks/history/keras-identifiers.json``: the strings that Keras resolves to objects, by kind.

    KERAS_BACKEND=torch python -m dllint.dev.identifiers FOLDER...

``today`` are the names of the installed release, asked by importing it. Each folder is an unpacked older release, whose sources
are read: every name that a module of a kind defines or imports may have been such a string (``before``).
"""

from __future__ import annotations

import ast
import importlib
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

PATH: Final = Path(__file__).parents[1] / "frameworks" / "history" / "keras-identifiers.json"
#: Kind → the modules that hold its objects, by their names in all releases.
KINDS: Final = {
    "activation": ("activations",),
    "loss": ("losses", "objectives"),
    "metric": ("metrics", "losses", "objectives"),
    "optimizer": ("optimizers",),
    "initializer": ("initializers", "initializations"),
    "regularizer": ("regularizers",),
    "constraint": ("constraints",),
}
#: What ``compile`` turns into a metric by the loss and the output.
_BY_TASK: Final = ("accuracy", "acc", "crossentropy", "ce")


def today(kind: str) -> set[str]:
    """The strings of the installed release."""
    found = set(_BY_TASK) if kind == "metric" else set()
    for module in KINDS[kind]:
        try:
            objects = importlib.import_module(f"keras.src.{module}").ALL_OBJECTS_DICT
        except ImportError:
            continue
        found.update(objects)
    return found


def before(kind: str, folders: list[Path]) -> set[str]:
    """The names that older releases may resolve."""
    return {
        spelled
        for folder in folders
        for module in KINDS[kind]
        for path in (*folder.rglob(f"{module}.py"), *folder.rglob(f"{module}/*.py"))
        for name in _names(path)
        for spelled in (name, name.lower(), snake_case(name))
    }


def snake_case(name: str) -> str:
    """``MeanSquaredError`` as ``mean_squared_error``."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


def _names(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            yield from (alias.asname or alias.name for alias in node.names if "." not in alias.name)
        elif isinstance(node, ast.Assign):
            yield from (target.id for target in node.targets if isinstance(target, ast.Name))
        elif isinstance(node, ast.Dict):
            yield from (key.value for key in node.keys if isinstance(key, ast.Constant) and isinstance(key.value, str))


def main(folders: list[Path]) -> None:
    """Write the table."""
    lines = []
    for kind in KINDS:
        now = today(kind)
        old = {name for name in before(kind, folders) - now if not name.startswith("_") and len(name) > 1}
        lines.append(f"{json.dumps(kind)}: {json.dumps({'today': sorted(now), 'before': sorted(old)})}")
    PATH.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    print(f"{PATH.name}: {len(KINDS)} kinds")


if __name__ == "__main__":
    main([Path(folder) for folder in sys.argv[1:]])
