"""The examples in the docstrings of libraries, as programs."""

from __future__ import annotations

import doctest
import importlib
import inspect
import random
import re
from collections.abc import Iterable, Iterator
from types import ModuleType
from typing import Any, Final

from benchmarks.raises.running import limited, silent

#: Modules whose docstrings are read, with what their examples take for granted.
_NUMPY: Final = "import numpy as np\n"
_TORCH: Final = "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\nfrom torch import optim\n"
_KERAS: Final = "import numpy as np\nimport keras\nfrom keras import layers, ops\n"
_TENSORFLOW: Final = "import numpy as np\nimport tensorflow as tf\n"
MODULES: Final = {
    "collections": "from collections import *\n", "itertools": "from itertools import *\n",
    "functools": "from functools import *\n", "enum": "from enum import *\n", "dataclasses": "from dataclasses import *\n",
    "pathlib": "from pathlib import *\n", "statistics": "from statistics import *\n",
    "fractions": "from fractions import Fraction\n", "random": "import random\n", "textwrap": "import textwrap\n",
    "difflib": "from difflib import *\n", "heapq": "from heapq import *\n", "copy": "import copy\n", "numpy": _NUMPY,
    "numpy.linalg": _NUMPY, "numpy.fft": _NUMPY, "numpy.ma": _NUMPY, "numpy.random": _NUMPY, "numpy.char": _NUMPY,
    "numpy.lib.stride_tricks": _NUMPY, "numpy.polynomial.polynomial": _NUMPY, "torch": _TORCH, "torch.nn": _TORCH,
    "torch.nn.functional": _TORCH, "torch.nn.utils": _TORCH, "torch.nn.utils.rnn": _TORCH, "torch.nn.init": _TORCH,
    "torch.nn.utils.parametrize": _TORCH, "torch.nn.utils.parametrizations": _TORCH, "torch.nn.utils.prune": _TORCH,
    "torch.linalg": _TORCH, "torch.fft": _TORCH, "torch.special": _TORCH, "torch.optim": _TORCH,
    "torch.optim.lr_scheduler": _TORCH, "torch.distributions": _TORCH, "torch.utils.data": _TORCH, "torch.autograd": _TORCH,
    "torch.autograd.functional": _TORCH, "torch.func": _TORCH, "torch.Tensor": _TORCH, "torch.sparse": _TORCH,
    "torch.amp": _TORCH, "torch.nn.parallel": _TORCH, "torch.utils.checkpoint": _TORCH, "torch.nested": _TORCH,
    "torch.optim.swa_utils": _TORCH, "keras": _KERAS, "keras.layers": _KERAS, "keras.ops": _KERAS, "keras.losses": _KERAS,
    "keras.metrics": _KERAS, "keras.optimizers": _KERAS, "keras.utils": _KERAS, "keras.initializers": _KERAS,
    "keras.callbacks": _KERAS, "keras.activations": _KERAS, "keras.random": _KERAS, "keras.regularizers": _KERAS,
    "keras.tree": _KERAS, "tensorflow": _TENSORFLOW, "tensorflow.math": _TENSORFLOW, "tensorflow.nn": _TENSORFLOW,
    "tensorflow.linalg": _TENSORFLOW, "tensorflow.data": _TENSORFLOW, "tensorflow.strings": _TENSORFLOW,
    "tensorflow.image": _TENSORFLOW, "tensorflow.random": _TENSORFLOW, "tensorflow.ragged": _TENSORFLOW,
    "tensorflow.sparse": _TENSORFLOW, "tensorflow.signal": _TENSORFLOW,
    "einops": "import numpy as np\nimport torch\nfrom einops import *\n",
    "pandas": "import numpy as np\nimport pandas as pd\n",
}  # fmt: skip
#: Examples that write files, ask the network, start processes or need a GPU.
_LEFT_OUT: Final = re.compile(
    r"\b(?:open|save\w*|export\w*|to_csv|to_\w+_file|download|load_data|get_file|Process|spawn|distributed|hub|cuda|dump|input|"
    r"tofile|memmap|Thread|exit|fit|ProcessPool\w*|compile|multiprocessing|num_workers|plt|to_json|to_excel|to_pickle|tmp\w*)\b"
)


def programs(seed: int, modules: Iterable[str] = MODULES) -> Iterator[str]:
    """The examples of one docstring each, in random order; what raises is left out, and what uses it."""
    found = list(_examples(modules))
    random.Random(seed).shuffle(found)
    for header, parts in found:
        yield _running(header, parts)


def _examples(modules: Iterable[str]) -> Iterator[tuple[str, list[str]]]:
    seen: set[str] = set()
    parser = doctest.DocTestParser()
    for name in modules:
        for text in _docstrings(_module(name)):
            if text in seen:
                continue
            seen.add(text)
            try:
                parts = [example.source for example in parser.get_examples(text) if example.exc_msg is None]
            except ValueError:
                continue
            if parts and not _LEFT_OUT.search("".join(parts)):
                yield MODULES[name], parts


def _module(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        home, _, last = name.rpartition(".")
        return getattr(importlib.import_module(home), last)


def _docstrings(owner: Any) -> Iterator[str]:
    """The docstrings of a module's or class's public members, and of the methods of the classes among them."""
    for name in sorted(vars(owner)):
        member = getattr(owner, name, None)
        if name.startswith("_") or isinstance(member, ModuleType):
            continue
        yield from _docstring(member)
        if inspect.isclass(member):
            for inner, value in vars(member).items():
                if not inner.startswith("_"):
                    yield from _docstring(value)


def _docstring(member: object) -> Iterator[str]:
    text = getattr(member, "__doc__", None)
    if isinstance(text, str) and ">>>" in text:
        yield inspect.cleandoc(text)


def _running(header: str, parts: list[str]) -> str:
    known: dict[str, Any] = {"__name__": "__main__"}
    exec(header, known)
    lines = [header]
    for part in parts:
        try:
            with silent(), limited():
                exec(compile(part, "example", "exec"), known)
        except (Exception, SystemExit):
            continue
        lines.append(part if part.endswith("\n") else part + "\n")
    return "".join(lines)
