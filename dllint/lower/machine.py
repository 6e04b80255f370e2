"""The interpreter: its state, and the operations that evaluators, builtins and library protocols use."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any, TypeVar

import libcst as cst

from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.frameworks import registry
from dllint.frameworks.machine import HANDLERS
from dllint.ir.events import Construction, EventKind, P
from dllint.ir.program import JOIN, Framework, Op, Program, Site, TensorVal
from dllint.ir.values import (
    Arguments,
    ClassVal,
    DictVal,
    FuncVal,
    LibSymbol,
    ModuleVal,
    NativeVal,
    Value,
)
from dllint.lower import (
    attributes,
    calling,
    configuration,
    constants,
    data_files,
    effects,
    emission,
    fragments,
    iteration,
    joining,
    modules,
    mro,
    registered,
    repeats,
    statements,
    subscripts,
    truth,
    written,
)  # fmt: skip
from dllint.lower.dispatch import EVALUATE
from dllint.lower.journal import Journal
from dllint.lower.lazy import ChoiceVal
from dllint.lower.options import Options, RestartError
from dllint.lower.pending import ImportVal, library_of
from dllint.lower.scopes import MISSING, Frame, Scope
from dllint.lower.shared import SharingJournal
from dllint.lower.source_fallback import SourceFallback
from dllint.lower.state import Budget, Control, Identities, Imports, Run, Trail
from dllint.lower.variants import settings
from dllint.source.data.held import Held
from dllint.source.document import Document
from dllint.source.workspace import Files

BUILTINS = frozenset(dir(builtins))
SINGLETONS: dict[str, Value] = {"None": None, "True": True, "False": False}

T = TypeVar("T")


@cache
def _of_python(name: str) -> Value:
    """A builtin."""
    symbol = f"builtins.{name}"
    return SINGLETONS[name] if name in SINGLETONS else constants.CONSTANTS.get(symbol, LibSymbol(symbol))


class Interpreter:
    """One analysis of one document (and of what it imports). Implements :class:`dllint.frameworks.machine.Machine`."""

    def __init__(self, document: Document, workspace: Files | None, options: Options) -> None:
        self.document = document
        self.workspace = workspace
        self.options = options
        self.program = Program("<module>")
        self.frame = Frame(Scope({}, None), document, None)
        self.control = Control()
        self.budget = Budget(
            options.fuel, options.total_import_fuel, options.installed_fuel, options.total_installed_import_fuel
        )
        self.trail = Trail()
        self.run = Run()
        self.known = Identities()
        self.imports = Imports(library_of(workspace))
        self.journal: Journal = SharingJournal(self.imports.library.shared)

    def reset(self, frame: Frame) -> None:
        """Be ready for another entry: at the top level, on no path, in no branch."""
        self.frame, self.control = frame, Control()
        self.journal.reset()

    def begin(self, run: Run, program: Program, frame: Frame, control: Control | None = None) -> None:
        """Begin a run of an entry, or go on with one from a place where it has been left (``control``)."""
        self.run, self.program = run, program
        self.reset(frame)
        if control is not None:
            self.control = control

    def pay(self, units: int) -> None:
        """Take fuel for work that one statement does many times: an operation with one result is two units."""
        control = self.control
        control.work += units
        if control.work >= 0:
            paid, control.work = divmod(control.work, self.options.units)
            self.budget.fuel -= paid

    # --- places ---------------------------------------------------------------------------------------------------

    @property
    def site(self) -> Site:
        """The site of the node being evaluated."""
        return self.frame.site()

    def eval(self, node: cst.CSTNode) -> Value:
        """The abstract value of an expression node."""
        return EVALUATE[type(node)](self, node)

    @property
    def state(self) -> dict[str, Value]:
        """The state of library protocols for the whole program."""
        return self.trail.state

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

    def event(self, kind: EventKind[P], *args: P.args, **kwargs: P.kwargs) -> None:
        """Record an event of a kind, a class of :mod:`dllint.ir.events`, at the current site."""
        frame = self.frame
        event = kind(frame.site(), self.control.path, frame.name, frame.owner, *args, **kwargs)
        self.program.trace.append(event)
        if isinstance(event, Construction):
            configuration.check(self, event.instance)

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
        self.known.perhaps_none.note(tensor, True)
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
            JOIN, {"x": a, "y": b}, (out,), self.frame.site(), a.framework, JOIN, path=self.control.path,
            scope=self.frame.name, owner=self.frame.owner, tested=self.control.assumptions,
        )  # fmt: skip
        self.record(out.producer)
        return out

    def elements(self, tensor: TensorVal) -> Value:
        """The elements of a tensor that is computed of written numbers."""
        return written.elements(self.control, self.frame.name, tensor)

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
        return mro.find_user_attribute(cls, name)

    def library_base(self, cls: Value) -> LibSymbol | None:
        """The first library class in a class's MRO (itself, for a LibSymbol)."""
        return mro.library_base(cls)

    def symbol(self, name: str) -> LibSymbol:
        """A library object by its canonical name."""
        return LibSymbol(name)

    def native(self, name: str, function: Callable[..., Value]) -> NativeVal:
        """A callable implemented by the interpreter."""
        return NativeVal(name, function)

    # --- names ------------------------------------------------------------------------------------------------------

    def store(self, name: str, value: Value) -> None:
        """Bind a name in the present scope, or where ``global``/``nonlocal`` says."""
        scope = own = self.frame.scope
        if scope.outer is not None and name in scope.outer:
            scope = scope.outer[name]
        if scope.parent is None:
            self.control.note_change()
        if self.journal.log is None and scope is own:
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
            return _of_python(name)
        own = self.frame.document is self.document
        for library in self.trail.stars if own else self.imports.stars.get(module) or ():
            full = registry.canonical(f"{library}.{name}")
            if registry.known(full):
                return LibSymbol(full)
        return self.derive(
            ("undefined", id(module), name),
            lambda: fragments.library_object(self.frame, name) or Unknown("undefined-name", name),
            module,
        )

    def forced(self, variables: dict[str, Value], name: str, value: Value) -> Value:
        """The value of a name, with an import that is still pending resolved."""
        if type(value) is not ImportVal:
            return value
        pending = self.imports.library.pending.get(id(variables))
        if pending is None:
            found = modules.force(self, value)
        else:
            with self.imports.library.loads.into(pending.path, self.trail.state):
                found = modules.force(self, value)
        variables[name] = found
        return found

    def submodule(self, module: ModuleVal, name: str) -> Value:
        """``module.name`` that the module's namespace does not hold yet."""
        if (found := modules.module_attribute(self, module, name)) is not MISSING:
            return found
        pending = self.imports.library.pending.get(id(module.attrs))
        return modules.submodule(self, module, pending.path, name) if pending is not None else Unknown("no-attribute", name)

    def use(self, definition: FuncVal | ClassVal) -> None:
        """Record that a definition has been used."""
        if definition.document is not self.document and definition.document is not None:
            self.imports.library.loads.use(definition.document.path)
            self.imports.dependencies.add((definition.document.path, definition.name))

    def block(self, body: cst.BaseSuite | Sequence[cst.BaseStatement | cst.BaseSmallStatement]) -> int:
        """Execute an indented block or one-line suite."""
        return statements.block(self, body)

    def complete(self, table: DictVal, key: Value) -> None:
        """Let what registers itself in a table under a key do so, if the table lacks it."""
        for path, name in registered.definitions(self, table, key) if self.budget.in_installed else ():
            modules.module_attribute(self, modules.load(self, path, path.stem), name)

    def setter_of(self, cls: Value) -> Any:
        """The library protocol that attribute assignment on instances of a class goes through, if any."""
        found = self.known.setters.get(cls)
        if found is None:
            handlers = (HANDLERS.get(f"{b}.__setattr__") for b in mro.library_bases(cls) if b != "builtins.object")
            found = self.known.setters.note(cls, tuple(handler for handler in handlers if handler is not None)[:1])
        return found[0] if found else None

    def module_name(self, cls: Value) -> Value:
        """The name of the module a class was defined in."""
        if isinstance(cls, LibSymbol):
            return cls.name.rpartition(".")[0]
        module = self.imports.modules.get(cls.document.path) if isinstance(cls, ClassVal) and cls.document is not None else None
        return module.name if module is not None else "__main__"

    def file_head(self, source: Value) -> bytes | None:
        """How a file beside the code begins, whose path a value is; None if it is not known."""
        return data_files.head(self, source)

    def file_content(self, source: Value, form: str) -> Held:
        """What a file beside the code holds, whose path a value is; None if it is not known."""
        return data_files.held(self, source, form)

    def arguments(self) -> dict[str, Value]:
        """The parameters of the method that runs, without its object, and what they hold now."""
        func = self.frame.func
        if func is None or not isinstance(func.node, cst.FunctionDef):
            return {}
        declared = func.node.params
        named = [*declared.posonly_params, *declared.params][1:] + list(declared.kwonly_params)
        more = self.frame.scope.vars.get(declared.star_kwarg.name.value) if declared.star_kwarg is not None else None
        found = {param.name.value: self.frame.scope.vars.get(param.name.value) for param in named}
        return (
            found | {key: value for key, value in more.items.items() if isinstance(key, str)}
            if isinstance(more, DictVal)
            else found
        )

    def from_source(self, name: str) -> Value:
        """What the source of an installed package defines under a qualified name; Unknown if it is not installed."""
        return self._source_fallback().defined(name)

    def described(self, value: Value) -> Value:
        """A symbol of an installed library that no table describes as its source defines it; any other value as it is."""
        return self._source_fallback().value(value)

    def described_arguments(self, arguments: Arguments) -> Arguments:
        """The same of the arguments of a call of what a source defines."""
        return self._source_fallback().arguments(arguments)

    def _source_fallback(self) -> SourceFallback:
        force, whole = (lambda value: modules.force(self, value)), self.options.architectures
        return SourceFallback(self.workspace, self.frame.document, force, self.getattr, whole)

    def is_repeat(self, last: Value, block: Value, before: Value, after: Value) -> bool:
        """Whether applying ``block`` to ``after`` repeats what applying ``last`` to ``before`` has just done."""
        return repeats.same_block(last, block) and joining.alike(before, after)

    def is_repeated(self, born: int) -> bool:
        """Whether what was made at a moment is changed here by a pass of a loop that makes an unknown number of them."""
        return born < self.control.pass_began

    # --- what statements ask for --------------------------------------------------------------------------------------

    def note_annotation(self, name: str, annotation: cst.CSTNode) -> None:
        """An annotated name in a class body: a field, if the class is a record."""
        noted = self.frame.scope.vars.setdefault("__annotations__", {})
        if isinstance(noted, dict):
            noted[name] = annotation
        elif isinstance(noted, DictVal):  # ``__annotations__ = {…}`` in the class body
            self.journal.set_item(noted.items, name, Unknown("annotation", name))

    def wrote(self, target: TensorVal, result: TensorVal, became: bool = False) -> None:
        """Record that a result was written to a tensor in place."""
        (effects.became if became else effects.in_place)(self, target, result)

    def assume(self, value: Value) -> None:
        """A condition that holds in every run that goes on: a size of an input that it fixes is noted, and the entry is
        run again with it."""
        size, number = self.known.equations.get(value) or (None, 0)
        symbol = size.symbol if size is not None else None
        if symbol in self.run.axes:
            self.run.fixed[self.run.axes[symbol]] = number
            place = self.control
            if self.run.restarts and not (place.contrary or place.undecided or place.passes):
                raise RestartError

    def setting(self, source: str, default: Value) -> Value:
        """The value of an option with a default: the default, or the value that this run is made under."""
        return settings.option(self, source, default)

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
        known: T | None = self.trail.derived.get(key)
        if known is None:
            made: Any = make()
            if type(made) is Unknown and len(sources) == 1:
                made = self.known.answer(key, made, sources[0])
            known = self.trail.derived[key] = made
            self.known.keep(*sources)
        return known
