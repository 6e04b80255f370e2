"""Write ``frameworks/history/torchvision-weights.json``: which weights ``pretrained=True`` of torchvision's builders means.

    python -m dllint.dev.legacy_weights

The sources of the installed release are read, not run: each builder has a decorator that names its old keywords with the
weights that they stand for. A builder whose weights depend on other arguments has an empty name.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Final

PATH: Final = Path(__file__).parents[1] / "frameworks" / "history" / "torchvision-weights.json"
_DECORATOR: Final = "handle_legacy_interface"


def rows(package: Path) -> Iterator[tuple[str, dict[str, list[str]]]]:
    """Each builder below ``torchvision.models`` with its old keywords: the new keyword, and the name of the weights."""
    for path in sorted((package / "models").rglob("*.py")):
        module = ".".join(path.relative_to(package).with_suffix("").parts)
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and (found := _old_keywords(node)):
                yield f"{module}.{node.name}", found


def _old_keywords(function: ast.FunctionDef) -> dict[str, list[str]]:
    for decorator in function.decorator_list:
        if isinstance(decorator, ast.Call) and isinstance(decorator.func, ast.Name) and decorator.func.id == _DECORATOR:
            return dict(row for keyword in decorator.keywords if (row := _row(keyword)) is not None)
    return {}


def _row(keyword: ast.keyword) -> tuple[str, list[str]] | None:
    pair = keyword.value
    if keyword.arg is None or not isinstance(pair, ast.Tuple) or len(pair.elts) != 2:
        return None
    old, weights = pair.elts
    if not isinstance(old, ast.Constant):
        return None
    return str(old.value), [keyword.arg, weights.attr if isinstance(weights, ast.Attribute) else ""]


def main() -> None:
    """Write the file."""
    spec = find_spec("torchvision")
    if spec is None or spec.origin is None:
        raise SystemExit("torchvision is not installed")
    found = dict(rows(Path(spec.origin).parent))
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(row)}" for name, row in found.items())
    PATH.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
    print(f"{PATH.name}: {len(found)} builders")


if __name__ == "__main__":
    main()
