"""``torchvision.transforms`` (and ``v2``): what each transform does to an image's channels, size and type."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from dllint.domains.dim import Dim, DimExpr, same, symbol
from dllint.domains.dtype import FLOAT32, UINT8, DType
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.frameworks.given import given
from dllint.frameworks.machine import LIBRARY_BASES, Machine, constructor, handler
from dllint.frameworks.pillow.images import image_tensor, resized, sizes_of
from dllint.frameworks.torch.protocols.conversion import requested_dtype
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, ClassVal, InstanceVal, ListVal, Value, unwrap
from dllint.ops.operand import is_axis_list

PREFIXES: Final = ("torchvision.transforms", "torchvision.transforms.v2")
#: Transforms that change neither size nor type.
SAME: Final = (
    "RandomHorizontalFlip", "RandomVerticalFlip", "RandomRotation", "RandomAffine", "ColorJitter",
    "RandomPerspective",
    "GaussianBlur", "RandomInvert", "RandomPosterize", "RandomSolarize", "RandomAdjustSharpness",
    "RandomAutocontrast",
    "RandomEqualize", "AutoAugment", "RandAugment", "TrivialAugmentWide", "AugMix", "ElasticTransform", "RandomGrayscale",
    "ToPureTensor",
)  # fmt: skip
#: Those of them that leave other numbers: drawn ones among them.
OTHER_NUMBERS: Final = ("RandomErasing", "GaussianNoise")
#: Transform → the tensor's element type.
TO_TENSOR: Final = {"ToTensor": FLOAT32, "PILToTensor": UINT8, "ToImage": UINT8, "ToImageTensor": UINT8}
#: Pictures are made of bytes; as floats they lie between 0 and 1.
_LIMITS: Final = {FLOAT32: (0.0, 1.0), UINT8: (0.0, 255.0)}
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
        if not isinstance(image, InstanceVal) or isinstance(image.cls, ClassVal):
            return machine.unknown("no-tensor", "image")
        sizes = sizes_of(image)
        shape = Unknown("image-size") if sizes is None else sizes
        return image_tensor(machine, TensorType(shape, dtype), _LIMITS[dtype])

    return effect


def _from_array(machine: Machine, image: TensorVal, dtype: DType) -> Value:
    """``ToTensor`` moves an array's last axis to the front; only bytes become floats."""
    shape = image.shape
    if not isinstance(shape, Unknown):
        shape = (1, *shape) if len(shape) == 2 else (shape[-1], *shape[:-1])
    if image.dtype == UINT8:
        return image_tensor(machine, TensorType(shape, dtype), _LIMITS[dtype])
    return image_tensor(machine, TensorType(shape, image.dtype), (image.low, image.high))


def _other_numbers(machine: Machine, configuration: Arguments, image: Value) -> Value:
    return image_tensor(machine, image.type) if isinstance(image, TensorVal) else image


def _normalize(machine: Machine, configuration: Arguments, image: Value) -> Value:
    """``Normalize(mean, std)``: ``(x - mean) / std`` per channel."""
    if not isinstance(image, TensorVal):
        return image
    options = given("mean, std, inplace=False", configuration)
    means, deviations = _numbers(options.get("mean")), _numbers(options.get("std"))
    if image.low is None or image.high is None or len(means) != len(deviations) or not means or 0 in deviations:
        return image_tensor(machine, image.type)
    ends = [(end - m) / s for m, s in zip(means, deviations, strict=True) for end in (image.low, image.high)]
    return image_tensor(machine, image.type, (min(ends), max(ends)))


def _numbers(value: Value) -> list[float]:
    """The numbers of a sequence; none if one of them is not known."""
    value = unwrap(value)
    items = value.items if isinstance(value, ListVal) and value.rest is None else value
    members = [unwrap(item) for item in items] if isinstance(items, (tuple, list)) else [items]
    numbers: list[float] = [member for member in members if isinstance(member, (int, float))]
    return numbers if len(numbers) == len(members) else []


def _pair(value: Value) -> tuple[Dim, Dim] | None:
    value = unwrap(value)
    if isinstance(value, ListVal) and value.rest is None:
        value = tuple(value.items)
    if isinstance(value, tuple):
        sizes = [size for v in value if isinstance(size := unwrap(v), (int, DimExpr))]
        return (sizes[0], sizes[-1]) if len(sizes) == len(value) and len(sizes) in (1, 2) else None
    return (value, value) if isinstance(value, (int, DimExpr)) else None


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
    if len(given_sides) not in around or not is_axis_list(given_sides):
        return resized(machine, image, sizes[0], symbol("H"), symbol("W"))
    left, top, right, bottom = (given_sides[i] for i in around[len(given_sides)])
    return resized(machine, image, sizes[0], sizes[1] + top + bottom, sizes[2] + left + right)


def _to_dtype(machine: Machine, configuration: Arguments, image: Value) -> Value:
    dtype = requested_dtype(configuration)
    if not isinstance(image, TensorVal) and not isinstance(image, InstanceVal):
        return machine.unknown("no-tensor", "image")
    if not isinstance(image, TensorVal) or dtype is None:
        return image
    return image_tensor(machine, image.type.with_dtype(dtype))


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
    **dict.fromkeys(OTHER_NUMBERS, _other_numbers),
    "Normalize": _normalize,
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

    @constructor(name)
    def configure(machine: Machine, transform: InstanceVal, arguments: Arguments) -> None:
        machine.write(transform.state, "configuration", arguments)

    @handler(f"{name}.__call__", f"{name}.forward", on=InstanceVal)
    def call(machine: Machine, transform: InstanceVal, arguments: Arguments) -> Value:
        image, configuration = unwrap(arguments.args[0]) if arguments.args else None, transform.kept("configuration")
        if image is None or isinstance(image, Unknown):
            return Unknown(image.reason, image.detail) if image is not None else machine.unknown("dynamic-argument", name)
        return effect(machine, configuration, image) if isinstance(configuration, Arguments) else configuration


for _prefix in PREFIXES:
    for _name, _effect in EFFECTS.items():
        _register(f"{_prefix}.{_name}", _effect)
