"""What code that is not followed may have done with what it was given."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from io import IOBase
from pathlib import Path
from typing import Final

import libcst as cst

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
    "visdom",
}  # fmt: skip
_TRAINING: Final = ("torch.distributed.", "torch.autograd.", "torch.func.", "torch.compile", "torch.jit.")
#: Functions in these that make a tensor, or look at what is done.
_NEUTRAL: Final = ("torch.autograd.Variable", "torch.autograd.set_detect_anomaly", "torch.autograd.profiler")
#: Only tensors of these have a backward pass; where a name of theirs hides that of the loss, it is one that cannot run.
_BACKWARD: Final = ".backward"
_OF_TENSORS: Final = "torch.Tensor.backward"
#: Functions and classes of TensorFlow that write down what they are given, also of PyTorch.
_SUMMARIES: Final = ("tensorflow.Summary", "tensorflow.summary.", "tensorflow.HistogramProto", "tensorflow.compat.v1.summary.")
#: Why numbers and texts are not known: nothing can be trained with them.
_NO_OBJECTS: Final = frozenset({"tensor-element", "unknown-number", "random-number", "unknown-string"})
#: How functions and methods are called that write down or show what they are given.
_REPORTS: Final = re.compile(r"^(save|log|write|dump|print|plot|show|display|visuali[sz]e)(_\w+)?$", re.IGNORECASE)
#: How a class calls, of what its subclasses define, that which computes something.
_COMPUTES: Final = re.compile(r"^(forward|__call__|criterion|\w*loss(_\w+)?|predict|encode|decode|embed)$", re.IGNORECASE)
#: What objects are called after that count, measure or show something, which their ``update`` and ``reset`` are about.
_COUNTS: Final = re.compile(
    r"metric|meter|accura|\bacc|score|avg|average|stat|hist|confusion|timer|bar$|auroc|psnr", re.IGNORECASE
)
_DEEPEST: Final = 3


def may_train(event: Event, optimizer: Value) -> bool:
    """Whether an event is a call of code that is not followed and that may differentiate, step, clear or set modes: by its
    name, because it is given the optimizer or a module, or because a function that is not known is given what is not known."""
    if not isinstance(event, (events.OpaqueCall, events.LibraryCall)) or not _is_opaque(event):
        return False
    values, name = _values(event), event.name.rpartition(".")[2]
    if isinstance(event, events.OpaqueCall) and (is_counted(event) or _sets_mode(event) or _is_of_subclass(event)):
        return any(holds(value, optimizer) for value in values)
    if _TRAINS.search(name) or any(holds(value, optimizer) for value in values):
        return True
    if (
        name in _PLAIN
        or name in OPS
        or _origin(event) in _APPLIED
        or (isinstance(event, events.OpaqueCall) and _is_given(event.callee))
    ):
        return False
    return any(_may_be_trained(value) for value in values)


def _may_be_trained(value: Value) -> bool:
    """Whether a value is, or may be, a tensor or a module."""
    if isinstance(value, Unknown):
        return value.reason not in _NO_OBJECTS
    return isinstance(value, TensorVal) or is_module(value)


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
        if call.name.endswith(_BACKWARD) and call.name != _OF_TENSORS:
            return True
        return call.name.startswith(_TRAINING) and not call.name.startswith(_NEUTRAL)
    if isinstance(call, events.LibraryCall) and call.name.startswith(_SUMMARIES):
        return False
    if isinstance(call, events.OpaqueCall) and _origin(call) in _HARMLESS - {"torch"}:
        return False
    name = call.name.rpartition(".")[2]
    return name not in _READING and (_REPORTS.search(name) is None or _TRAINS.search(name) is not None)


def is_counted(call: events.OpaqueCall) -> bool:
    """Whether a call is told to an object that counts, measures or shows something, as its name says."""
    node = call.site.node
    if (
        call.name not in ("update", "reset", "clear")
        or not isinstance(node, cst.Call)
        or not isinstance(node.func, cst.Attribute)
    ):
        return False
    whose = node.func.value
    last = whose.attr if isinstance(whose, cst.Attribute) else whose
    return isinstance(last, cst.Name) and _COUNTS.search(last.value) is not None


def _sets_mode(call: events.OpaqueCall) -> bool:
    """Whether a call is ``x.train(mode=…)``, which sets the mode of a module and trains nothing."""
    node = call.site.node
    if call.name != "train" or not isinstance(node, cst.Call) or len(node.args) != 1:
        return False
    keyword = node.args[0].keyword
    return keyword is not None and keyword.value == "mode"


def _is_of_subclass(call: events.OpaqueCall) -> bool:
    """Whether a method computes something that is left to the subclasses of the class of which it is called."""
    is_missing = isinstance(call.callee, Unknown) and call.callee.reason == "no-attribute"
    return is_missing and _COMPUTES.search(call.name) is not None


def _values(call: events.OpaqueCall | events.LibraryCall) -> tuple[Value, ...]:
    return call.given if isinstance(call, events.LibraryCall) else given_to(call)


def given_to(call: events.OpaqueCall) -> tuple[Value, ...]:
    """The objects that code which is not followed gets by a call: its receiver is none of them where what is called is stored
    in it, as ``criterion`` is in ``self.criterion(output, target)``."""
    receiver, *others = call.values or (None,)
    stored = isinstance(receiver, InstanceVal) and any(value is call.callee for value in receiver.attrs.values())
    stored = stored or _is_of_subclass(call)
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
