"""``torchvision.transforms`` (and ``v2``): what each transform does to an image's channels, size and type."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from dllint.domains.dim import Dim, DimExpr, same, symbol
from dllint.domains.dtype import FLOAT32, UINT8, DType
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.frameworks.given import given
from dllint.frameworks.machine import LIBRARY_BASES, Machine, handler
from dllint.frameworks.torch.protocols.conversion import requested_dtype
from dllint.frameworks.torchvision.images import resized, sizes_of
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, InstanceVal, LibSymbol, ListVal, Value, unwrap

PREFIXES: Final = ("torchvision.transforms", "torchvision.transforms.v2")
#: Transforms that change neither size nor type.
SAME: Final = (
    "Normalize", "RandomHorizontalFlip", "RandomVerticalFlip", "RandomRotation", "RandomAffine", "ColorJitter",
    "RandomPerspective",
    "RandomErasing", "GaussianBlur", "RandomInvert", "RandomPosterize", "RandomSolarize", "RandomAdjustSharpness",
    "RandomAutocontrast",
    "RandomEqualize", "AutoAugment", "RandAugment", "TrivialAugmentWide", "AugMix", "ElasticTransform", "RandomGrayscale",
    "ToPureTensor", "GaussianNoise",
)  # fmt: skip
#: Transform → the tensor's element type.
TO_TENSOR: Final = {"ToTensor": FLOAT32, "PILToTensor": UINT8, "ToImage": UINT8, "ToImageTensor": UINT8}
CROPS: Final = ("CenterCrop", "RandomCrop", "RandomResizedCrop")

Effect = Callable[[Machine, Arguments, Value], Value]


def _keep(machine: Machine, configuration: Arguments, image: Value) -> Value:
    return image


def _to_tensor(dtype: DType) -> Effect:
    def effect(machine: Machine, configuration: Arguments, image: Value) -> Value:
        if isinstance(image, TensorVal) and image.framework == "numpy":
            return _from_array(machine, image, dtype)
        if isinstance(image, TensorVal):
            return image
        sizes = sizes_of(image)
        shape = Unknown("image-size") if sizes is None else sizes
        return machine.tensor(TensorType(shape, dtype), framework="torch", name="image")

    return effect


def _from_array(machine: Machine, image: TensorVal, dtype: DType) -> Value:
    """``ToTensor`` moves an array's last axis to the front; only bytes become floats."""
    shape = image.shape
    if not isinstance(shape, Unknown):
        shape = (1, *shape) if len(shape) == 2 else (shape[-1], *shape[:-1])
    return machine.tensor(TensorType(shape, dtype if image.dtype == UINT8 else image.dtype), framework="torch", name="image")


def _pair(value: Value) -> tuple[Dim, Dim] | None:
    value = unwrap(value)
    if isinstance(value, ListVal) and value.rest is None:
        value = tuple(value.items)
    if isinstance(value, tuple):
        value = tuple(unwrap(v) for v in value)
        if len(value) in (1, 2) and all(isinstance(v, int | DimExpr) for v in value):
            return value[0], value[-1]
    return (value, value) if isinstance(value, int | DimExpr) else None


def _crop(machine: Machine, configuration: Arguments, image: Value) -> Value:
    sizes, target = sizes_of(image), _pair(given("size=None, *rest, **more", configuration)["size"])
    if sizes is None:
        return image
    height, width = target or (symbol("H"), symbol("W"))
    return resized(machine, image, sizes[0], height, width)


def _resize(machine: Machine, configuration: Arguments, image: Value) -> Value:
    """``Resize(n)`` makes the smaller edge n long, ``Resize((h, w))`` sets both."""
    size, sizes = unwrap(given("size=None, *rest, **more", configuration)["size"]), sizes_of(image)
    if sizes is None:
        return image
    if isinstance(size, int) and not same(sizes[1], sizes[2]):
        return resized(machine, image, sizes[0], symbol("H"), symbol("W"))
    height, width = _pair(size) or (symbol("H"), symbol("W"))
    return resized(machine, image, sizes[0], height, width)


def _grayscale(machine: Machine, configuration: Arguments, image: Value) -> Value:
    sizes = sizes_of(image)
    channels = given("num_output_channels=1", configuration)["num_output_channels"]
    return image if sizes is None or not isinstance(channels, int) else resized(machine, image, channels, sizes[1], sizes[2])


def _pad(machine: Machine, configuration: Arguments, image: Value) -> Value:
    sizes, padding = sizes_of(image), unwrap(given("padding, fill=0, padding_mode='constant'", configuration).get("padding"))
    if isinstance(padding, ListVal) and padding.rest is None:
        padding = tuple(padding.items)
    if sizes is None:
        return image
    around = {1: (0, 0, 0, 0), 2: (0, 1, 0, 1), 4: (0, 1, 2, 3)}
    given_sides = padding if isinstance(padding, tuple) else (padding,)
    if len(given_sides) not in around or not all(isinstance(p, int) for p in given_sides):
        return resized(machine, image, sizes[0], symbol("H"), symbol("W"))
    left, top, right, bottom = (given_sides[i] for i in around[len(given_sides)])
    return resized(machine, image, sizes[0], sizes[1] + top + bottom, sizes[2] + left + right)


def _to_dtype(machine: Machine, configuration: Arguments, image: Value) -> Value:
    dtype = requested_dtype(configuration)
    if not isinstance(image, TensorVal) or dtype is None:
        return image
    return machine.tensor(image.type.with_dtype(dtype), framework="torch", name="image")


def _call_given(machine: Machine, configuration: Arguments, image: Value) -> Value:
    function = configuration.args[0] if configuration.args else next(iter(configuration.kwargs.values()), None)
    return machine.call(function, Arguments((image,)))


def _compose(machine: Machine, configuration: Arguments, image: Value) -> Value:
    found = machine.iterate(configuration.args[0] if configuration.args else configuration.kwargs.get("transforms"))
    if isinstance(found, Unknown):
        return machine.unknown(found.reason, "Compose")
    for transform in found:
        image = machine.call(transform, Arguments((image,)))
    return image


EFFECTS: Final[dict[str, Effect]] = {
    **dict.fromkeys(SAME, _keep),
    **{name: _to_tensor(dtype) for name, dtype in TO_TENSOR.items()},
    **dict.fromkeys(CROPS, _crop),
    "Resize": _resize,
    "Grayscale": _grayscale,
    "Pad": _pad,
    "ConvertImageDtype": _to_dtype,
    "ConvertDtype": _to_dtype,
    "ToDtype": _to_dtype,
    "Lambda": _call_given,
    "Compose": _compose,
    "ToPILImage": lambda machine, _, image: _to_picture(machine, image),
}


def _to_picture(machine: Machine, image: Value) -> Value:
    sizes = sizes_of(image)
    return machine.unknown("image-size", "ToPILImage") if sizes is None else resized(machine, None, *sizes)


def _register(name: str, effect: Effect) -> None:
    LIBRARY_BASES[name] = ()

    @handler(name)
    def construct(machine: Machine, _: Value, arguments: Arguments) -> Value:
        return InstanceVal(LibSymbol(name), site=machine.site, state={"configuration": arguments})

    @handler(f"{name}.__call__")
    def call(machine: Machine, transform: Value, arguments: Arguments) -> Value:
        image = unwrap(arguments.args[0]) if arguments.args else None
        if image is None or isinstance(image, Unknown):
            return image if image is not None else machine.unknown("dynamic-argument", name)
        return effect(machine, transform.state["configuration"], image)


for _prefix in PREFIXES:
    for _name, _effect in EFFECTS.items():
        _register(f"{_prefix}.{_name}", _effect)
