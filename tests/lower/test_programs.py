"""Traced programs of model code, in their text form."""

from __future__ import annotations

import textwrap
from pathlib import Path

from dllint.domains.lattice import Unknown
from dllint.ir import events
from dllint.lower.document import lower_document
from dllint.lower.options import Options
from dllint.source.document import Document
from dllint.source.workspace import Workspace
from tests.lower.tracing import ir, lower, ops, program, values

NET = """
    import torch
    from torch import nn
    import torch.nn.functional as F
"""


def test_module_and_call():
    source = (
        NET
        + """
    class Net(nn.Module):
        def __init__(self, classes=10):
            super().__init__()
            self.conv = nn.Conv2d(3, 6, kernel_size=5)
            self.fc = nn.Linear(6 * 14 * 14, classes)
        def forward(self, x):
            x = F.max_pool2d(self.conv(x).relu(), 2)
            return self.fc(x.view(x.size(0), -1))
    y = Net()(torch.randn(4, 3, 32, 32))
    """
    )
    assert ir(source) == textwrap.dedent("""\
        program <module>()
          %1: f32[4, 3, 32, 32] = randn(shape=(4, 3, 32, 32))
          %2: f32[4, 6, 28, 28] = conv(%1, in_channels=3, out_channels=6, kernel_size=5, spatial=2)
          %3: f32[4, 6, 28, 28] = relu(%2)
          %4: f32[4, 6, 14, 14] = max_pool(%3, kernel_size=2, spatial=2)
          %5: f32[4, 1176] = view(%4, shape=(4, -1))
          %6: f32[4, 10] = linear(%5, in_features=1176, out_features=10)""")


def test_an_uncalled_model_is_run_on_an_input_its_first_layer_demands():
    source = (
        NET
        + """
    class Net(nn.Module):
        def __init__(self, width, depth: int = 2):
            super().__init__()
            self.first = nn.Conv2d(3, width, 3, padding=1)
            self.blocks = nn.ModuleList([nn.Conv2d(width, width, 3, padding=1) for _ in range(depth)])
        def forward(self, x):
            x = self.first(x)
            for block in self.blocks:
                x = x + block(x)
            return x
    """
    )
    text = ir(source, "Net.forward")
    assert text.splitlines()[0] == "program Net.forward(%1: f32[B, 3, H, W])"
    assert [op.outputs[0].type.shape[1] for op in program(source, "Net.forward").ops] == [
        ops(source, "conv")[0].args["out_channels"]
    ] * 3 or (text.count("f32[B, width, H, W]") >= 3)


def test_undecided_branches_are_joined():
    source = (
        NET
        + """
    def f(x: torch.Tensor, flag):
        x = torch.zeros(2, 3)
        if flag:
            y = torch.cat([x, x], 1)
        else:
            y = torch.cat([x, x, x], 1)
        z = y.sum(0)
        return z
    """
    )
    phi = ops(source, "phi")[0]
    rows, columns = phi.output.type.shape
    assert rows == 2
    assert repr(columns) == "joined"
    assert [condition.text for condition in ops(source, "cat")[0].path] == ["flag"]


def test_the_same_question_has_the_same_answer_on_a_path():
    source = (
        NET
        + """
    def f(flag):
        if flag:
            x = torch.zeros(2)
        else:
            x = torch.zeros(3)
        if flag:
            if not flag:
                torch.ones(7)
    """
    )
    assert ops(source, "ones") == []


def test_none_checks_and_isinstance_narrow():
    source = (
        NET
        + """
    def f(mask, n):
        if mask is not None:
            pass
        else:
            a = mask
            if a is None:
                torch.zeros(1)
            else:
                torch.zeros(2)
        if isinstance(n, int):
            torch.zeros(n, 5)
    """
    )
    assert [repr(op.args["shape"]) for op in ops(source, "zeros")] == ["(1,)", "(n, 5)"]


def test_raising_arms_do_not_join():
    source = (
        NET
        + """
    def f(kind):
        if kind == "a":
            x = torch.zeros(4)
        else:
            raise ValueError(kind)
        return x + 1
    """
    )
    assert ops(source, "add")[0].output.type.shape == (4,)


def test_an_argparse_default_gives_sizes_and_both_arms():
    source = (
        NET
        + """
    import argparse
    parser = argparse.ArgumentParser()
    parser.add_argument("--hidden", type=int, default=32)
    parser.add_argument("--deep", action="store_true")
    args = parser.parse_args()
    x = torch.zeros(1, args.hidden)
    if args.deep:
        x = torch.zeros(1, 99)
    y = x + 1
    """
    )
    assert ops(source, "add")[0].output.type.shape == (1, 32)
    contrary = ops(source, "zeros")[1].path[0]
    assert (contrary.text, contrary.default) == ("args.deep", False)


def test_loops_of_unknown_length_reach_a_fixpoint():
    source = (
        NET
        + """
    def f(n):
        x = torch.zeros(2, 3)
        y = torch.zeros(2, 1)
        for _ in range(n):
            x = x * 2
            y = torch.cat([y, y], 1)
        return x.sum(), y
    """
    )
    assert ops(source, "sum")[0].args["x"].type.shape == (2, 3)
    y = program(source, "f").results[1]
    assert y.type.shape[0] == 2
    assert not isinstance(y.type.shape[1], int)
    assert [event.phase for event in program(source, "f").events if isinstance(event, events.LoopEdge)] == ["enter", "exit"]


def test_equal_blocks_are_applied_until_nothing_changes():
    source = (
        NET
        + """
    class Block(nn.Module):
        def __init__(self, dim):
            super().__init__()
            self.fc = nn.Linear(dim, dim)
        def forward(self, x):
            return self.fc(x)
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.blocks = nn.ModuleList([Block(8) for _ in range(12)])
            self.tail = nn.Sequential(*[Block(8) for _ in range(12)])
        def forward(self, x):
            for block in self.blocks:
                x = block(x)
            return self.tail(x)
    y = Net()(torch.zeros(2, 8))
    """
    )
    assert len(ops(source, "linear")) < 6
    assert values(source)["y"].type.shape == (2, 8)


def test_functions_that_do_not_fit_their_call_are_recorded():
    source = (
        NET
        + """
    def f(a, b, *, c): return a
    f(1, d=2)
    """
    )
    event = next(e for e in program(source).events if isinstance(e, events.Binding))
    assert (event.missing, list(event.unbound)) == (("b", "c"), ["d"])


def test_unpacking_tells_the_rank_of_an_input():
    source = (
        NET
        + """
    class Net(nn.Module):
        def forward(self, x):
            b, t, c = x.shape
            return x.transpose(1, 2).reshape(b, c * t)
    """
    )
    assert ir(source, "Net.forward").splitlines()[-1] == "  %3: ?[b, t*c] = reshape(%2, shape=(b, t*c))"


def test_jaxtyping_annotations_are_read():
    source = (
        NET
        + """
    from jaxtyping import Float
    from torch import Tensor
    def attend(q: Float[Tensor, "b h t d"], k: Float[Tensor, "b h s d"]):
        return q @ k.transpose(-2, -1)
    """
    )
    assert "f32[b, h, t, s] = matmul" in ir(source, "attend")


def test_imports_are_followed_across_files_and_recorded(tmp_path: Path):
    package = tmp_path / "pkg"
    package.mkdir()
    (package / "__init__.py").write_text("from .layers import make\n__all__ = ['make']\n")
    (package / "layers.py").write_text(
        "import torch.nn as nn\nfrom . import sizes\ndef make(n): return nn.Linear(sizes.IN, n)\n"
    )
    (package / "sizes.py").write_text("from pkg import layers\nIN = 16\n")
    script = tmp_path / "main.py"
    script.write_text("import torch\nimport pkg\nfrom pkg import *\nx = make(4)(torch.zeros(2, 16))\nz = pkg.sizes.IN\n")
    lowered = lower_document(Document.open(script), Workspace([tmp_path]))
    assert lowered.failures == []
    assert lowered.module.attrs["x"].type.shape == (2, 4)
    assert lowered.module.attrs["z"] == 16
    assert {path.name for path, _ in lowered.dependencies} >= {"layers.py", "sizes.py"}


def test_unknown_values_keep_their_reason():
    found = values("import somewhere\nx = somewhere.f(1)\ny = x.a[0] + 1")["y"]
    assert isinstance(found, Unknown)
    assert found.reason == "unmodelled-call"


def test_keras_functional_and_sequential():
    source = """
    import keras
    from keras import layers
    inputs = keras.Input((28, 28, 1))
    x = layers.Conv2D(8, 3, activation="relu")(inputs)
    outputs = layers.Dense(10)(layers.Flatten()(x))
    model = keras.Model(inputs, outputs)
    """
    lowered = lower(source)
    assert lowered.module.attrs["outputs"].type.shape[1:] == (10,)


def test_a_model_of_an_imported_class_shows_what_the_blocks_of_this_file_are_fed(tmp_path):
    (tmp_path / "net.py").write_text(
        "from torch import nn\n"
        "class Net(nn.Module):\n"
        "    def __init__(self, block):\n"
        "        super().__init__()\n"
        "        self.stem = nn.Conv2d(3, 16, 3)\n"
        "        self.block = block(16)\n"
        "    def forward(self, x):\n"
        "        return self.block(self.stem(x))\n"
    )
    text = """
        from torch import nn
        from net import Net

        class Block(nn.Module):
            def __init__(self, width):
                super().__init__()
                self.conv = nn.Conv2d(2 * width, width, 3)
            def forward(self, x):
                return self.conv(x)

        def small():
            return Net(Block)
    """
    document = Document.from_text(tmp_path / "script.py", textwrap.dedent(text))
    lowered = lower_document(document, Workspace([tmp_path]), Options())
    faulty = [(p.entry, op.scope) for p in lowered.programs for op in p.ops if op.faults]
    assert faulty == [("Net.forward", "Block.forward")]
