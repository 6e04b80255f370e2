"""Configuration variants: which settings a run has shown, and the one that a run is made under.

A default decides a branch, so one run shows one arm. The other arm means something only together with everything else
that the setting changes: the entry is run again with the other value (:mod:`dllint.lower.variants.runs`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

import libcst as cst

from dllint.domains.dim import symbol
from dllint.domains.lattice import Unknown
from dllint.ir.values import AbstractVal, Assumed, LibSymbol, Value, unwrap
from dllint.lower import exceptions
from dllint.lower.variants.variant import RefusedError, Variant
from dllint.source.memo import of_node
from dllint.source.walk import children

if TYPE_CHECKING:
    from dllint.lower.parts import Derives, Paths, Varies
    from dllint.lower.state import Control, Identities, Run


class _Marker(AbstractVal):
    """A kind of value that is made when it is needed."""


#: Some value that is not None, and a number above zero.
GIVEN: Final = _Marker()
POSITIVE: Final = _Marker()
#: Calls that compute nothing about tensors.
_IDLE: Final = frozenset(
    {"print", "isinstance", "len", "super", "hasattr", "getattr", "setattr", "int", "float", "str", "min", "max"}
)


def setting(known: Identities, run: Run, source: str, default: Value, make: Callable[[], Value] | None = None) -> Value:
    """The value of what has a default: the default, or what this run gives it instead. ``make`` gives a value of its type."""
    plain = run.defaults[source] = unwrap(default)
    if source not in run.values or not _applies_to(plain, run.values[source]):
        return default if isinstance(default, (Assumed, Unknown)) else Assumed(plain, source)
    value = run.values[source]
    if value is POSITIVE:
        return symbol(source, "parameter")
    if value is not GIVEN:
        return value
    value = make() if make is not None else None
    if value is None or isinstance(value, Unknown):
        value = Unknown(value.reason if value is not None else "parameter", source)
        known.given.note(value, True)
    return value


def _applies_to(default: Value, value: Value) -> bool:
    """Whether a default can be what a variant replaces: another parameter may have the same name."""
    if value is GIVEN:
        return default is None
    return type(default) is type(value) if value is not POSITIVE else type(default) is int


def option(m: Varies, source: str, default: Value) -> Value:
    """The value of an option of the command line. Who sets one option otherwise may have to name other things along with it
    (the data set of a task), so the names that are other options' defaults are left open then."""
    if m.run.values and source not in m.run.values and isinstance(unwrap(default), str):
        m.run.defaults[source] = unwrap(default)
        return m.derive(("option", source), lambda: Unknown("parameter", source))
    return setting(m.known, m.run, source, default)


def note(m: Varies, node: cst.If | cst.IfExp, value: Assumed) -> None:
    """A default has decided a branch: note how it would go the other way, if that concerns tensors."""
    run = m.run
    if m.control.contrary or run.active or value.source not in run.defaults:
        return
    for variant in _variants_tested(m, value.source, run.defaults[value.source], node):
        if variant.text not in run.found and (_works(node.body) or _works(node.orelse)):
            run.found[variant.text] = variant


def _variants_tested(m: Varies, source: str, default: Value, node: cst.CSTNode) -> Iterator[Variant]:
    if isinstance(default, str):
        for option in compared(m, node):
            if option != default:
                yield text_variant(source, option)
    else:
        yield from variants_of(source, default)


def text_variant(source: str, option: str) -> Variant:
    """A text that conditions ask for."""
    return Variant(source, option, f"{source} is {option!r}")


def variants_of(source: str, default: Value) -> Iterator[Variant]:
    """The other value of a flag, of a value that may be missing, of a number that is zero by default."""
    if isinstance(default, bool):
        yield Variant(source, not default, f"{source} is {not default}")
    elif default is None:
        yield Variant(source, GIVEN, f"{source} is given")
    elif type(default) is int and default == 0:
        yield Variant(source, POSITIVE, f"{source} > 0")


def compared(m: Varies, node: cst.CSTNode | None) -> Iterator[str]:
    """The texts that a chain of conditions compares something with."""
    while isinstance(node, (cst.If, cst.IfExp)):
        test = node.test
        if isinstance(test, cst.Comparison) and len(test.comparisons) == 1:
            target = test.comparisons[0]
            if isinstance(target.operator, cst.Equal) and isinstance(target.comparator, cst.SimpleString):
                text = m.eval(target.comparator)
                if isinstance(text, str):
                    yield text
        node = node.orelse


def _works(node: cst.CSTNode | None) -> bool:
    """Whether an arm calls something that may concern tensors; an arm that only raises does not."""
    return node is not None and _calls(node)


@of_node
def _calls(node: cst.CSTNode) -> bool:
    todo = [node]
    while todo:
        current = todo.pop()
        if current.__class__ is cst.Raise:
            continue
        if current.__class__ is cst.Call and not (isinstance(current.func, cst.Name) and current.func.value in _IDLE):
            return True
        todo += children(current)
    return False


def refuse(control: Control, run: Run) -> None:
    """Note that the code raises; under a setting this means that the setting is not allowed.

    Raises:
        RefusedError: the present run is made under a setting, and the code raises on every way.
    """
    if run.active and not control.undecided and not control.contrary:
        raise RefusedError


# --- None used as an object -------------------------------------------------------------------------------------------------


def used(m: Paths, value: Assumed, error: str) -> Value:
    """What a default is where its attribute, an item or the result of calling it is asked for: the default, or, as None has
    none of these, something that is given. Where a statement catches the ``error`` that None raises, None may be meant, too."""
    if value.value is not None:
        return value.value
    exceptions.may_raise(m, (LibSymbol(f"builtins.{error}"),))
    return given(m, value)


def usable(m: Paths, options: tuple[Value, ...], error: str) -> list[Value]:
    """Those of several values that can be used as an object, of which one is meant: all but None, if there are others. Where a
    statement catches the ``error`` that None raises, that may happen, too."""
    found: list[Value] = [option for option in options if option is not None]
    if not found or len(found) == len(options):
        return list(options)
    exceptions.may_raise(m, (LibSymbol(f"builtins.{error}"),))
    return found


def given(m: Derives, value: Assumed) -> Unknown:
    """Something that is given in the place of a default, always the same for the same one."""
    return m.derive(("given", id(value)), lambda: _noted(m, Unknown("parameter", value.source)), value)


def _noted(m: Derives, value: Unknown) -> Unknown:
    m.known.given.note(value, True)
    return value
