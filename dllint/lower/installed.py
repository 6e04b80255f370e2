"""Installed packages: which of them are followed in their source, and the work that this may take.

What a table describes is taken from the table. Everything else of a package that the environment holds is executed like the
user's own code, on demand, with fuel of its own, so that what is left for the user's code does not depend on it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from dllint.frameworks import registry
from dllint.source.prefilter import HARMLESS

if TYPE_CHECKING:
    from pathlib import Path

    from dllint.lower.options import Options
    from dllint.lower.state import Budget
    from dllint.source.document import Document
    from dllint.source.workspace import Files

#: Libraries of which tables describe single names, and the source says the rest.
_BOTH: Final = frozenset({"transformers"})
#: Packages that compute in compiled code, or nothing that tensors come from.
_COMPILED: Final = frozenset({
    "IPython", "PIL", "albumentations", "cupy", "cython", "dask", "google", "h5py", "imageio", "jax", "jaxlib", "joblib",
    "mlflow", "mpmath", "nltk", "numba", "numexpr", "onnx", "onnxruntime", "openpyxl", "plotly", "pyarrow", "ray", "scipy",
    "skimage", "spacy", "statsmodels", "sympy", "tables", "tensorboard", "tensorboardX", "tokenizers", "triton", "wandb",
    "xgboost", "zmq",
})  # fmt: skip
#: Libraries of configurations and command lines, whose few functions stand in ``natives``.
_CONFIGURATION: Final = frozenset({
    "addict", "box", "dotmap", "draccus", "easydict", "fire", "hydra", "ml_collections", "munch", "omegaconf", "pyrallis",
    "simple_parsing", "tyro",
})  # fmt: skip
_INIT: Final = "__init__.py"
_NOT_READ: Final = (HARMLESS | _COMPILED | _CONFIGURATION | registry.ROOMS.keys()) - _BOTH


def is_read(module: str) -> bool:
    """Whether the source of a module is followed if its package is installed."""
    return module.partition(".")[0] not in _NOT_READ


def holds(workspace: Files | None, path: Path) -> bool:
    """Whether a file belongs to an installed package."""
    return workspace is not None and workspace.is_installed(path)


@lru_cache(maxsize=2048)
def qualified(path: Path) -> str:
    """The dotted name of a module file by the packages around it."""
    parts = [] if path.name == _INIT else [path.stem]
    folder = path.parent
    while os.path.exists(folder / _INIT):
        parts.insert(0, folder.name)
        folder = folder.parent
    return ".".join(parts)


def is_full(options: Options, imported: Iterable[Path], workspace: Files | None, path: Path) -> bool:
    """Whether so many modules have been imported that a file is not; those of installed packages are counted for themselves."""
    is_installed = holds(workspace, path)
    loaded = sum(holds(workspace, known) is is_installed for known in imported)
    return loaded > (options.installed_modules if is_installed else options.imported_modules)


@contextmanager
def spending(budget: Budget, workspace: Files | None, document: Document | None) -> Iterator[None]:
    """Inside, what is executed is paid from what installed packages may take if a document is of one, until code of one is
    left again."""
    if budget.in_installed or document is None or not holds(workspace, document.path):
        yield
        return
    own, budget.fuel, budget.in_installed = budget.fuel, budget.installed_fuel, True
    try:
        yield
    finally:
        budget.installed_fuel, budget.fuel, budget.in_installed = budget.fuel, own, False


def import_fuel(options: Options, budget: Budget, *, is_installed: bool) -> tuple[int, int]:
    """How many statements may be executed to get one imported name, and how many are left for all of that kind."""
    if is_installed:
        return options.installed_import_fuel, budget.installed_import_fuel
    return options.import_fuel, budget.import_fuel


def unroll(options: Options, budget: Budget) -> int:
    """The iterations of one loop that are executed one by one. Installed packages loop over the tables of what they know."""
    return options.installed_unroll if budget.in_installed else options.unroll


def decorator_fuel(options: Options, budget: Budget) -> int:
    """How many statements may be executed to apply one decorator. Those of installed packages fill tables."""
    return options.installed_import_fuel if budget.in_installed else options.decorator_fuel
