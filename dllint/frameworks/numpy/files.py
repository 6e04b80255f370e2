"""Arrays that numpy reads from files."""

from __future__ import annotations

from typing import Final

from dllint.domains.lattice import Unknown
from dllint.frameworks import from_files
from dllint.frameworks.machine import Machine, handler, prop
from dllint.ir.values import Arguments, DictVal, InstanceVal, ListVal, Value
from dllint.source.data.heads import array_head

_ARCHIVE: Final = "numpy.lib.npyio.NpzFile"
from_files.opens(_ARCHIVE)


@handler("numpy.load")
def load(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """An array from a file that lies beside the code has the shape that its header says; an archive holds several by name."""
    source = arguments.kwargs.get("file", arguments.positional(0))
    held = machine.file_content(source, "npz")
    if isinstance(held, dict):
        return from_files.opened(machine, _ARCHIVE, from_files.value(machine, held, "numpy", "numpy.load"))
    head = machine.file_head(source)
    found = array_head(head) if head is not None else None
    if found is None:
        return machine.unknown("data-file", "numpy.load")
    args = {"shape": found.shape, "dtype": from_files.dtype_of(found)}
    return machine.emit("stored_data", args, framework="numpy", spelled="numpy.load")


@prop(f"{_ARCHIVE}.files", on=InstanceVal)
def names_in_archive(_machine: Machine, archive: InstanceVal) -> Value:
    """The names of the arrays."""
    members = archive.kept(from_files.MEMBERS)
    return ListVal(list(members.items)) if isinstance(members, DictVal) else Unknown("data-file", "files")
