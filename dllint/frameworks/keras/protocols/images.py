"""Pictures: ``ImageDataGenerator``, folders of pictures, single files."""

from __future__ import annotations

from typing import Final

from dllint.domains.dim import counted, opaque
from dllint.domains.dtype import FLOAT32
from dllint.domains.lattice import Unknown
from dllint.frameworks import kinds
from dllint.frameworks.keras.protocols.labels import class_labels
from dllint.frameworks.keras.protocols.plain import argument, is_size, plain
from dllint.frameworks.keras.protocols.shapes import BATCH, one_batch
from dllint.frameworks.keras.protocols.stored import PIXELS, stored
from dllint.frameworks.machine import Machine, constructor, handler
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, InstanceVal, LibSymbol, Value

GENERATOR: Final = "keras.preprocessing.image.ImageDataGenerator"
DATASET: Final = "tensorflow.data.Dataset"
#: Options of a generator that change the numbers of its pictures.
_RESCALING: Final = (
    "preprocessing_function", "featurewise_center", "samplewise_center", "featurewise_std_normalization",
    "samplewise_std_normalization", "zca_whitening",
)  # fmt: skip
#: The parameters that both ways of reading files share, in their order, with their defaults.
_OF_FILES: Final = {"target_size": (256, 256), "color_mode": "rgb", "classes": None, "class_mode": "categorical"}
_CHANNELS: Final = {"grayscale": 1, "rgb": 3, "rgba": 4}


def batches(machine: Machine, *element: Value) -> InstanceVal:
    """A data set whose elements are batches of ``element``: a tuple, unless it is a single value."""
    out = InstanceVal(LibSymbol(DATASET), site=machine.site)
    out.state["element"] = element[0] if len(element) == 1 else element
    return out


def channels_of(mode: Value) -> int | None:
    """The channels of a picture that is read with a ``color_mode``."""
    if mode is None:
        return 3
    return _CHANNELS.get(mode) if isinstance(mode, str) else None


def _images(machine: Machine, spelled: str, size: Value, mode: Value) -> Value:
    """A batch of pictures with the numbers they are stored with."""
    sizes, channels = kinds.sizes(size), channels_of(mode)
    if sizes is None or len(sizes) != 2 or channels is None:
        return Unknown("no-argument", "image_size")
    shape = (BATCH, *sizes, channels)
    return stored(machine, spelled, shape, FLOAT32, PIXELS)


@constructor(GENERATOR)
def construct_generator(machine: Machine, generator: InstanceVal, arguments: Arguments) -> None:
    """``ImageDataGenerator(...)``: augmentations do not change shapes, some options change the numbers."""
    raw = not any(plain(arguments.kwargs.get(option)) for option in _RESCALING) and not arguments.args
    machine.write(generator.state, "raw", raw)
    machine.write(generator.state, "rescale", plain(arguments.kwargs.get("rescale")))


@handler(f"{GENERATOR}.flow")
def flow(machine: Machine, generator: Value, arguments: Arguments) -> Value:
    """``flow(x, y, sample_weight)``: batches of the arrays; a generator that rescales gives other numbers."""
    x, y = (_batch(machine, argument(arguments, name, place)) for place, name in enumerate(("x", "y")))
    weights = _batch(machine, argument(arguments, "sample_weight", 4))
    pictures = _rescaled(machine, generator, x)
    if y is None:
        return batches(machine, pictures)
    return batches(machine, pictures, y) if weights is None else batches(machine, pictures, y, weights)


def _rescaled(machine: Machine, generator: Value, pictures: Value) -> Value:
    """The pictures multiplied by the generator's ``rescale``; of other numbers if another option changes them."""
    if not isinstance(pictures, TensorVal) or not isinstance(generator, InstanceVal):
        return pictures
    if generator.state.get("raw") is not True:
        return machine.emit("rescale", {"x": pictures}, framework="numpy", spelled=GENERATOR)
    factor = generator.state.get("rescale")
    if not factor:
        return pictures
    return machine.emit("mul", {"x": pictures, "y": factor}, framework="numpy", spelled=GENERATOR)


def _batch(machine: Machine, value: Value) -> Value:
    return value.redrawn(one_batch(value.type)) if isinstance(value, TensorVal) else value


@handler(f"{GENERATOR}.fit")
def fit_generator(machine: Machine, generator: Value, arguments: Arguments) -> Value:
    """Statistics for ``featurewise_center`` and the like."""
    return None


@handler(f"{GENERATOR}.flow_from_directory")
def flow_from_directory(machine: Machine, generator: Value, arguments: Arguments) -> Value:
    """Batches of images of ``target_size`` (256×256, RGB by default) and labels by ``class_mode``."""
    return _files(machine, generator, arguments, "flow_from_directory", first=1)


@handler(f"{GENERATOR}.flow_from_dataframe")
def flow_from_dataframe(machine: Machine, generator: Value, arguments: Arguments) -> Value:
    """The same of the files that a table names, with a weight for each where ``weight_col`` names a column."""
    if argument(arguments, "weight_col", 4) is not None:
        return batches(machine, Unknown("dataset", "weight_col"))
    return _files(machine, generator, arguments, "flow_from_dataframe", first=5)


def _files(machine: Machine, generator: Value, arguments: Arguments, method: str, first: int) -> Value:
    """Batches of pictures from files; ``first`` is the position of ``target_size`` among the parameters."""
    spelled = f"{GENERATOR}.{method}"
    size, colours, classes, mode = (
        argument(arguments, name, first + place, default) for place, (name, default) in enumerate(_OF_FILES.items())
    )
    images = _rescaled(machine, generator, _images(machine, spelled, size, colours))
    if mode is None:
        return batches(machine, images)
    if mode == "input":
        return batches(machine, images, images)
    if isinstance(mode, Unknown):
        return batches(machine, mode)
    return batches(machine, images, class_labels(machine, spelled, mode, classes))


@handler("keras.utils.img_to_array")
def img_to_array(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """(height, width, channels) of the image given, of a size that ``load_img(target_size=…)`` may have told."""
    image = argument(arguments, "img", 0)
    picture = isinstance(image, InstanceVal)
    sizes = kinds.sizes(image.kept("size")) if isinstance(image, InstanceVal) else None
    spatial = sizes if sizes is not None and len(sizes) == 2 else (counted("H", 1), counted("W", 1))
    channels = image.kept("channels") if isinstance(image, InstanceVal) else None
    shape = (*spatial, channels if is_size(channels) else opaque("C", 1))
    return stored(machine, "keras.utils.img_to_array", shape, FLOAT32, PIXELS if picture else None)


@handler("keras.utils.load_img")
def load_img(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """A picture; ``target_size`` and ``color_mode`` give its size and channels."""
    image = InstanceVal(LibSymbol("PIL.Image.Image"), site=machine.site)
    image.state["size"] = plain(arguments.kwargs.get("target_size"))
    image.state["channels"] = channels_of(plain(arguments.kwargs.get("color_mode")))
    return image
