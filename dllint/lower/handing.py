"""What a call that cannot be followed may have done with what it was given.

It may put other numbers into a tensor, fills one that it is to write to or that was made to be filled, may call the methods
that it is given, give objects further attributes, and lists and dicts further elements. Functions of libraries that are known
to compute, show or write down change no lists and dicts of the user's.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Final

from dllint.domains.lattice import Unknown
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, DictVal, InstanceVal, ListVal, SetVal, Value, unwrap
from dllint.lower import installed, lists, mro, set_later
from dllint.ops.aliases import sharing
from dllint.ops.kinds import having_any
from dllint.ops.traits import Trait

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dllint.lower.parts import Hands, Joins

#: Tensors in one memory that are looked through.
_MOST_VIEWS: Final = 64
#: Containers in containers that are opened.
_DEEPEST: Final = 3
#: How functions and methods are called that write down or show what they are given.
_TELLS: Final = re.compile(
    r"(save|log|write|dump|print|plot|show|display|visuali[sz]e|info|debug|warn)(ing)?(_\w+)?$", re.IGNORECASE
)
#: Operations that make tensors to be filled.
_BLANK: Final = having_any(Trait.ZEROS | Trait.EMPTY)


def hand_callbacks(m: Hands, arguments: Arguments) -> None:
    """A library is given methods, or functions inside of methods: it may call them from now on, and they set attributes."""
    for instance, names in set_later.by_callbacks(arguments):
        if not names <= instance.later:
            m.journal.set_attribute(instance, "later", instance.later | names)
        for name, value in set_later.opened(instance, names).items():
            m.write(instance.attrs, name, value)


def hand_over(m: Hands, arguments: Arguments, to: str, *, comes_from: bool = True) -> None:
    """Handle the arguments of a call that cannot be followed. ``to`` is how the function or method is called; its first part is
    the library that it ``comes_from``, or what its object is called."""
    hand_callbacks(m, arguments)
    changes = not _TELLS.match(to.rpartition(".")[2]) and not (comes_from and _computes(to))
    given = [(None, value) for value in arguments.args] + list(arguments.kwargs.items())
    for name, value in given:
        found = unwrap(value)
        if isinstance(found, InstanceVal) and not found.handed:
            m.journal.set_attribute(found, "handed", True)
        elif isinstance(found, TensorVal):
            _hand_tensor(m, found, fills=name == "out" or _is_blank(found))
        elif changes:
            _open(m, found, Unknown("handed", to))


def _computes(name: str) -> bool:
    """Whether a function is of a library that is known, or known to be none of the user's helpers."""
    return not mro.is_foreign(name) or not installed.is_read(name)


def _hand_tensor(m: Hands, found: TensorVal, *, fills: bool) -> None:
    for tensor in islice(sharing(found), _MOST_VIEWS):
        m.journal.note_lasting(tensor, "handed", "data")
        tensor.handed, tensor.data = True, None
        if fills:
            m.journal.note_lasting(tensor, "foreign", "modified")
            tensor.foreign = tensor.modified = True
            m.trail.assigned[tensor.id] = TensorVal(tensor.type).id
            if found.framework == "numpy" and _holds_nothing(tensor):
                m.refine(tensor, tensor.type.with_shape(Unknown("resized", "array to be filled")))


def _open(m: Joins, container: Value, more: Unknown, deepest: int = _DEEPEST) -> None:
    """A list may have got further elements, a dict further entries and other values; so may what they hold."""
    for part in _parts(container) if deepest else ():
        _open(m, part, more, deepest - 1)
    if isinstance(container, (ListVal, SetVal)):
        lists.extend(m, container, [], more)
    elif isinstance(container, DictVal) and container.of is None:
        lists.set_unknown(m, container, more)


def _parts(container: Value) -> Iterator[Value]:
    if isinstance(container, tuple):
        yield from container
    elif isinstance(container, (ListVal, SetVal)):
        yield from container.items
    elif isinstance(container, DictVal):
        yield from container.items.values()


def _holds_nothing(x: TensorVal) -> bool:
    """Whether an array has at most one element: the library that fills it may resize it (``np.zeros((1,))`` and RDKit)."""
    return isinstance(x.shape, tuple) and x.shape in ((), (0,), (1,))


def _is_blank(x: TensorVal) -> bool:
    return any(tensor.producer is not None and tensor.producer.kind in _BLANK for tensor in islice(sharing(x), _MOST_VIEWS))
