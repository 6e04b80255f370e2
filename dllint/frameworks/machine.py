"""What protocol handlers may ask of the interpreter.

Handlers give meaning to library names that are no tensor operations: ``nn.Module.__call__``, ``nn.Sequential``,
``keras.Model.compile``, ``dict.items``. They are registered by canonical qualified name and get the machine, the receiver
(for methods) and the unbound arguments; :class:`dllint.lower` implements :class:`Machine`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import reduce
from typing import Protocol, TypeVar, overload

from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.ir.events import EventKind, P
from dllint.ir.program import Framework, Site, TensorVal
from dllint.ir.values import Arguments, InstanceVal, LibSymbol, Value, unwrap
from dllint.source.data.held import Held

K = TypeVar("K")
R = TypeVar("R")
T = TypeVar("T")


class Machine(Protocol):
    """The interpreter as seen by library protocols."""

    @property
    def site(self) -> Site:
        """The place being executed."""
        ...

    def emit(
        self,
        kind: str,
        args: Mapping[str, Value],
        *,
        framework: Framework,
        spelled: str = "",
        layer: Value = None,
        defaulted: frozenset[str] = frozenset(),
    ) -> Value:
        """Perform a canonical operation at the current site: infer its result, record it (with faults), return its
        value (a TensorVal, a number, or a tuple/dict of them)."""
        ...

    def event(self, kind: EventKind[P], *args: P.args, **kwargs: P.kwargs) -> None:
        """Record an event of a kind, a class of :mod:`dllint.ir.events`, at the current site: ``event(Step, target=x)``."""
        ...

    def at(self, site: Site) -> AbstractContextManager[None]:
        """Inside, operations and events stand at ``site``, with the present site as their caller (a model that is called
        performs the operations of its layers, each at its own place)."""
        ...

    def call(self, callee: Value, arguments: Arguments) -> Value:
        """Call anything callable."""
        ...

    def call_method(self, receiver: Value, name: str, *args: Value, **kwargs: Value) -> Value:
        """``receiver.name(*args, **kwargs)``."""
        ...

    def getattr(self, receiver: Value, name: str) -> Value:
        """``receiver.name``; Unknown with a reason if it is not there."""
        ...

    def setattr(self, receiver: Value, name: str, value: Value) -> None:
        """``receiver.name = value``, journalled."""
        ...

    def getitem(self, receiver: Value, index: Value) -> Value:
        """``receiver[index]``."""
        ...

    @overload
    def write(self, container: dict[K, Value], key: K, value: Value) -> None: ...

    @overload
    def write(self, container: list[Value], key: int, value: Value) -> None: ...

    def write(self, container: dict[K, Value] | list[Value], key: K | int, value: Value) -> None:
        """Assign or append (key == len) into the storage of a mutable value, journalled so that branches can be undone
        and joined."""
        ...

    def iterate(self, value: Value) -> list[Value] | Unknown:
        """The elements of an iterable in order, or Unknown if their number is not known."""
        ...

    def truth(self, value: Value) -> bool | None:
        """Whether a value is true, or ``None`` if undecided (also for Assumed values: use ``unwrap`` first)."""
        ...

    def tensor(self, type_: TensorType, *, framework: Framework, name: str = "") -> TensorVal:
        """A fresh tensor that no operation produced (a parameter, an input)."""
        ...

    def elements(self, tensor: TensorVal) -> Value:
        """The elements of a tensor that the program computes of written numbers, as nested tuples; ``None`` if they are not
        known."""
        ...

    def perhaps(self, tensor: TensorVal) -> TensorVal:
        """A tensor that may be ``None`` as well: questions for that are undecided."""
        ...

    @property
    def state(self) -> dict[str, Value]:
        """What library protocols keep for the whole program (the open argument scopes); changed through :meth:`write`."""
        ...

    def join(self, a: Value, b: Value) -> Value:
        """A value that stands for both (the arms of ``tf.cond``)."""
        ...

    def refine(self, tensor: TensorVal, type_: TensorType) -> None:
        """The program says more about a tensor than its producer could tell (``set_shape``)."""
        ...

    def unknown(self, reason: str, detail: str = "") -> Unknown:
        """A fresh Unknown, counted as a gap at the current site."""
        ...

    def file_head(self, source: Value) -> bytes | None:
        """How a file beside the code begins, whose path a value is; ``None`` if it is not known."""
        ...

    def file_content(self, source: Value, form: str) -> Held:
        """What a file beside the code holds, whose path a value is, read as a form of arrays, models or pictures; ``None`` if
        it is not known."""
        ...

    def arguments(self) -> dict[str, Value]:
        """The parameters of the user's method that runs, without its object, and what they hold now; the entries of its
        ``**kwargs`` as parameters of their own."""
        ...

    def from_source(self, name: str) -> Value:
        """What the source of an installed package defines under a qualified name; Unknown if it is not installed."""
        ...

    def is_repeat(self, last: Value, block: Value, before: Value, after: Value) -> bool:
        """Whether applying ``block`` to ``after`` would repeat what applying ``last`` to ``before`` has just done: the
        blocks are structurally equal and the inputs of one type."""
        ...

    def is_repeated(self, born: int) -> bool:
        """Whether what was made at a moment is changed here by a pass of a loop that makes an unknown number of them."""
        ...

    def wrote(self, target: TensorVal, result: TensorVal, became: bool = False) -> None:
        """What an operation has just made was written to the elements of a tensor in place; ``became``: the tensor is the
        result from now on, with its shape, type and memory."""
        ...

    def assume(self, value: Value) -> None:
        """A condition that every run which goes on fulfils (``torch._assert``)."""
        ...

    def alternatives(self, value: Value) -> tuple[Value, ...]:
        """The values that one that branches have left may be; the value itself if it is no such one."""
        ...

    def find_method(self, cls: Value, name: str) -> Value | None:
        """The user-defined method or class attribute ``name`` of a class (ClassVal: along its MRO), ``None`` if only a
        library base may have it."""
        ...

    def library_base(self, cls: Value) -> LibSymbol | None:
        """The first library class in a class's MRO (itself, for a LibSymbol)."""
        ...


def each(machine: Machine, value: Value, function: Callable[[Value], Value]) -> Value:
    """The result of a function of a value; for a value that may be one of several, the join of the results."""
    return reduce(machine.join, map(function, machine.alternatives(value)))


#: ``handler(machine, receiver_or_None, arguments) -> Value``; keyed by canonical qualified name.
Handler = Callable[[Machine, Value, Arguments], Value]
H = TypeVar("H", bound=Handler)
HANDLERS: dict[str, Handler] = {}
#: ``getter(machine, receiver) -> Value`` for attributes that are not methods (``torch.Tensor.shape``).
Getter = Callable[[Machine, Value], Value]
PROPERTIES: dict[str, Getter] = {}
#: Names of methods that get the class when they are called on a class (``torch.autograd.Function.apply``).
CLASS_METHODS: set[str] = set()
#: Library class → its library bases, where the interpreter must know them (``torch.nn.Sequential`` → ``torch.nn.Module``).
LIBRARY_BASES: dict[str, tuple[str, ...]] = {}


@overload
def handler(*names: str) -> Callable[[H], H]: ...


@overload
def handler(
    *names: str, on: type[R]
) -> Callable[[Callable[[Machine, R, Arguments], T]], Callable[[Machine, R, Arguments], T]]: ...


def handler(*names: str, on: type[object] = object) -> object:
    """Register a handler under canonical qualified names. One that is declared ``on`` a kind of receiver is entered with
    such receivers only: for any other (a method called on its class, with anything) the result is Unknown."""

    def register(function: Handler) -> Handler:
        for name in names:
            assert name not in HANDLERS, f"{name} has two handlers"
            HANDLERS[name] = function if on is object else _method(name, function, on)
        return function

    return register


#: ``configure(machine, instance, arguments)``: what a library constructor does to a new object.
Configure = Callable[[Machine, InstanceVal, Arguments], None]
C = TypeVar("C", bound=Configure)


def constructor(*names: str) -> Callable[[C], C]:
    """Register the constructor of library classes: the same where the class is called and where the ``__init__`` of a class
    derived from it calls it, so that an object of a derived class gets the state that methods of the base read."""

    def register(function: C) -> C:
        for name in names:
            handler(name)(_constructed(name, function))
            handler(f"{name}.__init__", on=InstanceVal)(function)
        return function

    return register


def _constructed(name: str, function: Configure) -> Handler:
    def construct(machine: Machine, _: Value, arguments: Arguments) -> Value:
        instance = InstanceVal(LibSymbol(name), site=machine.site)
        function(machine, instance, arguments)
        return instance

    return construct


def _method(name: str, function: Handler, kind: type) -> Handler:
    def enter(machine: Machine, receiver: Value, arguments: Arguments) -> Value:
        receiver = unwrap(receiver)
        if receiver is None and arguments.args:  # called on its class: ``Dense.__init__(self, 3)``
            receiver = unwrap(arguments.args[0])
            nodes = {key - 1 if isinstance(key, int) else key: node for key, node in arguments.nodes.items() if key != 0}
            arguments = replace(arguments, args=arguments.args[1:], nodes=nodes)
        if not isinstance(receiver, kind):
            return foreign(machine, receiver, name)
        return function(machine, receiver, arguments)

    return enter


def foreign(machine: Machine, receiver: Value, name: str) -> Unknown:
    """What a method or property gives on a receiver of a kind it does not know: an unknown one stays itself."""
    return receiver if isinstance(receiver, Unknown) else machine.unknown("foreign-receiver", name)


@overload
def prop(*names: str) -> Callable[[Getter], Getter]: ...


@overload
def prop(*names: str, on: type[R]) -> Callable[[Callable[[Machine, R], Value]], Callable[[Machine, R], Value]]: ...


def prop(*names: str, on: type[object] = object) -> object:
    """Register a property getter under canonical qualified names, ``on`` a kind of receiver as :func:`handler` does."""

    def register(function: Getter) -> Getter:
        for name in names:
            PROPERTIES[name] = function if on is object else _property(name, function, on)
        return function

    return register


def _property(name: str, function: Getter, kind: type) -> Getter:
    def read(machine: Machine, receiver: Value) -> Value:
        return function(machine, receiver) if isinstance(receiver, kind) else foreign(machine, receiver, name)

    return read
