"""The parts of the interpreter that its helpers use, where one record is not enough: protocols that the interpreter implements.

A helper names the narrowest of them, so that its signature tells what it may read and change, and so that its module need not
know the interpreter.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from dllint.frameworks.machine import Machine

if TYPE_CHECKING:
    import libcst as cst

    from dllint.domains.shape import TensorType
    from dllint.ir.program import Op, Program, Site, TensorVal
    from dllint.ir.values import Value
    from dllint.lower.journal import Journal
    from dllint.lower.options import Options
    from dllint.lower.scopes import Frame
    from dllint.lower.state import Budget, Control, Identities, Run, Trail
    from dllint.lower.state import Imports as ImportedModules
    from dllint.source.document import Document
    from dllint.source.workspace import Files

T = TypeVar("T")


class Derives(Protocol):
    """Values derived from unknown ones, and the facts about them."""

    trail: Trail
    known: Identities

    def derive(self, key: tuple[Any, ...], make: Callable[[], T], *sources: Value | cst.CSTNode) -> T:
        """The value made for ``key`` the first time, the same object each time; ``sources`` are kept alive with it."""
        ...


class Evaluates(Protocol):
    """The evaluation of expressions."""

    known: Identities

    def eval(self, node: cst.CSTNode) -> Value:
        """The abstract value of an expression node."""
        ...


class Narrows(Evaluates, Protocol):
    """What a condition says of names: they are bound to what is left of their values."""

    def truth(self, value: Value) -> bool | None:
        """Whether a value is true; ``None`` if that is not known."""
        ...

    def store(self, name: str, value: Value) -> None:
        """Bind a name."""
        ...

    def setattr(self, receiver: Value, name: str, value: Value) -> None:
        """Set an attribute."""
        ...


class Catches(Evaluates, Protocol):
    """Statements that catch exceptions: their classes are expressions, and paths wait at their ends."""

    control: Control
    journal: Journal


class Joins(Derives, Protocol):
    """Joins of values, and changes of the containers that hold them."""

    control: Control
    journal: Journal

    def pay(self, units: int) -> None:
        """Take fuel for work that one statement does many times."""
        ...

    def merge_tensors(self, a: TensorVal, b: TensorVal, type_: TensorType) -> TensorVal:
        """The tensor that is ``a`` on one path and ``b`` on another; a ``phi`` in the trace."""
        ...


class Imports(Protocol):
    """What has been imported, and where the interpreter is."""

    budget: Budget
    document: Document
    frame: Frame
    imports: ImportedModules
    workspace: Files | None


class Reads(Imports, Protocol):
    """Reading what lies beside the code."""

    @property
    def site(self) -> Site:
        """The site of the node being evaluated."""
        ...

    @property
    def state(self) -> dict[str, Value]:
        """What library protocols keep for the whole program; changed through :meth:`write`."""
        ...

    def write(self, container: dict[Any, Value] | list[Value], key: Any, value: Value) -> None:
        """Assign into the storage of a mutable value, journalled."""
        ...

    def pay(self, units: int) -> None:
        """Take fuel for work that one statement does many times."""
        ...


class Composes(Derives, Reads, Protocol):
    """Reading configurations for functions of the analysed code."""


class Leaves(Protocol):
    """Paths that leave a block."""

    control: Control
    frame: Frame
    journal: Journal

    def pay(self, units: int) -> None:
        """Take fuel for work that one statement does many times."""
        ...


class Paths(Joins, Leaves, Protocol):
    """Paths that leave a block, and their joins where it ends."""


class Raises(Paths, Protocol):
    """Exceptions that Python raises: paths that leave with them, or conditions under which execution goes on."""

    budget: Budget


class Takes(Raises, Machine, Protocol):
    """Numbers that are taken out of tensors."""


class Operates(Raises, Protocol):
    """Operators, which may raise on one path and have a result on another."""


class Inputs(Derives, Protocol):
    """New inputs of a program."""

    program: Program


class Refines(Derives, Protocol):
    """The shapes of inputs, as operations, documentation and assertions give them."""

    control: Control
    journal: Journal
    options: Options
    run: Run


class Varies(Derives, Evaluates, Protocol):
    """The settings that a run is made under, and those that it shows."""

    control: Control
    run: Run


class Declares(Machine, Protocol):
    """The options of command lines, with their defaults, and the objects that hold them."""

    known: Identities
    run: Run

    def setting(self, source: str, default: Value) -> Value:
        """The value of an option with a default: the default, or the value that this run is made under."""
        ...


class Builds(Protocol):
    """The construction of objects, and the copies that stand for equal ones."""

    budget: Budget
    control: Control
    journal: Journal
    run: Run

    @property
    def site(self) -> Site:
        """The site of the node being evaluated."""
        ...

    def pay(self, units: int) -> None:
        """Take fuel for work that one statement does many times."""
        ...


class Recovers(Protocol):
    """A state to come back to after a statement that could not be analysed."""

    control: Control
    frame: Frame
    journal: Journal
    trail: Trail

    def store(self, name: str, value: Value) -> None:
        """Bind a name in the present scope."""
        ...


class Calls(Machine, Protocol):
    """The library's operations and events, as a call in the document performs them."""

    document: Document
    frame: Frame


class Keeps(Calls, Joins, Protocol):
    """Changes of containers, and the events that tell of them."""


class Performs(Derives, Leaves, Machine, Protocol):
    """The library's operations and their arguments, and the faults that they have shown, with which paths leave."""

    program: Program

    def record(self, op: Op) -> None:
        """Append a performed operation to the trace."""
        ...


class Emits(Performs, Protocol):
    """Operations that are performed, with what they tell about the shapes of inputs."""

    options: Options
    run: Run


class Writes(Derives, Leaves, Machine, Protocol):
    """Writes to tensors, by operations in the trace."""

    def rebind(self, old: TensorVal, new: TensorVal) -> bool:
        """Bind the names of the present scope that hold ``old`` to ``new``; whether there are any."""
        ...


class Hands(Writes, Joins, Protocol):
    """Changes of what was handed to code that is not followed."""


class ReadsAttributes(Writes, Protocol):
    """Attributes of tensors and objects, which rules hear of where they are absent."""

    control: Control
    document: Document
    frame: Frame
    workspace: Files | None


class States(Derives, Machine, Protocol):
    """Ranges that comments and settings state of names and attributes."""

    control: Control
    frame: Frame
    journal: Journal
    options: Options

    def record(self, op: Op) -> None:
        """Append a performed operation to the trace."""
        ...

    def store(self, name: str, value: Value) -> None:
        """Bind a name in the present scope."""
        ...
