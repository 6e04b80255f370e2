"""What to run besides the top level: model classes and functions that nothing has called."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, Any, Final

import libcst as cst

from dllint.domains.lattice import Unknown
from dllint.ir.program import Program, TensorVal
from dllint.ir.values import Arguments, Assumed, ClassVal, DictVal, FuncVal, InstanceVal, LibSymbol, ListVal, Value, unwrap
from dllint.ir.watched import answer
from dllint.lower import callers, duck, functions, mro, names, seeding, set_later, unreached
from dllint.lower.documented import shapes
from dllint.lower.signatures import signature
from dllint.source.constructions import Untold, passed_within
from dllint.source.walk import walk

if TYPE_CHECKING:
    from dllint.frameworks.machine import Machine
    from dllint.lower.machine import Interpreter
    from dllint.lower.parts import Refines
    from dllint.lower.scopes import Frame
    from dllint.lower.state import Trail
    from dllint.source.document import Document
    from dllint.source.example_calls import Example
    from dllint.source.workspace import Files

#: Library bases whose subclasses are run, and the methods that the library would call, first the main one.
_PROTOCOLS = {
    "torch.nn.Module": ("forward", "training_step", "validation_step", "test_step", "predict_step"),
    "keras.layers.Layer": ("call", "train_step", "test_step"),
    "keras.Model": ("call", "train_step", "test_step"),
}


@dataclass(frozen=True, slots=True)
class Halves:
    """The two halves of a run: an object is made, and a method of it is run, whose code the first half has not looked at."""

    make: Callable[[], Value]
    use: Callable[[Value], None]


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing to run, under a name for the reader; ``subject`` is what it runs: a function, or a class with its method and
    the object or the arguments that earlier entries have left for it."""

    name: str
    run: Callable[[], None]
    subject: tuple[Value, ...]
    #: Whether it most likely repeats what other entries have shown (one more size of a model).
    minor: bool = False
    #: Whether it is run before the models, to see how they are built: it must leave fuel for them.
    leading: bool = False
    #: Whether it is a function without parameters.
    takes_nothing: bool = False
    #: The halves of ``run``, where it runs a method of an object.
    halves: Halves | None = None
    #: Whether it makes that object, as no earlier entry has left one. A run under another setting always makes one.
    makes_object: bool = False

    @property
    def is_spare(self) -> bool:
        """Whether nothing is missed if there is no fuel to begin it."""
        return self.minor or self.leading

    @property
    def key(self) -> Hashable:
        """The same for an entry of the same name and the same objects."""
        return self.name, *map(id, self.subject)

    def program(self) -> Program:
        """An empty program for a run of it."""
        return Program(self.name, takes_nothing=self.takes_nothing)


def uncalled(m: Interpreter) -> Iterator[Entry]:
    """Entries in a good order: functions that only build models, then models (the last defined first, since it uses the
    others), then the other functions. What an earlier entry has called is left out."""
    functions_ = _distinct(m.trail.definitions)
    builders = {id(f): f for f in functions_ if answer(seeding.is_builder, f, m.known)}
    definitions: dict[int, frozenset[str]] = {}
    for func in builders.values():
        variables = func.scope.module.vars
        if id(variables) not in definitions:
            definitions[id(variables)] = _defined(m.document, variables)
        if id(func.origin_node) not in m.trail.called and _shows_more(m.trail, func, definitions[id(variables)]):
            yield replace(_of_function(m, func), leading=True)
    yield from _imported_models(m)
    for cls in reversed([c for c in m.trail.classes if c.document is m.document]):
        yield from _class_entries(m, cls)
    yield from _graph_classes(m)
    yield from _workers(m)
    steps = duck.STEPS if duck.is_training_code(m.document, m.frame) else frozenset()
    for cls in [c for c in m.trail.classes if c.document is m.document and protocol(c)]:
        for method in unreached.training(m.trail, cls, steps):
            yield _of_method(m, cls, method, unreached.tensors(cls, method))
        for method in unreached.methods(m.trail, cls):
            yield replace(_of_method(m, cls, method, unreached.tensors(cls, method)), minor=True)
    for func in [*(f for f in functions_ if id(f) not in builders), *builders.values()]:
        if id(func.origin_node) not in m.trail.called:
            yield _of_function(m, func, minor=id(func) in builders)


def _distinct(definitions: list[FuncVal]) -> list[FuncVal]:
    """The first function of each definition: a loop makes one in every pass."""
    first: dict[int, FuncVal] = {}
    for func in definitions:
        first.setdefault(id(func.origin_node), func)
    return list(first.values())


#: Functions that are not defined, or not finite, for every number.
_PARTIAL = frozenset({"log", "log2", "log10", "log1p", "exp", "expm1", "sqrt", "rsqrt", "acos", "div", "divide"})
_COMPUTES = re.compile(rf"\.(?:{'|'.join(sorted(_PARTIAL))})\(")


def computes(text: str) -> bool:
    """Whether source text may call one of the functions in ``_COMPUTES``."""
    return _COMPUTES.search(text) is not None


def _workers(m: Interpreter) -> Iterator[Entry]:
    """Methods of plain classes that nothing has called and that contain mathematics or training steps, or lead to methods of
    their class that contain such steps: those first that call the others, so that the loops around a step are followed."""
    steps = duck.STEPS if duck.is_training_code(m.document, m.frame) else frozenset()
    for cls in [c for c in m.trail.classes if c.document is m.document and not protocol(c)]:
        own = [method for method in cls.attrs.values() if isinstance(method, FuncVal) and method.kind == "function"]
        wanted = frozenset() if mro.library_bases(cls) else steps
        for method, trains in callers.first(own, wanted, _PARTIAL):
            if id(method.origin_node) in m.trail.called:
                continue
            entry = _of_method(m, cls, method, unreached.tensors(cls, method) if trains else None)
            is_built = method.name == "__init__"
            yield replace(entry, run=partial(_only_construct, m, cls), halves=None, makes_object=False) if is_built else entry


def _graph_classes(m: Interpreter) -> Iterator[Entry]:
    """Plain classes whose methods build graphs (TensorFlow 1): nothing but the program itself calls them."""
    for cls in [c for c in m.trail.classes if c.document is m.document and not protocol(c)]:
        methods = [f for f in cls.attrs.values() if isinstance(f, FuncVal) and f.kind == "function"]
        if not any(_builds_graph(m, f) for f in methods):
            continue
        if id(cls) not in m.trail.built:
            yield Entry(f"{cls.name}.__init__", partial(_only_construct, m, cls), (cls, *_left_for(m.document, m.trail, cls)))
        for method in methods:
            if id(method.origin_node) not in m.trail.called and _builds_graph(m, method):
                yield _of_method(m, cls, method)


def _builds_graph(m: Interpreter, func: FuncVal) -> bool:
    """Whether a function mentions a name that stands for TensorFlow or a part of it."""
    variables = func.scope.module.vars
    mentioned = answer(_mentions, func, frozenset(dict.keys(variables)))
    found = (m.forced(variables, name, variables[name]) for name in sorted(mentioned))
    return any(isinstance(value, LibSymbol) and value.name.startswith("tensorflow") for value in found)


def _defined(document: Document, variables: dict[str, Value]) -> frozenset[str]:
    """The names of the classes and functions of the document among the variables of a module."""
    own = ((name, value) for name, value in dict.items(variables) if isinstance(value, (ClassVal, FuncVal)))
    return frozenset(name for name, value in own if value.document is document)


def _shows_more(trail: Trail, func: FuncVal, definitions: frozenset[str]) -> bool:
    """Whether a function mentions one of some classes and functions of the document that has not been executed yet."""
    for name in answer(_mentions, func, definitions):
        value = func.scope.module.vars.get(name)
        if isinstance(value, ClassVal) and id(value) not in trail.built and protocol(value):
            return True
        if isinstance(value, FuncVal) and id(value.origin_node) not in trail.called:
            return True
    return False


def _mentions(func: FuncVal, wanted: frozenset[str]) -> frozenset[str]:
    """Those of some names that the body of a function mentions."""
    return wanted.intersection(names.mentioned(func.node.body))


def _of_function(m: Interpreter, func: FuncVal, *, minor: bool = False) -> Entry:
    def run() -> None:
        m.frame.statement = m.frame.node = func.node
        m.program.results = functions.execute(m, func, seeding.parameters(m, func))

    return Entry(func.name, run, (func,), minor, takes_nothing=answer(_takes_nothing, func))


def _takes_nothing(func: FuncVal) -> bool:
    parameters: cst.Parameters = func.node.params
    named = (*parameters.posonly_params, *parameters.params, *parameters.kwonly_params)
    return not named and not isinstance(parameters.star_arg, cst.Param) and parameters.star_kwarg is None


def _imported_models(m: Interpreter) -> Iterator[Entry]:
    """A model of an imported class that is built here out of blocks of this document: it determines what the blocks are fed.
    One is enough."""
    made, parts = m.trail.instances, m.trail.parts
    own = {id(i.cls) for i in made if isinstance(i.cls, ClassVal) and i.cls.document is m.document and id(i) in parts}
    for instance in made if own else ():
        cls = instance.cls
        if not isinstance(cls, ClassVal) or cls.document is m.document or id(instance) in parts or not protocol(cls):
            continue
        method = mro.lookup(cls, protocol(cls)[0])
        if isinstance(method, FuncVal) and id(method.origin_node) not in m.trail.called:
            run = partial(_use, m, cls, method, None, instance)
            yield Entry(f"{cls.name}.{method.name}", run, (cls, method, instance))
            return


def _class_entries(m: Interpreter, cls: ClassVal) -> Iterator[Entry]:
    for name in protocol(cls):
        method = mro.lookup(cls, name)
        if isinstance(method, FuncVal) and method.kind == "function" and id(method.origin_node) not in m.trail.called:
            yield _of_method(m, cls, method, name=name)
    if id(cls) not in m.trail.built and protocol(cls):
        yield Entry(f"{cls.name}.__init__", lambda: _only_construct(m, cls), (cls, *_left_for(m.document, m.trail, cls)))


def main_entry(m: Interpreter, cls: ClassVal) -> Entry | None:
    """The entry of a model class's main method, whether something has called it or not."""
    for name in protocol(cls)[:1]:
        method = mro.lookup(cls, name)
        if isinstance(method, FuncVal) and method.kind == "function":
            return _of_method(m, cls, method, name=name)
    return None


def protocol(cls: ClassVal | LibSymbol) -> tuple[str, ...]:
    """The methods that a library calls on objects of a class."""
    return next((_PROTOCOLS[base] for base in mro.library_bases(cls) if base in _PROTOCOLS), ())


def _only_construct(m: Interpreter, cls: ClassVal) -> None:
    instance_of(m, cls)


def _left_for(document: Document, trail: Trail, cls: ClassVal) -> tuple[InstanceVal | None, Arguments | None]:
    """The first object of a class that the document makes, and the arguments of its first construction with something
    unknown. Of a plain class that the document constructs in several places, one object says nothing about the others."""
    if not protocol(cls) and _is_made_variously(document, cls):
        return None, Arguments()
    made = trail.instances.first(cls, attrgetter("cls"))
    vague = trail.vague.first(cls, itemgetter(0))
    return made, vague[1] if vague is not None else None


def _is_made_variously(document: Document, cls: ClassVal) -> bool:
    """Whether the document has several constructions of a class."""
    return len(document.answer(passed_within, cls.name)) > 1


def instance_of(m: Interpreter, cls: ClassVal) -> Value:
    """An instance of a class: one that the document makes, else one with invented arguments."""
    if m.run.active:
        return _varied(m, cls)
    made, given = _left_for(m.document, m.trail, cls)
    init = mro.lookup(cls, "__init__") if m.run.opened else None
    if isinstance(init, FuncVal) and id(init.origin_node) in m.run.opened:
        return _invented(m, cls, given)
    return made if made is not None else _invented(m, cls, given)


def _place(cls: ClassVal) -> Any:
    """The statement of a class as a place, which does not look at its code."""
    return cls.site.statement if cls.site is not None else cls.node


def is_invented(instance: InstanceVal) -> bool:
    """Whether an object is built by no code of the document but was made for running its class."""
    return isinstance(instance.cls, ClassVal) and instance.site is not None and instance.site.node is _place(instance.cls)


def _varied(m: Interpreter, cls: ClassVal) -> Value:
    """A new instance, made as the last one was but for what the run is made under."""
    arguments = m.trail.default_arguments.get(id(cls))
    init = mro.lookup(cls, "__init__")
    if arguments is None or not isinstance(init, FuncVal):
        return _invented(m, cls, _left_for(m.document, m.trail, cls)[1])
    seeds = seeding.parameters(m, init, skip=1)
    given = set(signature(m.known, init.node).positional[1 : len(arguments.args) + 1])
    defaults = {k for k in m.run.opened.get(id(init.origin_node), ()) if isinstance(arguments.kwargs.get(k), Assumed)}
    own = {k: seeds[k] for k in (*m.run.values, *defaults) if k in seeds and k not in given}
    more = seeding.further(m.known, m.run, init)
    star, double_star = arguments.star or more.star, arguments.double_star or more.double_star
    return m.call(cls, replace(arguments, kwargs={**arguments.kwargs, **own}, star=star, double_star=double_star))


def _invented(m: Interpreter, cls: ClassVal, given: Arguments | None) -> Value:
    """An instance built with the arguments that all constructions of a class agree on, else with defaults and symbolic
    sizes."""
    m.frame.statement = m.frame.node = _place(cls)
    init = mro.lookup(cls, "__init__")
    if not isinstance(init, FuncVal):
        return m.call(cls, Arguments())
    seeds = seeding.parameters(m, init, skip=1)
    given = given or _elsewhere(m.document, m.workspace, cls)
    if not given.args and not given.kwargs and m.run.trusted:
        names = signature(m.known, init.node).names
        likely = _likely(m.document, m.workspace, cls, names, names & seeds.keys() - set(init.defaults))
        if likely.args or likely.kwargs:
            return _made_likely(m, cls, init, seeds, likely)
    return _made(m, cls, init, seeds, given)


def _made(m: Interpreter, cls: ClassVal, init: FuncVal, seeds: dict[str, Value], given: Arguments) -> Value:
    """An object made with arguments, as far as they are known, and invented ones."""
    named = dict(zip(signature(m.known, init.node).positional[1:], given.args, strict=False)) | given.kwargs
    left_open = m.run.opened.get(id(init.origin_node), frozenset())
    known = {k: v for k, v in named.items() if k in seeds and not isinstance(unwrap(v), Unknown)}
    values = seeds | {k: v for k, v in known.items() if k not in left_open or not isinstance(v, Assumed)}
    return m.call(cls, replace(seeding.further(m.known, m.run, init), kwargs=values))


def _made_likely(m: Interpreter, cls: ClassVal, init: FuncVal, seeds: dict[str, Value], likely: Arguments) -> Value:
    """An object for this run alone, whose faults prove nothing: other entries do not find it."""
    m.run.relied = m.run.likely = True
    before = list.__len__(m.trail.instances)
    made = _made(m, cls, init, seeds, likely)
    m.trail.instances.cut(before)
    return made


def _elsewhere(document: Document, workspace: Files | None, cls: ClassVal) -> Arguments:
    """The arguments with which another file constructs a class of this document, as far as is known from the workspace."""
    if workspace is None or cls.document is not document:
        return Arguments()
    found = workspace.construction(document.path, cls.name)
    if found is None:
        return Arguments()
    return Arguments(tuple(map(_literal, found.args)), {name: _literal(value) for name, value in found.kwargs.items()})


def _likely(
    document: Document, workspace: Files | None, cls: ClassVal, names: Collection[str], needed: Collection[str]
) -> Arguments:
    """The arguments with which a class is likely constructed, as far as they are sizes, flags and names: they prove nothing."""
    if workspace is None or cls.document is not document or not protocol(cls):
        return Arguments()
    found = workspace.likely_construction(document.path, cls.name, names, needed)
    if found is None:
        return Arguments()
    return Arguments(tuple(map(_literal, found.args)), {name: _literal(value) for name, value in found.kwargs.items()})


def _literal(value: Value) -> Value:
    """A Python literal as an abstract value; Unknown stands for what is not told."""
    if isinstance(value, Untold):
        return Unknown("parameter")
    if isinstance(value, tuple):
        return tuple(map(_literal, value))
    if isinstance(value, list):
        return ListVal([_literal(item) for item in value])
    if isinstance(value, dict):
        return DictVal({key: _literal(item) for key, item in value.items()})
    return value if not isinstance(value, set) else Unknown("literal", "set")


def _of_method(
    m: Interpreter,
    cls: ClassVal,
    method: FuncVal,
    tensors: bool | frozenset[str] | None = None,
    *,
    name: str = "",
) -> Entry:
    """The entry of a method, under a name that it may have in the class; ``tensors`` says whether, or which of, its parameters
    are tensors (None: all those of models)."""
    made, given = _left_for(m.document, m.trail, cls)
    use = partial(_use, m, cls, method, tensors)
    return Entry(
        f"{cls.name}.{name or method.name}",
        lambda: use(instance_of(m, cls)),
        (cls, method, made, given),
        halves=Halves(partial(instance_of, m, cls), use),
        makes_object=made is None,
    )


def _use(m: Interpreter, cls: ClassVal, method: FuncVal, tensors: bool | frozenset[str] | None, instance: Value) -> None:
    """Run a method of an object."""
    m.frame.statement = m.frame.node = _place(cls) if cls.document is m.document else _built_at(m.document, m.frame, instance)
    if not isinstance(instance, InstanceVal):
        return
    m.run.owner = instance
    guessed = bool(protocol(cls)) or not _builds_graph(m, method) if tensors is None else tensors
    seeds = seeding.parameters(m, method, skip=1, tensors=guessed, part=id(instance) in m.trail.parts)
    _open_collections(m, cls, instance, method)
    if method.name in _COMPUTING and m.run.trusted:
        found = (
            m.workspace.example(m.document.path, cls.name) if m.workspace is not None and cls.document is m.document else None
        )
        _note_example(m, found, signature(m.known, method.node).positional[1:], seeds)
    if any(value is None for value in instance.attrs.values()):
        for name, value in set_later.opened(instance, answer(set_later.by_methods, cls)).items():
            m.write(instance.attrs, name, value)
    for name, value in set_later.forgotten(instance, answer(set_later.changed_by_others, cls, method)).items():
        m.write(instance.attrs, name, value)
    m.program.results = _apply(m, cls, instance, method, seeds)


#: What the call of a module or layer runs.
_COMPUTING: Final = ("forward", "call")


def _note_example(m: Refines, found: Example | None, names: Iterable[str], seeds: Mapping[str, Value]) -> None:
    """The sizes that texts and tests pass to objects of a class are those that its inputs likely have."""
    for name, sizes in [*zip(names, found.args, strict=False), *found.kwargs.items()] if found is not None else ():
        seed = seeds.get(name)
        if sizes is not None and isinstance(seed, TensorVal):
            shapes.note_example(m, sizes, seed)


def _open_collections(m: Machine, cls: ClassVal, instance: InstanceVal, method: FuncVal) -> None:
    """What was empty after ``__init__`` may hold anything in a method that is run by itself, if another one fills it."""
    empty = [
        name
        for name, value in instance.attrs.items()
        if isinstance(value, (ListVal, DictVal)) and not value.items and value.rest is None
    ]
    for name in empty:
        if answer(_is_used_by_another, cls, method, name):
            reason = Unknown("filled-elsewhere", name)
            filled = ListVal([], reason) if isinstance(instance.attrs[name], ListVal) else DictVal({}, reason)
            m.write(instance.attrs, name, filled)


def _is_used_by_another(cls: ClassVal, method: FuncVal, name: str) -> bool:
    """Whether a method other than the constructor and the given one has to do with an attribute."""
    others = (value for key, value in cls.attrs.items() if isinstance(value, FuncVal) and key != "__init__")
    return any(
        isinstance(part, cst.Attribute) and part.attr.value == name
        for other in others
        if other is not method
        for part in walk(other.node)
    )


def _built_at(document: Document, frame: Frame, instance: Value) -> Any:
    """The statement of this document that makes an object of an imported class."""
    stack = instance.site.stack() if isinstance(instance, InstanceVal) and instance.site is not None else ()
    return next((site.statement for site in reversed(stack) if site.document is document), frame.statement)


def _apply(m: Interpreter, cls: ClassVal, instance: InstanceVal, method: FuncVal, seeds: dict[str, Value]) -> Any:
    """Keras builds a layer before its first call, so its protocol is gone through; a torch method is run directly."""
    if method.name == "call" and any(base.startswith("keras.") for base in mro.library_bases(cls)):
        return m.call(instance, seeding.as_arguments(m.known, method, seeds))
    sig = signature(m.known, method.node)
    return functions.execute(m, method, {sig.positional[0]: instance, **seeds}) if sig.positional else None
