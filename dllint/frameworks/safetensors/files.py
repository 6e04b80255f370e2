"""Tensors that safetensors reads from files."""

from __future__ import annotations

from typing import Final

from dllint.domains.lattice import Unknown
from dllint.frameworks import from_files
from dllint.frameworks.machine import Handler, Machine, handler
from dllint.ir.program import Framework
from dllint.ir.values import Arguments, InstanceVal, LibSymbol, Value, unwrap

_FILE: Final = "safetensors.safe_open"
#: What a framework is called in the module of its functions, and by ``safe_open``.
_MODULES: Final[dict[str, Framework]] = {"torch": "torch", "numpy": "numpy", "tensorflow": "tensorflow"}
_NAMES: Final[dict[str, Framework]] = {
    "pt": "torch", "torch": "torch", "pytorch": "torch", "np": "numpy", "numpy": "numpy", "tf": "tensorflow",
    "tensorflow": "tensorflow",
}  # fmt: skip
from_files.opens(_FILE)


def _loader(framework: Framework) -> Handler:
    def load_file(machine: Machine, _: Value, arguments: Arguments) -> Value:
        held = machine.file_content(arguments.kwargs.get("filename", arguments.positional(0)), "safetensors")
        if held is None:
            return machine.unknown("data-file", "safetensors")
        return from_files.value(machine, held, framework, "load_file")

    return load_file


for _module, _framework in _MODULES.items():
    handler(f"safetensors.{_module}.load_file")(_loader(_framework))


@handler(_FILE)
def safe_open(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``safe_open(filename, framework, device="cpu")``."""
    named = unwrap(arguments.kwargs.get("framework", arguments.positional(1)))
    framework = _NAMES.get(named) if isinstance(named, str) else None
    held = machine.file_content(arguments.kwargs.get("filename", arguments.positional(0)), "safetensors")
    if held is None or framework is None:
        return machine.unknown("data-file", "safetensors")
    return from_files.opened(machine, _FILE, from_files.value(machine, held, framework, "safe_open"))


@handler(f"{_FILE}.get_tensor", on=InstanceVal)
def get_tensor(machine: Machine, file: InstanceVal, arguments: Arguments) -> Value:
    """``get_tensor(name)``."""
    found = machine.getitem(file.kept(from_files.MEMBERS), arguments.kwargs.get("name", arguments.positional(0)))
    return from_files.again(machine, found, f"{_FILE}.get_tensor")


@handler(f"{_FILE}.get_slice", f"{_FILE}.metadata", on=InstanceVal)
def get_other(_machine: Machine, file: InstanceVal, _arguments: Arguments) -> Value:
    """Parts of tensors, and texts about them, are not known."""
    return Unknown("data-file", file.cls.name if isinstance(file.cls, LibSymbol) else "")
