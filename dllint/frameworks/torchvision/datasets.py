"""``torchvision.datasets`` as sources of inputs: image sizes, classes and lengths.

Sources: the documentation of torchvision.datasets and the datasets' own files.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from dllint.domains.dim import symbol
from dllint.domains.dtype import INT64, UINT8
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.frameworks.machine import LIBRARY_BASES, Machine, handler, prop
from dllint.frameworks.torch.protocols.data import DATASET, LABEL
from dllint.frameworks.torchvision.images import picture
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, InstanceVal, LibSymbol, ListVal, Value

PREFIX: Final = "torchvision.datasets"


@dataclass(frozen=True, slots=True)
class Images:
    """One dataset: channels, height and width (0: differ from image to image), classes, lengths of the two splits."""

    channels: int
    size: int
    classes: int | None
    train: int | None = None
    test: int | None = None


DATASETS: Final = {
    "MNIST": Images(1, 28, 10, 60000, 10000),
    "FashionMNIST": Images(1, 28, 10, 60000, 10000),
    "KMNIST": Images(1, 28, 10, 60000, 10000),
    "QMNIST": Images(1, 28, 10, 60000, 60000),
    "EMNIST": Images(1, 28, None),
    "USPS": Images(1, 16, 10, 7291, 2007),
    "CIFAR10": Images(3, 32, 10, 50000, 10000),
    "CIFAR100": Images(3, 32, 100, 50000, 10000),
    "SVHN": Images(3, 32, 10),
    "STL10": Images(3, 96, 10),
    "ImageFolder": Images(3, 0, None),
    "ImageNet": Images(3, 0, 1000),
    "Flowers102": Images(3, 0, 102),
    "Food101": Images(3, 0, 101),
    "Caltech101": Images(3, 0, 101),
    "OxfordIIITPet": Images(3, 0, 37),
    "StanfordCars": Images(3, 0, 196),
    "FGVCAircraft": Images(3, 0, 100),
    "DTD": Images(3, 0, 47),
    "GTSRB": Images(3, 0, 43),
    "FakeData": Images(3, 224, 10),
}
LIBRARY_BASES.update({f"{PREFIX}.{name}": (DATASET,) for name in DATASETS})


def _register(name: str, images: Images) -> None:
    full = f"{PREFIX}.{name}"

    @handler(full)
    def construct(machine: Machine, _: Value, arguments: Arguments) -> Value:
        dataset = InstanceVal(LibSymbol(full), site=machine.site)
        configure(dataset, arguments)
        return dataset

    @handler(f"{full}.__init__")
    def initialize(machine: Machine, dataset: Value, arguments: Arguments) -> Value:
        configure(dataset, arguments)
        return None

    def configure(dataset: InstanceVal, arguments: Arguments) -> None:
        kwargs = arguments.kwargs
        positional = [v for v in arguments.args if isinstance(v, InstanceVal)]
        dataset.attrs["transform"] = kwargs.get("transform", positional[0] if positional else None)
        dataset.attrs["target_transform"] = kwargs.get("target_transform", positional[1] if len(positional) > 1 else None)
        train = kwargs.get("train", arguments.args[1] if len(arguments.args) > 1 else True)
        dataset.state["length"] = (images.train if train else images.test) if isinstance(train, bool) else None
        dataset.state[LABEL] = (symbol("label", "opaque", 0), images.classes)

    @handler(f"{full}.__getitem__")
    def item(machine: Machine, dataset: Value, arguments: Arguments) -> Value:
        return (_image(machine, dataset, images), _target(machine, dataset))

    @handler(f"{full}.__len__")
    def length(machine: Machine, dataset: Value, arguments: Arguments) -> Value:
        known = dataset.state.get("length")
        return known if isinstance(known, int) else symbol("N", "opaque")

    @prop(f"{full}.classes")
    def classes(machine: Machine, dataset: Value) -> Value:
        reason = Unknown("class-names", name)
        return ListVal([reason] * images.classes) if images.classes else reason

    @prop(f"{full}.data")
    def data(machine: Machine, dataset: Value) -> Value:
        return _all_images(machine, dataset, images, name)

    @prop(f"{full}.targets")
    def targets(machine: Machine, dataset: Value) -> Value:
        if not name.endswith("MNIST"):
            return ListVal([], symbol("label", "opaque", 0))
        return machine.tensor(TensorType((length(machine, dataset, Arguments()),), INT64), framework="torch", name="targets")


def _image(machine: Machine, dataset: InstanceVal, images: Images) -> Value:
    height, width = (images.size, images.size) if images.size else (symbol("H"), symbol("W"))
    image = picture(machine, images.channels, height, width)
    transform = dataset.attrs["transform"]
    return image if transform is None else machine.call(transform, Arguments((image,)))


def _target(machine: Machine, dataset: InstanceVal) -> Value:
    label = dataset.state[LABEL][0]
    transform = dataset.attrs["target_transform"]
    return label if transform is None else machine.call(transform, Arguments((label,)))


def _all_images(machine: Machine, dataset: InstanceVal, images: Images, name: str) -> Value:
    length = dataset.state.get("length")
    if not isinstance(length, int) or not images.size:
        return machine.unknown("unknown-data", f"{name}.data")
    gray = images.channels == 1
    shape = (length, images.size, images.size) if gray else (length, images.size, images.size, images.channels)
    found: TensorVal = machine.tensor(TensorType(shape, UINT8), framework="torch" if gray else "numpy", name="data")
    return found


for _name, _images in DATASETS.items():
    _register(_name, _images)
