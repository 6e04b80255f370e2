"""Weights of a parallel wrapper: their names begin with ``module.``, so that they fit no model that is not wrapped."""

from __future__ import annotations

import re
from typing import Final, Literal

import libcst as cst

from dllint.analysis.facts import Facts
from dllint.analysis.given_as_loaded import is_given_as_loaded
from dllint.analysis.modules import is_resolved, tree, user_classes
from dllint.analysis.own_statements import enclosing
from dllint.analysis.said_in_files import any_says
from dllint.analysis.saved_files import save_of
from dllint.analysis.typestate import order
from dllint.ir.events import LibraryCall
from dllint.ir.program import Site
from dllint.ir.values import ClassVal, DictVal, InstanceVal, LibSymbol, Value, unwrap
from dllint.source.walk import dotted, small_statements, walk

#: Wrappers whose model is their attribute ``module`` (documentation of ``torch.nn.DataParallel``).
_WRAPPERS: Final = frozenset({"torch.nn.DataParallel", "torch.nn.parallel.DistributedDataParallel"})
_STATE: Final = "torch.nn.Module.state_dict"
#: Methods that give the object that they are called on.
_SAME: Final = frozenset({"to", "cuda", "cpu", "train", "eval", "float", "half", "double"})
#: Methods of a class of the code that may read or write weights under other names.
_RENAMING: Final = ("load_state_dict", "state_dict", "_load_from_state_dict", "_save_to_state_dict")
#: How code registers what is called with the weights before they are read, or after they are written.
_HOOKS: Final = re.compile(r"state_dict\w*_hook\(")

#: What weights are taken from, and what they are given to.
Side = Literal["wrapper", "model"]


def sides(load: LibraryCall, facts: Facts) -> tuple[Side, Side, LibraryCall] | None:
    """Of a call of ``load_state_dict`` with what a file holds: whether the weights were saved from a wrapper or a model,
    whether they are given to a wrapper or a model, and the call that saved them; ``None`` if one of these is not known."""
    given = unwrap(load.bound.get("state_dict"))
    save = save_of(given, facts)
    saved = unwrap(save.bound.get("obj")) if save is not None else None
    taken = [call for call in facts.events(LibraryCall) if call.name == _STATE and call.result is saved]
    if save is None or len(taken) != 1 or unwrap(load.bound.get("strict", True)) is not True:
        return None
    if not is_given_as_loaded(load, facts) or _registers_hooks(facts):
        return None
    source, target = _side(taken[0], facts), _side(load, facts)
    return (source, target, save) if source is not None and target is not None else None


def _side(call: LibraryCall, facts: Facts) -> Side | None:
    """What the object is whose method is called; ``None`` if that is not known."""
    node = call.site.node
    whose = node.func.value if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) else None
    model: Value = unwrap(call.bound.get("self"))
    if not isinstance(whose, cst.Name) or not isinstance(model, InstanceVal) or not _has_plain_names(model):
        return None
    wrappers = [one for one in facts.events(LibraryCall) if one.name in _WRAPPERS and one.given and _wraps(one, model)]
    if not wrappers:
        return "model"
    bound = _last_bound(call.site, whose.value)
    found = next((one for one in wrappers if bound is not None and _made_by(bound) is one.site.node), None)
    return "wrapper" if found is not None and order.happens_with(found, call) else None


def _has_plain_names(model: InstanceVal) -> bool:
    """Whether the names of a model's weights are those of its attributes, none of which is ``module`` itself."""
    named = [model.attrs, *(held.items for held in model.state.values() if isinstance(held, DictVal))]
    if model.open is not None or any("module" in names for names in named):
        return False
    classes = [part.cls for part in tree(model) if isinstance(part.cls, ClassVal)]
    bases = {base.name for cls in classes for base in cls.mro if isinstance(base, LibSymbol)}
    if not all(map(is_resolved, classes)) or not _WRAPPERS.isdisjoint(bases):
        return False
    return not any(name in cls.attrs for one in classes for cls in user_classes(one) for name in _RENAMING)


def _registers_hooks(facts: Facts) -> bool:
    """Whether the program has weights changed as they are read or written."""
    return any_says((call.site.document for call in facts.events(LibraryCall)), _HOOKS)


def _wraps(wrapper: LibraryCall, model: InstanceVal) -> bool:
    return unwrap(wrapper.given[0]) is model or unwrap(wrapper.result) is model


def _last_bound(site: Site, name: str) -> cst.BaseExpression | None:
    """What the function around a place has assigned to a name last, as it is written."""
    functions = [part for part in enclosing(site) if isinstance(part, cst.FunctionDef)]
    block = functions[-1].body.body if functions else site.document.body
    last: cst.BaseExpression | None = None
    for part in (inner for top in block for inner in walk(top)):
        if part is site.statement:
            return last
        if isinstance(part, cst.SimpleStatementLine):
            for small in small_statements(part):
                if isinstance(small, cst.Assign) and any(dotted(target.target) == name for target in small.targets):
                    last = small.value
    return last


def _made_by(value: cst.BaseExpression) -> cst.BaseExpression:
    """The call that makes an object, also of one that is moved or set to a mode at once."""
    while isinstance(value, cst.Call) and isinstance(value.func, cst.Attribute) and value.func.attr.value in _SAME:
        value = value.func.value
    return value
