"""Write ``dllint/frameworks/history/public-names.json``: what the modules of the installed libraries that people import have.

    KERAS_BACKEND=torch python -m dllint.dev.public_names

Names below a module are its attributes and its submodules, those that are not public included: a name that is in the table is
never called misspelt.
"""

from __future__ import annotations

import importlib
import json
import pkgutil
from pathlib import Path
from typing import Final

PATH: Final = Path(__file__).parents[1] / "frameworks" / "history" / "public-names.json"
#: Modules, and classes, whose own objects have no further attributes but those that their constructors set.
MODULES: Final = (
    "torch", "torch.nn", "torch.nn.functional", "torch.nn.init", "torch.nn.utils", "torch.nn.utils.rnn", "torch.optim",
    "torch.optim.lr_scheduler", "torch.utils.data", "torch.autograd", "torch.linalg", "torch.fft",
    "torch.Tensor", "torch.nn.Module", "torch.optim.Optimizer", "torch.optim.lr_scheduler.LRScheduler",
    "keras.layers", "keras.optimizers", "keras.losses", "keras.metrics", "keras.callbacks", "keras.models", "keras.utils",
    "keras.activations", "keras.initializers", "keras.regularizers", "keras.applications", "keras.ops",
    "tensorflow", "tensorflow.nn", "tensorflow.math", "tensorflow.random", "tensorflow.image", "tensorflow.linalg",
    "tensorflow.data", "tensorflow.train",
)  # fmt: skip


#: Class → the attributes that its constructor sets.
SET: Final = {
    "torch.nn.Module": ("training",), "torch.optim.Optimizer": ("param_groups", "state", "defaults"),
    "torch.optim.lr_scheduler.LRScheduler": ("optimizer", "base_lrs", "last_epoch", "verbose"),
}  # fmt: skip


def names(module: str) -> list[str]:
    """The names below a module, without those with two leading underscores."""
    home, _, name = module.rpartition(".")
    value = getattr(importlib.import_module(home), name) if name[:1].isupper() else importlib.import_module(module)
    below = (part.name for part in pkgutil.iter_modules(getattr(value, "__path__", ())))
    return sorted(name for name in {*dir(value), *below, *SET.get(module, ())} if not name.startswith("__"))


def main() -> None:
    """Write the table, one module a line."""
    lines = ",\n".join(f"{json.dumps(module)}: {json.dumps(names(module))}" for module in MODULES)
    PATH.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
    print(f"{PATH.name}: {len(MODULES)} modules")


if __name__ == "__main__":
    main()
