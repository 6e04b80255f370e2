"""Pictures of Pillow: channels, size and type of the arrays that numpy makes of them are those that Pillow makes."""

from __future__ import annotations

import io
from itertools import product
from typing import Any

import pytest

from dllint.domains.dim import DimExpr, is_known
from dllint.domains.dtype import DType
from dllint.domains.lattice import Unknown
from dllint.ir.program import TensorVal
from tests.lower.tracing import lower

HEAD = "import numpy as np\nfrom PIL import Image, ImageOps\n"
#: Where a picture comes from, and whether its size is known.
SOURCES = {
    "Image.open(file)": False,
    "Image.new('RGB', (12, 9))": True,
    "Image.new('L', (12, 9), 3)": True,
    "Image.fromarray(np.zeros((9, 12, 3), dtype=np.uint8))": True,
    "Image.fromarray(np.zeros((9, 12), dtype=np.float32))": True,
    "Image.fromarray(np.zeros((9, 12), dtype=np.uint8), 'L')": True,
    "Image.fromarray(np.zeros((9, 12), dtype=bool))": True,
}
MODES = ("", *(f".convert('{mode}')" for mode in ("1", "L", "RGB", "RGBA", "CMYK", "HSV", "YCbCr", "I", "F")))
STEPS = (
    "", ".resize((6, 4))", ".crop((1, 2, 7, 5))", ".rotate(30)", ".rotate(30, expand=True)", ".transpose(Image.ROTATE_90)",
    ".transpose(Image.Transpose.FLIP_LEFT_RIGHT)", ".copy()", ".resize(size=(5, 5)).crop((0, 0, 2, 3))",
)  # fmt: skip
FUNCTIONS = ("ImageOps.mirror({0})", "ImageOps.fit({0}, (5, 3))", "ImageOps.grayscale({0})", "ImageOps.exif_transpose({0})")


def expressions() -> list[str]:
    steps = [f"{source}{mode}{step}" for source, mode, step in product(SOURCES, MODES, STEPS)]
    return steps + [function.format(f"{source}.convert('RGB')") for function, source in product(FUNCTIONS, SOURCES)]


@pytest.mark.oracle
@pytest.mark.parametrize("way", ["np.array", "np.asarray"])
def test_arrays_are_those_that_pillow_makes(way: str) -> None:
    image, operations, numpy = (
        pytest.importorskip("PIL.Image"),
        pytest.importorskip("PIL.ImageOps"),
        pytest.importorskip("numpy"),
    )
    file = io.BytesIO()
    image.new("RGB", (12, 9)).save(file, "PNG")
    texts = expressions()
    found = lower(HEAD + "".join(f"x{number} = {way}({text})\n" for number, text in enumerate(texts))).module.attrs
    known = 0
    for number, text in enumerate(texts):
        file.seek(0)
        space: dict[str, Any] = {"np": numpy, "Image": image, "ImageOps": operations, "file": file}
        try:
            real = eval(f"{way}({text})", space)
        except (ValueError, OSError):  # Pillow converts some modes into no other one
            continue
        value = found[f"x{number}"]
        assert isinstance(value, TensorVal), text
        if isinstance(value.shape, Unknown):
            assert "Image.open" in text, text
            assert "convert" not in text, text
            continue
        known += 1
        assert len(value.shape) == real.ndim, text
        assert all(isinstance(n, DimExpr) or n == m for n, m in zip(value.shape, real.shape, strict=True)), text
        assert all(map(is_known, value.shape)), text
        assert isinstance(value.dtype, Unknown) or value.dtype.name == str(real.dtype), text
    assert known > 0.8 * len(texts)


DATASET = """
import glob

from PIL import Image
from torch.utils.data import DataLoader, Dataset
from torchvision import transforms

class Pictures(Dataset):
    def __init__(self, files, transform=None):
        self.files = files
        self.transform = transform

    def __len__(self):
        return len(self.files)

    def __getitem__(self, place):
        image = Image.open(self.files[place]).convert({mode!r})
        if self.transform{test}:
            image = self.transform(image)
        return image, place

chosen = transforms.Compose([transforms.Resize({size}), {more}transforms.ToTensor()])
for images, labels in DataLoader(Pictures(glob.glob("*.png"), chosen), batch_size=8):
    scaled = images * 2
"""


@pytest.mark.parametrize(("mode", "channels"), [("RGB", 3), ("L", 1), ("RGBA", 4)])
@pytest.mark.parametrize("test", ["", " is not None"])
@pytest.mark.parametrize(("size", "more"), [("(32, 48)", ""), ("64", "transforms.CenterCrop((32, 48)), ")])
def test_batches_of_transformed_pictures(mode: str, channels: int, test: str, size: str, more: str) -> None:
    found = lower(DATASET.format(mode=mode, test=test, size=size, more=more)).module.attrs["scaled"]
    assert isinstance(found, TensorVal)
    assert isinstance(found.shape, tuple)
    assert found.shape[1:] == (channels, 32, 48)
    assert isinstance(found.dtype, DType)
