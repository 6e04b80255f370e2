"""Namespaces, call frames, and the ways in which a block can end."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from dllint.ir.program import Site
from dllint.ir.values import AbstractVal, ClassVal, FuncVal, ListVal, Value
from dllint.source.document import Document

if TYPE_CHECKING:
    from dllint.lower.ends import Exit, LoopExits

#: How a statement or block ended.
NORMAL: Final = 0
BREAK: Final = 1
CONTINUE: Final = 2
RETURN: Final = 3
RAISE: Final = 4


class _Missing(AbstractVal):
    def __repr__(self) -> str:
        return "MISSING"


#: "No value here", where ``None`` would be Python's None.
MISSING: Final = _Missing()


class Locals(dict[str, Value]):
    """The variables of one function activation, told apart from the storage of dict values."""

    __slots__ = ()


class Scope:
    """A namespace. ``parent`` is the next one that name lookup visits (class scopes are no parents of their methods);
    ``outer`` maps names declared ``global`` or ``nonlocal`` to the scope that holds them."""

    __slots__ = ("is_class", "module", "outer", "parent", "vars")

    def __init__(
        self, variables: dict[str, Value], parent: Scope | None, module: Scope | None = None, is_class: bool = False
    ) -> None:
        self.vars = variables
        self.parent = parent
        self.module: Scope = module if module is not None else self
        self.is_class = is_class
        self.outer: dict[str, Scope] | None = None

    def function_parent(self) -> Scope:
        """The scope that a function defined here sees: class scopes are skipped."""
        scope = self
        while scope.is_class and scope.parent is not None:
            scope = scope.parent
        return scope


class Frame:
    """One activation: of a module, a class body or a function. ``statement`` and ``node`` are what is being executed."""

    __slots__ = (
        "_call_site",
        "at_yield",
        "cls",
        "code",
        "document",
        "func",
        "guarded",
        "loop",
        "name",
        "node",
        "owner",
        "parent",
        "returned",
        "returns",
        "scope",
        "statement",
        "yields",
    )

    def __init__(
        self, scope: Scope, document: Document, parent: Frame | None, name: str = "", func: FuncVal | None = None
    ) -> None:
        self.scope = scope
        self.document = document
        self.parent = parent
        self.name = name
        self.func = func
        self.owner: Value = None
        self.cls: ClassVal | None = func.owner if func is not None else None
        #: The code of ``func`` when the call began.
        self.code: Any = func.node if func is not None else None
        self.statement: Any = None
        self.node: Any = None
        #: Where paths wait that leave the function, or the innermost loop, in one arm of an undecided branch.
        self.returned: Exit | None = None
        self.loop: LoopExits | None = None
        #: What undecided checks that raise were about.
        self.guarded: frozenset[str] = frozenset()
        self.returns: list[Value] = []
        #: What a generator has yielded so far.
        self.yields: ListVal | None = None
        #: What is done with the first value that is yielded, instead of collecting it.
        self.at_yield: Callable[[Value], None] | None = None
        self._call_site: Site | None = None

    def caller_site(self) -> Site | None:
        """The site of the call that this frame executes, made on first need."""
        if self._call_site is None and self.parent is not None and self.func is not None:
            self._call_site = self.parent.site()
        return self._call_site

    def site(self) -> Site:
        """The site of the node being evaluated."""
        return Site(self.document, self.statement, self.node if self.node is not None else self.statement, self.caller_site())

    def moved_to(self, site: Site) -> Frame:
        """A frame that stands at another site, called from here."""
        frame = Frame(self.scope, site.document, self, self.name)
        frame.owner, frame.statement, frame.node = self.owner, site.statement, site.node
        frame._call_site = self.site()
        return frame
