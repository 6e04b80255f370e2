"""Datasets, transforms and loaders as sources of inputs."""

import pytest

from dllint.domains.dim import DimExpr
from tests.frameworks.torch.programs import analysed, faults, lowered, plain
from tests.rules.harness import findings

VISION = "from torchvision import datasets, transforms\nfrom torch.utils.data import DataLoader, TensorDataset, random_split\n"


def batch(text: str, name: str = "x"):
    return plain(analysed(VISION + text)[name])


def test_mnist_through_a_loader():
    text = """
train = datasets.MNIST("data", train=True, download=True, transform=transforms.ToTensor())
loader = DataLoader(train, batch_size=64, shuffle=True, drop_last=True)
for x, y in loader:
    break
first, label = train[0]
n = len(train)
"""
    found = analysed(VISION + text)
    assert plain(found["x"]) == ((64, 1, 28, 28), "float32")
    assert plain(found["y"]) == ((64,), "int64")
    assert (found["y"].low, found["y"].high) == (0, 9)
    assert plain(found["first"]) == ((1, 28, 28), "float32")
    assert found["n"] == 60000


def test_a_batch_size_that_divides_the_length_is_exact():
    text = "ds = datasets.CIFAR10('d', transform=transforms.ToTensor())\nx, y = next(iter(DataLoader(ds, 100)))\n"
    assert batch(text) == ((100, 3, 32, 32), "float32")


def test_a_last_batch_may_be_smaller():
    text = "ds = datasets.CIFAR10('d', transform=transforms.ToTensor())\nx, y = next(iter(DataLoader(ds, 64)))\n"
    (size, *image), _ = batch(text)
    assert isinstance(size, DimExpr)
    assert image == [3, 32, 32]


def test_transforms_change_size_and_channels():
    text = """
t = transforms.Compose([
    transforms.Resize(256), transforms.CenterCrop(224), transforms.Grayscale(num_output_channels=3),
    transforms.RandomHorizontalFlip(), transforms.ToTensor(), transforms.Normalize([0.5] * 3, [0.5] * 3),
])
x, y = datasets.ImageFolder("root", t)[0]
"""
    assert batch(text) == ((3, 224, 224), "float32")


def test_random_split_keeps_the_samples():
    text = """
a, b = random_split(datasets.FashionMNIST("d", transform=transforms.ToTensor()), [50000, 10000])
x, y = next(iter(DataLoader(a, batch_size=32, drop_last=True)))
"""
    assert batch(text) == ((32, 1, 28, 28), "float32")


def test_tensor_dataset_gives_rows():
    text = """
ds = TensorDataset(torch.randn(100, 20), torch.randint(0, 3, (100,)))
x, y = next(iter(DataLoader(ds, batch_size=10)))
"""
    assert batch(text) == ((10, 20), "float32")
    assert batch(text, "y") == ((10,), "int64")


def test_a_dataset_of_the_user():
    text = """
class Set(torch.utils.data.Dataset):
    def __len__(self): return 12
    def __getitem__(self, i): return {"image": torch.zeros(3, 8, 8), "label": 1, "weight": 0.5}
one = next(iter(DataLoader(Set(), batch_size=4, drop_last=True)))
x, y, w = one["image"], one["label"], one["weight"]
"""
    found = analysed(VISION + text)
    assert [plain(found[k]) for k in "xyw"] == [((4, 3, 8, 8), "float32"), ((4,), "int64"), ((4,), "float64")]


def test_a_model_that_does_not_fit_its_data_is_found():
    text = """
loader = DataLoader(datasets.MNIST("d", transform=transforms.ToTensor()), batch_size=64)
model = nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU())
for x, y in loader:
    model(x)
"""
    assert faults(VISION + text) == ["feature-size"]


LOOP = """
loader = DataLoader(TensorDataset(torch.zeros(100, 8)), {arguments})
for i, (x,) in enumerate(loader):
    {guard}
    y = x.view({rows}, 4, 2)
"""


def looped(arguments: str, rows: object = 64, guard: str = "pass") -> list[str]:
    found = lowered(VISION + LOOP.format(arguments=arguments, rows=rows, guard=guard))
    return [op.path[-1].text for program in found.programs for op in program.ops if op.faults]


def test_the_last_batch_is_looked_at_too():
    assert looped("64") == ["the batch is the last one, of 36 samples"]
    assert looped("64", rows=32) == ["the batch has its 64 samples"]


@pytest.mark.parametrize("arguments", ["50", "64, drop_last=True", "64, sampler=some_sampler", "64, **options"])
def test_there_may_be_no_smaller_batch(arguments: str):
    size = arguments.split(",")[0]
    assert looped(arguments, rows=size) == []


@pytest.mark.parametrize("guard", ["if len(x) < 64: continue", "if i == 0: break"])
def test_the_last_batch_may_be_passed_over(guard: str):
    assert looped("64", guard=guard) == []


def test_rows_counted_from_the_batch_fit_every_batch():
    assert looped("64", rows="len(x)") == looped("64", rows=-1) == []


def test_a_part_has_the_length_it_was_given():
    text = """
a, b = random_split(TensorDataset(torch.zeros(100, 8)), [80, 20])
for (x,) in DataLoader(a, 30):
    x.view(30, 8)
for (x,) in DataLoader(b, 20):
    x.view(20, 8)
"""
    assert faults(VISION + text) == ["reshape-size"]


_READS = ("for a, b in loader:\n    pass", "for i, (a, b) in enumerate(loader):\n    pass", "a, b = next(iter(loader))")


@pytest.mark.parametrize("made", ["TensorDataset(data_tensor=x, target_tensor=y)", "TensorDataset(x, target_tensor=y)"])
@pytest.mark.parametrize("read", _READS)
def test_tensors_that_are_named(made: str, read: str) -> None:
    """PyTorch named them before 0.4; now there is no such data set, and nothing is known of its rows."""
    text = (
        "import torch\nfrom torch.utils.data import DataLoader, TensorDataset\nx, y = torch.ones(9, 2), torch.ones(9)\n"
        f"loader = DataLoader({made}, batch_size=3)\n{read}\n"
    )
    assert {finding.code for finding in findings(text)} <= {"DLA104"}


EMPTY = """
import torch
from torch.utils.data import DataLoader, Dataset, TensorDataset


class Rows(Dataset):
    def __init__(self, number):
        self.number = number

    def __len__(self):
        return self.number

    def __getitem__(self, i):
        return torch.ones(3)


def first(loader):
    count = 0
    for batch in loader:
        x = batch[0] if isinstance(batch, list) else batch
        count += 1
        torch.zeros(x.shape[0], 4)[x.shape[1] + 6 * (NUMBER == 0)]
    return count


first(DataLoader(DATA, GIVEN))
"""


@pytest.mark.parametrize("given", ["batch_size=1", "batch_size=4, shuffle=False", "2"])
@pytest.mark.parametrize("data", ["TensorDataset(torch.zeros(NUMBER, 2), torch.zeros(NUMBER))", "Rows(NUMBER)"])
def test_loaders_of_no_rows_give_no_batch(data: str, given: str):
    text = EMPTY.replace("DATA", data, 1).replace("GIVEN", given)
    assert faults(text.replace("first(", "first(", 1).replace("NUMBER", "0")) == []


def test_loaders_with_a_sampler_of_their_own_give_batches():
    text = """
import torch
from torch.utils.data import DataLoader, TensorDataset

for x, in DataLoader(TensorDataset(torch.zeros(0, 2)), sampler=make()):
    torch.zeros(3)[7]
"""
    assert faults(text) != []
