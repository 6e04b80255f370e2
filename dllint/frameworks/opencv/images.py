"""Images as arrays (height, width) or (height, width, channels): where they come from, and what functions make of them.

Every result of one channel has no axis for it, whatever the argument had (run with 5.0).
"""

from __future__ import annotations

from typing import Final

from dllint.domains.dim import Dim, add, counted, equal
from dllint.domains.dtype import UINT8, DType
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape, TensorType
from dllint.frameworks import kinds
from dllint.frameworks.array_like import as_array
from dllint.frameworks.given import given
from dllint.frameworks.machine import LIBRARY_BASES, Handler, Machine, handler
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, LibSymbol, Value
from dllint.source.data.held import Held, PictureHead

_CAPTURE: Final = "cv2.VideoCapture"
LIBRARY_BASES[_CAPTURE] = ()
#: What ``flags`` of ``imread`` say of the axes behind height and width.
_FLAGS: Final = {
    "IMREAD_COLOR": (3,),
    "IMREAD_COLOR_BGR": (3,),
    "IMREAD_COLOR_RGB": (3,),
    "IMREAD_GRAYSCALE": (),
    "1": (3,),
    "0": (),
}
#: Functions that keep size, channels and type of their first argument.
_SAME: Final = (
    "GaussianBlur", "adaptiveThreshold", "bilateralFilter", "bitwise_not", "blur", "dilate", "equalizeHist", "erode",
    "fastNlMeansDenoising", "fastNlMeansDenoisingColored", "flip", "medianBlur", "morphologyEx",
)  # fmt: skip
_TURNED: Final = frozenset({"ROTATE_90_CLOCKWISE", "ROTATE_90_COUNTERCLOCKWISE"})
#: The ends of names of conversions (``COLOR_BGR2GRAY``), and the channels that these make.
_COLOURS: Final = {"GRAY": 1, "BGRA": 4, "RGBA": 4} | dict.fromkeys(
    ("BGR", "RGB", "HSV", "HLS", "LAB", "Lab", "LUV", "Luv", "YUV", "XYZ", "YCrCb", "YCR_CB"), 3
)


def _image(machine: Machine, shape: Shape | Unknown, dtype: DType | Unknown) -> TensorVal:
    """An array of pixels."""
    image = machine.tensor(TensorType(shape, dtype), framework="numpy", name="image")
    if dtype == UINT8:
        image.low, image.high = 0, 255
    return image


def _source(arguments: Arguments) -> TensorVal | None:
    """The image that a function is given first."""
    value = as_array(arguments.args[0] if arguments.args else arguments.kwargs.get("src"))
    return value if isinstance(value, TensorVal) and value.framework == "numpy" else None


def _remade(machine: Machine, source: TensorVal | None, height: Dim | None = None, width: Dim | None = None) -> TensorVal:
    """What becomes of an image in another size (``None``: the same)."""
    dtype = source.dtype if source is not None else Unknown("no-argument", "src")
    shape = source.shape if source is not None else Unknown("no-argument", "src")
    if isinstance(shape, Unknown) or len(shape) not in (2, 3):
        return _image(machine, shape if isinstance(shape, Unknown) else Unknown("no-argument", "src"), dtype)
    sides = (shape[0] if height is None else height, shape[1] if width is None else width)
    is_single = equal(shape[2], 1) if len(shape) == 3 else True
    if is_single is None:
        return _image(machine, Unknown("image-channels"), dtype)
    return _image(machine, sides if is_single else (*sides, shape[2]), dtype)


def _sides(size: Value) -> tuple[Dim, Dim]:
    """Height and width of ``(width, height)``."""
    sizes = kinds.sizes(size)
    return (sizes[1], sizes[0]) if sizes is not None and len(sizes) == 2 else (counted("H", 1), counted("W", 1))


@handler("cv2.imread", "cv2.imdecode")
def read(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``imread(filename, flags=IMREAD_COLOR)``: bytes (height, width, 3), or (height, width) of grey images; of the size of a
    picture that lies beside the code, unless OpenCV may turn it (Exif)."""
    held = machine.file_content(arguments.kwargs.get("filename", arguments.positional(0)), "picture")
    flags = given("source, flags=1", arguments).get("flags")
    name = flags.name.rpartition(".")[2] if isinstance(flags, LibSymbol) else str(flags) if isinstance(flags, int) else ""
    if name not in _FLAGS:
        return _image(machine, Unknown("data-file", "image"), Unknown("data-file", "image"))
    return _image(machine, (*_sides_of(held), *_FLAGS[name]), UINT8)


def _sides_of(held: Held) -> tuple[Dim, Dim]:
    if isinstance(held, PictureHead) and not held.turned:
        return held.height, held.width
    return counted("H", 1), counted("W", 1)


@handler(f"{_CAPTURE}.read")
def frame(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """Whether there is another frame, and the frame."""
    return Unknown("run-time", "frame"), _image(machine, (counted("H", 1), counted("W", 1), 3), UINT8)


@handler("cv2.resize")
def resize(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``resize(src, dsize, dst=None, fx=None, fy=None, interpolation=…)`` with ``dsize`` (width, height)."""
    return _remade(machine, _source(arguments), *_sides(given("src, dsize=None, *rest, **more", arguments).get("dsize")))


@handler("cv2.warpAffine", "cv2.warpPerspective")
def warp(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``warpAffine(src, M, dsize, …)``."""
    return _remade(machine, _source(arguments), *_sides(given("src, M, dsize=None, *rest, **more", arguments).get("dsize")))


@handler("cv2.cvtColor")
def convert(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``cvtColor(src, code)``: the name of the code says how many channels there are afterwards."""
    source, code = _source(arguments), given("src, code, *rest, **more", arguments).get("code")
    name = code.name.rpartition("2")[2] if isinstance(code, LibSymbol) and code.name.startswith("cv2.COLOR_") else ""
    channels, shape = _COLOURS.get(name.removesuffix("_FULL")), source.shape if source is not None else None
    dtype = source.dtype if source is not None else Unknown("no-argument", "src")
    if channels is None:
        return _image(machine, Unknown("image-channels"), dtype)
    known = shape if isinstance(shape, tuple) and len(shape) in (2, 3) else (counted("H", 1), counted("W", 1))
    return _image(machine, known[:2] if channels == 1 else (*known[:2], channels), dtype)


@handler("cv2.rotate")
def rotate(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``rotate(src, rotateCode)``."""
    source, code = _source(arguments), given("src, rotateCode, *rest, **more", arguments).get("rotateCode")
    name = code.name.rpartition(".")[2] if isinstance(code, LibSymbol) else ""
    shape = source.shape if source is not None else None
    if name == "ROTATE_180" or not isinstance(shape, tuple) or len(shape) < 2:
        return _remade(machine, source)
    return _remade(machine, source, *((shape[1], shape[0]) if name in _TURNED else (counted("H", 1), counted("W", 1))))


@handler("cv2.copyMakeBorder")
def border(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``copyMakeBorder(src, top, bottom, left, right, borderType)``."""
    options, source = given("src, top, bottom, left, right, *rest, **more", arguments), _source(arguments)
    top, bottom, left, right = (kinds.as_dim(options.get(name)) for name in ("top", "bottom", "left", "right"))
    shape = source.shape if source is not None else None
    if not isinstance(shape, tuple) or len(shape) < 2 or top is None or bottom is None or left is None or right is None:
        return _remade(machine, source, counted("H", 1), counted("W", 1))
    return _remade(machine, source, add(add(shape[0], top), bottom), add(add(shape[1], left), right))


@handler("cv2.threshold")
def threshold(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``(threshold, image)``."""
    return Unknown("unknown-number", "threshold"), _remade(machine, _source(arguments))


@handler("cv2.Canny")
def canny(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """Bytes of one channel."""
    edges = _remade(machine, _source(arguments))
    return _image(machine, edges.shape if isinstance(edges.shape, Unknown) else edges.shape[:2], UINT8)


def _kept() -> Handler:
    def call(machine: Machine, _: Value, arguments: Arguments) -> Value:
        return _remade(machine, _source(arguments))

    return call


for _name in _SAME:
    handler(f"cv2.{_name}")(_kept())
