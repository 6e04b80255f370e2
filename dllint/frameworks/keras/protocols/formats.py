"""The image data format: channels last unless ``set_image_data_format`` says otherwise."""

from __future__ import annotations

from typing import Final
from weakref import WeakKeyDictionary

from dllint.frameworks.keras.protocols.plain import argument
from dllint.frameworks.machine import Machine, handler
from dllint.ir.values import Arguments, Value

DEFAULT: Final = "channels_last"
_current: WeakKeyDictionary[Machine, dict[str, Value]] = WeakKeyDictionary()


def data_format(machine: Machine, given: Value = None) -> Value:
    """The format a layer works in: its own argument, else the process-wide setting."""
    if given is not None:
        return {"th": "channels_first", "tf": DEFAULT}.get(given, given) if isinstance(given, str) else given
    return _current.get(machine, {}).get("format", DEFAULT)


@handler("keras.backend.set_image_data_format", "keras.config.set_image_data_format", "keras.backend.set_image_dim_ordering")
def set_format(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """Changes the process-wide setting."""
    given = argument(arguments, "data_format", 0)
    machine.write(_current.setdefault(machine, {}), "format", data_format(machine, given))
    return None


@handler("keras.backend.image_data_format", "keras.config.image_data_format")
def get_format(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """The process-wide setting."""
    return data_format(machine)


@handler("keras.backend.image_dim_ordering")
def get_ordering(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """The setting in Keras 1's words."""
    found = data_format(machine)
    return {"channels_last": "tf", "channels_first": "th"}.get(found, found) if isinstance(found, str) else found


@handler("keras.backend.backend", "keras.config.backend")
def backend(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """Keras's default backend."""
    return "tensorflow"
