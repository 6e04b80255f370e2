"""The import prefilter: it must never skip what may matter."""

import pytest

from dllint.source.prefilter import Relevance, relevance


@pytest.mark.parametrize(
    "text",
    [
        "import torch\n",
        "import os, torch.nn as nn\n",
        "from torch.nn import functional as F\n",
        "try:\n    import keras\nexcept ImportError: keras = None\n",
        "try: import tensorflow as tf\nexcept ImportError: pass\n",
        "x = 1; import torch\n",
        "from keras import (\n    layers,\n)\n",
        "def f():\n\tfrom einops import rearrange\n",
        "import os\r\nimport torch\r\n",
        "# a word\rimport torch\r",
        "x = 1\r\rfrom torch import nn\r",
        "from timm.models import create_model",
        "\fimport torch\n",
        "x = 1\n\f\nfrom\ftorch\fimport nn\n",
    ],
)
def test_a_framework_import_matters(text):
    assert relevance(text) is Relevance.YES


@pytest.mark.parametrize(
    "text",
    [
        "from . import layers\n",
        "from .layers import Net\n",
        "from ..core import nn\n",
        "from.core import nn\n",
        "import my_models\n",
        "from project.nn import *\n",
        "import os, \\\n    torch\n",
        "from \\\n    torch import nn\n",
        "nn = __import__('torch').nn\n",
        "import importlib\nnn = importlib.import_module(name)\n",
        "import numpy as np\n",
    ],
)
def test_what_may_reach_a_framework_is_not_skipped(text):
    assert relevance(text) is not Relevance.NO


@pytest.mark.parametrize(
    "text",
    ["", "x = 1\n", "import os, sys\nfrom pathlib import Path\n", "import yaml\n# import torch\n", "torch = 'import torch'\n"],
)
def test_other_files_are_skipped(text):
    assert relevance(text) is Relevance.NO


def test_known_project_modules_are_the_callers_to_name():
    assert relevance("import tables\n") is Relevance.MAYBE
    assert relevance("import tables\n", frozenset({"tables"})) is Relevance.NO
