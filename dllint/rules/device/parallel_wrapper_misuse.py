"""DLG107: an attribute of a model is read from the wrapper that makes it parallel."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

import libcst as cst

from dllint.analysis.own_statements import enclosing
from dllint.edit import Applicability
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.calls import replace_expression
from dllint.frameworks import registry
from dllint.ir.events import LibraryCall
from dllint.ir.program import Site
from dllint.ir.values import ClassVal, InstanceVal, Value, unwrap
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import assigned_name, quoted
from dllint.source.walk import children

_WRAPPERS: Final = frozenset({"torch.nn.DataParallel", "torch.nn.parallel.DistributedDataParallel"})
#: What wrappers have beside what every module has, and what modules have that no table lists.
_OWN: Final = frozenset({
    "module", "forward", "training", "device", "device_ids", "output_device", "dim", "src_device_obj", "gather", "scatter",
    "replicate", "parallel_apply", "no_sync", "join", "process_group", "logger", "device_type", "parameters_to_ignore",
    "require_backward_grad_sync", "find_unused_parameters", "static_graph", "reducer", "register_comm_hook", "dump_patches",
})  # fmt: skip
#: Statements whose parts are not executed each time, or at another time.
_APART: Final = (cst.If, cst.Try, cst.FunctionDef, cst.ClassDef, cst.Lambda)


class ParallelWrapperMisuse(Rule[LibraryCall]):
    """A method or attribute of a model is used on `DataParallel` or `DistributedDataParallel`.

    ## What it finds
    A model is wrapped, the wrapper takes its name, and an attribute that only the class of the model has is read under this
    name in the same function.

    ## Why it is bad
    The wrapper has the model as `module` and no other attributes of it: `AttributeError`. Where the wrapper is made for several
    devices only, the error comes on machines that have them.

    ## Bad
    ```python
    import torch
    from torch import nn


    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = nn.Linear(8, 2)

        def forward(self, x):
            return self.layer(x)

        def encode(self, x):
            return self.layer(x).relu()


    model = nn.DataParallel(Net())
    print(model.encode(torch.randn(4, 8)))  # error: [DLG107]
    ```

    ## Good
    ```python
    import torch
    from torch import nn


    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = nn.Linear(8, 2)

        def forward(self, x):
            return self.layer(x)

        def encode(self, x):
            return self.layer(x).relu()


    model = nn.DataParallel(Net())
    print(model.module.encode(torch.randn(4, 8)))
    ```

    ## When it stays silent
    What every module has, attributes that are read under a test, names that are bound again, and wrappers under another name.
    ```python
    import torch
    from torch import nn


    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = nn.Linear(8, 2)

        def forward(self, x):
            return self.layer(x)


    net = Net()
    model = nn.DataParallel(net)
    print(model(torch.randn(4, 8)), net.layer, len(model.state_dict()))
    if not isinstance(model, nn.DataParallel):
        print(model.layer)
    model = model.module
    print(model.layer)
    ```

    ## References
    - PyTorch documentation, `torch.nn.DataParallel` and `torch.nn.parallel.DistributedDataParallel`.
    """

    code = "DLG107"
    name = "parallel-wrapper-misuse"
    severity = Severity.WARNING
    confidence = Confidence.HIGH
    applicability: ClassVar[Applicability | None] = Applicability.SAFE
    frameworks = ("torch",)
    topics: ClassVar[tuple[str, ...]] = ("event:call",)
    default = "off"

    @classmethod
    def may_concern(cls, name: str) -> bool:
        """As of a rule."""
        return name in _WRAPPERS

    def check(self, item: LibraryCall, context: Context) -> Iterator[Finding]:
        """The call that wraps a model."""
        if item.name not in _WRAPPERS or not item.given:
            return
        model, target = unwrap(item.given[0]), assigned_name(item.site, context)
        if not isinstance(model, InstanceVal) or not isinstance(model.cls, ClassVal) or target is None:
            return
        always = not _around(item.site)
        for site, node in _reads(item.site, target, context):
            if not _is_of_model(node.attr.value, model):
                continue
            wrapped = context.related(item, "the model is wrapped here")
            edits = replace_expression(site, node.value, f"{target}.module") if always else ()
            yield context.finding(
                self,
                site,
                f"the wrapper {quoted(target)} has no `{node.attr.value}`, which its `module` has",
                advice=f"write {quoted(f'{target}.module.{node.attr.value}')}",
                node=node,
                severity=Severity.ERROR if always else Severity.WARNING,
                related=[wrapped] if wrapped else [],
                fixes=offer(context, "Read it from the model", edits, Applicability.SAFE),
            )


def _is_of_model(name: str, model: InstanceVal) -> bool:
    """Whether the class of a model, or its constructor, gives it an attribute that its wrapper lacks."""
    if name in _OWN or name.startswith("_") or registry.known(f"torch.nn.Module.{name}"):
        return False
    classes: tuple[Value, ...] = model.cls.mro if isinstance(model.cls, ClassVal) else ()
    return name in model.attrs or any(isinstance(base, ClassVal) and name in base.attrs for base in classes)


def _around(site: Site) -> list[cst.CSTNode]:
    """The tests around a statement, in its function."""
    around = enclosing(site)
    starts = [number for number, part in enumerate(around) if isinstance(part, (cst.FunctionDef, cst.ClassDef))]
    own = around[starts[-1] + 1 :] if starts else around
    return [part for part in own if isinstance(part, (cst.If, cst.Try))]


def _reads(site: Site, target: str, context: Context) -> Iterator[tuple[Site, cst.Attribute]]:
    """Where attributes of a name are read after a statement, outside of tests, until the name is bound again; nothing if an
    attribute is set on it."""
    document, tests = site.document, _around(site)
    functions = [part for part in enclosing(site) if isinstance(part, cst.FunctionDef)]
    found, after, statement = list[tuple[Site, cst.Attribute]](), False, site.statement
    if len(tests) > 1:
        return
    for node in (inner for top in (functions[-1].body.body if functions else document.body) for inner in _plain(top)):
        if isinstance(node, (cst.SimpleStatementLine, cst.BaseCompoundStatement)):
            statement = node
        if node is site.statement or any(node is test for test in tests):
            after = True
        elif after and isinstance(node, cst.AssignTarget) and statement is not site.statement:
            bound = context.text(node.target)
            if bound == target:
                break
            if bound.startswith(f"{target}."):
                return
        elif after and isinstance(node, cst.Attribute) and context.text(node.value) == target:
            found.append((Site(document, statement, node, site.caller), node))
    yield from found


def _plain(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """A node and those in it that are executed whenever it is."""
    yield node
    if not isinstance(node, _APART):
        for child in children(node):
            yield from _plain(child)
