"""Element types inside ``torch.autocast``: those of real torch on the CPU, and the lists of its CUDA header."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dllint.domains.dtype import FLOAT16, FLOAT32, DType
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.ir.program import TensorVal
from dllint.ops.autocast import Autocast, cast_operands
from tests.lower.tracing import ir, values

HEAD = """
import torch
import torch.nn.functional as F
from torch import nn

x = torch.rand(2, 4, 8) + 0.5
m = torch.rand(4, 4)
v = torch.rand(4)
image = torch.rand(2, 3, 8, 8)
h = x.{half}()
small = image.{half}()
index = torch.tensor([1, 2, 3, 0])
net = nn.Sequential(nn.Linear(8, 8), nn.LayerNorm(8), nn.GELU(), nn.Linear(8, 2))
"""
EXPRESSIONS = [
    "net(x)", "F.linear(x, torch.rand(5, 8))", "x @ x.mT", "m @ m", "m @ v", "torch.bmm(x, x.mT)", "torch.tensordot(m, m, 1)",
    "torch.einsum('bij,bkj->bik', x, x)", "torch.addmm(m, m, m)", "torch.outer(v, v)", "torch.cdist(x, x)",
    "F.conv2d(image, torch.rand(4, 3, 3, 3))", "nn.ConvTranspose2d(3, 4, 3)(image)",
    "nn.MultiheadAttention(8, 2)(x, x, x)[0]", "F.scaled_dot_product_attention(x, x, x)", "nn.PReLU()(x)",
    "nn.TransformerEncoderLayer(8, 2)(x)", "nn.BatchNorm2d(3)(small)", "h.exp()", "h.log()", "h ** 2", "2 ** h", "1 / h",
    "h / h", "h + 1", "h + x", "h.softmax(-1)", "h.log_softmax(-1)", "h.sum()", "h.sum(1)", "h.mean()", "h.prod(1)",
    "h.cumsum(1)", "h.logsumexp(1)", "h.norm()", "h.std()", "F.normalize(h, dim=1)", "nn.LayerNorm(8)(h)",
    "nn.GroupNorm(1, 3)(small)", "F.cross_entropy(h[0], index)", "F.mse_loss(h, h)", "F.l1_loss(h, x)",
    "F.binary_cross_entropy_with_logits(h, h.sigmoid())", "F.kl_div(h, h)", "F.smooth_l1_loss(h, h)", "torch.cat([h, x])",
    "torch.stack([h, h])", "torch.where(h > 1, h, x)", "F.gelu(h)", "h.sigmoid()", "h.tanh()", "F.max_pool2d(small, 2)",
    "F.interpolate(small, scale_factor=2)", "F.dropout(h)", "h.sqrt()", "F.linear(x.double(), torch.rand(5, 8).double())",
    "F.embedding(index, torch.rand(4, 3))", "nn.Linear(8, 3)(h)", "h.float() @ x.mT", "F.softplus(h)",
    "h.masked_fill(h > 1, 0)",
]  # fmt: skip


@pytest.mark.oracle
@pytest.mark.parametrize("half", ["bfloat16", "half"])
@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_types_are_those_of_torch(expression: str, half: str) -> None:
    import torch

    text = f"{HEAD.format(half=half)}\nwith torch.autocast('cpu', dtype=h.dtype):\n    y = {expression}\n"
    names: dict[str, object] = {}
    with torch.no_grad():
        exec(text, names)
    found = values(text.replace("h.dtype", f"torch.{'float16' if half == 'half' else half}"))["y"]
    assert isinstance(found, TensorVal)
    assert isinstance(found.dtype, DType)
    assert f"torch.{found.dtype.name}" == str(names["y"].dtype)  # type: ignore[attr-defined]


#: Name in torch's header → canonical operation, where they differ.
CANONICAL = {
    "conv2d": "conv", "conv_transpose2d": "conv_transpose", "binary_cross_entropy_with_logits": "bce_with_logits",
    "poisson_nll_loss": "poisson_nll", "upsample_bilinear2d": "interpolate", "linalg_vector_norm": "norm",
    "grid_sampler": "grid_sample",
}  # fmt: skip
#: Those that no canonical operation stands for.
OTHERS = re.compile(
    r"^_|conv|upsample|cell$|addmv|addr|addbmm|vecdot|multi_dot|chain|native_|pdist|renorm|dist$|nll_loss2d|nuclear|frobenius"
    r"|linalg|vdot|cross$"
)


def header_list(name: str) -> set[str]:
    """The operations of one of the lists in ``ATen/autocast_mode.h``."""
    import torch

    text = (Path(torch.__file__).parent / "include/ATen/autocast_mode.h").read_text(encoding="utf-8")
    body = text[text.index(f"#define AT_FORALL_{name}(_)") :].partition("\n\n")[0]
    found = re.findall(r"_\((\w+)[,)]", body)
    return {CANONICAL.get(op, op) for op in found if op in CANONICAL or not OTHERS.search(op)}


def cast_on_card(kind: str) -> DType | Unknown:
    """The type in which a half and a single precision operand are taken, joined: half if both are, else single, or as given."""
    types = {"x": TensorType((2,), FLOAT16), "y": TensorType((2,), FLOAT32)}
    cast = cast_operands(kind, types, Autocast("cuda", FLOAT16))
    found = {cast["x"].dtype, cast["y"].dtype}
    return found.pop() if len(found) == 1 else Unknown("as-given")


@pytest.mark.oracle
@pytest.mark.parametrize(
    ("name", "dtype"),
    [("LOWER_PRECISION_FP", FLOAT16), ("FP32", FLOAT32), ("FP32_SET_OPT_DTYPE", FLOAT32), ("PROMOTE", FLOAT32)],
)
def test_types_on_the_card_are_those_of_its_lists(name: str, dtype: DType) -> None:
    listed = header_list(name)
    assert len(listed) > 4
    assert {op for op in listed if cast_on_card(op) != dtype} == set()


def test_regions_nest_and_end() -> None:
    text = """
    import torch

    net = torch.nn.Linear(8, 2)
    x = torch.randn(4, 8)
    with torch.autocast("cuda"):
        a = net(x)
        with torch.autocast("cuda", enabled=False):
            b = net(x)
        with torch.amp.autocast("cuda", torch.bfloat16):
            c = net(x)
        d = net(x)
    e = net(x)
    with torch.cuda.amp.autocast(False):
        f = net(x)
    with torch.cuda.amp.autocast():
        g = net(x)
    """
    found = values(text)
    names = {name: found[name].dtype.name for name in "abcdefg"}
    assert names == {
        "a": "float16", "b": "float32", "c": "bfloat16", "d": "float16", "e": "float32", "f": "float32", "g": "float16",
    }  # fmt: skip


def test_a_return_leaves_the_region() -> None:
    found = values("""
    import torch

    net = torch.nn.Linear(8, 2)
    x = torch.randn(4, 8)

    def lower():
        with torch.autocast("cuda"):
            return net(x)

    a = lower()
    b = net(x)
    """)
    assert (found["a"].dtype.name, found["b"].dtype.name) == ("float16", "float32")


def test_a_decorated_method_computes_in_its_region() -> None:
    text = """
    import torch
    from torch import nn

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.head = nn.Linear(8, 2)

        @torch.autocast("cuda", dtype=torch.bfloat16)
        def forward(self, x):
            return self.head(x)

    y = Net()(torch.randn(4, 8))
    z = Net().head(torch.randn(4, 8))
    """
    found = values(text)
    assert (found["y"].dtype.name, found["z"].dtype.name) == ("bfloat16", "float32")


def test_what_depends_on_the_device_or_a_flag_is_unknown() -> None:
    text = ir("""
    import torch

    net = torch.nn.Linear(8, 2)

    def run(args, x: torch.Tensor):
        with torch.autocast(args.device, torch.float16):
            y = net(x)
            z = y.exp()
        with torch.autocast("cuda", enabled=args.amp):
            return net(x)
    """, "run")  # fmt: skip
    assert [line.split("=")[0].split(":")[1].split("[")[0].strip() for line in text.splitlines() if "=" in line] == [
        "f16",
        "?",
        "?",
    ]
