"""What code that is not followed may have done with what it was given."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from io import IOBase
from pathlib import Path
from typing import Final

from dllint.analysis.modules import is_module
from dllint.domains.lattice import Unknown
from dllint.ir import events
from dllint.ir.program import Event, TensorVal
from dllint.ir.values import DictVal, InstanceVal, ListVal, Value
from dllint.ops.spec import OPS

#: Methods that hand out what an object holds, or read it.
_READING: Final = frozenset({
    "parameters", "named_parameters", "state_dict", "item", "detach", "cpu", "numpy", "size", "dim", "tolist", "keys", "values",
    "items", "mean", "sum", "to", "cuda", "argmax", "max", "view", "reshape", "squeeze", "float", "long", "format", "append",
    "set_description", "set_postfix", "add_scalar", "log", "info", "debug", "write",
})  # fmt: skip
#: How functions are called that train.
_TRAINS: Final = re.compile(r"backward|step|train|learn|fit|optim|update|grad|closure|minimi[sz]e|scale", re.IGNORECASE)
#: Methods of texts, numbers, containers, paths and files, which train nothing that they are given.
_PLAIN: Final = frozenset(
    name
    for kind in (str, bytes, int, float, list, dict, set, tuple, Path, IOBase)
    for name in dir(kind)
    if not _TRAINS.search(name)
) | {"astype", "load_state_dict", "tobytes"}
#: What an entry was given, or an object that was given to one has: neither is code of a library.
_GIVEN: Final = frozenset({"argument", "parameter"})
#: Libraries of models and of what they are made of: what they give is applied, and trains by such a name only.
_APPLIED: Final = frozenset({"transformers", "peft", "diffusers", "timm", "segmentation_models_pytorch", "torch_geometric"})
#: Libraries whose functions train nothing that they are given, except for :data:`_TRAINING`.
_HARMLESS: Final = sys.stdlib_module_names | {
    "torch", "torchvision", "torchaudio", "torchmetrics", "numpy", "pandas", "sklearn", "scipy", "matplotlib", "seaborn", "PIL",
    "cv2", "tqdm", "wandb", "tensorboardX", "tensorboard", "einops", "skimage", "h5py", "yaml", "psutil", "rich", "loguru",
}  # fmt: skip
_TRAINING: Final = ("torch.distributed.", "torch.autograd.", "torch.func.", "torch.compile", "torch.jit.")
_DEEPEST: Final = 3


def may_train(event: Event, optimizer: Value) -> bool:
    """Whether an event is a call of code that is not followed and that may differentiate, step, clear or set modes: by its
    name, because it is given the optimizer or a module, or because a function that is not known is given what is not known."""
    if not isinstance(event, (events.OpaqueCall, events.LibraryCall)) or not _is_opaque(event):
        return False
    values, name = _values(event), event.name.rpartition(".")[2]
    if _TRAINS.search(name) or any(holds(value, optimizer) for value in values):
        return True
    if (
        name in _PLAIN
        or name in OPS
        or _origin(event) in _APPLIED
        or (isinstance(event, events.OpaqueCall) and _is_given(event.callee))
    ):
        return False
    return any(isinstance(value, (Unknown, TensorVal)) or is_module(value) for value in values)


def _origin(call: events.OpaqueCall | events.LibraryCall) -> str:
    """The library whose function is called, or from which the called object has come; empty if it is not known."""
    if isinstance(call, events.LibraryCall):
        return call.name.partition(".")[0]
    callee = call.callee
    known = isinstance(callee, Unknown) and callee.reason == "unmodelled-call"
    return callee.detail.partition(".")[0] if known and isinstance(callee, Unknown) else ""


def _is_given(callee: Value) -> bool:
    """Whether what is called was given to the code, or is the result of another call."""
    return isinstance(callee, Unknown) and callee.reason in (*_GIVEN, "unknown-callee")


def _is_opaque(call: events.OpaqueCall | events.LibraryCall) -> bool:
    """Whether a call does more than to read, or is not known to do no more."""
    if isinstance(call, events.LibraryCall) and _origin(call) in _HARMLESS:
        return call.name.startswith(_TRAINING)
    if isinstance(call, events.OpaqueCall) and _origin(call) in _HARMLESS - {"torch"}:
        return False
    return call.name.rpartition(".")[2] not in _READING


def _values(call: events.OpaqueCall | events.LibraryCall) -> tuple[Value, ...]:
    return call.given if isinstance(call, events.LibraryCall) else given_to(call)


def given_to(call: events.OpaqueCall) -> tuple[Value, ...]:
    """The objects that code which is not followed gets by a call: its receiver is none of them where what is called is stored
    in it, as ``criterion`` is in ``self.criterion(output, target)``."""
    receiver, *others = call.values or (None,)
    stored = isinstance(receiver, InstanceVal) and any(value is call.callee for value in receiver.attrs.values())
    return tuple(others) if stored else call.values


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
    """Whether an object is given to code that is not followed, which may do with it what it likes."""
    return any(_hands_on(event, wanted) for event in happened)


def _hands_on(event: Event, wanted: Value) -> bool:
    if not isinstance(event, (events.OpaqueCall, events.LibraryCall)) or not _is_opaque(event):
        return False
    values = event.values[1:] if isinstance(event, events.OpaqueCall) else event.given
    return any(holds(value, wanted) for value in values)
