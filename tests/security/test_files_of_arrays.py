"""Files of arrays in a checkout that nobody has to trust: damaged, cut off, circular, deep or made to cost much."""

from __future__ import annotations

import io
import json
import pickle
import struct
import time
import zipfile
from collections import OrderedDict
from pathlib import Path
from random import Random

import numpy as np
import pytest

from dllint.source.data import contents, plain
from dllint.source.data.held import ArrayHead
from dllint.source.data.plain import UnreadableError
from dllint.source.workspace import Workspace

_SECONDS = 3


def outcome(path: Path, form: str):
    """What is read, or None; in bounded time, and nothing else is raised."""
    began = time.process_time()
    try:
        found = contents.read(path, form)
    except UnreadableError:
        found = None
    assert time.process_time() - began < _SECONDS
    return found


def archive(path: Path, members: dict[str, bytes], kind: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", kind) as file:
        for name, data in members.items():
            file.writestr(name, data)
    return path


def written(folder: Path) -> dict[str, Path]:
    """A sound file of each form."""
    torch, h5py = pytest.importorskip("torch"), pytest.importorskip("h5py")
    image, safetensors = pytest.importorskip("PIL.Image"), pytest.importorskip("safetensors.numpy")
    arrays = {f"x{i}": np.zeros((i, 3), "f4") for i in range(5)}
    np.savez(folder / "a.npz", **arrays)
    safetensors.save_file(arrays, folder / "a.safetensors")
    torch.save({name: torch.from_numpy(array) for name, array in arrays.items()}, folder / "a.pt")
    with h5py.File(folder / "a.h5", "w") as file:
        for name, array in arrays.items():
            file[f"g/{name}"] = array
        file.attrs["model_config"] = json.dumps({"class_name": "Sequential"})
    image.new("RGB", (5, 7)).save(folder / "a.jpg")
    archive(folder / "a.keras", {"config.json": b'{"class_name": "Sequential"}'})
    return {
        "npz": folder / "a.npz", "safetensors": folder / "a.safetensors", "checkpoint": folder / "a.pt",
        "hdf5": folder / "a.h5", "picture": folder / "a.jpg", "model": folder / "a.keras",
    }  # fmt: skip


@pytest.mark.parametrize("form", plain.HELD)
def test_damaged_and_cut_files(form, tmp_path):
    path = written(tmp_path)[form]
    assert outcome(path, form) is not None
    data, random = path.read_bytes(), Random(form)
    damaged = tmp_path / f"damaged{path.suffix}"
    for _ in range(60):
        changed = bytearray(data)
        for _ in range(random.randrange(1, 5)):
            changed[random.randrange(min(len(changed), 3000))] = random.choice((0, 1, 0x7F, 0xFF, random.randrange(256)))
        damaged.write_bytes(changed[: random.randrange(len(changed))] if random.random() < 0.4 else changed)
        outcome(damaged, form)
    for other in plain.HELD:
        outcome(path, other)


def test_bombs_are_not_unpacked(tmp_path):
    large = archive(tmp_path / "a.npz", {"x.npy": bytes(20 * 2**20)})
    assert outcome(large, "npz") is not None
    assert outcome(archive(tmp_path / "b.pt", {"a/data.pkl": bytes(20 * 2**20)}), "checkpoint") is None
    assert outcome(archive(tmp_path / "b.keras", {"config.json": b" " * 20 * 2**20}), "model") is None
    assert outcome(archive(tmp_path / "many.npz", {f"x{i}.npy": b"" for i in range(5000)}), "npz") is None
    assert outcome(archive(tmp_path / "c.npz", {"x.npy": bytes(1000)}, zipfile.ZIP_LZMA), "npz") is None


def header(text: bytes, length: int | None = None) -> bytes:
    return struct.pack("<Q", len(text) if length is None else length) + text


@pytest.mark.parametrize(
    "data",
    [
        b"",
        header(b"{}", 2**63),
        header(b'{"a":' * 50_000),
        header(b"[" * 100_000),
        header(b'{"x": {"dtype": "F32", "shape": [-1], "data_offsets": [0, 4]}}'),
        header(b'{"x": {"dtype": "F32", "shape": [true], "data_offsets": [0, 4]}}'),
        header(json.dumps({"x": {"dtype": "F32", "shape": [1] * 100}}).encode()),
        header(b'{"x": 3}'),
        header(b"\xff\xfe"),
    ],
)
def test_hostile_headers_of_safetensors(data, tmp_path):
    (tmp_path / "a.safetensors").write_bytes(data)
    assert outcome(tmp_path / "a.safetensors", "safetensors") is None


class _Runs:
    def __init__(self, trace: str) -> None:
        self.trace = trace

    def __reduce__(self):
        return Path.write_text, (Path(self.trace), "ran")


def test_nothing_is_unpickled(tmp_path):
    held = {"a": _Runs(str(tmp_path / "trace")), "b": 3, "c": OrderedDict(x=1)}
    found = outcome(archive(tmp_path / "a.pt", {"a/data.pkl": pickle.dumps(held, 2)}), "checkpoint")
    assert found["b"] == 3
    assert found["c"] == {"x": 1}
    assert isinstance(found["a"], plain.Opaque)
    assert not (tmp_path / "trace").exists()


def shared(levels: int) -> list[object]:
    part: list[object] = [0]
    for _ in range(levels):
        part = [part] * 10
    return part


def test_pickles_that_grow_go_round_or_are_damaged(tmp_path):
    circular: list[object] = []
    circular.append(circular)
    deep: list[object] = []
    for _ in range(200):
        deep = [deep]
    for held in (shared(12), circular, deep, list(range(60_000))):
        assert outcome(archive(tmp_path / "a.pt", {"a/data.pkl": pickle.dumps(held, 2)}), "checkpoint") is None
    for data in (b".", b"(.", b"a.", b"\x80\x02h\x05.", b"I" + b"9" * 100_000 + b"\n.", b"\x80\x02}(K\x01u.", b"t.", b"c"):
        assert outcome(archive(tmp_path / "b.pt", {"a/data.pkl": data}), "checkpoint") is None


def test_circular_groups(tmp_path):
    h5py = pytest.importorskip("h5py")
    with h5py.File(tmp_path / "a.h5", "w") as file:
        group = file.create_group("g")
        group["up"] = file["/"]
        group["again"] = group
    assert outcome(tmp_path / "a.h5", "hdf5") is None


@pytest.mark.parametrize("head", [b"", b"\x89PNG\r\n\x1a\n", b"\xff\xd8", b"\xff\xd8" + b"\xff" * 100_000, b"BM", b"GIF89a"])
def test_pictures_without_sizes(head, tmp_path):
    (tmp_path / "a.png").write_bytes(head)
    assert outcome(tmp_path / "a.png", "picture") is None


def test_special_files_and_links_are_not_followed(tmp_path):
    with pytest.raises(OSError, match="regular"):
        contents.read("/dev/zero", "npz")
    buffer = io.BytesIO()
    np.save(buffer, np.zeros((2, 3)))
    found = outcome(archive(tmp_path / "a.npz", {"x.npy": buffer.getvalue(), "/etc/passwd.npy": b""}), "npz")
    assert found["x"] == ArrayHead((2, 3), "float64")
    folder, outside = tmp_path / "project", tmp_path / "a.npz"
    folder.mkdir()
    (folder / "link.npz").symlink_to(outside)
    for name in ("link.npz", "../a.npz", str(outside)):
        assert Workspace([folder]).data(folder / "x.py", name, "npz").path is None
