"""einops, torchvision's models and blocks, Lightning."""

import pytest

from tests.frameworks.torch.programs import analysed, assert_as_torch, faults, plain

EINOPS = "from einops import rearrange, reduce, repeat\nfrom einops.layers.torch import Rearrange, Reduce\n"


@pytest.mark.oracle
def test_einops_as_einops():
    pytest.importorskip("einops")
    assert_as_torch(
        EINOPS
        + """
import einops
x = torch.randn(2, 3, 8, 8)
a = rearrange(x, "b c (h p) (w q) -> b (h w) (p q c)", p=4, q=4)
b = reduce(x, "b c h w -> b c", "mean")
c = repeat(x, "b c h w -> b (r c) h w", r=2)
d = Rearrange("b c h w -> b (c h w)")(x)
e = Reduce("b c (h 2) (w 2) -> b c h w", "max")(x)
f = einops.einsum(x, x, "b c h w, b c h v -> b w v")
g = rearrange([x, x], "n b c h w -> b n c h w")
net = nn.Sequential(nn.Conv2d(3, 4, 1), Rearrange("b c h w -> b (h w) c"), nn.Linear(4, 7))
h = net(x)
"""
    )


def test_a_resnet_whose_head_is_replaced():
    text = """
from torchvision import models
net = models.resnet18(weights=None)
width = net.fc.in_features
net.fc = nn.Linear(width, 10)
y = net(torch.randn(2, 3, 224, 224))
body = nn.Sequential(*list(net.children())[:-1])(torch.randn(2, 3, 224, 224))
"""
    found = analysed(text)
    assert found["width"] == 512
    assert plain(found["y"]) == ((2, 10), "float32")
    assert plain(found["body"]) == ((2, 512, 1, 1), "float32")


def test_a_wrong_head_is_found():
    text = """
from torchvision import models
net = models.resnet50()
net.fc = nn.Linear(512, 10)
net(torch.randn(2, 3, 224, 224))
"""
    assert faults(text) == ["feature-size"]


@pytest.mark.parametrize("name", ["vgg16", "vgg11_bn", "densenet121", "mobilenet_v2", "efficientnet_b0", "wide_resnet50_2"])
def test_known_architectures_give_their_classes(name):
    text = f"from torchvision import models\ny = models.{name}(num_classes=7)(torch.randn(2, 3, 224, 224))\n"
    assert plain(analysed(text)["y"]) == ((2, 7), "float32")


def test_blocks_of_torchvision():
    text = """
from torchvision.ops import MLP, Conv2dNormActivation, SqueezeExcitation, StochasticDepth
x = torch.randn(2, 8, 14, 14)
a = Conv2dNormActivation(8, 16, stride=2)(x)
b = SqueezeExcitation(8, 2)(x)
c = StochasticDepth(0.1, "row")(x)
d = MLP(8, [16, 4])(torch.randn(2, 8))
"""
    found = analysed(text)
    assert [plain(found[k])[0] for k in "abcd"] == [(2, 16, 7, 7), (2, 8, 14, 14), (2, 8, 14, 14), (2, 4)]


def test_a_lightning_module_is_a_module():
    text = """
import pytorch_lightning as pl
class Net(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.save_hyperparameters()
        self.layer = nn.Linear(4, 2)
    def forward(self, x):
        return self.layer(x)
y = Net()(torch.randn(3, 4))
"""
    assert plain(analysed(text)["y"]) == ((3, 2), "float32")
