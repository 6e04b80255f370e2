"""How a file names a library object."""

from pathlib import Path

import pytest

from dllint.fixes.imports import name_for
from dllint.source.document import Document

from .conftest import applied


def named(source: str, qualified: str) -> tuple[str, str]:
    document = Document.from_text(Path("a.py"), source)
    name, edits = name_for(document, qualified)
    return name, applied(source, edits)


@pytest.mark.parametrize(
    ("source", "qualified", "name"),
    [
        ("import torch\n", "torch.nn.functional.relu", "torch.nn.functional.relu"),
        ("import torch\nimport torch.nn.functional as F\n", "torch.nn.functional.relu", "F.relu"),
        ("from torch import nn, optim\n", "torch.nn.ModuleList", "nn.ModuleList"),
        ("from torch.nn import functional\n", "torch.nn.functional.relu", "functional.relu"),
        ("import torch.nn as N\n", "torch.nn.functional.relu", "N.functional.relu"),
        ("from torch.nn import ModuleList as ML\n", "torch.nn.ModuleList", "ML"),
        ("from torch.nn import *\n", "torch.nn.ModuleList", "ModuleList"),
        ("import torch.nn\n", "torch.nn.ModuleList", "torch.nn.ModuleList"),
        ("import tensorflow as tf\n", "keras.layers.Flatten", "tf.keras.layers.Flatten"),
        ("from tensorflow import keras\n", "keras.layers.Flatten", "keras.layers.Flatten"),
        ("from tensorflow.keras import layers as L\n", "keras.layers.Flatten", "L.Flatten"),
        ("from keras.layers import Dense, Flatten\n", "keras.layers.Flatten", "Flatten"),
        ("try:\n    import numpy as np\nexcept ImportError:\n    np = None\n", "numpy.exp", "np.exp"),
    ],
)
def test_an_import_of_the_file_is_used(source, qualified, name):
    assert named(source, qualified) == (name, source)


@pytest.mark.parametrize(
    ("source", "qualified", "name", "expected"),
    [
        ("import os\nx = 1\n", "torch.nn.functional.relu", "F.relu", "import os\nimport torch.nn.functional as F\nx = 1\n"),
        ("F = 1\n", "torch.nn.functional.relu", "torch.nn.functional.relu", "import torch.nn.functional\nF = 1\n"),
        ('"""Doc."""\nx = 1', "torch.nn.ModuleList", "nn.ModuleList", '"""Doc."""\nfrom torch import nn\nx = 1'),
        (
            "from __future__ import annotations\r\n",
            "numpy.exp",
            "np.exp",
            "from __future__ import annotations\r\nimport numpy as np\r\n",
        ),
        ("from . import torch\n", "torch.cat", "torch.cat", "from . import torch\nimport torch\n"),
        ("# license\n\nx = 1\n", "keras.layers.Flatten", "layers.Flatten", "# license\n\nfrom keras import layers\nx = 1\n"),
        ("import os", "einops.rearrange", "einops.rearrange", "import os\nimport einops"),
        ("", "torch.cat", "torch.cat", "import torch\n"),
    ],
)
def test_an_import_is_added(source, qualified, name, expected):
    assert named(source, qualified) == (name, expected)


@pytest.mark.parametrize(
    ("source", "through", "name"),
    [
        ("import torch\nimport torch as t\n{}\n", "torch", "torch.outer"),
        ("import torch as t\nimport torch\n{}\n", "torch", "torch.outer"),
        ("import torch as t\n{}\nimport torch\n", "torch", "t.outer"),
        ("from torch import ger\nimport torch as t\n{}\n", "ger", "t.outer"),
    ],
)
def test_an_import_before_the_use_is_used_and_that_of_the_use_first(source, through, name):
    text = source.format("f(x)")
    document = Document.from_text(Path("a.py"), text)
    assert name_for(document, "torch.outer", text.index("f(x)"), through) == (name, ())


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("f(x)\nimport torch\n", "import torch\nf(x)\nimport torch\n"),
        ("import math\nf(x)\nimport torch as t\n", "import math\nimport torch\nf(x)\nimport torch as t\n"),
        (
            "import math\n\n\ndef g(x):\n    f(x)\n\n\nimport os\n",
            "import math\nimport torch\n\n\ndef g(x):\n    f(x)\n\n\nimport os\n",
        ),
    ],
)
def test_an_import_is_added_before_the_use(source, expected):
    document = Document.from_text(Path("a.py"), source)
    name, edits = name_for(document, "torch.outer", source.index("f(x)"))
    assert (name, applied(source, edits)) == ("torch.outer", expected)
