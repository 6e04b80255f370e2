"""The traced program: operations on tensors and protocol events, in the order in which the source performs them.

One :class:`Program` is the trace of one entry (a module's top level, a class's ``forward``, a training function).
Operations carry canonical names (``conv``, ``log``, ``reshape``), the same for every framework; what they mean stands
in :mod:`dllint.ops`, what library names map to them in :mod:`dllint.frameworks`. This module holds no meaning.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal

from dllint.domains.dim import Dim
from dllint.domains.dtype import DType
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape, TensorType
from dllint.domains.stated import Stated
from dllint.source.document import Document

if TYPE_CHECKING:
    from dllint.ir.values import InstanceVal, Value

Framework = Literal["torch", "keras", "tensorflow", "numpy", "python"]
_ids = count(1)


def next_id() -> int:
    """A number larger than the ``id`` of every tensor so far, and smaller than those of tensors to come."""
    return next(_ids)


@dataclass(frozen=True, slots=True, eq=False)
class Site:
    """Where in the source something happens. ``node`` is the libcst node inside ``statement``; ``document`` is the
    :class:`dllint.source.document.Document`; ``caller`` is the call site this code was inlined at (call stack)."""

    document: Document
    statement: Any
    node: Any
    caller: Site | None = None

    def stack(self) -> tuple[Site, ...]:
        """This site and the call sites around it, innermost first."""
        out: list[Site] = []
        site: Site | None = self
        while site is not None:
            out.append(site)
            site = site.caller
        return tuple(out)


@dataclass(frozen=True, slots=True)
class Condition:
    """One arm of a branch that was not decided: ``text`` is what the reader sees (``self.aux is true``).

    ``default`` is true for the arm a default value selects, false for the other arm of such a branch, ``None`` if
    neither arm is the default one. ``key`` identifies the branch, ``arm`` is 0 (then) or 1 (else). ``behind_error``: what
    stands here runs only if an error that nothing catches is not raised after all. ``certain``: every run comes to it, as to
    the last batch of an epoch. ``arms``: how many arms there are where several values are tried one after the other, else 0.
    ``of_rank``: it asks for the rank of a tensor.
    """

    key: int
    arm: int
    text: str
    default: bool | None = None
    behind_error: bool = False
    certain: bool = False
    arms: int = 0
    of_rank: bool = False


#: The kind of the operation that stands where two paths meet, for what each has left under one name.
JOIN: Final = "phi"

#: The text of a condition under which a place holds one of the values that branches before have left there.
ONE_OF_SEVERAL: Final = "one of several values"


def without_repetition(texts: Iterable[str]) -> tuple[str, ...]:
    """The texts of conditions, each once, without those that say of an attribute what another one says of the parameter of its
    name (``self.mode == 'head'`` beside ``mode is 'head'``)."""
    distinct = tuple(dict.fromkeys(texts))
    said = [text.partition(" is ") for text in distinct]
    repeated = {f"{owner}{name} == {value}" for name, word, value in said if word for owner in ("", "self.")}
    return tuple(text for text in distinct if text not in repeated)


@dataclass(slots=True, eq=False)
class TensorVal:
    """An SSA value: the result of an operation, an input or a parameter.

    ``data`` holds the literal (nested tuples of numbers) if it is small and known; ``low`` and ``high`` bound an
    integer tensor's elements where the source says so (``randint``, ``arange``, literals). ``name`` is a hint.
    """

    type: TensorType
    producer: Op | None = None
    index: int = 0
    framework: Framework = "torch"
    name: str = ""
    data: Value = None
    low: float | None = None
    high: float | None = None
    #: Whether elements were assigned after it was made, so that they do not follow from its producer.
    modified: bool = False
    #: Whether an operation takes it after that: not every operation that takes it sees the same elements.
    stale: bool = False
    #: Whether code that is not followed may have assigned to its elements.
    foreign: bool = False
    #: Whether code that is not followed was given it, and may have done so.
    handed: bool = False
    #: Whether a loop carries it: its place may hold what another pass, or none, leaves; that does not follow from its producer.
    varies: bool = False
    #: What its place held before the pass of a loop that has left it there: after the loop the place may hold one of them.
    earlier: tuple[TensorVal, ...] = ()
    #: Whether it stands for any element of a list, so that one such value is not the same tensor as the next.
    several: bool = False
    #: What a loader stacks: each part of this tensor along its first axis is another such sample.
    sample: TensorVal | None = None
    #: The range that a comment or the configuration states.
    stated: Stated | None = None
    #: All tensors that share its elements, or may do so, itself included; one list for all of them.
    memory: list[TensorVal] | None = None
    #: The ``id`` of what it was before it was changed in place: tensors with one origin are one object.
    origin: int = 0
    #: The largest element where ``high`` cannot hold it: a symbolic number, or that of the lists in an array of lists.
    reach: Dim | None = None
    id: int = field(default_factory=next_id)

    def is_same_object(self, other: TensorVal) -> bool:
        """Whether two values are one object at different times."""
        return (self.origin or self.id) == (other.origin or other.id)

    @property
    def shape(self) -> Shape | Unknown:
        """The type's shape."""
        return self.type.shape

    @property
    def dtype(self) -> DType | Unknown:
        """The type's element type."""
        return self.type.dtype

    def redrawn(self, type_: TensorType) -> TensorVal:
        """Elements drawn from this tensor (rows, a batch), which is all that is known of them."""
        out = TensorVal(type_, self.producer, self.index, self.framework, self.name, None, self.low, self.high, self.modified)
        out.stale, out.stated, out.reach, out.foreign = self.stale, self.stated, self.reach, self.foreign
        out.sample, out.handed = self.sample, self.handed
        return out

    def __repr__(self) -> str:
        return f"%{self.id}:{self.type}"


@dataclass(frozen=True, slots=True)
class Fault:
    """A condition of an operation that is provably violated; made by :mod:`dllint.ops`, reported by a rule.

    ``kind`` selects the rule (see ``dllint.ops.faults``); ``operand`` names the parameter at fault; ``axis`` is the
    axis of that operand; ``expected``/``actual`` are sizes, ranks or types; ``shapes`` the shapes involved, in operand
    order; ``detail`` is a clause of plain English that completes the sentence (``"kernel 5 is larger than the padded
    input 3"``), ``advice`` what to change where that does not follow from the kind.
    """

    kind: str
    operand: str = ""
    axis: int | None = None
    expected: Value = None
    actual: Value = None
    shapes: tuple[Shape, ...] = ()
    detail: str = ""
    advice: str = ""


def tensors_in(value: Value) -> Iterator[TensorVal]:
    """The tensor that an argument is, or those that a tuple has, at any depth."""
    if isinstance(value, TensorVal):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from tensors_in(part)


@dataclass(slots=True, eq=False)
class Op:
    """One performed operation. ``args`` are the bound canonical arguments (tensors as :class:`TensorVal`, sequences as
    tuples, numbers raw, what is not known as ``Unknown``); ``layer`` is the library layer instance that was called."""

    kind: str
    args: Mapping[str, Value]
    outputs: tuple[TensorVal, ...]
    site: Site
    framework: Framework
    spelled: str
    layer: InstanceVal | None = None
    faults: tuple[Fault, ...] = ()
    path: tuple[Condition, ...] = ()
    #: Names of ``args`` that the source leaves to their defaults.
    defaulted: frozenset[str] = frozenset()
    #: The innermost user function or method the op stands in (``Net.forward``).
    scope: str = ""
    #: The user module instance whose method performs it, if any.
    owner: Value = None
    #: How tests were decided on the way here: ``id`` of the tested value → whether it held.
    tested: Mapping[int, bool] = field(default_factory=dict)
    #: Whether it stands for all passes of a loop, of which the first was executed.
    repeated: bool = False
    #: Whether its index may be another one in the next pass.
    varying: bool = False

    @property
    def inputs(self) -> tuple[TensorVal, ...]:
        """The tensors among the arguments, sequences flattened."""
        out: list[TensorVal] = []
        for value in self.args.values():
            if isinstance(value, TensorVal):
                out.append(value)
            elif isinstance(value, tuple):
                out.extend(v for v in value if isinstance(v, TensorVal))
        return tuple(out)

    @property
    def doubtful(self) -> bool:
        """Whether it stands in an arm that a default does not select, or under several undecided conditions: no one has
        shown that they can hold together, nor that they go with what was built before."""
        undecided = {condition.key for condition in self.path if condition.default is None}
        return len(undecided) > 1 or any(condition.default is False for condition in self.path)

    @property
    def output(self) -> TensorVal:
        """The first result."""
        return self.outputs[0]


@dataclass(frozen=True, slots=True, eq=False)
class Event:
    """Something that is not a tensor operation but that rules ask about.

    Each kind is a class in :mod:`dllint.ir.events`. Events and operations share one order in ``Program.trace``; ``path``,
    ``scope`` and ``owner`` are as in :class:`Op`.
    """

    #: The name of the kind, as in the topic ``event:<kind>``.
    kind: ClassVar[str]
    site: Site
    path: tuple[Condition, ...] = ()
    scope: str = ""
    owner: Value = None


#: Where a layer object notes in its state the element type that it casts its inputs to and computes in.
COMPUTE_DTYPE: Final = "compute_dtype"
#: Where a module notes in its state whether it trains; the reason for which that is not known, if nothing has set it.
TRAINING: Final = "training"
UNSET_MODE: Final = "training-mode"
#: The entry that runs a module's top level: what it does happens in a real run.
SCRIPT: Final = "<module>"


@dataclass(slots=True, eq=False)
class Program:
    """The trace of one entry: ``trace`` holds operations and events in order.

    ``entry`` says what was run (``<module>``, ``Net.forward``); ``inputs`` are the seeded tensors; ``results`` is the
    abstract value the entry returns; ``gaps`` lists ``(reason, detail, site)`` of calls whose result stayed Unknown.
    """

    entry: str
    trace: list[Op | Event] = field(default_factory=list)
    inputs: list[TensorVal] = field(default_factory=list)
    results: Value = None
    gaps: list[tuple[str, str, Site | None]] = field(default_factory=list)
    #: Under which setting the entry was run, for the reader (``use_bn is True``); empty: as the defaults have it.
    setting: str = ""
    #: Whether that setting is what the entry is made for (images of the size that the constructor takes).
    is_meant: bool = False
    #: Whether the entry is a function without parameters: it runs as the source has it, with no invented argument.
    takes_nothing: bool = False
    #: Whether it was stopped before it ended, so that only what is provably wrong can be reported.
    is_part: bool = False
    #: Whether it ran out of fuel: what it does at last was not followed, so that nothing shows what it never does.
    ran_out: bool = False
    #: Undecided conditions by ``id`` of the value that was asked about (see ``Op.tested``), as the reader sees them.
    questions: dict[int, str] = field(default_factory=dict)
    #: Values that loops replace: ``id`` of the tensor before an iteration → those that take its place in the next one.
    carried: dict[int, list[TensorVal]] = field(default_factory=dict)
    #: Of loops whose first pass stands for all: ``id`` of a result → the result in later passes, where numbers and sizes among
    #: the arguments are others.
    later: dict[int, TensorVal] = field(default_factory=dict)

    @property
    def ops(self) -> list[Op]:
        """The operations, in order."""
        return [item for item in self.trace if isinstance(item, Op)]

    @property
    def events(self) -> list[Event]:
        """The events, in order."""
        return [item for item in self.trace if isinstance(item, Event)]
