"""Make the table of what TensorFlow's own upgrade tables make of names that the history of its releases says nothing of, and of
names that ``compat.v1`` lacks, too.

    TF_USE_LEGACY_KERAS=1 python -m dllint.dev.upgrades

It runs the installed TensorFlow, with ``tf_keras``, which parts of ``compat.v1`` come from: its tables say what a name has
become, and each successor is looked up. Names whose arguments those tables rewrite, reorder or warn of are left out.
"""

from __future__ import annotations

import json
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from dllint.frameworks.history.record import history

FOLDER: Final = Path(__file__).parents[1] / "frameworks" / "history"
_PREFIX: Final = "tf."
#: Names of another package, which has rules of its own; aliases that the upgrade tables use for ``contrib.``.
_FOREIGN: Final = ("keras.", "contrib_")


def reach(module: ModuleType, path: str) -> object:
    """The object under a name; ``None`` if there is none."""
    found: object = module
    for part in path.split("."):
        try:
            found = getattr(found, part)
        except Exception:
            return None
    return found


def table(tensorflow: ModuleType, changes: Any) -> dict[str, str]:
    """Name → its successor, both without the leading ``tensorflow.``."""
    rows: dict[str, str] = {}
    special = {
        *changes.function_transformers, *changes.function_warnings, *changes.function_reorders,
        *changes.function_keyword_renames,
    }  # fmt: skip
    for old, new in sorted(changes.symbol_renames.items()):
        before, after = old.removeprefix(_PREFIX), new.removeprefix(_PREFIX)
        if old in special or new in special or before.startswith(_FOREIGN) or after.startswith(_FOREIGN):
            continue
        is_reached = reach(tensorflow.compat.v1, before) is not None and history("tensorflow").lacking(before) is not None
        if not is_reached and reach(tensorflow, before) is None and reach(tensorflow, after) is not None:
            rows[before] = after
    return rows


def main() -> None:
    """Write the table."""
    import tensorflow
    from tensorflow.tools.compatibility import tf_upgrade_v2

    rows = table(tensorflow, tf_upgrade_v2.TFAPIChangeSpec())
    path = FOLDER / "tensorflow-upgrades.json"
    path.write_text(json.dumps(rows, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    print(f"{path.name}: {len(rows)} names")


if __name__ == "__main__":
    main()
