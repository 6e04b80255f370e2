"""What is known at the places of an analysed file, as a table that answers hovers and inlay hints without the analysis."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import libcst

from dllint.analysis.architecture.models import Model, entered
from dllint.analysis.architecture.tree import Call
from dllint.analysis.architecture.weights import PARAMETER
from dllint.analysis.facts import Facts
from dllint.analysis.modules import is_module
from dllint.domains.dim import show
from dllint.domains.lattice import Unknown
from dllint.engine.analysis import Analysis
from dllint.ir.events import Bind, Construction, Instance, LibraryCall, ModelGraph, ModelInput, ModuleCall, Read, Rebind, Return
from dllint.ir.program import SCRIPT, Event, Op, Program, Site, TensorVal
from dllint.ir.values import ClassVal, InstanceVal, Value, unwrap
from dllint.rules.numeric_evidence import range_text
from dllint.server.attempts import Attempts
from dllint.server.calls_of_modules import Counts, inner_items
from dllint.server.joined import joined_type
from dllint.server.members import attributes_of_self, kept_names, modules_held, names_of_self, scopes
from dllint.server.messages import Place
from dllint.server.pages import Pages
from dllint.server.parameters import Parameters
from dllint.server.unfinished import Extent, unfinished
from dllint.server.wording import call_text, code_block, flat, layer_text, type_text, why_unknown
from dllint.source.document import Document
from dllint.source.pragmas import codes_in_comments, codes_in_noqa
from dllint.source.walk import small_statements

#: Of a place that is reached in many ways (a block of a deep model), so many different types are shown.
_MOST_WAYS: Final = 5


@dataclass(slots=True)
class _Entry:
    """What the programs say about one node: types (with why a shape is not known) and layers, each once, in order; one value
    of each type; the inputs of the operation; remarks below these."""

    statement: Any
    node: Any
    types: dict[str, str] = field(default_factory=dict)
    #: By type: the ranges of the numbers, each once.
    ranges: dict[str, dict[str, None]] = field(default_factory=dict)
    values: list[Any] = field(default_factory=list)
    #: By ``id``: those of them of which a run of a function by itself has left the shape or the element type unknown.
    vague: set[int] = field(default_factory=set)
    layers: dict[str, None] = field(default_factory=dict)
    inputs: tuple[str, ...] = ()
    remarks: dict[str, None] = field(default_factory=dict)

    def common(self) -> str:
        """The type that the values have in common. A function that is run by itself, with arguments that nothing is known of,
        takes nothing from what is known of other calls."""
        return joined_type([value for value in self.values if id(value) not in self.vague] or self.values)


def known_places(analysis: Analysis, pages: Pages, checkpoint: Callable[[], None], attempts: Attempts) -> tuple[Place, ...]:
    """The table of a file: expressions and names with their types, layers with their arguments, codes in comments;
    ``checkpoint`` is called every now and then. An error at one place costs no other place."""
    document = analysis.document
    table = _Table(analysis.home, attempts)
    for program in analysis.programs:
        table.begin(program)
        for item in program.trace:
            with attempts.attempt(f"{document.path}: hovers"):
                table.add(item)
        checkpoint()
    with attempts.attempt(f"{document.path}: hovers of classes"):
        for program in analysis.programs:
            if (model := entered(program)) is not None:
                table.ask(model)
            checkpoint()
    with attempts.attempt(f"{document.path}: hovers of names"):
        table.conclude()
        table.tell_members()
        table.tell_names()
    with attempts.attempt(f"{document.path}: runs that have ended early"):
        table.unfinished = unfinished(document, analysis.programs)
    places = list(table.places(checkpoint))
    with attempts.attempt(f"{document.path}: hovers of comments"):
        places += _codes(document, pages)
    return tuple(sorted(places, key=lambda place: (place.start, -place.end)))


def _own_class(instance: InstanceVal, document: Document) -> libcst.ClassDef | None:
    """The class of an object, if it stands in the document."""
    cls = instance.cls
    if isinstance(cls, ClassVal) and cls.document is document and isinstance(cls.node, libcst.ClassDef):
        return cls.node
    return None


@dataclass(slots=True)
class _Table:
    document: Document
    attempts: Attempts
    facts: Facts | None = None
    _counts: Counts | None = None
    #: Whether what is run happens as the file has it, with no invented argument.
    _is_real: bool = False
    _inner: set[int] = field(default_factory=set)
    entries: dict[int, _Entry] = field(default_factory=dict)
    hints: dict[int, str] = field(default_factory=dict)
    #: The parameters of functions among the names.
    parameters: dict[int, libcst.CSTNode] = field(default_factory=dict)
    #: What runs have not gone through to the end: what names hold there in other runs is no hint.
    unfinished: tuple[Extent, ...] = ()
    _statements: dict[int, Any] = field(default_factory=dict)
    _parameters: Parameters = field(default_factory=Parameters)
    #: Objects of the classes of the file, by the ``id`` of the class, with what is said of the modules they hold.
    _held: dict[int, tuple[libcst.ClassDef, dict[str, _Entry]]] = field(default_factory=dict)

    #: The calls of objects of these classes, by the ``id`` of the class, for what they take and give.
    _calls: dict[int, tuple[libcst.ClassDef, list[Call]]] = field(default_factory=dict)

    def begin(self, program: Program) -> None:
        """Turn to a program."""
        self.facts, self._counts, self._inner = Facts(program), Counts(program), set()
        self._is_real = program.entry == SCRIPT or program.takes_nothing
        with self.attempts.attempt(f"{self.document.path}: hovers of calls"):
            self._inner = inner_items(program.trace)

    def add(self, item: Op | Event) -> None:
        """Take in what an operation or event says."""
        if isinstance(item, Return) and item.site.caller is not None:
            caller = item.site.caller
            self._value(caller, caller.node, item.value)
        site = item.site
        if isinstance(item, Instance):
            self._class(item.instance)
        elif isinstance(item, ModuleCall):
            self._called(item.callee, Call((*item.args, *item.keywords.values()), item.result))
        if not self._is_here(site) or id(item) in self._inner:
            return
        self._statements[id(site.statement)] = site.statement
        if isinstance(item, Op):
            self._operation(item)
        else:
            self._parameters.add(item)
            self._event(item)

    def _is_here(self, site: Site) -> bool:
        return site.document is self.document and site.statement is not None

    def _event(self, event: Event) -> None:
        site = event.site
        if isinstance(event, Read):
            self._value(site, site.node, event.value)
        elif isinstance(event, (Bind, Rebind)):
            self._bound(event)
        elif isinstance(event, ModuleCall):
            self._call(event)
        elif isinstance(event, Construction | Instance):
            self._module(self._value(site, site.node, event.instance), event.instance)
        elif isinstance(event, LibraryCall):
            self._given(event)
        elif isinstance(event, ModelInput):
            self._value(site, site.node, event.value)
        elif isinstance(event, ModelGraph):
            self._module(self._value(site, site.node, event.model), event.model)

    def _given(self, call: LibraryCall) -> None:
        """What a library is given by attributes (``layer.weight``), which no other event tells; a parameter that it makes."""
        if call.name == PARAMETER:
            self._value(call.site, call.site.node, call.result)
        for name, node in call.nodes.items():
            if isinstance(node, libcst.Arg) and not node.star and isinstance(node.value, libcst.Attribute):
                self._value(call.site, node.value, call.bound.get(str(name)))

    def _bound(self, event: Bind | Rebind) -> None:
        """What a name gets, with the parameters that a module has."""
        value = event.value if isinstance(event, Bind) else event.new
        entry = self._value(event.site, event.node, value)
        if isinstance(value, InstanceVal) and is_module(value):
            self._module(entry, value)

    def _call(self, event: ModuleCall) -> None:
        """What a module gives, and how many parameters it has."""
        entry = self._value(event.site, event.site.node, event.result)
        func = getattr(event.site.node, "func", None)
        callee = self._value(event.site, func, event.callee)
        if isinstance(event.callee, InstanceVal):
            self._module(entry, event.callee)
            self._module(callee, event.callee)

    def _called(self, module: Value, call: Call) -> None:
        """Note a call of an object of a class of this file."""
        if isinstance(module, InstanceVal) and (node := _own_class(module, self.document)) is not None:
            self._calls.setdefault(id(node), (node, []))[1].append(call)

    def _module(self, entry: _Entry | None, module: InstanceVal) -> None:
        """Remark how many parameters a module has."""
        text = self._counts.text(module) if entry is not None and self._counts is not None else ""
        if entry is not None and text:
            entry.remarks.setdefault(text)

    def _class(self, instance: InstanceVal) -> None:
        """What the objects of a class of this file have is told at its name."""
        node = _own_class(instance, self.document)
        if node is not None and is_module(instance):
            site = Site(self.document, node, node.name)
            self._statements.setdefault(id(node), node)
            self._module(self._value(site, node.name, instance), instance)
            _, known = self._held.setdefault(id(node), (node, {}))
            for name, module in modules_held(instance):
                entry = known.setdefault(name, _Entry(node, node.name))
                if len(entry.layers) < _MOST_WAYS:
                    entry.layers.setdefault(layer_text(module))
                    self._module(entry, module)

    def ask(self, model: Model) -> None:
        """Note the call of a model that an entry runs; remark at the name of its class, and at its constructor, what the
        parameters of its objects have to fulfil."""
        if model.call is not None:
            self._called(model.instance, model.call)
        node = _own_class(model.instance, self.document)
        entry = self.entries.get(id(node.name)) if node is not None else None
        asked = model.preconditions
        if not asked or node is None or entry is None:
            return
        entry.remarks.setdefault("Runs only if " + ", ".join(f"`{relation}`" for relation in asked))
        for part in node.body.body:
            if isinstance(part, libcst.FunctionDef) and part.name.value == "__init__":
                self.entries.setdefault(id(part.name), _Entry(node, part.name, layers=entry.layers, remarks=entry.remarks))

    def conclude(self) -> None:
        """What is known of an expression is known of the names it is assigned to; what a call gives, of parameters."""
        for statement in self._statements.values():
            for small in small_statements(statement):
                if isinstance(small, libcst.Assign):
                    for target in small.targets:
                        self._target(statement, target.target, small.value)
        for function, param, value in self._parameters.known():
            site = Site(self.document, function, param.name)
            if self._value(site, param.name, value) is not None and param.annotation is None:
                self.parameters[id(param.name)] = param.name
                self._hint(param.name)

    def tell_members(self) -> None:
        """What an object of a class is, and what its attributes hold, is told where its methods name them."""
        for cls, known in self._held.values():
            own = self.entries.get(id(cls.name))
            if own is not None:
                if taken := call_text(self._calls.get(id(cls), (cls, []))[1]):
                    own.remarks.setdefault(taken)
                for method, name in names_of_self(cls):
                    self._tell(method, name, own)
            for node in attributes_of_self(cls):
                if node.attr.value in known and not self._says(node):
                    self._tell(cls, node, known[node.attr.value])
            for attribute, name in kept_names(cls):
                if attribute in known and not self._says(name):
                    self._tell(cls, name, known[attribute])

    def tell_names(self) -> None:
        """The module that a name holds, which is bound once, is told wherever the name stands in its function."""
        for found in scopes(self.document.body):
            for places in found.values():
                known = next((self.entries[id(node)] for _, node in places if self._says(node)), None)
                if known is not None and known.layers and not known.types:
                    for statement, node in places:
                        if not self._says(node):
                            self._tell(statement, node, known)

    def _says(self, node: libcst.CSTNode) -> bool:
        entry = self.entries.get(id(node))
        return entry is not None and bool(entry.types or entry.layers)

    def _tell(self, statement: libcst.CSTNode, node: libcst.CSTNode, known: _Entry) -> None:
        self.entries[id(node)] = _Entry(statement, node, layers=known.layers, remarks=known.remarks)

    def places(self, checkpoint: Callable[[], None]) -> Iterator[Place]:
        """The places of all nodes of which something is known."""
        for key, entry in self.entries.items():
            checkpoint()
            text = ""
            with self.attempts.attempt(f"{self.document.path}: hovers"):
                span = self.document.span(entry.statement, entry.node)
                if self.document.chunk_of(entry.statement).is_as_parsed(span.start, span.end):
                    text = _text(entry, flat(self.document.source(span)))
            if text:
                is_whole = not any(start <= span.start < end for start, end in self.unfinished)
                hint = self.hints.get(key, "") if is_whole else ""
                yield Place(span.start, span.end, text, hint, is_parameter=key in self.parameters)

    def _operation(self, op: Op) -> None:
        entry = self._value(op.site, op.site.node, op.outputs if len(op.outputs) > 1 else op.output) if op.outputs else None
        if entry is not None and not entry.inputs:
            shown = ((name, type_text(value)) for name, value in op.args.items())
            entry.inputs = tuple(f"    {name}: {text}" for name, text in shown if text)

    def _value(self, site: Site, node: libcst.CSTNode | None, value: Value) -> _Entry | None:
        text = layer_text(value) if isinstance(value, InstanceVal) else type_text(value)
        if node is None or not text or not self._is_here(site):
            return None
        entry = self.entries.setdefault(id(node), _Entry(site.statement, node))
        if isinstance(value, InstanceVal):
            entry.layers.setdefault(text)
        elif text not in entry.types:
            entry.types[text] = why_unknown(value.type) if isinstance(value, TensorVal) else ""
            entry.values.append(value)
            if not self._is_real and _is_vague(value):
                entry.vague.add(id(value))
        self._range(entry, text, value)
        return entry

    def _range(self, entry: _Entry, type_: str, value: Value) -> None:
        """Note between which numbers the elements of a tensor lie."""
        value = unwrap(value)
        if isinstance(value, TensorVal) and self.facts is not None and len(entry.ranges.setdefault(type_, {})) < _MOST_WAYS:
            entry.ranges[type_].setdefault(range_text(self.facts.ranges.of(value)))

    def _target(self, statement: libcst.CSTNode, target: libcst.CSTNode, value: libcst.BaseExpression) -> None:
        """Of a name or attribute, what it is told to get, or what the expression gives; of a pattern, what its names get."""
        if isinstance(target, (libcst.Tuple, libcst.List)):
            self._sizes(statement, target, self.entries.get(id(asked_for_sizes(value))))
            for element in target.elements:
                self._target(statement, element.value, element.value)
        elif isinstance(target, (libcst.Name, libcst.Attribute)):
            known = self.entries.get(id(target)) or self.entries.get(id(value))
            if known is not None:
                remarks = known.remarks if known.layers else {}
                self.entries[id(target)] = _Entry(
                    statement, target, known.types, known.ranges, known.values, known.vague, known.layers, remarks=remarks
                )
                self._hint(target)

    def _sizes(self, statement: libcst.CSTNode, target: libcst.Tuple | libcst.List, tensor: _Entry | None) -> None:
        """Tell the sizes that ``b, t, c = x.shape`` takes apart."""
        shapes = [value.shape for value in tensor.values if isinstance(value, TensorVal)] if tensor is not None else []
        for axis, element in enumerate(target.elements):
            fitting = [shape[axis] for shape in shapes if not isinstance(shape, Unknown) and len(shape) == len(target.elements)]
            if shapes and len(fitting) == len(shapes) and isinstance(element.value, libcst.Name):
                entry = self.entries.setdefault(id(element.value), _Entry(statement, element.value))
                entry.types |= dict.fromkeys((f"int = {show(size)}" for size in fitting), "")

    def _hint(self, name: libcst.CSTNode) -> None:
        """Show the type behind a name if there is but one and its shape is known."""
        known = self.entries.get(id(name))
        if known is not None and isinstance(name, libcst.Name):
            texts = [type_ for type_, unknown in known.types.items() if not unknown]
            if len(texts) == len(known.types) == 1:
                self.hints[id(name)] = f": {texts[0]}"
            elif text := known.common():
                self.hints[id(name)] = f": {text}"
            else:
                self.hints.pop(id(name), None)


def _is_vague(value: Value) -> bool:
    tensor = unwrap(value)
    return isinstance(tensor, TensorVal) and (isinstance(tensor.shape, Unknown) or isinstance(tensor.dtype, Unknown))


def asked_for_sizes(value: libcst.BaseExpression) -> libcst.BaseExpression | None:
    """The expression whose ``.shape`` or ``.size()`` another one is."""
    if isinstance(value, libcst.Call) and not value.args and isinstance(value.func, libcst.Attribute):
        return value.func.value if value.func.attr.value == "size" else None
    return value.value if isinstance(value, libcst.Attribute) and value.attr.value == "shape" else None


def _text(entry: _Entry, source: str) -> str:
    """The hover of a node with some source, in Markdown."""
    is_name = isinstance(entry.node, (libcst.Name, libcst.Attribute))
    arrow = ": " if is_name else " -> "
    common = entry.common() if len(entry.types) > 1 else ""
    lines = [f"{source}{arrow}{common}", "# of its calls:"] if common else []
    lines += [f"{source}{arrow}{_ranged(entry, type_)}" for type_ in list(entry.types)[:_MOST_WAYS]]
    if len(entry.types) > _MOST_WAYS:
        lines.append(f"… and {len(entry.types) - _MOST_WAYS} more")
    if len(entry.types) == 1:
        lines += entry.inputs
    before = f"{source} = " if is_name else ""
    layers = [f"{before}{layer}" for layer in list(entry.layers)[:_MOST_WAYS]]
    if isinstance(entry.statement, libcst.ClassDef) and (entry.node is entry.statement.name or source == "__init__"):
        layers = [f"class {entry.statement.name.value}"]
    lines += layers
    reasons = dict.fromkeys(reason for reason in entry.types.values() if reason)
    return "\n\n".join([code_block(*lines), *reasons, *list(entry.remarks)[:_MOST_WAYS]]) if lines else ""


def _ranged(entry: _Entry, type_: str) -> str:
    """A type with the range of its numbers, if it is the same on all ways."""
    (text, *others) = entry.ranges.get(type_) or ("",)
    return f"{type_} {text}" if text and not others else type_


def _codes(document: Document, pages: Pages) -> Iterator[Place]:
    for start, end in (*codes_in_comments(document), *codes_in_noqa(document)):
        text = pages.text(document.text[start:end])
        if text:
            yield Place(start, end, text)
