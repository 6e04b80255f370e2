"""The interpreter: its state, and the operations that evaluators, builtins and library protocols use."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import libcst as cst

from dllint.domains.atoms import Symbol
from dllint.domains.dim import DimExpr, opaque
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.frameworks import registry
from dllint.frameworks.machine import HANDLERS
from dllint.ir import events
from dllint.ir.program import Condition, Event, Framework, Op, Program, Site, TensorVal
from dllint.ir.values import Arguments, Assumed, ClassVal, DictVal, FuncVal, InstanceVal, LibSymbol, ModuleVal, NativeVal, Value
from dllint.lower import (
    arguments,
    attributes,
    boundary,
    branches,
    calling,
    classes,
    comprehensions,
    configuration,
    constants,
    effects,
    emission,
    exceptions,
    expressions,
    fragments,
    guarded,
    imports,
    iteration,
    joining,
    loops,
    matching,
    modules,
    narrowing,
    repeats,
    statements,
    strings,
    subscripts,
    truth,
    wording,
)  # fmt: skip
from dllint.lower.dispatch import EVALUATE
from dllint.lower.documented import ranges, shapes
from dllint.lower.journal import Journal
from dllint.lower.lazy import ChoiceVal
from dllint.lower.natives import tables as _natives
from dllint.lower.options import Options
from dllint.lower.scopes import MISSING, Frame, Scope
from dllint.lower.variants import settings
from dllint.source.document import Document
from dllint.source.workspace import Files

BUILTINS = frozenset(dir(builtins))
SINGLETONS: dict[str, Value] = {"None": None, "True": True, "False": False}
_LOADED = (branches, comprehensions, expressions, guarded, imports, loops, matching, statements, subscripts, _natives)

T = TypeVar("T")


class Interpreter:
    """One analysis of one document (and of what it imports). Implements :class:`dllint.frameworks.machine.Machine`."""

    def __init__(self, document: Document, workspace: Files | None, options: Options) -> None:
        self.document = document
        self.workspace = workspace
        self.options = options
        self.journal = Journal()
        self.program = Program("<module>")
        self.frame = Frame(Scope({}, None), document, None)
        self.path: tuple[Condition, ...] = ()
        #: What the present path assumes about undecided conditions: ``id(value) -> truth``.
        self.assumptions: dict[int, bool] = {}
        self.fuel = options.fuel
        #: Work of the present statement that no fuel was taken for, in units; below 0 it is in its price.
        self.work = 0
        self.displays: set[int] = set()  # ``id`` of the long ones that have been evaluated
        #: Statements of imported modules that may still be executed for this document.
        self.star_imports = 0
        self.import_fuel = options.total_import_fuel
        self.depth = 0
        self.calls = 0  # nesting of calls of any kind, those that objects of libraries make included
        self.contrary = 0  # nesting of arms that a default value does not select
        self.undecided = 0  # nesting of undecided branches
        #: Imported modules, shared by all documents of a workspace.
        self.library = modules.library_of(workspace)
        self.modules: dict[Any, ModuleVal] = {}
        #: ``(path, name)`` of the imports being resolved.
        self.forcing: set[tuple[Any, str]] = set()
        #: Libraries star-imported into a module, by ``id`` of its namespace.
        self.stars: dict[int, list[str]] = {}
        #: Statements in force that catch errors, the innermost last, and the exception that is on its way to one of them.
        self.catching: tuple[exceptions.Catch, ...] = ()
        self.raised: exceptions.Raised | None = None
        #: What could not be analysed, each place once.
        self.failures: list[boundary.Failure] = []
        self.classes: list[ClassVal] = []
        #: Functions of the document's top level, without their decorators.
        self.definitions: list[FuncVal] = []
        self.seeds: set[int] = set()
        #: Those that nothing but their place in a model's method shows to be tensors; whether of torch is a guess, too.
        self.presumed: dict[int, bool] = {}
        self.perhaps_none: set[int] = set()  # tensors that may be None
        #: The last object made of each class, by ``id`` of the class.
        self.last_instances: dict[int, repeats.LastInstance] = {}
        #: What the classes were made with last in runs that no setting changes.
        self.default_instances: dict[int, repeats.LastInstance] = {}
        self.texts: dict[int, str] = {}
        #: Library handlers found for a class, by question and ``id`` of the class.
        self.protocols: dict[tuple[str, int], Any] = {}
        self.dependencies: set[tuple[Any, Any]] = set()
        #: What the comments of a statement state, by its ``id``, with the statement.
        self.remarks: dict[int, tuple[Any, tuple[ranges.Entry, ...]]] = {}
        #: Whether a document has training steps written out, by its ``id``.
        self.signs: dict[int, bool] = {}
        self._record_nothing()

    def _record_nothing(self) -> None:
        """Clear the records of everything executed and derived so far."""
        #: ``id(function node)`` of every function that has been executed.
        self.called: set[int] = set()
        #: ``id`` of every class that has been instantiated.
        self.built: set[int] = set()
        #: Instances of user classes in order of creation, for the choice of entries.
        self.instances: list[InstanceVal] = []
        #: Constructions with an argument that is not known; entries make an instance of their own in place of these.
        self.vague: list[tuple[ClassVal, Arguments]] = []
        self.functions: dict[int, Any] = {}
        #: Values derived from unknown ones, so that the same question gets the same answer object.
        self.derived: dict[tuple[Any, ...], Any] = {}
        self.negations: dict[int, Value] = {}
        #: ``id`` of the undecided value of an ``and`` (true) or ``or`` (false) → its operands: all of them are, where it is.
        self.compounds: dict[int, tuple[bool, tuple[Value, ...]]] = {}
        self.explored: dict[int, int] = {}
        #: The first branch on each default, by what the reader calls it.
        self.branched: dict[str, int] = {}
        #: ``id`` of objects that other objects have made as their parts.
        self.parts: set[int] = set()
        self.branches = 0
        #: How often variables of modules and attributes of classes have been set.
        self.changes = 0
        #: The moment when the present pass of the innermost loop of unknown trip count began; 0 outside of such loops.
        self.pass_began = 0
        #: While arms are joined: when the first of them began. What is older has other names.
        self.joined_since = 0
        #: Loops of unknown trip count around the present statement, those around the calls to it included.
        self.passes = 0
        #: ``id`` of a tensor whose elements were changed → ``id`` of what the latest change has made.
        self.assigned: dict[int, int] = {}
        #: The same for all tensors of one memory, by ``id`` of the list of them.
        self.changed_memory: dict[int, effects.Changes] = {}
        #: ``id`` of an undecided ``size == number`` → its two sides.
        self.equations: dict[int, tuple[DimExpr, int]] = {}
        #: Symbols that stand for sizes of the entry's inputs, and the sizes that assertions fix:
        #: by name of the input, rank and axis.
        self.axes: dict[Symbol, tuple[str, int, int]] = {}
        self.fixed: dict[tuple[str, int, int], int] = {}
        #: What the run is made under, and what it shows about other settings.
        self.variants = settings.Variants()
        #: What library protocols keep for the whole program.
        self.state: dict[str, Value] = {}
        #: Shapes that the source gives to inputs in words.
        self.documented = shapes.DocumentedShapes()
        #: Keeps values alive whose ``id`` is a key above.
        self.kept: list[Value | cst.CSTNode] = []

    def reset(self, frame: Frame) -> None:
        """Prepare for another entry: top level, no path, no branch."""
        self.frame, self.path, self.assumptions = frame, (), {}
        self.journal.reset()
        self.depth, self.contrary, self.undecided = 0, 0, 0
        self.catching, self.raised = (), None
        self.passes = self.pass_began = 0

    def pay(self, units: int) -> None:
        """Charge fuel for a statement that makes much work; an operation with one result costs two units."""
        self.work += units
        if self.work >= 0:
            paid, self.work = divmod(self.work, self.options.units)
            self.fuel -= paid

    # --- places ---------------------------------------------------------------------------------------------------

    @property
    def site(self) -> Site:
        """The site of the node being evaluated."""
        return self.frame.site()

    def eval(self, node: cst.CSTNode) -> Value:
        """The abstract value of an expression node."""
        return EVALUATE[type(node)](self, node)

    # --- what happens -----------------------------------------------------------------------------------------------

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
        """Perform a canonical operation at the current site (see :class:`Machine`)."""
        return emission.emit(self, kind, args, framework, spelled or kind, layer, defaulted)

    def event(self, kind: str, **data: Any) -> None:
        """Record an event at the current site."""
        frame = self.frame
        self.program.trace.append(Event(kind, data, frame.site(), self.path, frame.name, frame.owner))
        if kind == events.CONSTRUCT:
            configuration.check(self, data["instance"])

    @contextmanager
    def at(self, site: Site) -> Iterator[None]:
        """Inside, operations and events stand at ``site``, with the present site as their caller."""
        outer = self.frame
        self.frame = outer.moved_to(site)
        try:
            yield
        finally:
            self.frame = outer

    def record(self, op: Op) -> None:
        """Append a performed operation to the trace."""
        self.program.trace.append(op)

    def unknown(self, reason: str, detail: str = "") -> Unknown:
        """A fresh Unknown, counted as a gap at the current site."""
        self.program.gaps.append((reason, detail, self.frame.site()))
        return Unknown(reason, detail)

    def tensor(self, type_: TensorType, *, framework: Framework, name: str = "") -> TensorVal:
        """A fresh tensor that no operation produced."""
        return TensorVal(type_, framework=framework, name=name)

    def perhaps(self, tensor: TensorVal) -> TensorVal:
        """A tensor that may be ``None`` as well."""
        self.perhaps_none.add(tensor.id)
        return tensor

    def join(self, a: Value, b: Value) -> Value:
        """A value that stands for both."""
        return joining.join(self, a, b)

    def refine(self, tensor: TensorVal, type_: TensorType) -> None:
        """Set a more precise type of a tensor than its producer gave."""
        self.journal.set_attribute(tensor, "type", type_)

    def merge_tensors(self, a: TensorVal, b: TensorVal, type_: TensorType) -> TensorVal:
        """The tensor that is ``a`` on one path and ``b`` on another; a ``phi`` in the trace."""
        out = TensorVal(type_, framework=a.framework, name=a.name)
        out.producer = Op(
            "phi", {"x": a, "y": b}, (out,), self.frame.site(), a.framework, "phi", path=self.path, scope=self.frame.name,
            owner=self.frame.owner,
        )  # fmt: skip
        self.record(out.producer)
        return out

    # --- values -----------------------------------------------------------------------------------------------------

    def call(self, callee: Value, arguments: Arguments) -> Value:
        """Call anything callable."""
        return calling.call(self, callee, arguments)

    def call_method(self, receiver: Value, name: str, *args: Value, **kwargs: Value) -> Value:
        """``receiver.name(*args, **kwargs)``."""
        return calling.call(self, attributes.get(self, receiver, name), Arguments(args, kwargs))

    def getattr(self, receiver: Value, name: str) -> Value:
        """``receiver.name``; Unknown with a reason if it is not there."""
        return attributes.get(self, receiver, name)

    def setattr(self, receiver: Value, name: str, value: Value) -> None:
        """``receiver.name = value``, journalled."""
        attributes.put(self, receiver, name, value)

    def getitem(self, receiver: Value, index: Value) -> Value:
        """``receiver[index]``."""
        return subscripts.item(self, receiver, index)

    def write(self, container: dict[Any, Value] | list[Value], key: Any, value: Value) -> None:
        """Assign or append (key == len) into the storage of a mutable value, journalled."""
        if isinstance(container, dict):
            self.journal.set_item(container, key, value)
            return
        self.journal.before_list_change(container)
        if key == len(container):
            container.append(value)
        else:
            container[key] = value

    def iterate(self, value: Value) -> list[Value] | Unknown:
        """The elements of an iterable in order, or Unknown if their number is not known; an iterator keeps them."""
        return iteration.known(self, value)

    def consume(self, value: Value) -> list[Value] | Unknown:
        """As :meth:`iterate`, but an iterator is exhausted afterwards."""
        return iteration.elements(self, value)

    def truth(self, value: Value) -> bool | None:
        """Whether a value is true, or ``None`` if undecided."""
        return truth.truth(self, value)

    def alternatives(self, value: Value) -> tuple[Value, ...]:
        """The values that a joined value may be; the value itself if it is not a joined one."""
        return value.options if isinstance(value, ChoiceVal) else (value,)

    def find_method(self, cls: Value, name: str) -> Value | None:
        """The user-defined method or class attribute ``name`` along the MRO, ``None`` if only a library base may have it."""
        return classes.find_user_attribute(cls, name)

    def library_base(self, cls: Value) -> LibSymbol | None:
        """The first library class in a class's MRO (itself, for a LibSymbol)."""
        return classes.library_base(cls)

    def plain(self, value: Value) -> Value:
        """The value without the mark of a default."""
        return value.value if isinstance(value, Assumed) else value

    def symbol(self, name: str) -> LibSymbol:
        """A library object by its canonical name."""
        return LibSymbol(name)

    def native(self, name: str, function: Callable[..., Value]) -> NativeVal:
        """A callable implemented by the interpreter."""
        return NativeVal(name, function)

    def format_percent(self, template: str, value: Value) -> Value:
        """``template % value``."""
        return strings.percent(self, template, value)

    # --- names ------------------------------------------------------------------------------------------------------

    def store(self, name: str, value: Value) -> None:
        """Bind a name in the present scope, or where ``global``/``nonlocal`` says."""
        scope = self.frame.scope
        if scope.outer is not None and name in scope.outer:
            scope = scope.outer[name]
        self.changes += scope.parent is None
        if self.journal.log is None:
            scope.vars[name] = value
        else:
            self.journal.set_item(scope.vars, name, value)

    def builtin(self, name: str) -> Value:
        """A name that no scope of the frame has: of a pending module, a star-imported library, or a builtin."""
        module = self.frame.scope.module.vars
        found = modules.demand(self, module, name)
        if found is not MISSING:
            return self.forced(module, name, found)
        if name in BUILTINS:
            return (
                constants.CONSTANTS.get(f"builtins.{name}", LibSymbol(f"builtins.{name}"))
                if name not in SINGLETONS
                else SINGLETONS[name]
            )
        for library in self.stars.get(id(module), ()):
            full = registry.canonical(f"{library}.{name}")
            if registry.known(full):
                return LibSymbol(full)
        return self.derive(
            ("undefined", id(module), name), lambda: fragments.library_object(self, name) or Unknown("undefined-name", name)
        )

    def forced(self, variables: dict[str, Value], name: str, value: Value) -> Value:
        """The value of a name, with an import that is still pending resolved."""
        if type(value) is modules.ImportVal:
            value = modules.force(self, value)
            variables[name] = value
        return value

    def constant(self, symbol: LibSymbol) -> Value:
        """A library constant's number, or the symbol."""
        return constants.CONSTANTS.get(symbol.name, symbol)

    def submodule(self, module: ModuleVal, name: str) -> Value:
        """``module.name`` that the module's namespace does not hold yet."""
        if (found := modules.module_attribute(self, module, name)) is not MISSING:
            return found
        pending = self.library.pending.get(id(module.attrs))
        return modules.submodule(self, module, pending.path, name) if pending is not None else Unknown("no-attribute", name)

    def use(self, definition: FuncVal | ClassVal) -> None:
        """Record that a definition has been used."""
        if definition.document is not self.document and definition.document is not None:
            self.dependencies.add((definition.document.path, definition.name))

    def block(self, body: cst.BaseSuite | Sequence[cst.BaseStatement | cst.BaseSmallStatement]) -> int:
        """Execute an indented block or one-line suite."""
        return statements.block(self, body)

    def setter_of(self, cls: Value) -> Any:
        """The library protocol that attribute assignment on instances of a class goes through, if any."""
        if (key := ("setter", id(cls))) not in self.protocols:
            found = (HANDLERS.get(f"{b}.__setattr__") for b in classes.library_bases(cls) if b != "builtins.object")
            self.protocols[key] = next((handler for handler in found if handler is not None), None)
            self.kept.append(cls)
        return self.protocols[key]

    def module_name(self, cls: Value) -> Value:
        """The name of the module a class was defined in."""
        if isinstance(cls, LibSymbol):
            return cls.name.rpartition(".")[0]
        module = self.modules.get(cls.document.path) if isinstance(cls, ClassVal) and cls.document is not None else None
        return module.name if module is not None else "__main__"

    def is_repeat(self, last: Value, block: Value, before: Value, after: Value) -> bool:
        """Whether applying ``block`` to ``after`` repeats what applying ``last`` to ``before`` has just done."""
        return repeats.same_block(last, block) and joining.alike(before, after)

    def text_of(self, node: cst.CSTNode) -> str:
        """The source text of a node, kept."""
        known = self.texts.get(id(node))
        if known is None:
            known = self.texts[id(node)] = wording.text_of(node)
            self.kept.append(node)
        return known

    # --- what statements ask for --------------------------------------------------------------------------------------

    def note_annotation(self, name: str, annotation: cst.CSTNode) -> None:
        """An annotated name in a class body: a field, if the class is a record."""
        noted = self.frame.scope.vars.setdefault("__annotations__", {})
        if isinstance(noted, dict):
            noted[name] = annotation
        elif isinstance(noted, DictVal):  # ``__annotations__ = {…}`` in the class body
            self.journal.set_item(noted.items, name, Unknown("annotation", name))

    def refine_assert(self, test: cst.CSTNode) -> None:
        """Apply what an assertion implies for the code after it."""
        narrowing.narrow(self, test, arm=True)

    def wrote(self, target: TensorVal, result: TensorVal, became: bool = False) -> None:
        """Record that a result was written to a tensor in place."""
        (effects.became if became else effects.in_place)(self, target, result)

    def assume(self, value: Value) -> None:
        """A condition that holds in every run that continues: if it fixes the size of an input, the size is recorded and the
        entry is run again with it."""
        size, number = self.equations.get(id(value), (None, 0))
        symbol = size.symbol if size is not None else None
        if symbol in self.axes:
            self.fixed[self.axes[symbol]] = number

    def setting(self, source: str, default: Value) -> Value:
        """The value of an option with a default: the default, or the value that this run is made under."""
        return settings.option(self, source, default)

    def handles_decorator(self, decorator: Value) -> bool:
        """Whether a library decorator's protocol is known."""
        name = decorator.name if isinstance(decorator, LibSymbol) else ""
        return name in HANDLERS

    def spread_bases(self, bases: Value) -> list[Value]:
        """``class C(*bases)``."""
        found = self.iterate(bases)
        return found if isinstance(found, list) else [found]

    def is_seed(self, x: TensorVal) -> bool:
        """Whether a tensor is an input that an entry was given."""
        return x.id in self.seeds

    def rebind(self, old: TensorVal, new: TensorVal) -> bool:
        """An in-place method ran: names that hold the old value hold the new one. Returns whether there are any."""
        new.origin = old.origin or old.id
        variables = self.frame.scope.vars
        names = [name for name, value in variables.items() if type(value) is TensorVal and value.is_same_object(old)]
        for name in names:
            self.journal.set_item(variables, name, new)
        return bool(names)

    # --- parameters without a value ---------------------------------------------------------------------------------

    def derive(self, key: tuple[Any, ...], make: Callable[[], T], *sources: Value | cst.CSTNode) -> T:
        """A value that stays the same object for the same question about ``sources``."""
        known: T | None = self.derived.get(key)
        if known is None:
            known = self.derived[key] = make()
            self.kept.extend(sources)
        return known

    def as_dim(self, value: Value, surely: bool = False) -> Value:
        """An argument that nothing is known about, as the size it is: its symbol, once it has been used as a size. ``surely``:
        it is used as one now. Other values are returned as they are."""
        return arguments.as_dim(self, value, surely)

    def fresh_size(self, name: str) -> DimExpr:
        """A size nothing is known about."""
        return opaque(name)
