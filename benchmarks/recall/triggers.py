"""Run the authored programs that have a trigger, and tell which give numbers that are not finite.

python -m benchmarks.recall.triggers [NAME]

A pair of programs with a ``trigger.py`` is a numerical fault and its repair. The trigger's ``run(program)`` gives what a faulty
program computes from an input of its own domain: values and gradients. The faulty program must show NaN or infinity among
them and the repaired one must not. Needs TensorFlow; nothing that dllint does depends on it.
"""

from __future__ import annotations

import json
import os
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

PROGRAMS = Path(__file__).parent / "authored"


def main() -> None:
    """Print one JSON object: by name of the pair, whether the faulty and the repaired program stay finite."""
    os.environ.setdefault("KERAS_BACKEND", "tensorflow")
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    wanted = sys.argv[1] if len(sys.argv) > 1 else ""
    print(json.dumps({folder.name: stays_finite(folder) for folder in folders() if wanted in folder.name}, indent=1))


def folders() -> list[Path]:
    """The pairs that have a trigger."""
    return sorted(path.parent for path in PROGRAMS.glob("*/trigger.py"))


def stays_finite(folder: Path) -> dict[str, bool]:
    """Whether all that a trigger gets from each of the two programs is finite."""
    import numpy as np

    trigger = load(folder / "trigger.py")
    results = {name: trigger.run(load(folder / f"{name}.py")) for name in ("buggy", "fixed")}
    return {name: all(bool(np.isfinite(np.asarray(value)).all()) for value in values) for name, values in results.items()}


def load(path: Path) -> ModuleType:
    """A program, executed as a module that is imported."""
    spec = spec_from_file_location(f"{path.parent.name}_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    main()
