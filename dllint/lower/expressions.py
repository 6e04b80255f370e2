"""Names, literals, attributes, calls, containers and conditional expressions."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import partial, reduce
from typing import TYPE_CHECKING, Any, Final

import libcst as cst

from dllint.domains.lattice import Unknown
from dllint.ir import events
from dllint.ir.values import Arguments, Assumed, DictVal, Further, InstanceVal, IterVal, ListVal, Value, unwrap
from dllint.lower import attributes, branches, bulk, calling, contents, duck, iteration, lists, mro, sets, strings
from dllint.lower.dispatch import EVALUATE, evaluates
from dllint.lower.identity import key_of
from dllint.lower.joining import further, join
from dllint.lower.lazy import ChoiceVal, SuperVal
from dllint.lower.pending import ImportVal
from dllint.lower.scopes import MISSING, Scope
from dllint.lower.telling import with_tensors
from dllint.lower.variants import settings

if TYPE_CHECKING:
    from dllint.frameworks.machine import Machine
    from dllint.lower.machine import Interpreter
    from dllint.lower.parts import Evaluates, Joins


@evaluates(cst.Name)
def _name(m: Interpreter, node: cst.Name) -> Value:
    name = node.value
    own = m.frame.scope
    scope: Scope | None = own if own.outer is None else own.outer.get(name, own)
    while scope is not None:
        value = scope.vars.get(name, MISSING)
        if value is not MISSING:
            if scope is own and (told := with_tensors(value)) is not None:
                m.frame.node = node
                m.event(events.Read, name=name, value=told)
            return m.forced(scope.vars, name, value) if type(value) is ImportVal else value
        scope = scope.parent
    return m.builtin(name)


@evaluates(cst.Integer)
def _integer(_m: Machine, node: cst.Integer) -> Value:
    text = node.value
    if text.isdecimal() and (text[0] != "0" or len(text) == 1):
        return int(text) if len(text) < 4000 else Unknown("large-number")
    return bulk.limited(_literal(text))


@evaluates(cst.Float)
def _float(_m: Machine, node: cst.Float) -> Value:
    return float(node.value)


@evaluates(cst.Imaginary)
def _imaginary(_m: Machine, node: cst.Imaginary) -> Value:
    return _literal(node.value)


def _literal(text: str) -> Value:
    try:
        value: Value = ast.literal_eval(text)
        return value
    except (ValueError, SyntaxError):
        return Unknown("literal", text[:20])


@evaluates(cst.SimpleString)
def _string(_m: Machine, node: cst.SimpleString) -> Value:
    text = node.value
    quote = text[0]
    if quote in "'\"" and "\\" not in text and text[1:3] != quote * 2:
        return text[1:-1]
    return _literal(text)


@evaluates(cst.ConcatenatedString)
def _concatenated(m: Evaluates, node: cst.ConcatenatedString) -> Value:
    left, right = m.eval(node.left), m.eval(node.right)
    if isinstance(left, str) and isinstance(right, str):
        return left + right
    return left + right if isinstance(left, bytes) and isinstance(right, bytes) else Unknown("unknown-string")


@evaluates(cst.FormattedString)
def _formatted(m: Evaluates, node: cst.FormattedString) -> Value:
    return strings.formatted(m, node)


@evaluates(cst.Ellipsis)
def _ellipsis(_m: Machine, _node: cst.Ellipsis) -> Value:
    return ...


@evaluates(cst.Attribute)
def _member(m: Interpreter, node: cst.Attribute) -> Value:
    inner = node.value
    receiver = _member(m, inner) if type(inner) is cst.Attribute else EVALUATE[type(inner)](m, inner)
    m.frame.node = node
    return attributes.get(m, receiver, node.attr.value)


# --- calls -----------------------------------------------------------------------------------------------------------------


@evaluates(cst.Call)
def _call(m: Interpreter, node: cst.Call) -> Value:
    func = node.func
    if type(func) is cst.Name and func.value == "super" and "super" not in m.frame.scope.vars:
        return _super(m, node)
    receiver: Value = None
    if type(func) is cst.Attribute:
        receiver, callee = _method_of_call(m, func)
    else:
        callee = EVALUATE[type(func)](m, func)
    arguments = call_arguments(m, node)
    m.frame.node = node
    if isinstance(callee, Unknown):
        name = func.attr.value if type(func) is cst.Attribute else ""
        if duck.is_mathematics(m.frame, receiver, name, arguments):
            return m.emit(name, {"x": receiver}, framework="torch", spelled=f"torch.Tensor.{name}")
        known = duck.state_method(duck.session_run(callee, receiver, name, arguments), receiver, name)
        if isinstance(known, Unknown):
            result = calling.call(m, known, arguments)
            duck.unknown_call(m, callee, receiver, name, arguments, result)
            return result
        duck.unknown_call(m, callee, receiver, name, arguments)
        callee = known
    return calling.call(m, callee, arguments)


#: What the call of a layer performs besides its hooks and checks → the class whose objects are called so.
_FORWARDS: Final = {"forward": "torch.nn.Module", "call": "keras.layers.Layer"}


def _method_of_call(m: Interpreter, func: cst.Attribute) -> tuple[Value, Value]:
    """The object whose method is called, and the method."""
    inner = func.value
    receiver = _member(m, inner) if type(inner) is cst.Attribute else EVALUATE[type(inner)](m, inner)
    m.frame.node = func
    name = func.attr.value
    if _is_forward(receiver, name) and m.frame.owner is not receiver:
        m.event(events.ForwardCall, callee=receiver)
    return receiver, attributes.get(m, receiver, name)


def _is_forward(receiver: Value, name: str) -> bool:
    """Whether a method is what the call of a layer performs."""
    return name in _FORWARDS and isinstance(receiver, InstanceVal) and _FORWARDS[name] in mro.library_bases(receiver.cls)


def call_arguments(m: Interpreter, node: cst.Call) -> Arguments:
    """The evaluated arguments of a call."""
    out = Arguments()
    nodes: dict[int | str, Any] = {}
    args: list[Value] = []
    for arg in node.args:
        value = EVALUATE[type(arg.value)](m, arg.value)
        if arg.star:
            _spread(m, out, args, value, arg.star)
        elif arg.keyword is not None:
            out.kwargs[arg.keyword.value] = value
            nodes[arg.keyword.value] = arg
        elif out.star is None:
            nodes[len(args)] = arg
            args.append(value)
        else:
            out.star = _followed(out.star, ListVal([value]))
    out.args, out.nodes = tuple(args), nodes
    return out


def _as_list(value: Value, items: list[Value] | Unknown) -> ListVal | Unknown:
    """What ``*value`` gives, as a list."""
    if isinstance(items, list):
        return ListVal(items)
    return ListVal(list(value.items), value.rest) if isinstance(value, (ListVal, IterVal)) and value.rest is not None else items


def _followed(star: Unknown | None, more: ListVal | Unknown) -> Unknown:
    """Arguments of unknown number, and further ones behind them."""
    if isinstance(more, Unknown):
        return more if star is None else Unknown(star.reason, star.detail)
    if star is not None and not isinstance(star, Further):
        return star
    return Further("unknown-length", "arguments", (*(star.parts if star is not None else ()), more))


def _spread(m: Interpreter, out: Arguments, args: list[Value], value: Value, star: str) -> None:
    value = value.value if isinstance(value, Assumed) else value
    if star == "*":
        value = iteration.iterator(m, value)
        items = m.consume(value)
        if isinstance(items, list) and out.star is None:
            args.extend(items)
        else:
            out.star = _followed(out.star, _as_list(value, items))
    elif isinstance(value, ChoiceVal) and all(isinstance(option, DictVal) for option in value.options):
        given: list[Arguments] = [Arguments() for _ in value.options]
        for option, each in zip(value.options, given, strict=True):
            _spread(m, each, [], option, star)
            out.double_star = each.double_star or out.double_star
        for name in dict.fromkeys(name for each in given for name in each.kwargs):
            values = [each.kwargs[name] for each in given if name in each.kwargs]
            certain = len(values) == len(given)
            out.kwargs[name] = reduce(partial(join, m), values) if certain else Unknown("maybe-given", name)
    elif isinstance(value, DictVal):
        out.kwargs.update({k: Unknown("maybe-given", k) for k in value.perhaps if isinstance(k, str)})
        out.kwargs.update({k: v for k, v in value.items.items() if isinstance(k, str)})
        if value.rest is not None and not value.perhaps:
            out.double_star = value.rest if isinstance(value.rest, Unknown) else Unknown("unknown-keys")
    elif isinstance(value, InstanceVal):
        names = _keys(m, value)
        out.kwargs.update({name: m.getitem(value, name) for name in names or ()})
        out.double_star = Unknown("unknown-keys") if names is None else out.double_star
    else:
        out.double_star = value if isinstance(value, Unknown) else Unknown("unknown-keys")


def _keys(m: Machine, value: InstanceVal) -> list[str] | None:
    """The keys of an object that is a mapping by its methods, if they are known texts."""
    method = mro.special(value, "keys")
    names = m.iterate(m.call(method, Arguments())) if method is not None else None
    known = [name for name in names if isinstance(name, str)] if isinstance(names, list) else []
    return known if isinstance(names, list) and len(known) == len(names) else None


def _super(m: Interpreter, node: cst.Call) -> Value:
    frame: Any = m.frame
    while frame is not None and frame.cls is None:  # a comprehension or nested function inside the method
        frame = frame.parent
    if len(node.args) == 2:
        after, receiver = (m.eval(arg.value) for arg in node.args)
        return SuperVal(after, receiver)
    if frame is None or frame.func is None:
        return m.unknown("super-outside-class")
    first = next(iter(frame.scope.vars.values()), None)
    return SuperVal(frame.cls, first)


#: Elements of a display that is worth counting, and those of it that are a unit of work.
_LONG_DISPLAY = 256
_ELEMENTS_PER_UNIT = 4

# --- containers ---------------------------------------------------------------------------------------------------------------


def pay_again(m: Joins, elements: Sequence[cst.BaseElement | cst.BaseDictElement]) -> None:
    """Charge fuel for a long literal that is evaluated again, because the length of the text does not bound that work."""
    if len(elements) < _LONG_DISPLAY:
        return
    if id(elements) in m.trail.displays:
        m.pay(len(elements) // _ELEMENTS_PER_UNIT)
    m.trail.displays[id(elements)] = elements


def sequence_items(m: Interpreter, elements: Sequence[cst.BaseElement | cst.BaseDictElement]) -> tuple[list[Value], Value]:
    """The items of a display, and what further items look like if a starred one is of unknown length."""
    pay_again(m, elements)
    items: list[Value] = []
    rest: Value = None
    for element in elements:
        value = EVALUATE[type(element.value)](m, element.value)
        if type(element) is cst.StarredElement:
            found = m.consume(value)
            more = found if isinstance(found, list) else [further(iteration.element(m, value))]
            fits = isinstance(found, list) and bulk.may_hold(len(items) + len(more))
        else:
            more, fits = [value], True
        if fits and rest is None:
            items.extend(more)
        else:
            rest = reduce(partial(join, m), more, more[0] if rest is None else rest)
    return items, rest


@evaluates(cst.Tuple)
def _tuple(m: Interpreter, node: cst.Tuple) -> Value:
    items, rest = sequence_items(m, node.elements)
    return tuple(items) if rest is None else ListVal(items, rest)


@evaluates(cst.List)
def _list(m: Interpreter, node: cst.List) -> Value:
    return ListVal(*sequence_items(m, node.elements))


@evaluates(cst.Set)
def _set(m: Interpreter, node: cst.Set) -> Value:
    return sets.set_of(m, *sequence_items(m, node.elements))


@evaluates(cst.Dict)
def _dict(m: Interpreter, node: cst.Dict) -> Value:
    out = DictVal()
    m.journal.note_created(out.items)
    pay_again(m, node.elements)
    for element in node.elements:
        if not isinstance(element, cst.DictElement):
            more = m.eval(element.value)
            more = contents.plain(m, more)
            if isinstance(more, DictVal):
                fits = bulk.may_hold(len(out.items) + len(more.items))
                out.items.update(more.items if fits else {})
                more_rest = more.rest if fits else Unknown("large-sequence")
                out.rest = more_rest if out.rest is None else out.rest
            else:
                out.rest = more if isinstance(more, Unknown) else Unknown("unknown-keys")
            continue
        key, value = m.eval(element.key), m.eval(element.value)
        key = key_of(key)
        if key is MISSING:
            out.rest = value
        else:
            out.items[key] = value
    m.frame.node = node
    out.site = m.frame.site()
    return out


# --- the rest -------------------------------------------------------------------------------------


@evaluates(cst.IfExp)
def _conditional(m: Interpreter, node: cst.IfExp) -> Value:
    test = m.eval(node.test)
    if type(test) is Assumed:
        settings.note(m, node, test)
    return branches.choose(m, node.test, test, lambda: m.eval(node.body), lambda: m.eval(node.orelse))


@evaluates(cst.NamedExpr)
def _walrus(m: Interpreter, node: cst.NamedExpr) -> Value:
    value = m.eval(node.value)
    if isinstance(node.target, cst.Name):
        m.store(node.target.value, value)
    return value


@evaluates(cst.Await)
def _await(m: Evaluates, node: cst.Await) -> Value:
    return m.eval(node.expression)


@evaluates(cst.Yield)
def _yield(m: Interpreter, node: cst.Yield) -> Value:
    if m.frame.at_yield is not None:
        context, m.frame.at_yield = m.frame.at_yield, None
        context(m.eval(node.value) if node.value is not None else None)
        return None
    yields = m.frame.yields if m.frame.yields is not None else ListVal()  # the frame of a comprehension is that of its function
    if isinstance(node.value, cst.From):
        source = unwrap(m.eval(node.value.item))
        result = source.result if isinstance(source, IterVal) else None
        found = m.consume(source)
        lists.extend(
            m,
            yields,
            found if isinstance(found, list) else [],
            None if isinstance(found, list) else iteration.element(m, source),
        )
        return result
    lists.extend(m, yields, [m.eval(node.value) if node.value is not None else None])
    return Unknown("sent-value")


@evaluates(cst.StarredElement)
def _starred(m: Evaluates, node: cst.StarredElement) -> Value:
    return m.eval(node.value)
