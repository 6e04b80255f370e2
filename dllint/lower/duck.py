"""Training methods called on objects of unknown class.

A function that gets its model, optimizer and loss as arguments trains them all the same: ``x.zero_grad()`` clears gradients
whatever class ``x`` has. These calls become the events that known objects give; what ``x`` is, is left to those who see all of
the program's events (:mod:`dllint.analysis.training`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from dllint.domains.lattice import Unknown
from dllint.ir import events
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, BoundVal, FuncVal, InstanceVal, LibSymbol, ListVal, PartialVal, Value
from dllint.lower.lazy import ChoiceVal
from dllint.lower.names import speaks_of

if TYPE_CHECKING:
    from dllint.lower.parts import Calls
    from dllint.lower.scopes import Frame
    from dllint.source.document import Document

#: The methods that a training step consists of.
STEPS: Final = frozenset({"backward", "zero_grad", "step", "apply_gradients"})
#: Code without any of these trains nothing by hand.
_SIGNS: Final = (".backward(", ".zero_grad(", "apply_gradients(")


def unknown_call(m: Calls, callee: Value, receiver: Value, name: str, arguments: Arguments, result: Value = None) -> None:
    """Record the call of an unknown function or method: as what its name says, or as a call that may do anything."""
    kind = events.BY_METHOD.get(name) if receiver is not None else None
    if kind is not None and (kind not in (events.Train, events.Eval) or _sets_mode(arguments)):
        _record(m, kind, receiver, arguments)
    elif is_training_code(m.document, m.frame):
        values = (receiver, *arguments.args, *arguments.kwargs.values())
        m.event(events.OpaqueCall, callee=callee, name=name, values=values, result=result)


#: What a session runs: its tensors, and the operations that ``minimize`` makes.
_RUN: Final = LibSymbol("tensorflow.Session.run")
_OPERATION: Final = LibSymbol("tensorflow.Operation")


def session_run(callee: Value, receiver: Value, name: str, arguments: Arguments) -> Value:
    """``x.run(tensors, feed_dict=…)``: whatever ``x`` is, it acts as a session of TensorFlow 1."""
    if name != "run" or not isinstance(receiver, Unknown):
        return callee
    fetches = arguments.args[0] if arguments.args else arguments.kwargs.get("fetches")
    parts = fetches.items if isinstance(fetches, ListVal) else fetches if isinstance(fetches, tuple) else (fetches,)
    known = any(_is_of_graph(part) for part in parts)
    return BoundVal(_RUN, receiver) if known or "feed_dict" in arguments.kwargs else callee


#: What modules of torch give and take their weights by; no other library calls its methods so.
_STATE: Final = frozenset({"state_dict", "load_state_dict"})


def state_method(callee: Value, receiver: Value, name: str) -> Value:
    """``x.state_dict()``: whatever ``x`` is, the weights come as a dict, as those of a module do."""
    if name in _STATE and isinstance(receiver, Unknown):
        return BoundVal(LibSymbol(f"torch.nn.Module.{name}"), receiver)
    return callee


def _is_of_graph(value: Value) -> bool:
    if isinstance(value, TensorVal):
        return value.framework in ("tensorflow", "keras")
    return isinstance(value, InstanceVal) and value.cls == _OPERATION


#: Methods without arguments that only tensors of torch have.
_MATHEMATICS: Final = frozenset({"exp", "log", "log1p", "log2", "log10", "expm1", "sqrt", "rsqrt", "sigmoid", "tanh"})


def is_mathematics(frame: Frame, receiver: Value, name: str, arguments: Arguments) -> bool:
    """Whether a method called on an argument of an entry shows that the argument is a tensor."""
    if name not in _MATHEMATICS or arguments.args or arguments.kwargs or arguments.star or arguments.double_star:
        return False
    is_argument = isinstance(receiver, Unknown) and receiver.reason in ("argument", "parameter")
    return is_argument and frame.document.answer(speaks_of, "torch")


def _sets_mode(arguments: Arguments) -> bool:
    """Whether arguments are those of ``model.train(mode)`` and not of a trainer's ``train(data, epochs=3)``."""
    given = (*arguments.args, *arguments.kwargs.values())
    return not given or (len(given) == 1 and isinstance(given[0], bool))


def _differentiated(value: Value) -> Value:
    """Of what is a tensor or a number (a sum that begins with 0, behind a loop), the tensor: a number has no gradients."""
    options = value.options if isinstance(value, ChoiceVal) else ()
    tensors = [option for option in options if isinstance(option, TensorVal)]
    numbers = [option for option in options if isinstance(option, (int, float))]
    return tensors[0] if len(tensors) == 1 and len(numbers) == len(options) - 1 else value


def _record(m: Calls, kind: type[events.TrainingEvent], receiver: Value, arguments: Arguments) -> None:
    first = arguments.args[0] if arguments.args else None
    if kind is events.Backward:  # of an accelerator or engine, which is given the loss
        m.event(kind, target=_differentiated(receiver) if first is None else first, via=None if first is None else receiver)
    elif kind is events.Step:
        closure = first if isinstance(first, (FuncVal, BoundVal, PartialVal)) else arguments.kwargs.get("closure")
        stepped = first if first is not None and closure is None else receiver
        m.event(events.Step, target=stepped, via=None if stepped is receiver else receiver, closure=closure)
    elif kind is events.UnscaleGrad:
        m.event(kind, target=first, via=receiver)
    else:
        m.event(events.Eval if kind is events.Train and first is False else kind, target=receiver)


def is_training_code(document: Document, frame: Frame) -> bool:
    """Whether the code being executed, or the document that is analysed, has training steps written out."""
    return any(text is not None and text.answer(_has_signs) for text in (document, frame.document))


def _has_signs(text: str) -> bool:
    return any(sign in text for sign in _SIGNS)


def context_of(manager: Value) -> str:
    """The name of a context that matters to training, empty for others."""
    symbol = manager.cls if isinstance(manager, InstanceVal) else manager
    return symbol.name if isinstance(symbol, LibSymbol) and symbol.name in events.CONTEXTS else ""
