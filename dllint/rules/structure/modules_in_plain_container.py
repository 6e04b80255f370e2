"""DLS107: modules in a plain list, dict or tuple are not registered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar as Constant

from dllint.analysis.class_reads import ClassReads, class_reads
from dllint.analysis.modules import elements, has_weights, in_plain_container, library_of, user_classes
from dllint.analysis.trained_by_hand import trained_by_hand
from dllint.edit import Applicability
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.calls import wrap
from dllint.fixes.imports import name_for
from dllint.frameworks.torch.protocols.module_tree import NAMES as MEMBERS
from dllint.ir.events import Instance
from dllint.ir.program import Site
from dllint.ir.values import ClassVal, DictVal, InstanceVal, LibSymbol, ListVal, Value
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import Rule

_REGISTERS = frozenset({"add_module", "register_module", "_modules"})


class ModulesInPlainContainer(Rule[Instance]):
    """Modules in a plain list, dict or tuple are not registered.

    ## What it finds
    `self.layers = [nn.Linear(...), ...]`, a comprehension, or appends to such a list, in an `nn.Module`, where the
    elements have weights and a method uses the container.

    ## Why it is bad
    PyTorch registers modules and module containers only. The list's weights are missing from `parameters()`, so they are
    never trained, never moved by `.to(device)` and never saved.

    ## Bad
    ```python
    import torch
    from torch import nn


    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.layers = [nn.Linear(8, 8) for _ in range(3)]  # error: [DLS107]

        def forward(self, x):
            for layer in self.layers:
                x = torch.relu(layer(x))
            return x


    net = Net()
    ```

    ## Good
    ```python
    import torch
    from torch import nn


    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.layers = nn.ModuleList([nn.Linear(8, 8) for _ in range(3)])

        def forward(self, x):
            for layer in self.layers:
                x = torch.relu(layer(x))
            return x


    net = Net()
    ```

    ## When it stays silent
    A list whose members are registered as well, here or in another module, or whose parameters are gathered one by one, and
    Keras, which tracks lists itself.
    ```python
    from torch import nn


    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            blocks = [nn.Linear(8, 8), nn.Linear(8, 8)]
            self.order = blocks
            self.blocks = nn.ModuleList(blocks)

        def forward(self, x):
            for block in self.order:
                x = block(x)
            return x


    net = Net()
    ```

    ## References
    - PyTorch documentation, `torch.nn.ModuleList`.
    """

    code = "DLS107"
    name = "modules-in-plain-container"
    severity = Severity.ERROR
    confidence = Confidence.HIGH
    applicability = Applicability.UNSAFE
    frameworks = ("torch",)
    topics: Constant[tuple[str, ...]] = ("event:instance",)

    def check(self, item: Instance, context: Context) -> Iterator[Finding]:
        """The containers among a new module's attributes."""
        instance = item.instance
        if not isinstance(instance.cls, ClassVal) or library_of(instance.cls) != "torch":
            return
        held = {name: members for name, value in instance.attrs.items() if (members := in_plain_container(value))}
        if not held:
            return
        classes = user_classes(instance.cls)
        reads = [class_reads(cls.node) for cls in classes]
        if registers_itself(reads):
            return
        for name, held_here in held.items():
            members = unregistered(filter(has_weights, held_here), [instance])
            if members:
                members = unregistered(members, owners(context))
            if not members or not any(r.reads(name) for r in reads) or all(map(trains_itself, members)):
                continue
            if any(name in trained_by_hand(document) for document in (context.document, *(cls.document for cls in classes))):
                continue
            hidden = name.startswith("_") and len(members) == 1
            yield from self._report(name, instance.attrs[name], classes, reads, hidden, context)

    def _report(
        self, name: str, value: Value, classes: list[ClassVal], reads: list[ClassReads], hidden: bool, context: Context
    ) -> Iterator[Finding]:
        for cls, read in zip(classes, reads, strict=True):
            access = read.assignment(name)
            if access is None:
                continue
            wrapper = "nn.ModuleDict" if isinstance(value, DictVal) else "nn.ModuleList"
            hides = f"a plain {container(value)} hides them from parameters(), .to() and state_dict()"
            message = f"the modules in `self.{name}` are not registered: {hides}"
            severity = Severity.INFO if hidden else None
            site = Site(cls.document, access.statement, access.node)
            written, imports = name_for(cls.document, f"torch.{wrapper}")
            edits = (*wrap(site, access.node, written), *imports)
            fixes = offer(context, f"Wrap it in {wrapper}", edits, Applicability.UNSAFE)
            yield context.finding(self, site, message, advice=f"wrap it in {wrapper}", severity=severity, fixes=fixes)
            return


def unregistered(members: Iterable[InstanceVal], modules: Iterable[InstanceVal]) -> list[InstanceVal]:
    """The members that none of some modules registers; none, if nobody knows what one of their containers holds."""
    tracked = [part for module in modules for part in registered_members(module)]
    if any(part.open is not None and MEMBERS in part.state for part in tracked):
        return []
    registered = set(map(id, tracked))
    origins = {origin for part in tracked if (origin := origin_of(part))}
    return [member for member in members if id(member) not in registered and origin_of(member) not in origins]


def owners(context: Context) -> list[InstanceVal]:
    """The modules of the analysed code that the program makes."""
    made = (event.instance for event in context.facts.events(Instance))
    return [instance for instance in made if library_of(instance.cls) == "torch"]


def trains_itself(member: InstanceVal) -> bool:
    """Whether a module holds an optimizer, which knows its weights."""
    held = (value.cls for value in member.attrs.values() if isinstance(value, InstanceVal))
    return any(isinstance(cls, LibSymbol) and cls.name.startswith("torch.optim.") for cls in held)


def registers_itself(reads: list[ClassReads]) -> bool:
    """Whether a class registers modules under computed names."""
    methods = [method for read in reads for method in read.methods.values()]
    return any(_REGISTERS & (set(m.called) | set(m.read)) for m in methods)


def registered_members(instance: InstanceVal) -> Iterator[InstanceVal]:
    """The modules that are attributes themselves, members of a module container, or parts of these at any depth."""
    seen = {id(instance)}
    waiting = [value for value in instance.attrs.values() if isinstance(value, InstanceVal)]
    while waiting:
        module = waiting.pop()
        if id(module) in seen:
            continue
        seen.add(id(module))
        yield module
        for held in (*module.state.values(), *module.attrs.values()):
            plain = isinstance(module.cls, ClassVal) and isinstance(held, (ListVal, DictVal, tuple))
            waiting += [m for m in elements(held) if isinstance(m, InstanceVal) and not plain]


def origin_of(module: InstanceVal) -> tuple[int, ...]:
    """Where a module is made, with the calls that lead there: what stands for any element of a list is made where they are."""
    return tuple(id(site.node) for site in module.site.stack()) if module.site is not None else ()


def container(value: Value) -> str:
    """``list``, ``dict`` or ``tuple``."""
    return "dict" if isinstance(value, DictVal) else "tuple" if isinstance(value, tuple) else "list"
