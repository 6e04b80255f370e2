"""DLI102: a parameter or another tensor is made of memory that nothing has written to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import ClassVar, Final

import libcst as cst

from dllint.analysis.own_statements import enclosing
from dllint.analysis.sizes_for_values import first_reader
from dllint.domains.shape import show_shape
from dllint.edit import Applicability, Edit
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.boundary import builder
from dllint.fixes.imports import name_for
from dllint.fixes.statements import insert_after
from dllint.ir.events import LibraryCall
from dllint.ir.program import SCRIPT, Op, Site, TensorVal
from dllint.ir.values import ClassVal, InstanceVal, LibSymbol, Value, unwrap
from dllint.ops.kinds import does, having
from dllint.ops.traits import Trait
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import assigned_name, operation, quoted

_PARAMETER: Final = "torch.nn.Parameter"
#: What speaks of initial values, or of weights that come from elsewhere: initialisers and other methods that write in place,
#: hooks by which classes of libraries initialise, loading, and access to all parameters.
_WRITES: Final = re.compile(
    r"\binit\.|(?<!__)init_\w|_init\w*\(|_reset|reset_|\binitiali|\.apply\(|\w_\(|load|from_pretrained|parameters\(\)|\.data\b"
    r"|copy|state_dict|\.fill|setattr"
)
#: The same of code outside the class, which may initialise or load whole models.
_WRITES_ALL: Final = re.compile(
    r"\binit\.\w|\.apply\(|load_state_dict|from_pretrained|(?<!_)init\w*\(|[a-z0-9]_init\w*\(|initiali[sz]|xavier|kaiming|torch\.load\("
)
#: A call that gives values to one tensor, or to those of one part, which its line names.
_WRITES_ONE: Final = re.compile(r"\binit\.\w+_\(self\.\w+\W|self\.\w+(?:\.data)?\.\w+_\(|self\.\w+\._?(?:reset|init)\w*\(\)")
_OF_SELF: Final = re.compile(r"\bself\.(\w+)")
#: How a class defines a method that gives parameters values, and how it calls it.
_METHODS: Final = re.compile(r"^[ \t]+def (_?(?:reset|init)\w*)\(self\)(?: -> None)?:[ \t]*$", re.MULTILINE)
_OWN_CALL: Final = re.compile(r"^[ \t]+self\.(\w+)\(\)[ \t]*$")
#: How a class defines any method but those that Python calls.
_DEFINES: Final = re.compile(r"^([ \t]+)(?:async )?def ((?!__)\w+)\(", re.MULTILINE)
#: Methods that a module has by itself, which torch may call.
_OF_MODULES: Final = frozenset({
    "forward", "train", "extra_repr", "state_dict", "load_state_dict", "get_extra_state", "set_extra_state", "_apply",
    "_load_from_state_dict", "_save_to_state_dict", "_get_name",
})  # fmt: skip
_CONSTRUCTOR: Final = re.compile(r"def __init__\(|super\(.*?\)\.__init__\(|\w\.__init__\(|__post_init__")
#: What goes through parameters and gives them no values: freezing them, counting them, and optimizers for them.
_READING: Final = re.compile(
    r"for \w+(?:, ?\w+)? in [\w.]+\.(?:named_)?parameters\(\):\s*\w+\.requires_grad(?:_\(\w*\)| ?= ?\w+)[ \t]*(?:#.*)?$"
    r"|\.requires_grad_\(\w*\)|optim\.\w+\(\s*(?:params ?= ?)?[\w.]+\.parameters\(\)"
    r"|numel\(\) for \w+ in [\w.]+\.parameters\(\)",
    re.MULTILINE,
)
_HOMES: Final = ("torch.nn.", "builtins.", "abc.")


class UninitialisedParameter(Rule[LibraryCall | Op]):
    """`nn.Parameter(torch.empty(...))` or `nn.Parameter(torch.Tensor(n, m))`, and nothing gives it values.

    ## What it finds
    A parameter whose data is a tensor of uninitialised memory, of a module that a script builds, where nothing in its class or
    in the script initialises, fills, copies or loads anything but other parameters. Any other tensor that is made by
    `torch.Tensor(n)`, which takes the number for a size, and computed with before anything is written to it.

    ## Why it is bad
    The weights start as whatever happens to be in memory: mostly zeros, so that a small test passes, and at times numbers of
    any size or not-a-number. Training then fails in some runs only.

    ## Bad
    ```python
    import torch
    from torch import nn


    class Projection(nn.Module):
        def __init__(self, features: int, outputs: int) -> None:
            super().__init__()
            self.weight = nn.Parameter(torch.empty(features, outputs))  # error: [DLI102]

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x @ self.weight


    print(Projection(8, 4)(torch.randn(2, 8)))
    ```

    ```python
    import torch

    temperature = torch.Tensor(4)  # error: [DLI102]
    print(torch.randn(2, 4) / temperature)
    ```

    ## Good
    ```python
    import torch
    from torch import nn


    class Projection(nn.Module):
        def __init__(self, features: int, outputs: int) -> None:
            super().__init__()
            self.weight = nn.Parameter(torch.empty(features, outputs))
            nn.init.xavier_uniform_(self.weight)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x @ self.weight


    print(Projection(8, 4)(torch.randn(2, 8)))
    ```

    ## When it stays silent
    Parameters that the class initialises itself or in a method, tensors that are filled before, data that is written down, and
    programs that load weights or initialise all modules.
    ```python
    import torch
    from torch import nn


    class Projection(nn.Module):
        def __init__(self, features, outputs):
            super().__init__()
            self.weight = nn.Parameter(torch.empty(features, outputs))
            self.scale = nn.Parameter(torch.Tensor([1.0, 2.0]))
            self.shift = nn.Parameter(torch.empty(outputs).uniform_(-1, 1))
            self.reset_parameters()

        def reset_parameters(self):
            nn.init.xavier_uniform_(self.weight)


    class Plain(nn.Module):
        def __init__(self):
            super().__init__()
            self.weight = nn.Parameter(torch.empty(4, 4))


    def initialise(module):
        for weight in module.parameters():
            nn.init.normal_(weight)


    Projection(8, 4)
    Plain().apply(initialise)
    ```

    ## References
    - PyTorch documentation, `torch.empty`, `torch.nn.init`.
    """

    code = "DLI102"
    name = "uninitialised-parameter"
    severity = Severity.WARNING
    confidence = Confidence.HIGH
    applicability: ClassVar[Applicability | None] = Applicability.UNSAFE
    frameworks = ("torch",)
    topics: ClassVar[tuple[str, ...]] = ("event:call", *(f"op:{kind}" for kind in sorted(having(Trait.EMPTY))))
    calls: ClassVar[tuple[str, ...]] = (_PARAMETER,)

    def check(self, item: LibraryCall | Op, context: Context) -> Iterator[Finding]:
        """A parameter that is made, or another tensor."""
        if isinstance(item, Op):
            reader = first_reader(item, context.facts)
            if reader is not None:
                yield self._read(item, reader, context)
            return
        if item.name != _PARAMETER:
            return
        data = unwrap(item.bound.get("data"))
        if not isinstance(data, TensorVal) or not does(data.producer, Trait.EMPTY) or data.modified or data.foreign:
            return
        name = assigned_name(item.site, context)
        if name is None or not _stays(item, name, context):
            return
        made = quoted(context.text(data.producer))
        yield context.finding(
            self,
            item,
            f"`{name}` starts as what happens to be in memory, {made} writes no values",
            advice=f"give `{name}` initial values, by a function of `torch.nn.init`",
            fixes=offer(context, "Initialise the parameter", _initialised(item.site, name, data), Applicability.UNSAFE),
        )

    def _read(self, made: Op, reader: Op, context: Context) -> Finding:
        related = context.related(reader, "it is read here")
        return context.finding(
            self,
            made,
            f"{quoted(context.text(made))} takes the number for a size: its {show_shape(made.output.shape)} elements are what "
            f"happens to be in memory, and {operation(reader, context)} reads them{context.condition_note(made)}",
            advice="write `torch.tensor(...)` for a tensor of that value",
            related=[related] if related else [],
            kind="value",
        )


def _stays(item: LibraryCall, name: str, context: Context) -> bool:
    """Whether nothing in the class of the module, nor in the program, can give parameters values."""
    owner = item.owner
    if context.program.entry != SCRIPT:  # who builds the module elsewhere may initialise it
        return False
    if not isinstance(owner, InstanceVal) or not isinstance(owner.cls, ClassVal):
        return False
    if not all(map(_is_plain, owner.cls.mro)):
        return False
    classes = [part for part in enclosing(item.site) if isinstance(part, cst.ClassDef)]
    sites = [item.site, *(call.site for call in context.facts.events(LibraryCall))]
    documents = {id(site.document): site.document for site in sites if site.document is not None}
    nodes = [base.node for base in owner.cls.mro if isinstance(base, ClassVal) and isinstance(base.node, cst.CSTNode)]
    whole = [document.text for document in (*documents.values(), context.document)]
    idle = _never_called(whole)
    texts = [_without_others(_without_methods(_code(node), idle), name) for node in nodes]
    around = (_without_others(_without_methods(text, idle), name) for text in whole)
    if not classes or any(map(_WRITES_ALL.search, around)):
        return False
    return not any(_WRITES.search(_CONSTRUCTOR.sub("", _READING.sub("", text))) for text in texts)


def _never_called(texts: Sequence[str]) -> frozenset[str]:
    """The names of methods that no text speaks of but where they are defined, and that torch does not call."""
    defined = {match[2] for text in texts for match in _DEFINES.finditer(text)} - _OF_MODULES
    return frozenset(name for name in defined if not any(re.search(rf"(?<!def )\b{re.escape(name)}\b", text) for text in texts))


def _without_methods(text: str, names: frozenset[str]) -> str:
    """The lines of a text without the methods of these names."""
    kept, margin = list[str](), None
    for line in text.split("\n"):
        indentation = len(line) - len(line.lstrip())
        if margin is not None and line.strip() and indentation <= margin:
            margin = None
        begins = _DEFINES.match(line)
        if begins is not None and begins[2] in names:
            margin = indentation
        if margin is None:
            kept.append(line)
    return "\n".join(kept)


def _without_others(text: str, name: str) -> str:
    """The lines of a text, but for those that give values to single other parameters, and those that only name the methods of
    the text in which that is done."""
    methods = {match[1] for match in _METHODS.finditer(text)}
    return "\n".join(line for line in text.split("\n") if not _is_about_others(line, name, methods))


def _is_about_others(line: str, name: str, methods: set[str]) -> bool:
    defined, called = _METHODS.match(line), _OWN_CALL.match(line)
    if defined is not None or (called is not None and called[1] in methods):
        return True
    attributes = set(_OF_SELF.findall(line))
    return _WRITES_ONE.search(line) is not None and bool(attributes) and name.rpartition(".")[2] not in attributes


def _is_plain(base: Value) -> bool:
    """Whether a base class is one of the code, or one that initialises nothing but itself."""
    return isinstance(base, ClassVal) or (isinstance(base, LibSymbol) and base.name.startswith(_HOMES))


def _code(node: cst.CSTNode) -> str:
    return cst.Module([]).code_for_node(node)


@builder
def _initialised(site: Site, name: str, data: TensorVal) -> tuple[Edit, ...]:
    if data.type.rank is None or data.type.rank < 2:
        return ()
    function, imports = name_for(site.document, "torch.nn.init.xavier_uniform_")
    return (*insert_after(site, f"{function}({name})"), *imports)
