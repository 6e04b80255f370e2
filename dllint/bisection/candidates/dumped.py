"""Tensors that a device has written: a file per value (``.npy``), or one file of all (``.npz``, ``.safetensors``).

The samples stand along the first axis, in the order of the spec's samples. A value is named by its file, or its key; slashes in
names may be folders. Which values are outputs is told by the reference's names, or by ``output``, ``output_0``, ``output_1`` …
"""

from __future__ import annotations

import os
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from dllint.bisection.candidates.setting import Setting
from dllint.bisection.errors import BisectionError
from dllint.bisection.protocols import Arrays, Observable
from dllint.bisection.samples import SAMPLE
from dllint.source.regular import require_regular


class DumpedCandidate:
    """Only what was dumped can be watched; nothing is computed, rows are looked up by the positions of samples."""

    by_position = True

    def __init__(self, arrays: Mapping[str, np.ndarray], outputs: Sequence[str]) -> None:
        self._arrays = arrays
        self.outputs = list(outputs)
        self.observables = [Observable(name) for name in arrays]

    def run(self, inputs: Arrays, wanted: Sequence[str]) -> dict[str, np.ndarray]:
        """The rows of the samples. Raises :class:`BisectionError` if fewer samples were dumped."""
        positions = inputs[SAMPLE]
        for name in wanted:
            if len(self._arrays[name]) <= int(positions.max()):
                text = f"`{name}` was dumped for {len(self._arrays[name])} samples, the spec has more"
                raise BisectionError(text, "dump every value for all samples of the spec, in their order")
        return {name: np.asarray(self._arrays[name][positions]) for name in wanted}


def opened(path: Path, setting: Setting) -> DumpedCandidate:
    """The values of a folder or a file. Raises :class:`BisectionError` if there are none, or no outputs among them."""
    arrays = _read(path)
    scalars = [name for name, array in arrays.items() if not array.ndim]
    if scalars:
        raise BisectionError(f"{path}: `{scalars[0]}` is a single number", "dump values with the samples along the first axis")
    return DumpedCandidate(arrays, _outputs(path, arrays, setting.reference.graph.outputs))


def _outputs(path: Path, arrays: Mapping[str, np.ndarray], expected: Sequence[str]) -> list[str]:
    plain = ["output"] if len(expected) == 1 else []
    for names in (list(expected), [f"output_{i}" for i in range(len(expected))], plain):
        if names and all(name in arrays for name in names):
            return names
    missing = next(name for name in expected if name not in arrays)
    present = ", ".join(list(arrays)[:6]) or "nothing"
    text = f"{path} holds no values of the output `{missing}` (it has {present})"
    raise BisectionError(text, f"dump it as `{missing}` or as `output{'_0' if len(expected) > 1 else ''}`, samples first")


def _read(path: Path) -> dict[str, np.ndarray]:
    try:
        return dict(sorted(_arrays(path)))
    except Exception as error:  # the readers of damaged archives raise a dozen classes, some their own
        raise BisectionError(f"cannot read the dumped tensors {path}: {error}", "write them with `numpy.save`") from error


def _arrays(path: Path) -> Iterator[tuple[str, np.ndarray]]:
    if path.suffix == ".npz":
        require_regular(path)
        _require_room(path)
        with np.load(path, allow_pickle=False) as held:
            for name in held.files:
                yield name, _array(name, held[name])
    elif path.suffix == ".safetensors":
        from safetensors.numpy import load_file

        require_regular(path)
        yield from load_file(path).items()
    else:
        for file in path.rglob("*.npy"):
            require_regular(file)
            # Mapped, since a dump of all values may be larger than the memory.
            yield file.relative_to(path).with_suffix("").as_posix(), np.load(file, mmap_mode="r", allow_pickle=False)
        for suffix in (".npz", ".safetensors"):
            for file in path.glob(f"*{suffix}"):
                yield from _arrays(file)


def _require_room(path: Path) -> None:
    """Raise ValueError if the arrays of an archive, as long as it says that they are, do not fit into the machine's memory."""
    with zipfile.ZipFile(path) as archive:
        size = sum(member.file_size for member in archive.infolist())
    if hasattr(os, "sysconf") and size > os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"):
        raise ValueError(f"its arrays take {size >> 20} MiB, which is more than the memory of this machine")


def _array(name: str, value: object) -> np.ndarray:
    if not isinstance(value, np.ndarray):  # what has no header of an array is given as bytes
        raise ValueError(f"`{name}` is no array")
    return value
