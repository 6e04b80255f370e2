"""DLS109: ``__init__`` of a module assigns parts before, or without, the base class's ``__init__``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar as Constant
from typing import Final

import libcst as cst

from dllint.analysis.class_reads import Access, Method, class_reads
from dllint.analysis.modules import is_module, is_resolved, library_of, user_classes
from dllint.analysis.uninitialised import is_initialiser, without_base_init
from dllint.edit import Applicability
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.statements import insert_before
from dllint.ir.events import Instance
from dllint.ir.program import Site, TensorVal
from dllint.ir.values import ClassVal, InstanceVal, Value
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import quoted
from dllint.source.memo import of_node
from dllint.source.walk import dotted, walk_for, walk_placed


class MissingSuperInit(Rule[Instance]):
    """`__init__` of a module assigns layers before, or without, the base class's `__init__`.

    ## What it finds
    A subclass of `nn.Module`, `LightningModule`, Keras `Layer` or `Model` whose `__init__` sets a layer or parameter as an
    attribute while `super().__init__()` comes later or never; and a subclass of `nn.Module` without parts whose `__init__`, its
    own or an inherited one, never calls it.

    ## Why it is bad
    In PyTorch the assignment raises "cannot assign module before Module.__init__() call"; a module without parts raises when it
    is called ("object has no attribute '_backward_hooks'") or moved. In Keras a layer that never calls
    `super().__init__()` raises when it is called.

    ## Bad
    ```python
    from torch import nn


    class Net(nn.Module):
        def __init__(self):
            self.fc = nn.Linear(8, 2)  # error: [DLS109]

        def forward(self, x):
            return self.fc(x)


    net = Net()
    ```

    ## Good
    ```python
    from torch import nn


    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.fc = nn.Linear(8, 2)

        def forward(self, x):
            return self.fc(x)


    net = Net()
    ```

    ## When it stays silent
    Bases that are no modules or not known, what is no module when it is assigned, attributes that a base sets anew, an
    `__init__` that gives the object to a function, modules without parts that have no `forward` or are called by a method of
    their own, and Keras layers that call `super().__init__()` later.
    ```python
    from torch import nn


    class Config:
        def __init__(self):
            self.layer = nn.Linear(8, 2)


    class Net(nn.Module):
        def __init__(self, width):
            nn.Module.__init__(self)
            self.fc = nn.Linear(width, 2)


    class Block(nn.Module):
        def __init__(self, width):
            self.width, self.fc = width, None
            self.norm = None
            super().__init__()
            self.norm = nn.LayerNorm(width)


    nets = Config(), Net(8), Block(8)
    ```

    ## References
    - PyTorch documentation, `torch.nn.Module`.
    """

    code = "DLS109"
    name = "missing-super-init"
    severity = Severity.ERROR
    confidence = Confidence.HIGH
    applicability = Applicability.SAFE
    topics: Constant[tuple[str, ...]] = ("event:instance",)

    def check(self, item: Instance, context: Context) -> Iterator[Finding]:
        """The first module attribute of a new instance against the place of the base's ``__init__``; a module without parts
        against the ``__init__`` that it has or inherits."""
        instance = item.instance
        if not isinstance(instance.cls, ClassVal):
            return
        first = list(self._early_part(instance, instance.cls, context))
        yield from first or self._without_parts(instance.cls, context)

    def _without_parts(self, cls: ClassVal, context: Context) -> Iterator[Finding]:
        """A module that is built without an error and has no tables of parts."""
        init = without_base_init(cls)
        owner = next(
            (one for one in user_classes(cls) if init is not None and one.node is not None and defines(one, init)), None
        )
        if init is None or owner is None or owner.document is not context.document:
            return
        message = f"`{owner.name}.__init__` never calls super().__init__(), without which a call of the module raises"
        edits = insert_before(_top(owner, init), "super().__init__()") if never_calls_base(init, owner) else ()
        fixes = offer(context, "Call super().__init__() first", edits, Applicability.SAFE)
        site = Site(owner.document, init, init.name)
        yield context.finding(self, site, message, advice="call super().__init__() first", fixes=fixes)

    def _early_part(self, instance: InstanceVal, cls: ClassVal, context: Context) -> Iterator[Finding]:
        init = class_reads(cls.node).methods.get("__init__")
        library = library_of(cls)
        if init is None or library is None or not is_resolved(cls) or cls.is_dataclass:
            return
        first = first_part(init, instance, cls) if library == "torch" or not calls_base(init.node) else None
        if first is None:
            return
        assigned = quoted(context.text(first.node))
        message = f"`{cls.name}.__init__` assigns {assigned} before super().__init__() ran, which raises"
        if library == "keras":
            message = f"`{cls.name}.__init__` never calls super().__init__(), without which the call of the layer raises"
        site = Site(cls.document, first.statement, first.statement)
        edits = insert_before(_top(cls, init.node), "super().__init__()") if never_calls_base(init.node, cls) else ()
        fixes = offer(context, "Call super().__init__() first", edits, Applicability.SAFE)
        yield context.finding(self, site, message, advice="call super().__init__() first", fixes=fixes)


def defines(cls: ClassVal, method: cst.FunctionDef) -> bool:
    """Whether a method stands in the body of a class."""
    return any(found.node is method for found in class_reads(cls.node).methods.values())


def _top(cls: ClassVal, method: cst.FunctionDef) -> Site:
    return Site(cls.document, first_line(method), method)


def first_line(method: cst.FunctionDef) -> cst.CSTNode:
    """The first statement of a body behind its docstring, if there is one."""
    body = method.body.body
    return body[1] if len(body) > 1 and method.get_docstring() is not None else body[0]


@of_node
def calls_base(node: cst.FunctionDef) -> bool:
    """Whether ``__init__`` calls the base's at all."""
    return bool(_initialisers(node))


def never_calls_base(node: cst.FunctionDef, cls: ClassVal) -> bool:
    """Whether ``__init__`` has no call of the base's, nor of a method of the program that has one, and the base's takes no
    arguments. Methods of the library (``self.to(device)``) and layers do not call it."""
    classes = user_classes(cls)
    bases = [class_reads(one.node).methods["__init__"] for one in classes if "__init__" in class_reads(one.node).methods]
    base = next((method.node for method in bases if method.node is not node), None)
    if base is not None and any(parameter.default is None for parameter in base.params.params[1:]):
        return False
    return not _reaches_base(node, classes, set())


def _reaches_base(node: cst.FunctionDef, classes: list[ClassVal], seen: set[int]) -> bool:
    """Whether a method calls the base's ``__init__``, itself or by methods of the program."""
    seen.add(id(node))
    for call in _initialisers(node):
        spelled = dotted(call.func)
        if spelled is None or not spelled.startswith("self.") or spelled.endswith("__"):
            return True
        name = spelled.removeprefix("self.")
        methods = [class_reads(one.node).methods for one in classes]
        helpers = [found[name].node for found in methods if name in found]
        if any(_reaches_base(helper, classes, seen) for helper in helpers if id(helper) not in seen):
            return True
    return False


@of_node
def _initialisers(node: cst.FunctionDef) -> tuple[cst.Call, ...]:
    return tuple(filter(is_initialiser, walk_for(node, cst.Call)))


def first_part(init: Method, instance: InstanceVal, cls: ClassVal) -> Access | None:
    """The first assignment of a module or parameter that no call of the base's ``__init__`` precedes."""
    early = early_statements(init.node)
    for name, value in instance.attrs.items() if early else ():
        written = [access for access in init.assigned.get(name, ()) if not is_placeholder(access.node)]
        if not written or not (is_module(value) or is_parameter(value)):
            continue
        first = _that_builds(value, written, is_set_elsewhere(name, init, cls))
        if first is not None and all(id(access.statement) in early for access in written):
            return first
    return None


def _that_builds(value: Value, written: list[Access], set_elsewhere: bool) -> Access | None:
    """Of the assignments of one attribute, the one that gives it this value; functions and numbers may be given to it, too.
    None of them, where other code may have given it the value that it has in the end."""
    built = value.site.node if isinstance(value, InstanceVal) and value.site is not None else None
    exact = next((access for access in written if access.node is built), None)
    if exact is not None or set_elsewhere:
        return exact
    calls = [access for access in written if isinstance(access.node, cst.Call)]
    return (calls or written)[0]


def is_set_elsewhere(name: str, init: Method, cls: ClassVal) -> bool:
    """Whether a method of the class or of a base, other than this ``__init__``, sets an attribute, or one of any name."""
    classes = [class_reads(one.node) for one in user_classes(cls)]
    others = [method for one in classes for method in one.methods.values() if method.node is not init.node]
    return any(name in method.assigned or _sets_by_name(method.node) for method in others)


@of_node
def _sets_by_name(node: cst.FunctionDef) -> bool:
    names = (dotted(call.func) or "" for call in walk_for(node, cst.Call))
    return any(name.rpartition(".")[2] in ("setattr", "__setattr__") for name in names)


_LITERALS: Final = (cst.BaseNumber, cst.BaseString, cst.List, cst.Tuple, cst.Dict)


def is_placeholder(node: cst.CSTNode) -> bool:
    """Whether an assigned expression is no module, and only keeps the place of one: ``None``, a number, a container."""
    return isinstance(node, _LITERALS) or (isinstance(node, cst.Name) and node.value in ("None", "True", "False"))


def is_parameter(value: Value) -> bool:
    """Whether a value is an ``nn.Parameter``."""
    return isinstance(value, TensorVal) and value.producer is None and value.name in ("parameter", "buffer")


@of_node
def early_statements(node: cst.FunctionDef) -> frozenset[int]:
    """The ids of the statements of ``__init__`` in front of the first call that may run the base's ``__init__``."""
    early: set[int] = set()
    for part, place in walk_placed(node):
        if isinstance(part, cst.Call) and is_initialiser(part):
            return frozenset(early - {id(place)})
        early.add(id(place))
    return frozenset(early)
