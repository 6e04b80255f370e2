"""What the data files beside the code hold, as abstract values.

What stands in a file is the repository's own, but a user may have another file under its name: a number or text by itself is a
default (:class:`dllint.ir.values.Assumed`), and no key is surely missing.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from dllint.domains.lattice import Unknown
from dllint.frameworks.paths import FILE, PATH, path_of
from dllint.ir.values import Assumed, DictVal, InstanceVal, ListVal, Value, unwrap
from dllint.source.data import formats
from dllint.source.data.plain import HEADED, LARGEST, SUFFIXES, Opaque, Plain, UnreadableError
from dllint.source.workspace import HEAD

if TYPE_CHECKING:
    from dllint.ir.program import Site
    from dllint.lower.parts import Reads
    from dllint.source.data.held import Held
    from dllint.source.workspace import Looked

#: The text of a file is a constant of the program if it is not longer.
_LONGEST_TEXT: Final = 20_000
#: Reading a file costs as much fuel as so many of its values.
_VALUES_A_UNIT: Final = 4


def path(text: str, site: Site) -> InstanceVal:
    """A ``pathlib.Path`` of a text."""
    return InstanceVal(PATH, site=site, open=Unknown("run-time", "path"), state={"path": text})


def opened(text: str, site: Site) -> Value:
    """An open file that is read as text; nothing is known of one that is not looked into."""
    if not is_data(text):
        return Unknown("dynamic")
    return InstanceVal(FILE, site=site, open=Unknown("dynamic"), state={"path": text})


def is_data(name: str) -> bool:
    """Whether a file of this name is looked into."""
    return name.endswith(SUFFIXES)


def text_of(m: Reads, name: str) -> Value:
    """The text of a file."""
    found = looked(m, name, "") if is_data(name) else None
    if found is None or found.path is None or len(found.text) > _LONGEST_TEXT:
        return Unknown("data-file", name)
    return found.text


def loaded(m: Reads, source: Value, form: str, *, named: bool = False, change: Callable[[Plain], Plain] | None = None) -> Value:
    """What a file holds that a path or an open file stands for, read as a form of ``formats.READERS``; ``change`` is done with
    the data before."""
    name = path_of(source)
    if name is None:
        return Unknown("data-file", form)
    found = looked(m, name, form)
    if found is None or found.path is None:
        return Unknown("data-file", Path(name).name)
    try:
        data = found.data if change is None else change(found.data)
    except UnreadableError:
        return Unknown("data-file", found.path.name)
    return values(m, data, found.path.name, named=named)


def parsed(m: Reads, source: Value, form: str) -> Value:
    """What a constant text holds, or an open file (``yaml.safe_load`` takes either)."""
    source = unwrap(source)
    if not isinstance(source, str):
        return loaded(m, source, form)
    if len(source) > LARGEST:
        return Unknown("data-file", form)
    try:
        return values(m, formats.READERS[form](source), form)
    except UnreadableError:
        return Unknown("data-file", form)


def head(m: Reads, source: Value) -> bytes | None:
    """How a file beside the code begins, whose path a value is; None if the program itself may write it."""
    found = _not_written(m, source, HEAD, _WRITERS)
    return found.head if found is not None and found.path is not None else None


def held(m: Reads, source: Value, form: str) -> Held:
    """What a file beside the code holds, read as a form of ``contents.READERS``; None if the program itself may write it."""
    found = _not_written(m, source, form, _WRITERS_OF.get(form, _WRITERS))
    if found is None or found.path is None:
        return None
    m.pay(1 + (len(found.held) if isinstance(found.held, dict) else 0) // _VALUES_A_UNIT)
    return found.held


def _not_written(m: Reads, source: Value, form: str, writers: tuple[str, ...]) -> Looked | None:
    name = path_of(source)
    if (
        name is None
        or not name.endswith(_ENDINGS.get(form, HEADED))
        or any(writer in m.frame.document.text for writer in writers)
    ):
        return None
    return looked(m, name, form)


#: The endings of files of a form, where one reader reads several forms.
_ENDINGS: Final = {"npz": (".npz",), HEAD: (".npy", ".csv")}
#: What writes arrays and tables, and the files of other forms.
_WRITERS: Final = ("np.save", "numpy.save", ".to_csv(", "csv.writer", "savetxt", "tofile(")
_MODEL_WRITERS: Final = (".save(", "save_model", "save_weights", "ModelCheckpoint")
_HDF5_WRITERS: Final = (*_MODEL_WRITERS, "create_dataset", "create_group", "to_hdf", '"w"', "'w'", '"a"', "'a'", "r+")
_WRITERS_OF: Final = {
    "checkpoint": ("torch.save(", ".save_checkpoint(", "save_pretrained("),
    "safetensors": ("save_file(", "save_model(", "save_pretrained(", "torch.save(", ".save("),
    "hdf5": _HDF5_WRITERS,
    "model": _MODEL_WRITERS,
    "picture": (".save(", "imwrite(", "savefig(", "imsave(", "save_image(", "save_img("),
}


def note_written(m: Reads, name: str) -> None:
    """The program opens a file for writing: what it holds from an earlier run tells nothing any more."""
    m.write(m.state, f"{_WRITTEN}{name}", True)


#: The key, in the state of the program, of a file that it has written.
_WRITTEN: Final = "written: "


def looked(m: Reads, name: str, form: str) -> Looked | None:
    """The data file that a path stands for in the code that is executed; None without a workspace."""
    if m.workspace is None or f"{_WRITTEN}{name}" in m.state:
        return None
    found = m.workspace.data(m.frame.document.path, name, form)
    m.imports.library.looked_for.update(found.tried)
    return found


def values(m: Reads, data: Plain, source: str, *, named: bool = False) -> Value:
    """Plain data as abstract values; ``source`` is the file's name for the reader. What it shares by aliases is shared."""
    known: dict[int, Value] = {}
    count = 0

    def value(part: Plain, place: str) -> Value:
        nonlocal count
        count += 1
        if isinstance(part, dict):
            if id(part) not in known:
                known[id(part)] = made = DictVal({}, read=True, named=named)
                made.items.update({key: _leaf(value(inner, f"{place}.{key}"), f"{place}.{key}") for key, inner in part.items()})
            return known[id(part)]
        if isinstance(part, list):
            if id(part) not in known:
                known[id(part)] = ListVal([value(inner, place) for inner in part])
            return known[id(part)]
        if isinstance(part, Opaque) or (isinstance(part, float) and not math.isfinite(part)):
            return Unknown("data-file", place)
        return part

    out = value(data, source)
    m.pay(count // _VALUES_A_UNIT)
    return out


def _leaf(value: Value, source: str) -> Value:
    """The value of an entry: what is by itself there may be another one in another file."""
    return value if isinstance(value, (DictVal, ListVal, Unknown)) else Assumed(value, source)
