"""``torchvision.datasets`` as sources of inputs: image sizes, classes and lengths.

Sources: the documentation of torchvision.datasets and the datasets' own files.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from dllint.domains.dim import Dim, counted, symbol
from dllint.domains.dtype import INT64, UINT8
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.frameworks import kinds
from dllint.frameworks.given import given, given_to
from dllint.frameworks.keras.protocols.plain import is_size, plain
from dllint.frameworks.machine import LIBRARY_BASES, Machine, constructor, handler, prop
from dllint.frameworks.pillow.images import picture
from dllint.frameworks.torch.protocols.data import DATASET, LABEL, Label, label_of
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, InstanceVal, ListVal, Value

PREFIX: Final = "torchvision.datasets"


@dataclass(frozen=True, slots=True)
class Images:
    """One dataset: channels, height and width (0: differ from image to image, or are asked for), classes, lengths of the two
    splits, the width where it is not the height, and which argument tells what the targets are."""

    channels: int
    size: int
    classes: int | None
    train: int | None = None
    test: int | None = None
    width: int = 0
    asked_by: str = ""


DATASETS: Final = {
    "MNIST": Images(1, 28, 10, 60000, 10000),
    "FashionMNIST": Images(1, 28, 10, 60000, 10000),
    "KMNIST": Images(1, 28, 10, 60000, 10000),
    "QMNIST": Images(1, 28, 10, 60000, 60000),
    "EMNIST": Images(1, 28, None),
    "USPS": Images(1, 16, 10, 7291, 2007),
    "CIFAR10": Images(3, 32, 10, 50000, 10000),
    "CIFAR100": Images(3, 32, 100, 50000, 10000),
    "SEMEION": Images(1, 16, 10),
    "FER2013": Images(1, 48, 7),
    "Omniglot": Images(1, 105, None),
    "SVHN": Images(3, 32, 10),
    "EuroSAT": Images(3, 64, 10),
    "PCAM": Images(3, 96, 2),
    "LFWPeople": Images(3, 250, None),
    "CLEVRClassification": Images(3, 320, None, width=480),
    "CelebA": Images(3, 218, None, width=178, asked_by="target_type"),
    "Cityscapes": Images(3, 1024, None, width=2048, asked_by="target_type"),
    "VOCSegmentation": Images(3, 0, None, asked_by="image_set"),
    "STL10": Images(3, 96, 10),
    "ImageFolder": Images(3, 0, None),
    "ImageNet": Images(3, 0, 1000),
    "Flowers102": Images(3, 0, 102),
    "Food101": Images(3, 0, 101),
    "Caltech101": Images(3, 0, 101, asked_by="target_type"),
    "Caltech256": Images(0, 0, 257),
    "OxfordIIITPet": Images(3, 0, 37, asked_by="target_types"),
    "StanfordCars": Images(3, 0, 196),
    "FGVCAircraft": Images(3, 0, 100),
    "DTD": Images(3, 0, 47),
    "GTSRB": Images(3, 0, 43),
    "Imagenette": Images(3, 0, 10),
    "Places365": Images(3, 0, 365),
    "SUN397": Images(3, 0, 397),
    "Country211": Images(3, 0, 211),
    "RenderedSST2": Images(3, 0, 2),
    "LSUN": Images(3, 0, None),
    "FakeData": Images(0, 0, None),
}
#: Of ``FakeData``: how many pictures, of which shape, in how many classes.
_FAKE: Final = "size=1000, image_size=(3, 224, 224), num_classes=10, *rest, **options"
#: The state of a data set with pictures of a shape of its own.
_SHAPE: Final = "shape"
#: The state that tells what the targets are: a class, unless an argument asks for something else.
_TARGETS: Final = "targets"
_CLASS: Final = "class"
#: What is asked for where the targets are pictures with the number of a class or of an object at each place.
_MASKS: Final = ("semantic", "instance", "segmentation", "train", "trainval", "val", "test")
#: How many attributes of a face CelebA tells.
_ATTRIBUTES: Final = 40
LIBRARY_BASES.update({f"{PREFIX}.{name}": (DATASET,) for name in DATASETS})


def _register(name: str, images: Images) -> None:
    full = f"{PREFIX}.{name}"

    @constructor(full)
    def configure(machine: Machine, dataset: InstanceVal, arguments: Arguments) -> None:
        asked = given_to(full, arguments)
        for change in ("transform", "target_transform", "transforms"):
            machine.write(dataset.attrs, change, asked.get(change))
        train = asked.get("train", True)
        machine.write(dataset.state, "length", (images.train if train else images.test) if isinstance(train, bool) else None)
        machine.write(dataset.state, _TARGETS, plain(asked[images.asked_by]) if images.asked_by in asked else _CLASS)
        if _targets_of(dataset) == _CLASS:
            machine.write(dataset.state, LABEL, Label(counted("label"), images.classes))
        if name == "FakeData":
            _describe_fake(machine, dataset, arguments)

    @handler(f"{full}.__getitem__", on=InstanceVal)
    def item(machine: Machine, dataset: InstanceVal, arguments: Arguments) -> Value:
        sample = _sample(machine, dataset, images)
        both = dataset.own("transforms")
        return sample if both is None else machine.call(both, Arguments(sample))

    @handler(f"{full}.__len__", on=InstanceVal)
    def length(machine: Machine, dataset: InstanceVal, arguments: Arguments) -> Dim:
        known = dataset.state.get("length")
        return known if isinstance(known, int) else counted("N", 1)

    @prop(f"{full}.classes")
    def classes(machine: Machine, dataset: Value) -> Value:
        reason = Unknown("class-names", name)
        return ListVal([reason] * images.classes) if images.classes else reason

    @prop(f"{full}.data", on=InstanceVal)
    def data(machine: Machine, dataset: InstanceVal) -> Value:
        return _all_images(machine, dataset, images, name)

    @prop(f"{full}.targets", on=InstanceVal)
    def targets(machine: Machine, dataset: InstanceVal) -> Value:
        if _targets_of(dataset) != _CLASS:
            return machine.unknown("unknown-data", f"{name}.targets")
        if not name.endswith("MNIST"):
            return ListVal([], counted("label"))
        return machine.tensor(TensorType((length(machine, dataset, Arguments()),), INT64), framework="torch", name="targets")


def _describe_fake(machine: Machine, dataset: InstanceVal, arguments: Arguments) -> None:
    """Length, shape and classes of random pictures are arguments."""
    asked = given(_FAKE, arguments)
    size, shape, classes = (plain(asked[name]) for name in ("size", "image_size", "num_classes"))
    machine.write(dataset.state, "length", size if isinstance(size, int) else None)
    machine.write(dataset.state, LABEL, Label(counted("label"), classes if isinstance(classes, int) else None))
    known = isinstance(shape, tuple) and len(shape) == 3 and all(is_size(one) for one in shape)
    machine.write(dataset.state, _SHAPE, shape if known else None)


def _targets_of(dataset: InstanceVal) -> Value:
    """What the targets are, of those that the argument names: a class, attributes, a mask …"""
    asked = dataset.state.get(_TARGETS)
    return _CLASS if asked == "category" else asked


def _sample(machine: Machine, dataset: InstanceVal, images: Images) -> tuple[Value, Value]:
    channels, height, width = _sizes(dataset, images)
    image: Value = picture(machine, channels, height, width)
    target = _target(machine, dataset, height, width)
    transform, of_targets = dataset.own("transform"), dataset.own("target_transform")
    if transform is not None:
        image = machine.call(transform, Arguments((image,)))
    if of_targets is not None:
        target = machine.call(of_targets, Arguments((target,)))
    return image, target


def _sizes(dataset: InstanceVal, images: Images) -> tuple[Dim, Dim, Dim]:
    own = kinds.sizes(dataset.state.get(_SHAPE))
    if own is not None and len(own) == 3:
        return own[0], own[1], own[2]
    size: tuple[Dim, Dim] = (images.size, images.width or images.size) if images.size else (symbol("H"), symbol("W"))
    return images.channels or symbol("channels"), *size


def _target(machine: Machine, dataset: InstanceVal, height: Dim, width: Dim) -> Value:
    """The class of one picture, its mask, or its attributes."""
    asked = _targets_of(dataset)
    if asked == _CLASS:
        label = label_of(dataset)
        return Unknown("no-state", LABEL) if label is None else label.value
    if asked in _MASKS:
        return picture(machine, 1, height, width)
    if asked == "attr":
        return machine.tensor(TensorType((_ATTRIBUTES,), INT64), framework="torch", name="attributes")
    return machine.unknown("unknown-data", "target")


def _all_images(machine: Machine, dataset: InstanceVal, images: Images, name: str) -> Value:
    length = dataset.state.get("length")
    if not isinstance(length, int) or not images.size or images.width:
        return machine.unknown("unknown-data", f"{name}.data")
    gray = images.channels == 1
    shape = (length, images.size, images.size) if gray else (length, images.size, images.size, images.channels)
    found: TensorVal = machine.tensor(TensorType(shape, UINT8), framework="torch" if gray else "numpy", name="data")
    return found


for _name, _images in DATASETS.items():
    _register(_name, _images)
