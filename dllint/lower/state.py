"""The state of an interpreter: typed records, and for each field what becomes of it where an analysis goes on elsewhere.

Every field of a record declares a :class:`Policy`. What works on the state as a whole reads the declarations and names no
field: a statement that fails (:mod:`dllint.lower.boundary`), the statements of an imported module
(:mod:`dllint.lower.modules`), a run that is taken back (:mod:`dllint.lower.confirming`), and the steps of a document that is
edited (:mod:`dllint.lower.recording`, :mod:`dllint.lower.incremental`). So a new field is recorded, undone and replayed as soon
as it is declared, and one without a policy is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from enum import Enum
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from dllint.domains.lattice import Unknown
from dllint.ir.values import Value, moment
from dllint.lower.wording import text_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence
    from pathlib import Path

    import libcst as cst

    from dllint.domains.atoms import Symbol
    from dllint.domains.dim import DimExpr
    from dllint.domains.shape import Shape
    from dllint.domains.stated import Stated
    from dllint.ir.program import Condition, TensorVal
    from dllint.ir.values import Arguments, ClassVal, FuncVal, InstanceVal, ModuleVal
    from dllint.lower.catching import Catch, Raised
    from dllint.lower.changes import Changes
    from dllint.lower.failures import Failure
    from dllint.lower.last_instance import LastInstance
    from dllint.lower.pending import Library
    from dllint.lower.signatures import Signature
    from dllint.lower.variants.variant import Branch, Variant

_POLICY: Final = "policy"

T = TypeVar("T")
K = TypeVar("K")
V = TypeVar("V")


class Policy(Enum):
    """The treatment of a field where an analysis continues elsewhere."""

    #: Belongs to the place in the code. It begins anew with a run, with a statement of the top level and with a module that
    #: is loaded, and is again what it was behind a statement that fails.
    PLACE = "place"
    #: The same, but it goes on from one statement of the top level to the next.
    HELD = "held"
    #: A dict or :class:`Log` that steps share. A step holds as long as it would read the same; what it has written or added
    #: is written or added again.
    SHARED = "shared"
    #: The same for what has been executed: what a run that is taken back has added is removed.
    DONE = "done"
    #: Of one run: begins anew with each. The steps of the top level, which is one run, share the dicts.
    RUN = "run"
    #: A number that is used up: the use of a step counts again.
    SPENT = "spent"
    #: A limit of the whole analysis, a serial number, or the nesting of what is evaluated: never set back.
    LIMIT = "limit"
    #: What is true of objects, in every run and every version of the text (:class:`Facts`). Forgotten when no step that is
    #: left has noted it.
    FACT = "fact"
    #: What has been loaded from other files: it is as long as they stay as they are.
    LOADED = "loaded"

    @property
    def declared(self) -> dict[str, Policy]:
        """What a field declares it by (``metadata``)."""
        return {_POLICY: self}


#: Policies of the dicts, logs and facts that steps read and write.
RECORDED: Final = (Policy.SHARED, Policy.DONE, Policy.RUN, Policy.FACT)


def policies(record: type) -> dict[str, Policy]:
    """The policy of each field of a record, by name.

    Raises:
        TypeError: a field declares none.
    """
    out: dict[str, Policy] = {}
    for one in fields(record):
        found = one.metadata.get(_POLICY)
        if not isinstance(found, Policy):
            raise TypeError(f"{record.__name__}.{one.name} has no policy")
        out[one.name] = found
    return out


def names_of(record: type, *wanted: Policy) -> tuple[str, ...]:
    """The fields of a record with one of some policies."""
    return tuple(name for name, policy in policies(record).items() if policy in wanted)


class Log(list[T]):
    """A list that is only added to, and cut off where a run is taken back."""

    __slots__ = ("_firsts", "_looked")

    def __init__(self) -> None:
        super().__init__()
        #: By ``id`` of what an item is about: the first such item and its place, of so many items as have been looked at.
        self._firsts: dict[int, tuple[int, T]] = {}
        self._looked = 0

    def cut(self, count: int) -> None:
        """Remove all but the first items."""
        list.__delitem__(self, slice(count, None))
        self._firsts.clear()
        self._looked = 0

    def first(self, subject: K, of: Callable[[T], K]) -> T | None:
        """The first item about a subject, ``None`` if there is none. ``of`` tells what an item is about: one function for all
        questions to a log."""
        found = self.place_of_first(subject, of)
        return found[1] if found is not None else None

    def place_of_first(self, subject: K, of: Callable[[T], K]) -> tuple[int, T] | None:
        """The first item about a subject behind its place in the log. All questions together look at each item once."""
        for position, item in enumerate(list.__getitem__(self, slice(self._looked, None)), self._looked):
            self._firsts.setdefault(id(of(item)), (position, item))
        self._looked = list.__len__(self)
        return self._firsts.get(id(subject))


class Facts(Generic[K, V]):
    """What is true of objects. They are told apart by identity and kept alive; what has been noted of one is not changed."""

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: dict[int, tuple[K, V]] = {}

    def get(self, subject: object) -> V | None:
        """What is true of an object, ``None`` if nothing has been noted."""
        known = self._known.get(id(subject))
        return known[1] if known is not None else None

    def by_id(self, identity: int) -> V | None:
        """The same of an object that is alive, by its ``id``."""
        known = self._known.get(identity)
        return known[1] if known is not None else None

    def note(self, subject: K, fact: V) -> V:
        """Note what is true of an object; the first fact stays. Returns what is noted."""
        return self._known.setdefault(id(subject), (subject, fact))[1]

    def keep_only(self, identities: set[int]) -> None:
        """Forget what is known of objects with other ``id``."""
        self._known = {identity: known for identity, known in self._known.items() if identity in identities}

    def __contains__(self, subject: object) -> bool:
        return id(subject) in self._known

    def __len__(self) -> int:
        return len(self._known)


@dataclass(slots=True)
class Control:
    """Where the interpreter is: what holds on the present path, and the nesting of what it is in."""

    path: tuple[Condition, ...] = field(default=(), metadata=Policy.HELD.declared)
    #: What the present path assumes about undecided conditions: ``id(value) -> truth``; a fork keeps the values alive.
    assumptions: dict[int, bool] = field(default_factory=dict, metadata=Policy.HELD.declared)
    #: Nesting of calls, of arms that a default value does not select, of undecided branches.
    depth: int = field(default=0, metadata=Policy.PLACE.declared)
    contrary: int = field(default=0, metadata=Policy.PLACE.declared)
    undecided: int = field(default=0, metadata=Policy.PLACE.declared)
    #: Statements in force that catch errors, the innermost last, and the exception that is on its way to one of them.
    catching: tuple[Catch, ...] = field(default=(), metadata=Policy.PLACE.declared)
    raised: Raised | None = field(default=None, metadata=Policy.PLACE.declared)
    #: Loops of unknown trip count around the present statement, those around the calls to it included, and the moment when
    #: the present pass of the innermost one began; 0 outside of such loops.
    passes: int = field(default=0, metadata=Policy.PLACE.declared)
    pass_began: int = field(default=0, metadata=Policy.PLACE.declared)
    #: While a loop of unknown trip count is executed: the names that it and loops inside of it, by the ``id`` of their
    #: statements, replace although their tensors are known elsewhere (:mod:`dllint.lower.renewal`).
    renewed: dict[int, frozenset[Hashable]] | None = field(default=None, metadata=Policy.PLACE.declared)
    #: While arms are joined: when the first of them began. What is older has other names.
    joined_since: int = field(default=0, metadata=Policy.PLACE.declared)
    #: Work of the present statement that no fuel was taken for, in units; below 0 it is in its price.
    work: int = field(default=0, metadata=Policy.PLACE.declared)
    #: When a variable of a module or an attribute of a class was last set, or a statement of the top level begun.
    changed: int = field(default_factory=moment, metadata=Policy.PLACE.declared)

    def mark(self) -> tuple[object, ...]:
        """The place, to come back to."""
        values: tuple[object, ...] = _PLACE(self)
        return values

    def recover(self, values: tuple[object, ...]) -> None:
        """Be again at a place that was marked. What has been set since then stays set."""
        for name, value in zip(_PLACE_NAMES, values, strict=True):
            setattr(self, name, value)
        self.note_change()

    def note_change(self) -> None:
        """A variable of a module or an attribute of a class is set, so that what is built may come out otherwise."""
        self.changed = moment()

    def next(self) -> Control:
        """The place of the next statement of the top level."""
        return type(self)(**{name: getattr(self, name) for name in _HELD_NAMES})

    @property
    def is_conditional(self) -> bool:
        """Whether something is assumed here."""
        return bool(self.path or self.assumptions)


_PLACE_NAMES: Final = names_of(Control, Policy.PLACE, Policy.HELD)
_PLACE: Final[attrgetter[Any]] = attrgetter(*_PLACE_NAMES)
_HELD_NAMES: Final = names_of(Control, Policy.HELD)


@dataclass(slots=True)
class Budget:
    """The work that may still be done."""

    #: Statements that may be executed; below 0 all are used up.
    fuel: int = field(metadata=Policy.SPENT.declared)
    #: Statements of imported modules that may still be executed for this document.
    import_fuel: int = field(metadata=Policy.LIMIT.declared)
    #: The same two for the code of installed packages.
    installed_fuel: int = field(default=0, metadata=Policy.SPENT.declared)
    installed_import_fuel: int = field(default=0, metadata=Policy.LIMIT.declared)
    #: Whether such code is being executed, so that ``fuel`` is what is left for it.
    in_installed: bool = field(default=False, metadata=Policy.LIMIT.declared)
    #: Star imports of files that have been followed.
    star_imports: int = field(default=0, metadata=Policy.LIMIT.declared)
    #: Nesting of calls of any kind, those that objects of libraries make included.
    calls: int = field(default=0, metadata=Policy.LIMIT.declared)
    #: The number of forks so far, which are told apart by it.
    forks: int = field(default=0, metadata=Policy.LIMIT.declared)

    def next_fork(self) -> int:
        """The key of another fork."""
        self.forks += 1
        return self.forks


@dataclass(slots=True)
class Trail:
    """A record of what has been executed and derived so far."""

    #: What could not be analysed, each place once.
    failures: Log[Failure] = field(default_factory=Log, metadata=Policy.SHARED.declared)
    #: Classes of the document, and those of other files that inherit from one.
    classes: Log[ClassVal] = field(default_factory=Log, metadata=Policy.DONE.declared)
    #: Functions of the document's top level, without their decorators.
    definitions: Log[FuncVal] = field(default_factory=Log, metadata=Policy.DONE.declared)
    #: Instances of user classes in order of creation, for the choice of entries.
    instances: Log[InstanceVal] = field(default_factory=Log, metadata=Policy.DONE.declared)
    #: Constructions with an argument that is not known; entries make an instance of their own in place of these.
    vague: Log[tuple[ClassVal, Arguments]] = field(default_factory=Log, metadata=Policy.DONE.declared)
    #: The functions (by ``id`` of the node) that have been executed, the classes that have been instantiated, and the objects
    #: that other objects have made as their parts.
    called: dict[int, cst.CSTNode] = field(default_factory=dict, metadata=Policy.DONE.declared)
    built: dict[int, ClassVal] = field(default_factory=dict, metadata=Policy.DONE.declared)
    parts: dict[int, InstanceVal] = field(default_factory=dict, metadata=Policy.DONE.declared)
    #: The arguments with which classes were made last in runs that no setting changes, by ``id`` of the class.
    default_arguments: dict[int, Arguments] = field(default_factory=dict, metadata=Policy.SHARED.declared)
    #: Values derived from unknown ones, so that the same question gets the same answer object.
    derived: dict[tuple[Any, ...], Any] = field(default_factory=dict, metadata=Policy.SHARED.declared)
    #: How often arms have been executed for what they show, by ``id`` of the condition or loop.
    explored: dict[int, tuple[cst.CSTNode, int]] = field(default_factory=dict, metadata=Policy.SHARED.declared)
    #: On which defaults there was a branch, by what the reader calls them; which one was the first, by that and its ``id``.
    branched: dict[str | tuple[str, int], cst.CSTNode | bool] = field(default_factory=dict, metadata=Policy.SHARED.declared)
    #: ``id`` of a tensor whose elements were changed → ``id`` of what the latest change has made.
    assigned: dict[int, int] = field(default_factory=dict, metadata=Policy.SHARED.declared)
    #: The same for all tensors of one memory, by ``id`` of the list of them, which the entry holds.
    changed_memory: dict[int, Changes] = field(default_factory=dict, metadata=Policy.SHARED.declared)
    #: Long displays that have been evaluated, by ``id`` of their elements.
    displays: dict[int, Sequence[cst.CSTNode]] = field(default_factory=dict, metadata=Policy.SHARED.declared)
    #: The libraries that the document itself has star-imported.
    stars: Log[str] = field(default_factory=Log, metadata=Policy.SHARED.declared)
    #: What library protocols keep for the whole program.
    state: dict[str, Value] = field(default_factory=dict, metadata=Policy.SHARED.declared)

    def explorations(self, node: cst.CSTNode) -> int:
        """The number of times that arms of a condition or cases of a loop have been executed for their findings."""
        _, count = self.explored.get(id(node), (node, 0))
        return count

    def is_first_branch(self, source: str, node: cst.CSTNode) -> bool:
        """Whether a branch is the first one on a default, which is noted. Of another one that was first, nothing else is looked
        at: those who come later do not depend on which it was."""
        if (source, id(node)) in self.branched:
            return True
        if source in self.branched:
            return False
        self.branched[source], self.branched[source, id(node)] = True, node
        return True

    def mark(self) -> dict[str, Any]:
        """What has been executed so far, to be given to :meth:`take_back`."""
        return {name: _content(getattr(self, name)) for name in names_of(type(self), Policy.DONE)}

    def take_back(self, before: dict[str, Any]) -> None:
        """Forget what has been executed since then."""
        for name, content in before.items():
            held = getattr(self, name)
            if isinstance(held, Log):
                held.cut(content)
            else:
                dict.clear(held)
                dict.update(held, content)


def _content(held: Log[Any] | dict[Any, Any]) -> int | dict[Any, Any]:
    """What identifies the content of a log or table later on. Steps do not depend on it."""
    return list.__len__(held) if isinstance(held, Log) else dict.copy(held)


@dataclass(slots=True)
class Run:
    """The settings of one run, and its results."""

    #: In force: values of parameters, and arms (true: the first) of tests by ``id`` of the test.
    values: dict[str, Value] = field(default_factory=dict, metadata=Policy.RUN.declared)
    arms: dict[int, bool] = field(default_factory=dict, metadata=Policy.RUN.declared)
    #: Parameters whose defaults are left open, by ``id`` of the function (see :mod:`dllint.lower.confirming`).
    opened: dict[int, frozenset[str]] = field(default_factory=dict, metadata=Policy.RUN.declared)
    #: Whether entries make their objects anew, as a run under a setting does.
    fresh: bool = field(default=False, metadata=Policy.RUN.declared)
    #: Seen: defaults by source, variants that lead to other tensors, branches by their key.
    defaults: dict[str, Value] = field(default_factory=dict, metadata=Policy.RUN.declared)
    found: dict[str, Variant] = field(default_factory=dict, metadata=Policy.RUN.declared)
    branches: dict[int, Branch] = field(default_factory=dict, metadata=Policy.RUN.declared)
    #: The last object made of each class, by ``id`` of the class.
    last_instances: dict[int, LastInstance] = field(default_factory=dict, metadata=Policy.RUN.declared)
    #: The sizes of inputs that assertions fix, by name of the input, rank and axis.
    fixed: dict[tuple[str, int, int], int] = field(default_factory=dict, metadata=Policy.RUN.declared)
    #: Whether the run begins anew where another one is fixed on the path of the defaults.
    restarts: bool = field(default=False, metadata=Policy.RUN.declared)
    #: Symbols that stand for sizes of inputs: name of the input, rank and axis.
    axes: dict[Symbol, tuple[str, int, int]] = field(default_factory=dict, metadata=Policy.RUN.declared)
    #: Shapes that the source gives to inputs in words, by ``id`` of the tensor, if they may be used; whether one has been.
    documented: dict[int, Shape] = field(default_factory=dict, metadata=Policy.RUN.declared)
    trusted: bool = field(default=False, metadata=Policy.RUN.declared)
    relied: bool = field(default=False, metadata=Policy.RUN.declared)
    #: Whether an object has been made with arguments that are only likely; other runs make their own.
    likely: bool = field(default=False, metadata=Policy.RUN.declared)
    #: The object whose method is run.
    owner: Value = field(default=None, metadata=Policy.RUN.declared)

    @property
    def active(self) -> bool:
        """Whether the run is made under a setting."""
        return bool(self.fresh or self.values or self.arms)


@dataclass(slots=True, eq=False)
class Identities:
    """What is true of values and syntax nodes."""

    #: The contrary of an undecided value, where that is known.
    negations: Facts[Value, Value] = field(default_factory=Facts, metadata=Policy.FACT.declared)
    #: An undecided ``and`` (true) or ``or`` (false) and its operands: all of them are, where it is.
    compounds: Facts[Value, tuple[bool, tuple[Value, ...]]] = field(default_factory=Facts, metadata=Policy.FACT.declared)
    #: The two sides of an undecided ``size == number``.
    equations: Facts[Value, tuple[DimExpr, int]] = field(default_factory=Facts, metadata=Policy.FACT.declared)
    #: Undecided answers to questions about the rank of a tensor.
    of_rank: Facts[Value, bool] = field(default_factory=Facts, metadata=Policy.FACT.declared)
    #: Unknown values that are not None and count as true.
    given: Facts[Value, bool] = field(default_factory=Facts, metadata=Policy.FACT.declared)
    #: Inputs of entries; those that nothing but their place in a model's method shows to be tensors (whether of torch is a
    #: guess, too); tensors that may be None.
    seeds: Facts[TensorVal, bool] = field(default_factory=Facts, metadata=Policy.FACT.declared)
    presumed: Facts[TensorVal, bool] = field(default_factory=Facts, metadata=Policy.FACT.declared)
    perhaps_none: Facts[TensorVal, bool] = field(default_factory=Facts, metadata=Policy.FACT.declared)
    #: The text of a node; the signature of a function; what the comments of a statement state.
    texts: Facts[cst.CSTNode, str] = field(default_factory=Facts, metadata=Policy.FACT.declared)
    signatures: Facts[cst.CSTNode, Signature] = field(default_factory=Facts, metadata=Policy.FACT.declared)
    remarks: Facts[cst.CSTNode, tuple[tuple[str, Stated], ...]] = field(default_factory=Facts, metadata=Policy.FACT.declared)
    #: The library protocol that attribute assignment on instances of a class goes through, empty if there is none.
    setters: Facts[Value, tuple[Callable[..., Value], ...]] = field(default_factory=Facts, metadata=Policy.FACT.declared)
    #: By what was asked about: the unknown values that questions about nothing else are answered with.
    answers: Facts[object, dict[Hashable, Unknown]] = field(default_factory=Facts, metadata=Policy.FACT.declared)
    #: Values and nodes by whose ``id`` questions are told apart.
    kept: Facts[object, bool] = field(default_factory=Facts, metadata=Policy.FACT.declared)

    def text_of(self, node: cst.CSTNode) -> str:
        """The source text of an expression on one line, cut if it is long (:func:`dllint.lower.wording.text_of`)."""
        known = self.texts.get(node)
        return self.texts.note(node, text_of(node)) if known is None else known

    def keep(self, *subjects: object) -> None:
        """Keep objects alive, so that nothing else has their ``id``."""
        for subject in subjects:
            self.kept.note(subject, True)

    def answer(self, question: Hashable, found: Unknown, subject: object) -> Unknown:
        """What a question about an object is answered with: what it was answered with in an earlier version of the text, if
        nothing is known about either, so that those who have the answer see that it is the same."""
        known = self.answers.note(subject, {}).setdefault(question, found)
        return known if (known.reason, known.detail) == (found.reason, found.detail) else found

    def __len__(self) -> int:
        """The number of facts."""
        return sum(len(getattr(self, name)) for name in names_of(type(self), Policy.FACT))


@dataclass(slots=True)
class Imports:
    """The modules and names that have been loaded for the document."""

    #: Imported modules, shared by all documents of a workspace.
    library: Library = field(metadata=Policy.LOADED.declared)
    modules: dict[Path, ModuleVal] = field(default_factory=dict, metadata=Policy.LOADED.declared)
    #: ``(path, name)`` of the imports being resolved.
    forcing: set[tuple[Path, str]] = field(default_factory=set, metadata=Policy.LOADED.declared)
    #: Libraries star-imported into a loaded module, by its namespace.
    stars: Facts[dict[str, Value], list[str]] = field(default_factory=Facts, metadata=Policy.LOADED.declared)
    #: ``(path, name)`` of the definitions in other files that have been used.
    dependencies: set[tuple[Path, str]] = field(default_factory=set, metadata=Policy.LOADED.declared)


#: The records of an interpreter, by the name of its attribute.
RECORDS: Final[dict[str, type]] = {
    "control": Control,
    "budget": Budget,
    "trail": Trail,
    "run": Run,
    "known": Identities,
    "imports": Imports,
}
