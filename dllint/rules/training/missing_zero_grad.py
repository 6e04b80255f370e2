"""DLO101: a loop differentiates and steps, and nothing in it clears the gradients."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from itertools import pairwise
from typing import ClassVar as Constant
from typing import Final

import libcst as cst

from dllint.analysis.modules import is_module, is_resolved, user_classes
from dllint.analysis.own_statements import enclosing
from dllint.analysis.training import Passes, Training, certainly_different, is_optimizer, is_scheduler, may_be_optimizer
from dllint.analysis.typestate import by_hand, groups, opaque
from dllint.analysis.typestate.remade import starts_anew
from dllint.domains.lattice import Unknown
from dllint.edit import Applicability, Fix
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.boundary import builder
from dllint.fixes.statements import insert_before
from dllint.ir import events
from dllint.ir.program import Program
from dllint.ir.values import ClassVal, InstanceVal, Value
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.training_places import receiver, same_function
from dllint.rules.wording import quoted

#: Names of other libraries' methods that clear gradients (``clear_grad``, ``cleargrads``, ``zerograds``).
_CLEARS: Final = re.compile(r"(?<!requires_)grad|zero|clear|reset", re.IGNORECASE)

#: The method of Lightning that differentiates where a module optimizes by hand, how the module says that, and how it steps.
_MANUAL: Final = "LightningModule.manual_backward"
_AUTOMATIC: Final = re.compile(r"automatic_optimization\s*=\s*False")
_STEPS: Final = re.compile(r"\.step\(")
#: What clears gradients in a class, or keeps them from batch to batch.
_CLEARS_BY_HAND: Final = re.compile(r"zero_grad|\.grad\b|accumulat|toggle", re.IGNORECASE)


class MissingZeroGrad(Rule[Program]):
    """A training loop calls `backward()` and `step()`, but nothing in it clears the gradients.

    ## What it finds
    The innermost loop that holds a `backward()` and an optimizer's `step()`, in one function or spread over helper functions
    and files, without a `zero_grad()` on the optimizer or the model. And the `training_step` of a `LightningModule` that sets
    `automatic_optimization = False`, calls `manual_backward` and steps, where no `zero_grad` stands in its class.

    ## Why it is bad
    `backward()` adds to the gradients that are there. Without `zero_grad()` every step applies the sum of the gradients of all
    steps before it: the model trains, badly, and nothing raises.

    ## Bad
    ```python
    import torch
    from torch import nn

    model = nn.Linear(8, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(100):
        loss = nn.functional.cross_entropy(model(torch.randn(4, 8)), torch.randint(0, 2, (4,)))
        loss.backward()  # error: [DLO101]
        optimizer.step()
    ```

    ## Good
    ```python
    import torch
    from torch import nn

    model = nn.Linear(8, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(100):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(torch.randn(4, 8)), torch.randint(0, 2, (4,)))
        loss.backward()
        optimizer.step()
    ```

    ## When it stays silent
    Gradients accumulated on purpose (the step stands under a condition), gradients cleared by hand, closures that the optimizer
    calls, engines that step and clear themselves, networks written by hand (`backward` hands gradients back), and whatever is
    handed to code that is not known.
    ```python
    import torch
    from engine import prepare
    from torch import nn


    def accumulate(model, optimizer, batches):
        for number, (x, y) in enumerate(batches):
            nn.functional.cross_entropy(model(x), y).backward()
            if number % 4 == 3:
                optimizer.step()
                model.zero_grad()


    def with_closure(model, optimizer, batches):
        for x, y in batches:

            def closure():
                optimizer.zero_grad()
                loss = nn.functional.mse_loss(model(x), y)
                loss.backward()
                return loss

            optimizer.step(closure)


    def with_engine(model, batches):
        engine = prepare(model)
        for x, y in batches:
            loss = engine(x, y)
            engine.backward(loss)
            engine.step()


    def written_by_hand(network, optimizer, loss, batches):
        for x, y in batches:
            gradients = network.backward(loss.backward(network(x), y))
            optimizer.step(gradients)


    def clear(module):
        for parameter in module.parameters():
            parameter.grad = None


    def cleared_by_a_helper(model, optimizer, batches):
        for x, y in batches:
            clear(model)
            nn.functional.mse_loss(model(x), y).backward()
            optimizer.step()


    def cleared_by_unknown_code(batches):
        net = prepare(nn.Linear(4, 2))
        layer = nn.Linear(4, 2)
        optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
        for x, y in batches:
            net.refresh(layer)
            nn.functional.mse_loss(layer(x), y).backward()
            optimizer.step()


    def one_step(model, optimizer, x, y):
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
    ```

    ## References
    - PyTorch documentation, `torch.optim.Optimizer.zero_grad`.
    - A. Karpathy, the most common neural net mistakes, 2018.
    """

    code = "DLO101"
    name = "missing-zero-grad"
    severity = Severity.ERROR
    confidence = Confidence.HIGH
    applicability = Applicability.UNSAFE
    frameworks = ("torch",)
    topics: Constant[tuple[str, ...]] = ("program",)
    needs: Constant[tuple[str, ...]] = ("event:backward", f"call:*{_MANUAL}")

    def check(self, item: Program, context: Context) -> Iterator[Finding]:
        """The training loops of a program that never clear gradients."""
        training: Training = context.facts.training
        yield from self._of_manual_steps(context)
        for loop in training.step_passes():
            yield from self._check_loop(loop, training, context)

    def _of_manual_steps(self, context: Context) -> Iterator[Finding]:
        """The `training_step` of a LightningModule that optimizes by hand, of which nothing clears the gradients."""
        for call in context.facts.events(events.LibraryCall):
            if not call.name.endswith(_MANUAL) or not isinstance(call.receiver, InstanceVal):
                continue
            cls = call.receiver.cls
            classes = user_classes(cls) if isinstance(cls, ClassVal) and is_resolved(cls) else ()
            text = "\n".join(cst.Module([]).code_for_node(one.node) for one in classes)
            by_itself = _AUTOMATIC.search(text) is not None and _STEPS.search(text) is not None
            if by_itself and _CLEARS_BY_HAND.search(text) is None and _is_in_step(call):
                adding = f"{quoted(context.text(call))} adds to those of all batches before"
                yield context.finding(
                    self,
                    call,
                    f"gradients are never cleared by this module: {adding}",
                    advice="call optimizer.zero_grad() before the backward pass",
                )

    def _check_loop(self, loop: Passes, training: Training, context: Context) -> Iterator[Finding]:
        for step in _steps(loop, training, context):
            backward = _backward_of(step, training.within(loop, events.Backward, events.Step))
            if step.closure is not None or len(step.path) > len(backward.path):
                continue
            if not by_hand.may_add_up(backward.target) or by_hand.are_handed_back(backward, step):
                continue
            if _may_clear(loop, training, step.target, {id(other.target) for other in _stepping_first(loop, training)}):
                continue
            if starts_anew(step, loop, context.facts):
                continue
            if by_hand.is_in_code_of(training.within(loop, events.Backward, events.Step)):
                return
            yield self._finding(backward, step, context)

    def _finding(self, backward: events.Backward, step: events.Step, context: Context) -> Finding:
        optimizer = receiver(step, context)
        adding = f"{quoted(context.text(backward))} adds to those of all passes before"
        related = context.related(step, "the step stands here")
        return context.finding(
            self,
            backward,
            f"gradients are never cleared in this loop: {adding}",
            advice=f"call {optimizer or 'optimizer'}.zero_grad() before the backward pass",
            related=[related] if related else [],
            confidence=Confidence.HIGH if is_optimizer(step.target) else Confidence.MEDIUM,
            fixes=_fixes(backward, step, context),
        )


def _is_in_step(call: events.LibraryCall) -> bool:
    """Whether a call stands in the method itself that Lightning calls for each batch."""
    functions = [part for part in enclosing(call.site) if isinstance(part, cst.FunctionDef)]
    return bool(functions) and functions[-1].name.value == "training_step"


def _steps(loop: Passes, training: Training, context: Context) -> list[events.Step]:
    """The steps of optimizers, one of each: of the first known one, and of others that have parameters of their own; if none is
    known, of the only unknown object that steps."""
    steps = [step for step in training.within(loop, events.Step) if not is_scheduler(step.target)]
    known = list({id(step.target): step for step in reversed(steps) if is_optimizer(step.target)}.values())[::-1]
    if known:
        parts = groups.trained_modules(context.facts) if known[1:] else {}
        return [known[0], *(step for step in known[1:] if _is_apart(step, known, parts))]
    distinct = {id(step.target): step for step in steps if may_be_optimizer(step.target)}
    return list(distinct.values()) if len(distinct) == 1 else _stepping_first(loop, training)


def _stepping_first(loop: Passes, training: Training) -> list[events.Step]:
    """The steps of unknown objects that are the first behind a backward pass, one of each: no scheduler steps there."""
    happened = training.within(loop, events.Backward, events.Step)
    first = [
        step for before, step in pairwise(happened) if isinstance(before, events.Backward) and isinstance(step, events.Step)
    ]
    return list({id(step.target): step for step in first if isinstance(step.target, Unknown) and step.via is None}.values())


def _is_apart(step: events.Step, known: Sequence[events.Step], parts: Mapping[int, frozenset[int]]) -> bool:
    """Whether no other optimizer has parameters of the one that steps, so that none clears its gradients."""
    own = parts.get(id(step.target))
    others = [parts.get(id(other.target)) for other in known if other.target is not step.target]
    return own is not None and all(other is not None and own.isdisjoint(other) for other in others)


def _backward_of(step: events.Step, happened: Sequence[events.Backward | events.Step]) -> events.Backward:
    """The last backward pass in front of a step, else the first one of the loop."""
    passes = [event for event in happened if isinstance(event, events.Backward)]
    at = next(number for number, event in enumerate(happened) if event is step)
    return next((event for event in reversed(happened[:at]) if isinstance(event, events.Backward)), passes[0])


def _may_clear(loop: Passes, training: Training, optimizer: Value, stepping: Set[int]) -> bool:
    """Whether anything in the loop clears the optimizer's gradients, or may, or names the method without a call, which is the
    fault then. An optimizer that the loop builds anew may hold the parameters of the one before it; an unknown one that is
    ``stepping`` (by ``id``) behind a backward pass of its own clears its own gradients."""
    if any(event.name == "zero_grad" for event in training.within(loop, events.Mention)):
        return True
    renewed = any(event.result is optimizer for event in training.within(loop, events.LibraryCall))
    for event in training.within(loop, events.ZeroGrad, events.OpaqueCall, events.Backward):
        if isinstance(event, events.ZeroGrad):
            other = is_optimizer(event.target) and certainly_different(event.target, optimizer)
            other = other or (event.target is not optimizer and {id(event.target), id(optimizer)} <= stepping)
            if renewed or not other:
                return True
        elif isinstance(event, events.Backward):
            if event.via is optimizer:  # an engine that does it all
                return True
        elif isinstance(event, events.OpaqueCall) and _may_clear_inside(event, optimizer):
            return True
    return False


def _may_clear_inside(call: events.OpaqueCall, optimizer: Value) -> bool:
    """Whether unknown code clears gradients by its name, or is given what it can clear them by."""
    is_said = _CLEARS.search(call.name) is not None and not opaque.is_counted(call)
    return is_said or any(_holds(value, optimizer) for value in opaque.given_to(call))


def _holds(value: Value, optimizer: Value) -> bool:
    """Whether a value is the optimizer, a model, or an object with the optimizer in it: code that is given it may clear."""
    if value is optimizer or is_module(value):
        return True
    return isinstance(value, InstanceVal) and any(attribute is optimizer for attribute in value.attrs.values())


@builder
def _fixes(backward: events.Backward, step: events.Step, context: Context) -> tuple[Fix, ...]:
    """Clear the gradients in front of the backward pass, where the optimizer's name means the same."""
    optimizer = receiver(step, context)
    if not optimizer or not same_function(backward, step):
        return ()
    edits = insert_before(backward.site, f"{optimizer}.zero_grad()")
    return tuple(offer(context, "Clear the gradients before the backward pass", edits, Applicability.UNSAFE))
