"""What modules, tensors and optimizers do beside computing."""

from dllint.domains.lattice import Unknown
from tests.frameworks.torch.programs import analysed, lowered, plain


def events(text: str) -> list[str]:
    kinds = ("zero_grad", "backward", "step", "train", "eval")
    return [event.kind for event in lowered(text).programs[0].events if event.kind in kinds]


def test_a_training_step_is_seen():
    text = """
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
model.train()
optimizer.zero_grad()
loss = model(torch.randn(3, 4)).mean()
loss.backward()
optimizer.step()
model.eval()
"""
    assert events(text) == ["train", "zero_grad", "backward", "step", "eval"]


def test_mode_is_known_once_it_is_set():
    text = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(2, 3)
    def forward(self, x):
        return (x, x) if self.training else self.inner(x)
net = Net()
before = net.training
net.eval()
y = net(torch.randn(1, 2))
inner = net.inner.training
"""
    found = analysed(text)
    assert isinstance(found["before"], Unknown)
    assert plain(found["y"]) == ((1, 3), "float32")
    assert found["inner"] is False


def test_half_changes_the_weights():
    text = "net = nn.Sequential(nn.Linear(2, 3)).half()\nw = net[0].weight\n"
    assert plain(analysed(text)["w"]) == ((3, 2), "float16")


def test_modules_are_walked_in_order():
    text = """
net = nn.Sequential(nn.Linear(2, 3), nn.Sequential(nn.ReLU(), nn.Linear(3, 1)))
names = [name for name, _ in net.named_modules()]
kinds = [type(m).__name__ for m in net.modules()]
inner = net.get_submodule("1.1").out_features
"""
    found = analysed(text)
    assert plain(found["names"]) == ("", "0", "1", "1.0", "1.1")
    assert plain(found["kinds"]) == ("Sequential", "Linear", "Sequential", "ReLU", "Linear")
    assert found["inner"] == 1


def test_an_unknown_number_of_layers_leaves_a_sequence_open():
    text = """
def build(layers):
    return nn.Sequential(*layers)(torch.randn(2, 3))
import os
y = build(os.environ["LAYERS"])
"""
    assert isinstance(analysed(text)["y"], Unknown)


def test_elements_of_constant_tensors_are_numbers():
    text = """
a = torch.tensor(3).item()
b = torch.tensor([1, 2]).tolist()
c = [x.item() for x in torch.linspace(0, 0, 3)]
d = torch.zeros(2).tolist()
"""
    found = analysed(text)
    assert (found["a"], plain(found["b"]), plain(found["c"]), plain(found["d"])) == (3, (1, 2), (0.0, 0.0, 0.0), (0.0, 0.0))


def test_a_function_with_its_own_gradient_runs_its_forward():
    text = """
class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.cat([x, x], dim=1)
y = Double.apply(torch.randn(2, 3))
"""
    assert plain(analysed(text)["y"]) == ((2, 6), "float32")


def test_a_library_layer_has_no_attributes_beyond_its_own():
    text = """
a = hasattr(nn.Identity(), "init_weights")
b = hasattr(nn.Linear(1, 2), "weight")
c = hasattr(nn.ReLU(), "inplace")
"""
    found = analysed(text)
    assert found["a"] is False
    assert isinstance(found["b"], Unknown)
    assert isinstance(found["c"], Unknown)
