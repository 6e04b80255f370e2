"""``keras.layers.InputSpec``: what a layer asks of its inputs. Layers of a user's own read its attributes back in ``call``."""

from __future__ import annotations

from typing import Final

from dllint.frameworks.keras.protocols.plain import argument
from dllint.frameworks.machine import Machine, constructor
from dllint.ir.values import Arguments, InstanceVal, ListVal

#: Parameters of the constructor, in order; each is an attribute of the object.
_PARAMETERS: Final = ("dtype", "shape", "ndim", "max_ndim", "min_ndim")


@constructor("keras.layers.InputSpec")
def construct_spec(machine: Machine, spec: InstanceVal, arguments: Arguments) -> None:
    """Keeps the arguments as attributes; a shape gives the number of axes."""
    given = {name: argument(arguments, name, place) for place, name in enumerate(_PARAMETERS)}
    shape = given["shape"]
    if isinstance(shape, tuple):
        given["ndim"] = len(shape)
    elif isinstance(shape, ListVal):
        given["ndim"] = len(shape.items) if shape.rest is None else machine.unknown("no-argument", "InputSpec")
    elif shape is not None:
        given["ndim"] = machine.unknown("no-argument", "InputSpec")
    for name, value in given.items():
        machine.write(spec.attrs, name, value)
