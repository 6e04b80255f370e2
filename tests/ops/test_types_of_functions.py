"""Every modelled function of one tensor, by its shape, element type and range for operands of each type, against a run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module

import pytest

from benchmarks.differential.claims import claims
from benchmarks.differential.comparing import compared
from benchmarks.differential.running import run
from dllint.frameworks import registry
from dllint.frameworks.machine import HANDLERS

for _name in ("torch", "keras", "tensorflow"):
    pytest.importorskip(_name)
pytestmark = pytest.mark.oracle

#: Functions of files, devices, threads, and the state of the library.
_SKIPPED = re.compile("save|load|seed|print|file|set_|get_|from_|device|thread|default|compile|_assert|manual|info|memmap")
#: How programs write a module, with the statement that imports it and a tensor of it.
_LIBRARIES = {
    "torch": ("torch", "import torch", "torch.ones({shape}, dtype=torch.{dtype})"),
    "torch.nn.functional": ("torch.nn.functional", "import torch", "torch.ones({shape}, dtype=torch.{dtype})"),
    "torch.linalg": ("torch.linalg", "import torch", "torch.ones({shape}, dtype=torch.{dtype})"),
    "keras.ops": ("keras.ops", "import keras", "keras.ops.ones({shape}, dtype='{dtype}')"),
    "numpy": ("np", "import numpy as np", "np.ones({shape}, dtype=np.{dtype})"),
    "tensorflow": ("tf", "import tensorflow as tf", "tf.ones({shape}, dtype=tf.{dtype})"),
    "tensorflow.math": ("tf.math", "import tensorflow as tf", "tf.ones({shape}, dtype=tf.{dtype})"),
    "tensorflow.linalg": ("tf.linalg", "import tensorflow as tf", "tf.ones({shape}, dtype=tf.{dtype})"),
    "tensorflow.nn": ("tf.nn", "import tensorflow as tf", "tf.ones({shape}, dtype=tf.{dtype})"),
    "tensorflow.image": ("tf.image", "import tensorflow as tf", "tf.ones({shape}, dtype=tf.{dtype})"),
}
_TYPES = ("float32", "float64", "int64", "uint8", "bool", "complex64")
#: Modules of fewer functions than so many are asked with all types, others with every second one.
_FEW = 20


def _modelled(module: str) -> Iterator[str]:
    """The functions of a module that dllint has a row or a handler for."""
    library = import_module(module)
    registry.load(f"{module}.x")
    for name in sorted(dir(library)):
        function = getattr(library, name)
        if name.startswith("_") or not callable(function) or isinstance(function, type) or _SKIPPED.search(name):
            continue
        if f"{module}.{name}" in HANDLERS or registry.function_row(f"{module}.{name}") is not None:
            yield name


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("module", _LIBRARIES)
def test_functions_of_one_tensor(module: str) -> None:
    written, imported, made = _LIBRARIES[module]
    shape = (1, 3, 4, 3) if module == "tensorflow.image" else (3, 4)
    wrong, compared_with = [], 0
    names = list(_modelled(module))
    for place, name in enumerate(names):
        for dtype in _TYPES if len(names) < _FEW else _TYPES[place % 2 :: 2]:
            named = f"{dtype}_" if (module, dtype) == ("numpy", "bool") else dtype
            text = f"{imported}\nx = {made.format(shape=shape, dtype=named)}\ny = {written}.{name}(x)\n"
            observed = run(text)
            if observed.lost or observed.raised is not None:
                continue
            compared_with += 1
            verdict = compared(claims(text), observed)
            wrong += [f"{written}.{name} of {dtype}: {one.kind} {one.claimed}, not {one.seen}"
                      for one in (*verdict.wrong, *verdict.false_errors)]  # fmt: skip
    assert compared_with > 5
    assert wrong == []
