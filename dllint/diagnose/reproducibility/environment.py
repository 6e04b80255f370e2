"""Versions, hardware, environment variables, and the settings of frameworks that change numbers."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from dllint import __version__

_PACKAGES: Final = (
    "torch",
    "torchvision",
    "torchaudio",
    "keras",
    "tensorflow",
    "jax",
    "jaxlib",
    "numpy",
    "scipy",
    "pandas",
    "sklearn",
    "lightning",
    "pytorch_lightning",
    "transformers",
    "accelerate",
    "datasets",
    "timm",
    "torchmetrics",
    "triton",
)
_VARIABLES: Final = (
    "CUBLAS_WORKSPACE_CONFIG",
    "CUDA_LAUNCH_BLOCKING",
    "CUDA_VISIBLE_DEVICES",
    "KERAS_BACKEND",
    "MKL_CBWR",
    "MKL_NUM_THREADS",
    "NVIDIA_TF32_OVERRIDE",
    "OMP_NUM_THREADS",
    "PYTHONHASHSEED",
    "PYTORCH_CUDA_ALLOC_CONF",
    "TF_CUDNN_DETERMINISTIC",
    "TF_DETERMINISTIC_OPS",
    "TF_ENABLE_ONEDNN_OPTS",
    "TF_XLA_FLAGS",
    "WORLD_SIZE",
    "XLA_FLAGS",
)


def versions() -> Mapping[str, str]:
    """Of dllint and of the packages that the program has imported, and of CUDA and cuDNN where torch uses them."""
    found = {"dllint": __version__} | {name: _version(name) for name in _PACKAGES if name in sys.modules}
    torch = sys.modules.get("torch")
    if torch is not None and torch.version.cuda:
        found["cuda"] = str(torch.version.cuda)
        if torch.cuda.is_initialized() and torch.backends.cudnn.is_available():
            found["cudnn"] = str(torch.backends.cudnn.version())
    return found


def hardware() -> Mapping[str, str]:
    """Processor, memory, accelerators, and the threads that frameworks compute with."""
    found = {
        "machine": platform.machine(),
        "system": platform.platform(),
        "processor": _processor(),
        "cores": str(os.cpu_count()),
        "memory": _memory(),
    }
    torch = sys.modules.get("torch")
    if torch is not None:
        found["threads"] = str(torch.get_num_threads())
        if torch.cuda.is_available() and torch.cuda.is_initialized():
            names = [torch.cuda.get_device_name(index) for index in range(torch.cuda.device_count())]
            found["gpus"] = ", ".join(names)
    tensorflow = sys.modules.get("tensorflow")
    if tensorflow is not None:
        found["tensorflow threads"] = str(tensorflow.config.threading.get_intra_op_parallelism_threads())
        devices = tensorflow.config.list_logical_devices("GPU")
        found |= {"tensorflow gpus": str(len(devices))} if devices else {}
    return found


def variables() -> Mapping[str, str]:
    """Environment variables that change how frameworks compute."""
    return {name: os.environ[name] for name in _VARIABLES if name in os.environ}


def settings() -> Mapping[str, str]:
    """Settings within the frameworks that change numbers, or whether they repeat."""
    found: dict[str, str] = {}
    for name, read in _SETTINGS.items():
        module = sys.modules.get(name)
        if module is not None:
            found |= {f"{name}: {key}": str(value) for key, value in read(module).items()}
    return found


def _torch(torch: ModuleType) -> Mapping[str, Any]:
    return {
        "deterministic algorithms": torch.are_deterministic_algorithms_enabled(),
        "cudnn.benchmark": torch.backends.cudnn.benchmark,
        "cudnn.deterministic": torch.backends.cudnn.deterministic,
        "float32 matmul precision": torch.get_float32_matmul_precision(),
        "default dtype": str(torch.get_default_dtype()).removeprefix("torch."),
    }


def _keras(keras: ModuleType) -> Mapping[str, Any]:
    policy = keras.config.dtype_policy()
    return {"backend": keras.config.backend(), "dtype policy": policy.name, "image format": keras.config.image_data_format()}


def _tensorflow(tensorflow: ModuleType) -> Mapping[str, Any]:
    return {"deterministic operations": sys.modules["tensorflow.python.framework.config"].is_op_determinism_enabled()}


_SETTINGS: Final = {"torch": _torch, "keras": _keras, "tensorflow": _tensorflow}


def _version(name: str) -> str:
    version = getattr(sys.modules[name], "__version__", None)
    if version is None:
        distributions = metadata.packages_distributions().get(name, [])
        version = metadata.version(distributions[0]) if distributions else "unknown"
    return str(version)


def _processor() -> str:
    try:
        rows = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        rows = []
    models = [row.partition(":")[2].strip() for row in rows if row.startswith("model name")]
    return models[0] if models else platform.processor() or "unknown"


def _memory() -> str:
    """The machine's memory in MiB."""
    try:
        return f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') >> 20} MiB"
    except (AttributeError, OSError, ValueError):
        return "unknown"
