"""What a run depends on besides its source: versions, hardware, seeds, arguments."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Mapping
from typing import Any, Final

from dllint.diagnose.launch import Program
from dllint.diagnose.records import Reproducibility

_PACKAGES: Final = ("torch", "keras", "tensorflow", "jax", "numpy", "lightning", "transformers", "accelerate", "torchvision")
_VARIABLES: Final = (
    "CUDA_VISIBLE_DEVICES",
    "CUBLAS_WORKSPACE_CONFIG",
    "KERAS_BACKEND",
    "OMP_NUM_THREADS",
    "PYTHONHASHSEED",
    "TF_DETERMINISTIC_OPS",
    "WORLD_SIZE",
)


def reproducibility(program: Program) -> Reproducibility:
    """The record of this process as it is now; only packages that the program has imported count."""
    return Reproducibility(
        command=(*(("-m",) if program.is_module else ()), program.target, *program.arguments),
        python=platform.python_version(),
        versions={name: _version(name) for name in _PACKAGES if name in sys.modules},
        hardware=_hardware(),
        seeds=_seeds(),
        environment={name: os.environ[name] for name in _VARIABLES if name in os.environ},
    )


def _version(name: str) -> str:
    return str(getattr(sys.modules[name], "__version__", "unknown"))


def _hardware() -> Mapping[str, str]:
    found = {"machine": platform.machine(), "system": platform.system(), "cpus": str(os.cpu_count())}
    cuda = _attribute("torch", "cuda")
    if cuda is not None and cuda.is_available() and cuda.is_initialized():
        found["gpu"] = str(cuda.get_device_name())
    return found


def _seeds() -> Mapping[str, str]:
    """The seeds that frameworks still know."""
    initial = _attribute("torch", "initial_seed")
    return {"torch": str(initial())} if initial is not None else {}


def _attribute(module: str, name: str) -> Any:
    return getattr(sys.modules.get(module), name, None)
