"""What TensorFlow 1 programs import, on a TensorFlow 2: ``tf.compat.v1`` as ``tensorflow``, and data without files."""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace
from typing import Any

#: Names of the releases before 1.0 and what became of them.
OLD_NAMES = {
    "mul": "multiply", "sub": "subtract", "neg": "negative", "pack": "stack", "unpack": "unstack", "select": "where",
    "initialize_all_variables": "global_variables_initializer", "all_variables": "global_variables",
    "batch_matmul": "matmul", "scalar_summary": "summary.scalar", "histogram_summary": "summary.histogram",
    "merge_all_summaries": "summary.merge_all", "image_summary": "summary.image",
}  # fmt: skip


def install() -> None:
    """Let ``import tensorflow`` give the names of the first release."""
    import tensorflow as real
    import tensorflow.compat.v1 as v1

    v1.disable_v2_behavior()
    module = _Legacy("tensorflow")
    module.__path__ = real.__path__
    module.__spec__ = real.__spec__
    module.__dict__.update(v1.__dict__)
    module.__dict__.update({old: found for old, new in OLD_NAMES.items() if (found := _looked_up(v1, new)) is not None})
    module.real = real
    sys.modules["tensorflow"] = module
    _install_tutorials(module)
    _install_datasets(real)


class _Legacy(ModuleType):
    """``tensorflow`` with the names of its first release, then its own."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.__dict__["real"], name)


def _looked_up(module: Any, path: str) -> Any:
    for part in path.split("."):
        module = getattr(module, part, None)
    return module


def _install_tutorials(module: ModuleType) -> None:
    names = ("examples", "examples.tutorials", "examples.tutorials.mnist", "examples.tutorials.mnist.input_data")
    made = {name: ModuleType(f"tensorflow.{name}") for name in names}
    for name, inner in made.items():
        outer, _, last = name.rpartition(".")
        setattr(made[outer] if outer else module, last, inner)
        inner.__path__ = []  # type: ignore[attr-defined]
        sys.modules[f"tensorflow.{name}"] = inner
    data: Any = made[names[-1]]
    data.read_data_sets = read_data_sets
    sys.modules["input_data"] = data


def _install_datasets(real: Any) -> None:
    def images(*shape: int) -> Any:
        def load_data(*_: Any, **__: Any) -> Any:
            import numpy as np

            x, y = np.zeros((64, *shape), np.uint8), np.arange(64, dtype=np.uint8) % 10
            return (x, y), (x, y)

        return load_data

    for name, shape in (("mnist", (28, 28)), ("fashion_mnist", (28, 28)), ("cifar10", (32, 32, 3))):
        getattr(real.keras.datasets, name).load_data = images(*shape)


def read_data_sets(*_: Any, one_hot: bool = False, reshape: bool = True, **__: Any) -> Any:
    """The MNIST helper of the tutorials, with generated pictures."""
    parts = (Part(1000, one_hot, reshape), Part(200, one_hot, reshape), Part(200, one_hot, reshape))
    return SimpleNamespace(train=parts[0], validation=parts[1], test=parts[2])


class Part:
    """One part of a data set: pictures, labels, batches."""

    def __init__(self, count: int, one_hot: bool, reshape: bool) -> None:
        import numpy as np

        self.num_examples = count
        self.images = np.random.default_rng(0).random((count, 784) if reshape else (count, 28, 28, 1), np.float32)
        classes = np.arange(count) % 10
        self.labels = np.eye(10, dtype=np.float32)[classes] if one_hot else classes.astype(np.uint8)

    def next_batch(self, size: int, *_: Any, **__: Any) -> Any:
        """The first pictures and labels."""
        return self.images[:size], self.labels[:size]
