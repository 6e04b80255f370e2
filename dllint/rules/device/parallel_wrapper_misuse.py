"""DLG107: an attribute of a model is read from the wrapper that makes it parallel."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar, Final

import libcst as cst

from dllint.analysis.kept_states import is_returned
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
from dllint.rules.wording import quoted
from dllint.source.walk import children, dotted, small_statements, walk

_WRAPPERS: Final = frozenset({"torch.nn.DataParallel", "torch.nn.parallel.DistributedDataParallel"})
#: What wrappers have beside what every module has, and what modules have that no table lists.
_OWN: Final = frozenset({
    "module", "forward", "training", "device", "device_ids", "output_device", "dim", "src_device_obj", "gather", "scatter",
    "replicate", "parallel_apply", "no_sync", "join", "process_group", "logger", "device_type", "parameters_to_ignore",
    "require_backward_grad_sync", "find_unused_parameters", "static_graph", "reducer", "register_comm_hook", "dump_patches",
})  # fmt: skip
#: Statements whose parts are not executed each time, or at another time.
_APART: Final = (cst.If, cst.IfExp, cst.Try, cst.FunctionDef, cst.ClassDef, cst.Lambda)
#: What ends a function, or a pass of a loop.
_ENDING: Final = (cst.Return, cst.Raise, cst.Continue, cst.Break)
#: Methods that give the object that they are called on.
_SAME: Final = frozenset({"to", "cuda", "cpu", "train", "eval", "float", "half", "double"})
#: Decorators that call their function with what it is given.
_RECORDING: Final = frozenset({"no_grad", "inference_mode", "enable_grad"})
#: Words of tests that may be about the wrapper.
_ASKS: Final = re.compile(r"parallel|ddp|\bdp\b|dist|wrap|module|multi|gpu|world|device|hasattr|isinstance", re.IGNORECASE)


class ParallelWrapperMisuse(Rule[LibraryCall]):
    """A method or attribute of a model is used on `DataParallel` or `DistributedDataParallel`.

    ## What it finds
    A model is wrapped, the wrapper takes its name, and an attribute that only the class of the model has is read under this
    name in the same function, or in other methods of the class of which it is an attribute.

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
    calls: ClassVar[tuple[str, ...]] = tuple(sorted(_WRAPPERS))
    default = "off"

    def check(self, item: LibraryCall, context: Context) -> Iterator[Finding]:
        """The call that wraps a model."""
        if item.name not in _WRAPPERS or not item.given:
            return
        model, bound = unwrap(item.given[0]), _bound(item.site, context)
        if not isinstance(model, InstanceVal) or not isinstance(model.cls, ClassVal) or bound is None:
            return
        (place, target), always = bound, not _around(item.site) and not _is_chosen(item.site)
        for site, node in _all_reads(place, target, always and not _around(place), context):
            name = context.text(node.value)
            if not _is_of_model(node.attr.value, model):
                continue
            wrapped = context.related(item, "the model is wrapped here")
            edits = replace_expression(site, node.value, f"{name}.module") if always else ()
            yield context.finding(
                self,
                site,
                f"the wrapper {quoted(name)} has no `{node.attr.value}`, which its `module` has",
                advice=f"write {quoted(f'{name}.module.{node.attr.value}')}",
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


def _bound(site: Site, context: Context) -> tuple[Site, str] | None:
    """Where a wrapper comes to the variable or attribute under which it is used: where it is made, or where a function is
    called that gives it back."""
    while site.caller is not None and (is_returned(site) or _is_given_back(site, context)):
        site = site.caller
    target = _target(site, context)
    return None if target is None else (site, target)


def _is_given_back(site: Site, context: Context) -> bool:
    """Whether the variable that a test lets hold a wrapper is what the function gives back at its end."""
    functions = [part for part in enclosing(site) if isinstance(part, cst.FunctionDef)]
    last = list(small_statements(functions[-1].body.body[-1])) if functions else []
    given = last[-1].value if last and isinstance(last[-1], cst.Return) else None
    return given is not None and context.text(given) == _target(site, context)


def _is_chosen(site: Site) -> bool:
    """Whether a wrapper is one of two alternatives of an expression."""
    choices = (part for small in small_statements(site.statement) for part in walk(small) if isinstance(part, cst.IfExp))
    return any(part is site.node for choice in choices for part in walk(choice))


def _all_reads(site: Site, target: str, always: bool, context: Context) -> Iterator[tuple[Site, cst.Attribute]]:
    """Where attributes of a wrapper are read, in its function, in other methods, and in functions of the file that get it."""
    yield from _reads(site, target, always, context)
    yield from _in_other_methods(site, target, always, context)
    if not always:
        return
    for call in _calls_with(site, target, context):
        yield from _in_called(site, call, target, context)


def _calls_with(site: Site, target: str, context: Context) -> Iterator[cst.Call]:
    """The calls behind a statement, executed whenever that is, with a variable among their arguments, until it is bound."""
    functions = [part for part in enclosing(site) if isinstance(part, cst.FunctionDef)]
    block = functions[-1].body.body if functions else site.document.body
    after, statement = False, None
    for node in (inner for top in block for inner in _plain(top, target)):
        if isinstance(node, cst.SimpleStatementLine):
            after, statement = after or statement is site.statement, node
        if after and isinstance(node, cst.AssignTarget) and context.text(node.target) == target:
            return
        if after and isinstance(node, cst.Call) and any(context.text(argument.value) == target for argument in node.args):
            yield node


def _in_called(site: Site, call: cst.Call, target: str, context: Context) -> Iterator[tuple[Site, cst.Attribute]]:
    """Where a function of the file reads attributes of the parameter that a call gives a wrapper to."""
    named = call.func.value if isinstance(call.func, cst.Name) else ""
    function = next(
        (
            top
            for top in site.document.body
            if isinstance(top, cst.FunctionDef) and top.name.value == named and all(map(_keeps_arguments, top.decorators))
        ),
        None,
    )
    if function is None or any(argument.star for argument in call.args):
        return
    number, given = next((n, a) for n, a in enumerate(call.args) if context.text(a.value) == target)
    params = function.params.params
    if given.keyword is None and number >= len(params):
        return
    name = given.keyword.value if given.keyword is not None else params[number].name.value
    if any(_binds_name(part, name, context) for part in walk(function.body)):
        return
    statement: cst.CSTNode = function
    for node in (inner for top in function.body.body for inner in _plain(top, name)):
        if isinstance(node, (cst.SimpleStatementLine, cst.BaseCompoundStatement)):
            statement = node
        if isinstance(node, cst.Attribute) and context.text(node.value) == name:
            yield Site(site.document, statement, node, site.caller), node


def _keeps_arguments(decorator: cst.Decorator) -> bool:
    """Whether a decorator calls its function with what it is given: those that switch gradients off."""
    node = decorator.decorator
    called = node.func if isinstance(node, cst.Call) else node
    return (dotted(called) or "").rpartition(".")[2] in _RECORDING


def _binds_name(part: cst.CSTNode, name: str, context: Context) -> bool:
    return isinstance(part, cst.AssignTarget) and (context.text(part.target) + ".").startswith(f"{name}.")


def _target(site: Site, context: Context) -> str | None:
    """The variable or attribute that is assigned a wrapper, also one that is moved or set to a mode at once."""
    node = site.node
    for small in small_statements(site.statement):
        if not isinstance(small, cst.Assign) or len(small.targets) != 1:
            continue
        value, target = small.value, small.targets[0].target
        options = [value.body, value.orelse] if isinstance(value, cst.IfExp) else [value]
        if any(_made_by(option) is node for option in options) and isinstance(target, (cst.Name, cst.Attribute)):
            return context.text(target)
    return None


def _made_by(value: cst.BaseExpression) -> cst.BaseExpression:
    """The call that makes an object, also of one that is moved or set to a mode at once."""
    while isinstance(value, cst.Call) and isinstance(value.func, cst.Attribute) and value.func.attr.value in _SAME:
        value = value.func.value
    return value


def _reads(site: Site, target: str, always: bool, context: Context) -> Iterator[tuple[Site, cst.Attribute]]:
    """Where attributes of a name are read after a statement, outside of tests that may ask for the wrapper, until the name is
    bound again; nothing if an attribute is set on it."""
    document, tests = site.document, _around(site)
    functions = [part for part in enclosing(site) if isinstance(part, cst.FunctionDef)]
    found, after, statement = list[tuple[Site, cst.Attribute]](), False, site.statement
    if len(tests) > 1:
        return
    skipped = target if always else None
    block = functions[-1].body.body if functions else document.body
    for node in (inner for top in block for inner in _plain(top, skipped)):
        if isinstance(node, (cst.SimpleStatementLine, cst.BaseCompoundStatement)):
            statement = node
        if node is site.statement or any(node is test for test in tests):
            after = True
        elif after and _may_end(node, skipped):
            break
        elif after and isinstance(node, cst.AssignTarget) and statement is not site.statement:
            bound = context.text(node.target)
            if bound == target:
                break
            if bound.startswith(f"{target}."):
                return
        elif after and isinstance(node, cst.Attribute) and context.text(node.value) == target:
            found.append((Site(document, statement, node, site.caller), node))
    yield from found


def _in_other_methods(site: Site, target: str, always: bool, context: Context) -> Iterator[tuple[Site, cst.Attribute]]:
    """Where other methods of a class read attributes of ``self.name``, which one method binds to a wrapper last, and no other
    method binds, nor one that this calls before; outside of any test, if it is not always bound to one."""
    around = enclosing(site)
    own = next((part for part in reversed(around) if isinstance(part, cst.FunctionDef)), None)
    cls = next((part for part in reversed(around) if isinstance(part, cst.ClassDef)), None)
    if own is None or cls is None or not target.startswith("self.") or target.count(".") != 1:
        return
    methods = [part for part in cls.body.body if isinstance(part, cst.FunctionDef) and part is not own]
    if any(_binds(method, target, context) for method in methods):
        return
    called = {context.text(part.func) for part in walk(own.body) if isinstance(part, cst.Call)}
    for method in methods:
        skipped = target if always else None
        if f"self.{method.name.value}" in called:
            continue
        statement: cst.CSTNode = method
        for node in (inner for top in method.body.body for inner in _plain(top, skipped)):
            if isinstance(node, (cst.SimpleStatementLine, cst.BaseCompoundStatement)):
                statement = node
            if _may_end(node, skipped):
                break
            if isinstance(node, cst.Attribute) and context.text(node.value) == target:
                yield Site(site.document, statement, node, site.caller), node


def _binds(method: cst.FunctionDef, target: str, context: Context) -> bool:
    """Whether a method binds an attribute, or one of what it holds."""
    bound = (context.text(part.target) for part in walk(method.body) if isinstance(part, cst.AssignTarget))
    return any(name == target or name.startswith(f"{target}.") for name in bound)


def _plain(node: cst.CSTNode, target: str | None) -> Iterator[cst.CSTNode]:
    """A node and those in it that are executed whenever it is; of a name that is always a wrapper, also those under tests that
    do not ask for it."""
    yield node
    if isinstance(node, cst.If) and target is not None and not _asks(node, target):
        yield from _plain(node.test, target)
        for part in (*node.body.body, *((node.orelse,) if isinstance(node.orelse, cst.Else) else ())):
            yield from _plain(part, target)
    elif not isinstance(node, _APART):
        for child in children(node):
            yield from _plain(child, target)


def _may_end(node: cst.CSTNode, target: str | None) -> bool:
    """Whether what stands behind a test may be executed only if a name is no wrapper: ``if self.multi: return …``. With the
    name of what is always one, the test must ask for that."""
    if isinstance(node, cst.Assert):
        return target is None
    if not isinstance(node, (cst.If, cst.Try)) or (
        target is not None and not (isinstance(node, cst.If) and _asks(node, target))
    ):
        return False
    return any(isinstance(part, _ENDING) for part in walk(node))


def _asks(node: cst.If, target: str) -> bool:
    """Whether a test, or one behind it, may ask whether a name is a wrapper: it names that, or words for wrappers."""
    tests: list[cst.If] = []
    part: cst.If | cst.Else | None = node
    while isinstance(part, cst.If):
        tests.append(part)
        part = part.orelse
    code = " ".join(cst.Module([]).code_for_node(test.test) for test in tests)
    return len(tests) > 1 or target in code or _ASKS.search(code) is not None
