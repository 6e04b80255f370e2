"""Arrays, checkpoints, HDF5 files and pictures that lie beside the code have the shapes that their libraries read."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest

from dllint.domains.lattice import Unknown
from dllint.ir.program import TensorVal
from dllint.ir.values import unwrap
from dllint.lower.document import lower_document
from dllint.source.document import Document
from dllint.source.workspace import Workspace
from tests.lower.test_configurations import plain

TYPES = ("float32", "float64", "int64", "int32", "uint8", "bool", "float16", "int16")


def attributes(root: Path, source: str, *, array_files: bool = True):
    found = lower_document(Document.from_text(root / "train.py", source), Workspace([root], array_files=array_files))
    assert found.failures == []
    return found.module.attrs


def arrays(seed: int) -> dict[str, np.ndarray]:
    """Arrays of many shapes and types by name."""
    random = Random(seed)
    shapes = [tuple(random.randrange(1, 6) for _ in range(random.randrange(4))) for _ in TYPES]
    return {f"x{i}": np.zeros(shape, kind) for i, (shape, kind) in enumerate(zip(shapes, TYPES, strict=True))}


def require_same(found, expected) -> None:
    for name, array in expected.items():
        value = unwrap(found[name])
        assert isinstance(value, TensorVal), (name, value)
        assert (value.type.shape, value.type.dtype.name) == (array.shape, str(array.dtype).removeprefix("torch.")), name


def reading(opening: str, names, access: str = "f[{!r}]") -> str:
    return opening + "".join(f"{name} = {access.format(name)}\n" for name in names)


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
@pytest.mark.parametrize("seed", range(2))
def test_archives_of_numpy(seed, save, tmp_path):
    expected = arrays(seed)
    save(tmp_path / "a.npz", **expected)
    for opening in ("import numpy as np\nf = np.load('a.npz')\n", "from numpy import load\nf = load(file='a.npz')\n"):
        require_same(attributes(tmp_path, reading(opening, expected)), expected)
    inside = "import numpy as np\nwith np.load('a.npz') as f:\n    names = f.files\n    found = [f[k] for k in f.files]\n"
    found = attributes(tmp_path, f"{inside}n = len(found)\n")
    assert plain(found["n"]) == len(expected)
    assert [array.type.shape for array in found["found"].items] == [array.shape for array in expected.values()]


@pytest.mark.parametrize("seed", range(2))
def test_safetensors(seed, tmp_path):
    torch, module = pytest.importorskip("torch"), pytest.importorskip("safetensors.torch")
    expected = {name: torch.from_numpy(array) for name, array in arrays(seed).items()} | {
        "h": torch.zeros(2, dtype=torch.bfloat16)
    }
    module.save_file(expected, tmp_path / "w.safetensors", {"format": "pt"})
    opening = "from safetensors.torch import load_file\nf = load_file('w.safetensors')\n"
    found = attributes(tmp_path, reading(opening, expected))
    require_same(found, {name: array.numpy() if name != "h" else array for name, array in expected.items()})
    assert found["x0"].framework == "torch"
    opened = "from safetensors import safe_open\nwith safe_open('w.safetensors', framework='np') as f:\n"
    found = attributes(tmp_path, f"{opened}    x0 = f.get_tensor('x0')\n    n = len([k for k in f.keys()])\n")
    assert found["x0"].framework == "numpy"
    assert found["x0"].type.shape == tuple(expected["x0"].shape)
    assert plain(found["n"]) == len(expected)


@pytest.mark.parametrize("libver", ["earliest", "latest"])
@pytest.mark.parametrize("seed", range(2))
def test_hdf5(seed, libver, tmp_path):
    h5py = pytest.importorskip("h5py")
    expected = dict(list(arrays(seed).items())[: 8 if libver == "earliest" else 3])
    with h5py.File(tmp_path / "a.h5", "w", libver=libver) as file:
        for name, array in expected.items():
            file[name] = array
            file[f"deep/er/{name}"] = array
        file.create_dataset("chunked", (10, 3), "u1", chunks=(5, 3), maxshape=(None, 3), compression="gzip")
        file["same"] = h5py.SoftLink("/x0")
        file["texts"] = ["a", "bc"]
    opening = "import h5py\nf = h5py.File('a.h5', 'r')\n"
    for access in ("f[{!r}][()]", "f[{!r}][...]", "f['deep/er/' + {!r}][()]", "f['deep']['er'][{!r}][()]"):
        require_same(attributes(tmp_path, reading(opening, expected, access)), expected)
    more = (
        "import numpy as np\nc = f['chunked'][2:6]\nn = len(f['chunked'])\ns = f['chunked'].shape\na = np.array(f['chunked'])\n"
    )
    found = attributes(
        tmp_path, f"{opening}{more}link = f['same']\nt = f['texts']\nk = len(list(f.keys()))\nq = f.attrs['no']\n"
    )
    assert found["c"].type.shape == (4, 3)
    assert plain(found["n"]) == 10
    assert plain(found["s"]) == (10, 3)
    assert found["a"].type.shape == (10, 3)
    assert isinstance(found["link"], Unknown)
    for mode in ("'w'", "'a'", "mode='r+'"):
        source = f"import h5py\nf = h5py.File('a.h5', {mode})\nx = f['chunked'][:]\n"
        assert isinstance(attributes(tmp_path, source)["x"], Unknown)


def test_groups_of_links_in_a_heap_are_not_known(tmp_path):
    h5py = pytest.importorskip("h5py")
    with h5py.File(tmp_path / "a.h5", "w", libver="latest") as file:
        for number in range(20):
            file[f"many/x{number}"] = np.zeros(3)
        file["few"] = np.zeros(2)
    found = attributes(tmp_path, "import h5py\nf = h5py.File('a.h5')\nx = f['many']['x0']\ny = f['few'][:]\n")
    assert isinstance(found["x"], Unknown)
    assert found["y"].type.shape == (2,)


@pytest.mark.parametrize("seed", range(2))
def test_checkpoints(seed, tmp_path):
    torch = pytest.importorskip("torch")
    expected = {name: torch.from_numpy(array) for name, array in arrays(seed).items()}
    model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.BatchNorm1d(4))
    held = {"state": expected, "model": model.state_dict(), "epoch": 3, "p": torch.nn.Parameter(torch.zeros(2, 5)), "m": model}
    torch.save(held, tmp_path / "c.pt")
    opening = "import torch\nf = torch.load('c.pt', map_location='cpu')\n"
    found = attributes(
        tmp_path, reading(opening, expected, "f['state'][{!r}]") + "w = f['model']['0.weight']\ne = f['epoch']\n"
    )
    require_same(found, {name: array.numpy() for name, array in expected.items()})
    assert found["w"].type.shape == (4, 3)
    assert plain(found["e"]) == 3
    found = attributes(tmp_path, f"{opening}p = f['p']\nm = f['m']\nno = f['no']\n")
    assert found["p"].type.shape == (2, 5)
    assert isinstance(found["m"], Unknown)
    assert isinstance(found["no"], Unknown)


@pytest.mark.parametrize("mode", ["1", "L", "RGB", "RGBA", "LA", "P", "CMYK", "I;16", "I", "F"])
def test_pictures(mode, tmp_path):
    image = pytest.importorskip("PIL.Image")
    for ending in ("png", "jpg", "gif", "bmp"):
        path = tmp_path / f"i.{ending}"
        try:
            image.new(mode, (5, 7)).save(path)
        except (OSError, ValueError):  # no such mode in this format
            continue
        expected = np.asarray(image.open(path))
        source = f"import cv2\nimport numpy as np\nfrom PIL import Image\ni = Image.open('{path.name}')\nw, h = i.size\n"
        found = attributes(
            tmp_path, f"{source}a = np.asarray(i)\nr = np.array(i.convert('RGB'))\nc = cv2.imread('{path.name}')\n"
        )
        assert (plain(found["w"]), plain(found["h"])) == (5, 7)
        assert found["r"].type.shape == found["c"].type.shape == (7, 5, 3)
        if isinstance(found["a"], TensorVal) and not isinstance(found["a"].type.shape, Unknown):
            assert (found["a"].type.shape, found["a"].type.dtype.name) == (expected.shape, expected.dtype.name)


def test_pictures_that_are_turned_have_no_sides_for_opencv(tmp_path):
    image = pytest.importorskip("PIL.Image")
    exif = image.Exif()
    exif[274] = 6
    for ending in ("jpg", "png"):
        image.new("RGB", (5, 7)).save(tmp_path / f"i.{ending}", exif=exif)
        source = f"import cv2\nfrom PIL import Image\nw = Image.open('i.{ending}').width\nc = cv2.imread('i.{ending}')\n"
        found = attributes(tmp_path, source)
        assert plain(found["w"]) == 5
        assert not any(isinstance(size, int) for size in found["c"].type.shape[:2])


@pytest.mark.parametrize(
    ("writer", "reader"),
    [
        ("torch.save(x, 'c.pt')", "torch.load('c.pt')"),
        ("np.savez('a.npz', x=x)", "np.load('a.npz')"),
        ("h5py.File('a.h5', 'w').create_dataset('x', data=x)", "h5py.File('a.h5', 'r')"),
        ("h5py.File('a.h5', 'w')['x'] = x", "h5py.File('a.h5', 'r')"),
    ],
)
def test_what_the_program_writes_and_what_the_setting_excludes_is_not_known(writer, reader, tmp_path):
    torch, h5py = pytest.importorskip("torch"), pytest.importorskip("h5py")
    np.savez(tmp_path / "a.npz", x=np.zeros(3))
    torch.save({"x": torch.zeros(3)}, tmp_path / "c.pt")
    with h5py.File(tmp_path / "a.h5", "w") as file:
        file["x"] = np.zeros(3)
    head = "import h5py\nimport numpy as np\nimport torch\n"
    assert not isinstance(attributes(tmp_path, f"{head}f = {reader}\n")["f"], Unknown)
    assert isinstance(attributes(tmp_path, f"{head}def write(x):\n    {writer}\nf = {reader}\n")["f"], Unknown)
    assert isinstance(attributes(tmp_path, f"{head}f = {reader}\n", array_files=False)["f"], Unknown)
