"""Gradients that the program computes, keeps or changes itself, or that are not PyTorch's, which add up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import libcst as cst

from dllint.analysis.said_in_files import executed
from dllint.analysis.training import is_optimizer
from dllint.ir import events
from dllint.ir.program import Event, TensorVal
from dllint.ir.values import Value
from dllint.source.gradients_by_hand import uses_gradients, writes_gradients


def is_in_code_of(happened: Iterable[Event], *, clearing: bool = True) -> bool:
    """Whether a file in which events happen, or are called from, writes ``.grad`` or keeps it. Without ``clearing``, that a
    gradient is cleared does not count."""
    documents = {id(document): document for document in executed(event.site for event in happened)}
    asked = writes_gradients if clearing else uses_gradients
    return any(document.answer(asked) for document in documents.values())


def may_add_up(loss: Value) -> bool:
    """Whether the gradients of a loss may be PyTorch's, which add up. Running a training operation of TensorFlow 1 computes
    them anew."""
    return not isinstance(loss, TensorVal) or loss.framework == "torch"


def are_handed_back(backward: events.Backward, step: events.TrainingEvent) -> bool:
    """Whether calls of unknown objects are those of a library without gradients that add up: ``backward`` gives a result, which
    is used (``grads = net.backward(dy)``), or no file that takes part speaks of torch."""
    if isinstance(backward.target, TensorVal) or is_optimizer(step.target):
        return False
    parts = getattr(backward.site.statement, "body", ())
    if isinstance(parts, Sequence) and not any(
        isinstance(part, cst.Expr) and part.value is backward.site.node for part in parts
    ):
        return True
    frames = (*backward.site.stack(), *step.site.stack())
    return not any("torch" in frame.document.text for frame in frames if frame.document is not None)
