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
from dllint.frameworks.given import given
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
    splits."""

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
    "FakeData": Images(0, 0, None),
}
#: Of ``FakeData``: how many pictures, of which shape, in how many classes.
_FAKE: Final = "size=1000, image_size=(3, 224, 224), num_classes=10, *rest, **options"
#: The state of a data set with pictures of a shape of its own.
_SHAPE: Final = "shape"
LIBRARY_BASES.update({f"{PREFIX}.{name}": (DATASET,) for name in DATASETS})


def _register(name: str, images: Images) -> None:
    full = f"{PREFIX}.{name}"

    @constructor(full)
    def configure(machine: Machine, dataset: InstanceVal, arguments: Arguments) -> None:
        kwargs = arguments.kwargs
        positional = [v for v in arguments.args if isinstance(v, InstanceVal)]
        transform = kwargs.get("transform", positional[0] if positional else None)
        machine.write(dataset.attrs, "transform", transform)
        of_targets = kwargs.get("target_transform", positional[1] if len(positional) > 1 else None)
        machine.write(dataset.attrs, "target_transform", of_targets)
        train = kwargs.get("train", arguments.args[1] if len(arguments.args) > 1 else True)
        machine.write(dataset.state, "length", (images.train if train else images.test) if isinstance(train, bool) else None)
        machine.write(dataset.state, LABEL, Label(counted("label"), images.classes))
        if name == "FakeData":
            _describe_fake(machine, dataset, arguments)

    @handler(f"{full}.__getitem__", on=InstanceVal)
    def item(machine: Machine, dataset: InstanceVal, arguments: Arguments) -> Value:
        return (_image(machine, dataset, images), _target(machine, dataset))

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


def _image(machine: Machine, dataset: InstanceVal, images: Images) -> Value:
    own = kinds.sizes(dataset.state.get(_SHAPE))
    size: tuple[Dim, Dim] = (images.size, images.size) if images.size else (symbol("H"), symbol("W"))
    channels, height, width = own if own is not None and len(own) == 3 else (images.channels or symbol("channels"), *size)
    image = picture(machine, channels, height, width)
    transform = dataset.own("transform")
    return image if transform is None else machine.call(transform, Arguments((image,)))


def _target(machine: Machine, dataset: InstanceVal) -> Value:
    label = label_of(dataset)
    value: Value = Unknown("no-state", LABEL) if label is None else label.value
    transform = dataset.own("target_transform")
    return value if transform is None else machine.call(transform, Arguments((value,)))


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
