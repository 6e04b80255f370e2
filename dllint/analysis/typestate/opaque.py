"""What code that is not followed may have done with what it was given."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from typing import Final

from dllint.analysis.modules import is_module
from dllint.domains.lattice import Unknown
from dllint.ir import events
from dllint.ir.program import Event, TensorVal
from dllint.ir.values import DictVal, InstanceVal, ListVal, Value

#: Methods that hand out what an object holds, or read it.
_READING: Final = frozenset({
    "parameters", "named_parameters", "state_dict", "item", "detach", "cpu", "numpy", "size", "dim", "tolist", "keys", "values",
    "items", "mean", "sum", "to", "cuda", "argmax", "max", "view", "reshape", "squeeze", "float", "long", "format", "append",
    "set_description", "set_postfix", "add_scalar", "log", "info", "debug", "write",
})  # fmt: skip
#: How functions are called that train.
_TRAINS: Final = re.compile(r"backward|step|train|learn|fit|optim|update|grad|closure|minimi[sz]e|scale", re.IGNORECASE)
#: What an entry was given, or an object that was given to one has: neither is code of a library.
_GIVEN: Final = frozenset({"argument", "parameter"})
#: Libraries whose functions train nothing that they are given, except for :data:`_TRAINING`.
_HARMLESS: Final = sys.stdlib_module_names | {
    "torch", "torchvision", "torchaudio", "torchmetrics", "numpy", "pandas", "sklearn", "scipy", "matplotlib", "seaborn", "PIL",
    "cv2", "tqdm", "wandb", "tensorboardX", "tensorboard", "einops", "skimage", "h5py", "yaml", "psutil", "rich", "loguru",
}  # fmt: skip
_TRAINING: Final = ("torch.distributed.", "torch.autograd.", "torch.func.", "torch.compile", "torch.jit.")
_DEEPEST: Final = 3


def may_train(event: Event, optimizer: Value) -> bool:
    """Whether an event is a call that may differentiate, step, clear or set modes: of a library that is not known, by its name,
    because it is given the optimizer or a module, or because it calls a function that is not known with what is not known."""
    if isinstance(event, events.LibraryCall):
        return is_foreign(event)
    if not isinstance(event, events.OpaqueCall) or event.name in _READING:
        return False
    if _TRAINS.search(event.name) or any(holds(value, optimizer) for value in event.values):
        return True
    if isinstance(event.callee, Unknown) and event.callee.reason in (*_GIVEN, "unknown-callee"):
        return False
    return any(isinstance(value, (Unknown, TensorVal)) or is_module(value) for value in event.values)


def is_foreign(call: events.LibraryCall) -> bool:
    """Whether a function or method of a library that is not known is given something."""
    if not call.positional and not call.bound:
        return False
    root = call.name.partition(".")[0]
    return call.name.startswith(_TRAINING) if root in _HARMLESS else call.name.rpartition(".")[2] not in _READING


def holds(value: Value, wanted: Value, depth: int = _DEEPEST) -> bool:
    """Whether a value is an object, or a container or object in which it is found."""
    if value is wanted:
        return wanted is not None
    if depth == 0:
        return False
    if isinstance(value, InstanceVal):
        return any(holds(part, wanted, depth - 1) for part in value.attrs.values())
    if isinstance(value, DictVal):
        return any(holds(part, wanted, depth - 1) for part in (*value.items.values(), value.rest))
    parts = (*value.items, value.rest) if isinstance(value, ListVal) else value if isinstance(value, tuple) else ()
    return any(holds(part, wanted, depth - 1) for part in parts)


def is_handed_on(wanted: Value, happened: Iterable[Event]) -> bool:
    """Whether an object is, or may be, given to code that is not followed, which may do with it what it likes."""
    return any(_may_hand_on(event, wanted) for event in happened)


def _may_hand_on(event: Event, wanted: Value) -> bool:
    if isinstance(event, events.LibraryCall):
        return is_foreign(event)
    if not isinstance(event, events.OpaqueCall) or event.name in _READING:
        return False
    return any(holds(value, wanted) for value in event.values[1:])
