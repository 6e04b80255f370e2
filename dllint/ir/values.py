"""Abstract Python values of the interpreter.

Python constants (``int``, ``float``, ``str``, ``bytes``, ``bool``, ``None``, ``complex``, ``...``) stand for themselves;
a ``DimExpr`` is an int whose value is symbolic; a Python ``tuple`` is a tuple of abstract values; ``TensorVal`` is a
tensor or array; ``Unknown`` is anything. The classes here are the rest. Mutable ones are compared by identity and are
changed only through the interpreter's journal (``Machine.write``), so that branches can be undone and joined.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import count
from types import EllipsisType
from typing import Any, TypeAlias

from dllint.domains.dim import DimExpr
from dllint.domains.dtype import DType
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.ir.program import Site, TensorVal
from dllint.ir.watched import watch
from dllint.source.document import Document


class AbstractVal:
    """What stands for an object in the analysed program, beyond Python's constants, tuples and tensors. Every class of such
    objects derives from it, so that :data:`Value` tells values from whatever else a parameter could be."""

    __slots__ = ()


#: What an expression of the analysed program may evaluate to, and what library protocols keep with their objects (element
#: types, options by name). ``bool`` is an ``int``. Whoever gets a value has to ask what it is.
Value: TypeAlias = (
    int | float | complex | str | bytes | EllipsisType | tuple["Value", ...] | Mapping[str, "Value"]
    | DimExpr | DType | TensorType | TensorVal | Unknown | AbstractVal | None
)  # fmt: skip

_moments = count(1)


def moment() -> int:
    """A number larger than those given before."""
    return next(_moments)


@dataclass(slots=True, eq=False)
class Assumed(AbstractVal):
    """A default (of a parameter, argparse, FLAGS, a dataclass field): it gives a value, but a branch on it is analysed
    both ways. ``source`` is what the reader sees (``norm_layer``). Never nested; arithmetic unwraps it.

    ``compared``: it is the outcome of comparing None, the default, with a number. Where something is given it may be a tensor,
    and so is the outcome.
    """

    value: Value
    source: str
    compared: bool = False


@dataclass(slots=True, eq=False)
class ListVal(AbstractVal):
    """A list. ``rest`` is the join of further elements if the length is not known, else ``None``; ``born`` tells older lists
    from younger ones; a deque holds ``most`` elements, if that is given. A join is one of the lists in ``alternatives``."""

    items: list[Value] = field(default_factory=list)
    rest: Value = None
    born: int = field(default_factory=moment, repr=False)
    most: int | None = None
    alternatives: tuple[ListVal, ...] = field(default=(), repr=False)


@dataclass(slots=True, eq=False)
class SetVal(AbstractVal):
    """A set with known elements; ``rest`` and ``born`` as in :class:`ListVal`."""

    items: list[Value] = field(default_factory=list)
    rest: Value = None
    born: int = field(default_factory=moment, repr=False)


@dataclass(slots=True, eq=False)
class DictVal(AbstractVal):
    """A dict with known hashable keys; ``rest`` is the join of the values under unknown keys, or ``None``; ``factory`` makes
    the values of missing keys (``defaultdict``). ``site`` is the dict display it comes from, if it is one. ``others`` is the
    number of entries under unknown keys, if that is known; ``of`` the object whose attributes it holds (``__dict__``).
    ``perhaps`` are the entries that it has on one of two paths, if these are all that ``rest`` stands for. A join is one of the
    dicts in ``alternatives``. ``read``: it comes from a file, which may have other keys another time, so that none is surely
    missing; ``named``: its entries are attributes, too (``config.model.width``)."""

    items: dict[Any, Value] = field(default_factory=dict)
    rest: Value = None
    factory: Value = None
    site: Site | None = None
    others: Value = None
    of: Value = None
    perhaps: Mapping[Any, Value] = field(default_factory=dict)
    born: int = field(default_factory=moment, repr=False)
    alternatives: tuple[DictVal, ...] = field(default=(), repr=False)
    read: bool = False
    named: bool = False


class SizesVal(tuple[Value, ...]):
    """The sizes of a tensor as TensorFlow gives them: a vector, with which arithmetic works number by number."""

    __slots__ = ()


class PartsVal(tuple[Value, ...]):
    """The parts that something of unknown size is cut into: so many or, of something short, fewer."""

    __slots__ = ()


def each(parts: tuple[Value, ...], change: Callable[[Value], Value]) -> tuple[Value, ...]:
    """The parts of a result, each of them changed."""
    changed = tuple(map(change, parts))
    return PartsVal(changed) if isinstance(parts, PartsVal) else changed


class TensorSize(int):
    """A size that is known and that TensorFlow gives as a tensor of 32-bit integers: it serves as a number wherever one is
    taken, and takes part in arithmetic as the tensor that it is."""

    __slots__ = ()


@dataclass(slots=True, eq=False)
class SliceVal(AbstractVal):
    """``start:stop:step``; parts are values or ``None``."""

    start: Value
    stop: Value
    step: Value


@dataclass(slots=True, eq=False)
class RangeVal(AbstractVal):
    """``range(start, stop, step)`` with possibly symbolic parts."""

    start: Value
    stop: Value
    step: Value


@dataclass(slots=True, eq=False)
class IterVal(AbstractVal):
    """An iterator or generator whose elements are known (``items``), or all alike (``rest``); iterating takes its elements
    away, unless it is a ``view`` of a container (``d.items()``).

    ``cases`` tells elements that certainly occur, in this order, and differ in what ``rest`` leaves open: what the reader
    is told (``the batch is the last one``) and the element. ``perhaps`` are elements that occur on one of two paths, if these
    are all that ``rest`` stands for."""

    items: list[Value]
    rest: Value = None
    cases: dict[str, Value] = field(default_factory=dict)
    view: bool = False
    perhaps: tuple[Value, ...] = ()
    #: What a generator returns at its end.
    result: Value = None
    #: Of ``itertools.count``: the next number, and what is added to it each time.
    counter: tuple[int, int] | None = None
    born: int = field(default_factory=moment, repr=False)


@dataclass(slots=True, eq=False)
class FuncVal(AbstractVal):
    """A function of the analysed code. ``node`` is the libcst FunctionDef or Lambda, ``scope`` the defining scope,
    ``defaults`` the evaluated default values by name, ``owner`` the class it is a method of (for ``super()``), ``statement``
    that in which a lambda stands."""

    name: str
    node: Any
    scope: Any
    document: Document
    defaults: Mapping[str, Value] = field(default_factory=dict)
    owner: ClassVal | None = None
    kind: str = "function"  # function, static, class, property
    decorators: tuple[Value, ...] = ()
    statement: Any = None
    #: What the program has set on it (``wrapper.calls = 0``).
    attrs: dict[str, Value] = field(default_factory=dict)
    #: The first ``node``, the same for all functions of one definition; an edit of the body leaves it.
    origin_node: Any = field(init=False, repr=False)


watch(FuncVal)


@dataclass(slots=True, eq=False)
class BoundVal(AbstractVal):
    """A method bound to its receiver: ``func`` is a FuncVal or a LibSymbol such as ``torch.nn.Module.to``."""

    func: Value
    receiver: Value


@dataclass(slots=True, eq=False)
class PartialVal(AbstractVal):
    """``functools.partial(func, *args, **kwargs)``."""

    func: Value
    args: tuple[Value, ...]
    kwargs: Mapping[str, Value]


@dataclass(slots=True, eq=False)
class ClassVal(AbstractVal):
    """A class of the analysed code. ``bases`` are ClassVal, LibSymbol or Unknown; ``mro`` is linearised by the
    interpreter (Unknown bases stay in it). ``attrs`` are the class attributes and methods; ``is_extended`` says that a
    decorator or metaclass that is not followed may have given it more."""

    name: str
    node: Any
    document: Document
    bases: tuple[Value, ...] = ()
    attrs: dict[str, Value] = field(default_factory=dict)
    mro: tuple[Value, ...] = ()
    site: Site | None = None
    is_dataclass: bool = False
    is_extended: bool = False


watch(ClassVal)


@dataclass(frozen=True, slots=True)
class LibSymbol(AbstractVal):
    """A library object known by its canonical qualified name: a module, class, function or constant."""

    name: str


@dataclass(slots=True, eq=False)
class LayerConfig(AbstractVal):
    """The bound constructor arguments of a library layer, by *canonical op parameter*; ``row`` is its LayerRow."""

    row: Any
    args: dict[str, Value]
    nodes: Mapping[str, Any] = field(default_factory=dict)
    #: Names of ``args`` that the source leaves to their defaults.
    defaulted: frozenset[str] = frozenset()


@dataclass(slots=True, eq=False)
class InstanceVal(AbstractVal):
    """An object: of a user class, of a library class, or of a user class derived from a library class.

    ``cls`` is a ClassVal or LibSymbol; ``attrs`` the instance attributes; ``layer`` the library configuration if a
    library layer's constructor ran on it; ``path`` the attribute path in its owner (``encoder.layers.0``);
    ``open`` is a reason why attributes may exist that are not in ``attrs`` (``setattr`` with an unknown name …). ``handed``:
    code that is not followed got the object and may have set some that nothing here names; ``later``: attributes that methods
    set which a library was given to call.
    """

    cls: Value
    attrs: dict[str, Value] = field(default_factory=dict)
    site: Site | None = None
    layer: LayerConfig | None = None
    open: Unknown | None = None
    #: State a library protocol keeps on the object (children of a Sequential, a Keras model's inputs …).
    state: dict[str, Value] = field(default_factory=dict)
    born: int = field(default_factory=moment, repr=False)
    handed: bool = False
    later: frozenset[str] = frozenset()

    def kept(self, name: str) -> Value:
        """What the library base keeps in its state; Unknown if the base's constructor has not run on this object."""
        return self.state[name] if name in self.state else Unknown("no-state", name)

    def stored(self, name: str, value: Value) -> Value:
        """What an attribute holds after ``value`` has been assigned to it: None only until a callback sets it."""
        return Assumed(None, f"self.{name}") if value is None and name in self.later else value

    def own(self, name: str) -> Value:
        """An instance attribute that the library base sets; Unknown if its constructor has not run on this object."""
        return self.attrs[name] if name in self.attrs else Unknown("no-attribute", name)


@dataclass(slots=True, eq=False)
class ModuleVal(AbstractVal):
    """A Python module of the workspace; ``attrs`` is its namespace."""

    name: str
    document: Document | None
    attrs: dict[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class NativeVal(AbstractVal):
    """A function implemented by the interpreter: ``call(machine, arguments) -> Value``."""

    name: str
    call: Callable[..., Value]


@dataclass(frozen=True, slots=True, eq=False)
class Further(Unknown):
    """Positional arguments whose number is not known: the ``parts`` are lists, one after the other, of which some are open. To
    everything that does not ask for the parts it is Unknown."""

    parts: tuple[ListVal, ...] = ()


@dataclass(slots=True)
class Arguments(AbstractVal):
    """The arguments of a call before binding. ``star``/``double_star`` hold an unknown ``*args``/``**kwargs``."""

    args: tuple[Value, ...] = ()
    kwargs: dict[str, Value] = field(default_factory=dict)
    star: Unknown | None = None
    double_star: Unknown | None = None
    #: libcst Arg nodes, by position or keyword, where the source has them.
    nodes: Mapping[int | str, Any] = field(default_factory=dict)

    def positional(self, index: int) -> Value:
        """The positional argument at a place, without the mark of a default; Unknown if there is none."""
        return unwrap(self.args[index]) if index < len(self.args) else Unknown("missing-argument")


def unwrap(value: Value) -> Value:
    """The value without the :class:`Assumed` wrapper."""
    return value.value if isinstance(value, Assumed) else value
