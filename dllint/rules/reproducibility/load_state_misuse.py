"""DLR105: ``load_state_dict`` is given what is no dict of weights, or its report takes the place of the model."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar, Final

import libcst as cst

from dllint.analysis.given_as_loaded import is_given_as_loaded
from dllint.analysis.kept_states import is_returned
from dllint.analysis.modules import is_module, library_of
from dllint.analysis.own_statements import is_read_after, is_watched, texts_after
from dllint.analysis.saved_files import save_of
from dllint.analysis.training import is_optimizer
from dllint.analysis.wrapped_states import sides
from dllint.domains.lattice import Unknown
from dllint.edit import Applicability, Edit
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.boundary import builder
from dllint.fixes.calls import append_call, append_index, wrap
from dllint.fixes.imports import name_for
from dllint.fixes.statements import replace_assignment
from dllint.ir.events import LibraryCall
from dllint.ir.values import DictVal, InstanceVal, Value, unwrap
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import assigned_name, quoted

_METHOD: Final = ".load_state_dict"
_MODULE: Final = "torch.nn.Module.load_state_dict"
_STATE: Final = "torch.nn.Module.state_dict"
#: What stands behind the name of a model, and never behind that of a report of keys.
_AS_MODEL: Final = re.compile(r"\(|\.(?:eval|train|to|cuda|cpu|half|float|double|parameters|requires_grad_|forward)\(")


class LoadStateMisuse(Rule[LibraryCall]):
    """`load_state_dict` is given a path or a module, or the model is replaced by what it returns.

    ## What it finds
    `model = model.load_state_dict(weights)`, and `model.load_state_dict("weights.pt")` or `model.load_state_dict(other)`,
    where a dict of tensors belongs. A checkpoint of several things, which the same program saves, given as it was loaded. The
    weights of a parallel wrapper (`nn.DataParallel`), whose names begin with `module.`, given to a bare model, and the reverse.

    ## Why it is bad
    `load_state_dict` changes the model and returns a report of missing keys (an optimizer's returns nothing). After the
    assignment the name holds the report, and the next use of the model raises. A path or a module in place of a dict raises
    at once.

    ## Bad
    ```python
    import torch
    from torch import nn

    model = nn.Linear(4, 2)
    model = model.load_state_dict(torch.load("weights.pt", weights_only=True))  # error: [DLR105]
    print(model(torch.randn(3, 4)))
    ```

    ```python
    import torch
    from torch import nn

    model = nn.Linear(4, 2)
    model.load_state_dict("weights.pt")  # error: [DLR105]
    print(model(torch.randn(3, 4)))
    ```

    ## Good
    ```python
    import torch
    from torch import nn

    model = nn.Linear(4, 2)
    model.load_state_dict(torch.load("weights.pt", weights_only=True))
    print(model(torch.randn(3, 4)))
    ```

    ## When it stays silent
    Reports that are kept under a name of their own, methods of the same name in classes of the code, and what is not known.
    Loaded weights that anything else may have changed before, models with an attribute `module`, and programs with hooks that
    rename weights.
    ```python
    import torch
    from torch import nn


    class Agent:
        def load_state_dict(self, path):
            self.net = torch.load(path)
            return self


    agent = Agent()
    agent = agent.load_state_dict("agent.pt")
    model = nn.Linear(4, 2)
    report = model.load_state_dict(agent.net, strict=False)
    print(report.missing_keys, model(torch.randn(3, 4)))


    def restore(trainer, weights):
        trainer.load_state_dict("run.ckpt")
        model.load_state_dict(weights)
    ```

    ## References
    - PyTorch documentation, `torch.nn.Module.load_state_dict`.
    """

    code = "DLR105"
    name = "load-state-misuse"
    severity = Severity.WARNING
    confidence = Confidence.HIGH
    applicability: ClassVar[Applicability | None] = Applicability.SAFE
    frameworks = ("torch",)
    topics: ClassVar[tuple[str, ...]] = ("event:call",)
    calls: ClassVar[tuple[str, ...]] = (f"*{_METHOD}",)

    def check(self, item: LibraryCall, context: Context) -> Iterator[Finding]:
        """A call of ``load_state_dict``."""
        if not item.name.endswith(_METHOD):
            return
        given = unwrap(item.bound.get("state_dict"))
        if item.name == _MODULE and _is_torch_module(item.bound.get("self")) and not is_watched(item.site):
            if isinstance(given, str) and given is item.bound.get("state_dict"):
                yield self._wrong(item, f"the path {quoted(given)}", _loaded(item), context)
            elif _is_torch_module(given):
                yield self._wrong(item, "a module", _of_module(item), context)
            else:
                yield from self._whole(item, given, context)
                yield from self._wrapped(item, context)
        target = assigned_name(item.site, context)
        taken = target if target is not None and _replaces(item, target, context) else _used_by_caller(item, context)
        if taken is not None:
            yield self._replaced(item, taken, context)

    def _wrong(self, item: LibraryCall, what: str, edits: tuple[Edit, ...], context: Context) -> Finding:
        node = _argument(item)
        return context.finding(
            self,
            item,
            f"`load_state_dict` takes a dict of tensors, not {what}",
            advice="pass what the file holds, `torch.load(path)`" if isinstance(item.bound["state_dict"], str) else _OF_MODULE,
            node=node,
            severity=Severity.ERROR,
            fixes=offer(context, "Pass the dict", edits, Applicability.SAFE),
        )

    def _whole(self, item: LibraryCall, given: Value, context: Context) -> Iterator[Finding]:
        """A checkpoint of several things that is given as it was loaded."""
        save = save_of(given, context.facts)
        saved = unwrap(save.bound.get("obj")) if save is not None else None
        if save is None or not isinstance(saved, DictVal) or unwrap(item.bound.get("strict", True)) is not True:
            return
        states = {id(call.result) for call in context.facts.events(LibraryCall) if call.name == _STATE}
        keys = [key for key, value in saved.items.items() if id(value) in states and isinstance(key, str)]
        if not keys or not is_given_as_loaded(item, context.facts):
            return
        argument, written = _argument(item), context.related(save, "it is saved here")
        edits = append_index(item.site, argument, repr(keys[0])) if argument is not None and len(keys) == 1 else ()
        yield context.finding(
            self,
            item,
            f"this checkpoint is a dict of {len(saved.items)} things, {quoted(keys[0])} among them: it is no dict of tensors",
            advice=f"pass the entry for the model, such as {keys[0]!r}",
            node=argument,
            severity=Severity.ERROR,
            related=[written] if written else [],
            fixes=offer(context, "Pass the entry", edits, Applicability.SAFE),
            kind="whole",
        )

    def _wrapped(self, item: LibraryCall, context: Context) -> Iterator[Finding]:
        """The weights of a parallel wrapper that are given to a model, or those of a model that are given to a wrapper."""
        found = sides(item, context.facts)
        if found is None or found[0] == found[1]:
            return
        source, _, save = found
        written = context.related(save, "it is saved here")
        wrapped = source == "wrapper"
        names = "begin" if wrapped else "do not begin"
        origin, ends = ("a parallel wrapper", "model do not") if wrapped else ("a model", "wrapper do")
        yield context.finding(
            self,
            item,
            f"the names of these weights {names} with `module.`, as they come from {origin}, and those of this {ends}",
            advice="save and load the weights of `module`, the model itself",
            node=_argument(item),
            severity=Severity.ERROR,
            related=[written] if written else [],
            kind="wrapped",
        )

    def _replaced(self, item: LibraryCall, target: str, context: Context) -> Finding:
        receiver = _receiver(item)
        own = receiver is not None and context.text(receiver) == target
        edits = replace_assignment(item.site, context.text(item)) if own else ()
        held = "None" if is_optimizer(unwrap(item.bound.get("self"))) else "a report of missing keys"
        return context.finding(
            self,
            item,
            f"`{target}` holds {held} from here on, which is what `load_state_dict` returns",
            advice="call it without assigning the result" if own else "assign the model first, and call it then",
            fixes=offer(context, "Drop the assignment", edits, Applicability.UNSAFE),
        )


_OF_MODULE: Final = "pass its weights, `state_dict()`"


def _is_torch_module(value: Value) -> bool:
    return isinstance(value, InstanceVal) and is_module(value) and library_of(value.cls) == "torch"


def _argument(item: LibraryCall) -> cst.BaseExpression | None:
    node = item.site.node
    return node.args[0].value if isinstance(node, cst.Call) and node.args and not node.args[0].star else None


def _receiver(item: LibraryCall) -> cst.BaseExpression | None:
    node = item.site.node
    return node.func.value if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) else None


def _used_by_caller(item: LibraryCall, context: Context) -> str | None:
    """The name that a caller gives to the result, which a function returns to it, if the caller uses that as a model."""
    site = item.site
    while site.caller is not None and is_returned(site):
        site = site.caller
    name = assigned_name(site, context) if site is not item.site else None
    if name is None or not _is_torch_module(unwrap(item.bound.get("self"))):
        return None
    first = re.search(rf"(?<![\w.]){re.escape(name)}\b(.*)", next(texts_after(site)))
    return name if first is not None and _AS_MODEL.match(first[1]) else None


def _replaces(item: LibraryCall, target: str, context: Context) -> bool:
    """Whether the result takes the place of the object whose weights are loaded: under its own name, or since the object has
    no other."""
    receiver = _receiver(item)
    value = unwrap(item.bound.get("self"))
    if isinstance(receiver, cst.Call):
        return _is_torch_module(value) and is_read_after(item.site, target)
    known = _is_torch_module(value) or is_optimizer(value) or isinstance(value, Unknown)
    if receiver is None or not known or context.text(receiver) != target:
        return False
    return "." in target or is_read_after(item.site, target)


@builder
def _loaded(item: LibraryCall) -> tuple[Edit, ...]:
    node = _argument(item)
    if node is None:
        return ()
    name, imports = name_for(item.site.document, "torch.load")
    return (*wrap(item.site, node, name), *imports)


@builder
def _of_module(item: LibraryCall) -> tuple[Edit, ...]:
    node = _argument(item)
    return () if node is None else append_call(item.site, node, "state_dict")
