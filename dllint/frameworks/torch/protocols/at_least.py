"""``torch.atleast_1d``, ``torch.atleast_2d`` and ``torch.atleast_3d`` of one tensor, several ones or a sequence of them."""

from __future__ import annotations

from dllint.frameworks.at_least import at_least
from dllint.frameworks.machine import Handler, Machine, handler
from dllint.ir.values import Arguments, ListVal, Value, unwrap


def _of_torch(wanted: int, spelled: str) -> Handler:
    def widened(machine: Machine, _: Value, arguments: Arguments) -> Value:
        if arguments.kwargs or arguments.star is not None or len(arguments.args) == 0:
            return machine.unknown("no-argument", spelled)
        first = unwrap(arguments.args[0])
        if isinstance(first, ListVal) and first.rest is not None:
            return machine.unknown("unknown-length", spelled)
        if isinstance(first, (ListVal, tuple)) and len(arguments.args) > 1:
            return machine.unknown("unmodelled-call", spelled)
        given = tuple(first.items) if isinstance(first, ListVal) else first if isinstance(first, tuple) else arguments.args
        found = tuple(at_least(machine, unwrap(value), wanted, spelled) for value in given)
        return found if given is not arguments.args or len(found) > 1 else found[0]

    return widened


for _wanted in (1, 2, 3):
    handler(f"torch.atleast_{_wanted}d")(_of_torch(_wanted, f"torch.atleast_{_wanted}d"))
