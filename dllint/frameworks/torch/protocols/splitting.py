"""``hsplit``, ``vsplit`` and ``dsplit``: equal parts, or cuts at places, along the second, first and third axis."""

from __future__ import annotations

from typing import Final

from dllint.domains.lattice import Unknown
from dllint.frameworks.given import given
from dllint.frameworks.machine import Handler, Machine, handler
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, ListVal, Value

#: The axis, and the fewest axes that a tensor has.
_SPLITS: Final = {"hsplit": (1, 1), "vsplit": (0, 2), "dsplit": (2, 3)}


def _split(name: str) -> Handler:
    axis, least = _SPLITS[name]
    spelled = f"torch.{name}"

    def split(machine: Machine, receiver: Value, arguments: Arguments) -> Value:
        if receiver is not None and not isinstance(receiver, TensorVal):
            return machine.unknown("unknown-rank", name)
        asked = given("input, *indices_or_sections, indices=None, sections=None", _of_function(receiver, arguments))
        x, places = asked.get("input"), asked.get("indices_or_sections")
        if not isinstance(x, TensorVal) or x.type.rank is None or not isinstance(places, tuple):
            return machine.unknown("unknown-rank", name)
        named = (asked["indices"], asked["sections"])
        parts = _parts(places or tuple(place for place in named if place is not None))
        args = {"x": x, "sections": parts, "dim": 0 if x.type.rank == 1 else axis, "least": least, "even": True}
        return machine.emit("tensor_split", args, framework="torch", spelled=spelled)

    return split


def _of_function(receiver: Value, arguments: Arguments) -> Arguments:
    """The arguments of the function, of which a method's receiver is the first."""
    if not isinstance(receiver, TensorVal):
        return arguments
    return Arguments((receiver, *arguments.args), arguments.kwargs, arguments.star, arguments.double_star)


def _parts(places: tuple[Value, ...]) -> Value:
    """The argument of a split: a number of parts, or places, in a sequence or one by one."""
    if len(places) != 1:
        return places if places and None not in places else Unknown("no-argument", "sections")
    (only,) = places
    return tuple(only.items) if isinstance(only, ListVal) and only.rest is None else only


for _name in _SPLITS:
    handler(f"torch.{_name}", f"torch.Tensor.{_name}")(_split(_name))
