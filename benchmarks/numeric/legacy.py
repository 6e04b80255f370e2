"""What TensorFlow 1 programs import, on a TensorFlow 2: ``tf.compat.v1`` as ``tensorflow``, and data without files."""

from __future__ import annotations

import sys
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType, SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

from benchmarks.numeric import missing_data

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
    module.__dict__.update(real=real, __version__=AnyRelease(real.__version__))
    sys.modules["tensorflow"] = module
    _install_tutorials(module)
    _install_datasets(real)
    sys.meta_path.append(_Absent())
    sys.modules.update({name: _Anything(name) for name in HARNESS})
    module.contrib = _contrib(v1)  # type: ignore[attr-defined]
    for writer in (module.train, module.io):
        writer.write_graph = MagicMock()
    module.summary.FileWriter = module.train.SummaryWriter = MagicMock()
    missing_data.install()


class AnyRelease(str):
    """A version that equals whichever a program asserts."""

    __slots__ = ()
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, str)

    def __ne__(self, other: object) -> bool:
        return not self == other


class _Legacy(ModuleType):
    """``tensorflow`` with the names of its first release, then its own."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.__dict__["real"], name)


#: Packages that programs show or read pictures with, and that no graph depends on.
BESIDES = ("matplotlib", "cv2", "PIL", "skimage", "seaborn", "imageio", "tqdm", "progressbar", "pylab")


#: Modules of the studies themselves, which feed and watch a program that is trained.
HARNESS = ("scripts.utils.tf_utils",)


class _Absent(MetaPathFinder, Loader):
    """Stands in for packages of :data:`BESIDES` that are not installed."""

    def find_spec(self, name: str, *_: Any) -> ModuleSpec | None:
        return ModuleSpec(name, self, is_package=True) if name.partition(".")[0] in BESIDES else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return _Anything(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Nothing is in it."""


class _Anything(ModuleType):
    """A module every name of which does nothing."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return MagicMock(name=f"{self.__name__}.{name}")


def _contrib(v1: Any) -> Any:
    """Of what TensorFlow 2 has dropped, the functions that are the same as others or one line long."""
    layers = SimpleNamespace(
        l2_regularizer=lambda scale: lambda weights: scale * v1.nn.l2_loss(weights),
        xavier_initializer=v1.glorot_uniform_initializer,
        variance_scaling_initializer=v1.variance_scaling_initializer,
        flatten=lambda x: v1.reshape(x, [-1, x.shape[1:].num_elements()]),
    )
    rnn = SimpleNamespace(**vars(v1.nn.rnn_cell), static_rnn=v1.nn.static_rnn)
    return SimpleNamespace(layers=layers, rnn=rnn, keras=v1.keras)


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

            x, y = np.zeros((1000, *shape), np.uint8), (np.arange(1000) % 10).astype(np.uint8)
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
