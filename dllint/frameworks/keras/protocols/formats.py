"""The image data format: channels last unless ``set_image_data_format`` says otherwise.

Keras 1 reads it from a file in the home directory, and Theano's users have ``th`` there: in a file for Keras 1 an input with
its channels in front says that nothing is known of it. So does a file that names ``channels_first`` for some of its layers: the
program that uses it has set that for the others.
"""

from __future__ import annotations

import re
from typing import Final

from dllint.domains.lattice import Unknown
from dllint.frameworks.keras.protocols.plain import argument
from dllint.frameworks.keras.renames import is_keras_1_file
from dllint.frameworks.machine import Machine, handler
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, Value

DEFAULT: Final = "channels_last"
#: The format that stands in a file of Keras 1 that nobody sees.
OPEN: Final = Unknown("setting", "image_dim_ordering")
#: The format of layers that stand beside those that name theirs.
_SET_ELSEWHERE: Final = Unknown("setting", "image_data_format")
_NAMES_FIRST: Final = re.compile(r"""\bdata_format\s*=\s*["']channels_first""")
_IMAGE_RANK: Final = 4
#: How many channels an image has.
_COLOURS: Final = (1, 3, 4)
#: Where the setting is kept (:attr:`Machine.state`).
_SETTING: Final = "keras.image_data_format"


def data_format(machine: Machine, given: Value = None) -> Value:
    """The format a layer works in: its own argument, else the process-wide setting."""
    if given is not None:
        return {"th": "channels_first", "tf": DEFAULT}.get(given, given) if isinstance(given, str) else given
    found = machine.state.get(_SETTING)
    if found is not None:
        return found
    document = machine.site.document
    return _SET_ELSEWHERE if document is not None and document.answer(_names_first) else DEFAULT


def _names_first(text: str) -> bool:
    return _NAMES_FIRST.search(text) is not None


def look_at_input(machine: Machine, x: TensorVal) -> None:
    """Leave the format open if a file for Keras 1 has images with their channels in front and does not say which it is."""
    document = machine.site.document
    if machine.state.get(_SETTING) is not None:
        return
    if document is not None and _has_channels_in_front(x) and document.answer(is_keras_1_file):
        machine.write(machine.state, _SETTING, OPEN)


def _has_channels_in_front(x: TensorVal) -> bool:
    if isinstance(x.shape, Unknown) or len(x.shape) < _IMAGE_RANK:
        return False
    channels, *sides = x.shape[1:]
    return channels in _COLOURS and all(side not in _COLOURS for side in sides)


@handler("keras.backend.set_image_data_format", "keras.config.set_image_data_format", "keras.backend.set_image_dim_ordering")
def set_format(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """Changes the process-wide setting."""
    given = argument(arguments, "data_format", 0)
    machine.write(machine.state, _SETTING, data_format(machine, given))
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
