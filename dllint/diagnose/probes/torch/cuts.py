"""The operation at which the graph of a model is cut, so that weights before it get no gradient.

Operations that take what depends on weights and give what has no gradient are candidates: most of them (accuracies, logging) do
no harm. A ``detach`` or a block without gradients is the cut if the weights get a gradient once it is undone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import torch
from torch import Tensor

from dllint.diagnose.places import SourcePlace
from dllint.diagnose.probes.torch import anatomy
from dllint.diagnose.probes.torch.recent import Example
from dllint.diagnose.probes.torch.tracing import Operation, TooLongError, Trace
from dllint.diagnose.probes.torch.trial import TrialModel

#: What gives a tensor as it is, without its graph.
_PLAIN: Final = ("detach", "data", "detach_")
#: What leads out of torch; its result may come back as a new tensor.
_OUT: Final = ("tolist", "numpy", "__array__")
_MOST_UNDONE: Final = 20
_MOST_NODES: Final = 20_000


def cutting_operation(trial: TrialModel, example: Example) -> tuple[SourcePlace, str] | None:
    """The user's place and the name of the operation that cuts the graph; ``None`` if there is none, or it is not found."""
    try:
        operations, still = _run(trial, example, None)
        cuts = [number for number, operation in enumerate(operations) if still and _cuts(operation, still)]
        for number in cuts[:_MOST_UNDONE]:
            first = _begin(operations, number)
            if _is_undoable(operations[number]) and _reaches_more(trial, example, first, len(still)):
                return _told(operations[first])
    except TooLongError:
        return None
    out = [operations[number] for number in cuts if _leads_out(operations, number)]
    return _told(out[0]) if len(out) == 1 else None


def _reaches_more(trial: TrialModel, example: Example, undone: int, still: int) -> bool:
    """Whether fewer weights are left without a gradient once an operation is undone. The model may refuse to go on: numbers
    of a tensor that has a graph cannot be had as an array."""
    try:
        return len(_run(trial, example, undone)[1]) < still
    except RuntimeError:
        return False


def _leads_out(operations: Sequence[Operation], number: int) -> bool:
    """Whether the numbers of a tensor leave torch here, or right after it has lost its graph here."""
    after = [operation for operation in operations[number + 1 :] if number in operation.sources]
    return operations[number].name in _OUT or any(operation.name in _OUT for operation in after)


def _begin(operations: Sequence[Operation], number: int) -> int:
    """The first operation of the block without gradients that an operation is in; otherwise the operation itself."""
    first = number
    while first and not operations[first - 1].is_grad_enabled and operations[first - 1].taken:
        first -= 1
    return first


def _told(operation: Operation) -> tuple[SourcePlace, str] | None:
    return (operation.places[0], operation.name) if operation.places else None


def _run(trial: TrialModel, example: Example, undone: int | None) -> tuple[list[Operation], list[Tensor]]:
    """The operations of a forward pass, of which one may be undone, and the weights that get no gradient from it."""

    def replaced(number: int, function: Any, args: Any, named: Any) -> Any:
        if undone is None or number < undone:
            return function(*args, **named)
        name = getattr(function, "__name__", "")
        name = getattr(getattr(function, "__self__", None), "__name__", name) if name == "__get__" else name
        if number == undone and name in _PLAIN:
            return args[0]
        # A block without gradients goes on to its end.
        with torch.enable_grad():
            return function(*args, **named)

    trial.restore()
    trace = Trace(_run.__code__, replaced)
    with torch.enable_grad(), trace:
        output = trial.output(example)
    reached = _weights([output])
    wanted = [parameter for parameter in anatomy.parameters(trial.module) if parameter.requires_grad]
    return trace.operations, [parameter for parameter in wanted if id(parameter) not in reached]


def _cuts(operation: Operation, still: Sequence[Tensor]) -> bool:
    """Whether an operation takes what depends on some weights, and gives nothing that does."""
    taken = [tensor for tensor in operation.taken if tensor.requires_grad]
    # A view that is taken without gradients says that it requires one, and has no graph.
    if not taken or any(tensor.grad_fn is not None for tensor in operation.given):
        return False
    return bool(_weights(taken) & {id(parameter) for parameter in still})


def _is_undoable(operation: Operation) -> bool:
    return operation.name in _PLAIN or not operation.is_grad_enabled


def _weights(roots: Sequence[Tensor]) -> set[int]:
    """The leaves that tensors depend on, by identity."""
    found = {id(root) for root in roots if root.requires_grad and root.grad_fn is None}
    stack: list[Any] = [root.grad_fn for root in roots if root.grad_fn is not None]
    seen: set[Any] = set()
    while stack and len(seen) < _MOST_NODES:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        variable = getattr(node, "variable", None)
        if variable is not None:
            found.add(id(variable))
        stack += _before(node)
    return found


def _before(node: Any) -> Iterator[Any]:
    return (before for before, _ in node.next_functions if before is not None)
